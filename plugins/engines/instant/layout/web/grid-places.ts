/**
 * Places the items of a grid: by line numbers, by area names, or automatically in the next free cell. Source: CSS Grid Layout
 * 2, 8.
 */
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { LayoutBox } from './box.ts'
import { maxTracks } from './grid-tracks.ts'

/** The tracks that an item spans, counted from 0. */
export interface GridPlacement {
  readonly box: LayoutBox
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
}

interface Span {
  readonly from: number | undefined
  readonly count: number
}
type Area = { readonly row: Span; readonly column: Span }

/** The explicit grid: the number of its tracks, its named areas and its named lines. */
export interface GridFrame {
  readonly columns: number
  readonly rows: number
  readonly areas: ReadonlyMap<string, Area>
  readonly columnLines: ReadonlyMap<string, number>
  readonly rowLines: ReadonlyMap<string, number>
}

/** The limit of grid cells that all spans together may occupy. */
const maxCoveredSlots = 200_000

/** Parses `grid-template-areas`. */
export function areasOf(style: ComputedStyle): {
  readonly areas: ReadonlyMap<string, Area>
  readonly columns: number
  readonly rows: number
} {
  const lines = [...(style.get('grid-template-areas') ?? '').matchAll(/"([^"]*)"|'([^']*)'/g)]
    .slice(0, maxTracks)
    .map(([, doubleQuoted, singleQuoted]) =>
      (doubleQuoted ?? singleQuoted ?? '').trim().split(/\s+/).slice(0, maxTracks),
    )
  const bounds = new Map<string, { top: number; bottom: number; left: number; right: number }>()
  lines.forEach((names, row) => {
    names.forEach((name, column) => {
      if (/^\.+$/.test(name)) return
      const bound = bounds.get(name) ?? { top: row, bottom: row, left: column, right: column }
      bound.bottom = row
      bound.left = Math.min(bound.left, column)
      bound.right = Math.max(bound.right, column)
      bounds.set(name, bound)
    })
  })
  const areas = new Map<string, Area>()
  for (const [name, { top, bottom, left, right }] of bounds)
    areas.set(name, {
      row: { from: top, count: bottom - top + 1 },
      column: { from: left, count: right - left + 1 },
    })
  return {
    areas,
    columns: lines.reduce((most, names) => Math.max(most, names.length), 0),
    rows: lines.length,
  }
}

/**
 * Places the items: first those with a row and a column, then the others in order. Below, a line is a row, or a column if
 * `grid-auto-flow` says so, and a position is a place in a line.
 *
 * check  throws when the deadline has passed; called often, because placing one item may search the whole grid
 */
export function placeItems(
  boxes: readonly LayoutBox[],
  style: ComputedStyle,
  frame: GridFrame,
  check: () => void,
): readonly GridPlacement[] {
  const byColumn = /^column/.test(style.word('grid-auto-flow') ?? '')
  const isDense = /dense/.test(style.word('grid-auto-flow') ?? '')
  const positions = Math.max(1, byColumn ? frame.rows : frame.columns)
  const slots = createSlots()
  const requested = boxes.map((box) => {
    const { row, column } = areaOf(box, frame)
    return { box, lines: byColumn ? column : row, places: byColumn ? row : column }
  })
  const placements = new Map<LayoutBox, GridPlacement>()
  const settle = ({ box, lines, places }: RequestedItem, line: number, position: number): void => {
    slots.occupy(line, position, lines.count, places.count)
    placements.set(
      box,
      byColumn
        ? { box, row: position, column: line, rows: places.count, columns: lines.count }
        : { box, row: line, column: position, rows: lines.count, columns: places.count },
    )
  }
  for (const item of requested) {
    const { lines, places } = item
    if (lines.from !== undefined && places.from !== undefined) settle(item, lines.from, places.from)
  }
  const firstFree = (start: number, isFree: (track: number) => boolean): number => {
    let track = start
    while (track < maxTracks && !isFree(track)) {
      check()
      track++
    }
    return track
  }
  // The auto-placement cursor.
  let [line, position] = [0, 0]
  for (const item of requested) {
    const { box, lines, places } = item
    if (placements.has(box)) continue
    check()
    const count = Math.min(places.count, positions)
    if (isDense) [line, position] = [0, 0]
    const { from: fixedLine } = lines
    const { from: fixedPosition } = places
    if (fixedLine !== undefined) {
      settle(
        item,
        fixedLine,
        firstFree(0, (free) => slots.areFree(fixedLine, free, lines.count, count)),
      )
    } else if (fixedPosition !== undefined) {
      if (fixedPosition < position) line++
      line = firstFree(line, (free) => slots.areFree(free, fixedPosition, lines.count, count))
      settle(item, line, fixedPosition)
      position = fixedPosition + count
    } else {
      for (;;) {
        check()
        if (position + count > positions) [line, position] = [line + 1, 0]
        if (slots.isExhausted() || slots.areFree(line, position, lines.count, count)) break
        position++
      }
      settle(item, line, position)
      position += count
    }
  }
  return boxes.flatMap((box) => placements.get(box) ?? [])
}

/** An item with the tracks that it asks for: its lines, and its positions in them. */
interface RequestedItem {
  readonly box: LayoutBox
  readonly lines: Span
  readonly places: Span
}

/** The slots of a grid that items occupy: a number of positions in each of a number of lines. */
interface Slots {
  areFree(line: number, position: number, lines: number, count: number): boolean
  occupy(line: number, position: number, lines: number, count: number): void
  /** The items cover more slots than the limit allows. Further ones are not recorded. */
  isExhausted(): boolean
}

function createSlots(): Slots {
  const occupied = new Set<number>()
  let covered = 0
  const keyOf = (line: number, position: number): number => line * (maxTracks + 1) + position
  return {
    areFree(line, position, lines, count) {
      for (let l = line; l < line + lines; l++)
        for (let p = position; p < position + count; p++) if (occupied.has(keyOf(l, p))) return false
      return true
    },
    occupy(line, position, lines, count) {
      covered += lines * count
      if (covered > maxCoveredSlots) return
      for (let l = line; l < line + lines; l++)
        for (let p = position; p < position + count; p++) occupied.add(keyOf(l, p))
    },
    isExhausted: () => covered > maxCoveredSlots,
  }
}

function areaOf(box: LayoutBox, { columns, rows, areas, columnLines, rowLines }: GridFrame): Area {
  if (box.kind === 'lines')
    return { row: { from: undefined, count: 1 }, column: { from: undefined, count: 1 } }
  const { style } = box
  const parts = (style.get('grid-area') ?? '').split('/').map((part) => part.trim())
  const [row, column, rowEnd, columnEnd] =
    parts.length === 1 ? [parts[0], parts[0], parts[0], parts[0]] : parts
  const named = (area: 'row' | 'column') => (name: string) => areas.get(name)?.[area]
  return {
    row: spanOf(style, 'grid-row', [row, rowEnd], { tracks: rows, lines: rowLines, area: named('row') }),
    column: spanOf(style, 'grid-column', [column, columnEnd], {
      tracks: columns,
      lines: columnLines,
      area: named('column'),
    }),
  }
}

/** The lines of one axis. */
interface Lines {
  readonly tracks: number
  readonly lines: ReadonlyMap<string, number>
  readonly area: (name: string) => Span | undefined
}

function spanOf(
  style: ComputedStyle,
  name: string,
  [startOfArea, endOfArea]: readonly (string | undefined)[],
  lines: Lines,
): Span {
  const [first, second] = (style.get(name) ?? '').split('/').map((part) => part.trim())
  const start = style.get(`${name}-start`) ?? (first || startOfArea) ?? 'auto'
  // A single name is used for both the start and the end line.
  const defaultEnd =
    first && second === undefined && !/^(?:auto$|-?\d|span\b)/.test(first) ? first : endOfArea
  const end = style.get(`${name}-end`) ?? second ?? defaultEnd ?? 'auto'
  const [from, to] = [lineOf(start, 'start', lines), lineOf(end, 'end', lines)]
  const [spanStart, spanEnd] = [countOf(start), countOf(end)]
  if (from !== undefined && to !== undefined)
    return { from: Math.min(from, to), count: Math.max(1, Math.abs(to - from)) }
  if (from !== undefined) return { from, count: spanEnd ?? 1 }
  if (to !== undefined) {
    const count = spanStart ?? 1
    return { from: Math.max(0, to - count), count }
  }
  return { from: undefined, count: spanStart ?? spanEnd ?? 1 }
}

/**
 * Resolves a grid line to the index of the track that begins there. Negative numbers count from the end. A name is looked up
 * among the areas first, then among the named lines.
 */
function lineOf(text: string, side: 'start' | 'end', { tracks, lines, area }: Lines): number | undefined {
  if (!/^-?\d+$/.test(text)) {
    const span = area(text)
    if (span?.from !== undefined) return side === 'start' ? span.from : span.from + span.count
    return lines.get(`${text}-${side}`) ?? lines.get(text)
  }
  const line = Number(text)
  if (line === 0) return undefined
  return Math.min(Math.max(line > 0 ? line - 1 : tracks + 1 + line, 0), maxTracks)
}

function countOf(text: string): number | undefined {
  const count = /^span\s+(\d+)$/i.exec(text)?.[1]
  return count === undefined ? undefined : Math.min(Math.max(Number(count), 1), maxTracks)
}

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
    .map(([, one, other]) => (one ?? other ?? '').trim().split(/\s+/).slice(0, maxTracks))
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

export function placeItems(
  boxes: readonly LayoutBox[],
  style: ComputedStyle,
  frame: GridFrame,
  /** Throws when the deadline has passed. Called often, because placing one item may search the whole grid. */
  check: () => void,
): readonly GridPlacement[] {
  const { columns, rows } = frame
  const byColumn = /^column/.test(style.word('grid-auto-flow') ?? '')
  const isDense = /dense/.test(style.word('grid-auto-flow') ?? '')
  const occupied = new Set<number>()
  let covered = 0
  const across = Math.max(1, byColumn ? rows : columns)
  const keyOf = (line: number, at: number): number => line * (maxTracks + 1) + at
  const isFree = (line: number, at: number, lines: number, count: number): boolean => {
    for (let l = line; l < line + lines; l++)
      for (let a = at; a < at + count; a++) if (occupied.has(keyOf(l, a))) return false
    return true
  }
  const occupy = (line: number, at: number, lines: number, count: number): void => {
    covered += lines * count
    if (covered > maxCoveredSlots) return
    for (let l = line; l < line + lines; l++) for (let a = at; a < at + count; a++) occupied.add(keyOf(l, a))
  }
  const requested = boxes.map((box) => ({ box, area: areaOf(box, frame) }))
  const placements = new Map<LayoutBox, GridPlacement>()
  // The auto-placement cursor: a line of tracks in the direction of the flow, and a position in it.
  let [line, at] = [0, 0]
  const settle = (box: LayoutBox, area: Area, l: number, a: number): void => {
    const [along, beside] = byColumn ? [area.column, area.row] : [area.row, area.column]
    occupy(l, a, along.count, beside.count)
    const position = byColumn ? { row: a, column: l } : { row: l, column: a }
    placements.set(box, { box, ...position, rows: area.row.count, columns: area.column.count })
  }
  for (const { box, area } of requested)
    if (area.row.from !== undefined && area.column.from !== undefined)
      settle(
        box,
        area,
        byColumn ? area.column.from : area.row.from,
        byColumn ? area.row.from : area.column.from,
      )
  for (const { box, area } of requested) {
    if (placements.has(box)) continue
    check()
    const [along, beside] = byColumn ? [area.column, area.row] : [area.row, area.column]
    const count = Math.min(beside.count, across)
    if (isDense) [line, at] = [0, 0]
    if (along.from !== undefined) {
      let position = 0
      while (position < maxTracks && !isFree(along.from, position, along.count, count)) {
        check()
        position++
      }
      settle(box, area, along.from, position)
      continue
    }
    if (beside.from !== undefined) {
      if (beside.from < at) line++
      while (line < maxTracks && !isFree(line, beside.from, along.count, count)) {
        check()
        line++
      }
      settle(box, area, line, beside.from)
      at = beside.from + count
      continue
    }
    for (;;) {
      check()
      if (at + count > across) [line, at] = [line + 1, 0]
      if (covered > maxCoveredSlots || isFree(line, at, along.count, count)) break
      at++
    }
    settle(box, area, line, at)
    at += count
  }
  return boxes.flatMap((box) => placements.get(box) ?? [])
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

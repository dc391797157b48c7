import type { SheetArea } from '../../../../../shared/document/chart.ts'
import type { CellArea, Sheet } from '../../../../../shared/document/sheet.ts'
import type { Sparkline, SparklineEnd, SparklineGroup } from '../../../../../shared/document/sparkline.ts'
import { maxOf, minOf } from '../../../../../shared/extremes.ts'
import { NoValue } from '../../../../../shared/office/sheet/evaluate.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { filledBox, type Placed, type Pt, straightLine } from '../frame.ts'
import type { SheetContext } from './context.ts'
import type { Merges } from './merges.ts'
import { cellReader } from './values.ts'

/** The maximum number of values of one sparkline, and of all of a sheet. */
const maxPoints = 20_000
const maxRead = 1_000_000

interface Box {
  readonly x: Pt
  readonly y: Pt
  readonly width: Pt
  readonly height: Pt
}

/** The sparklines of a sheet. */
export interface Sparklines {
  /** The cells with a sparkline, or the merged areas that begin with them, from top to bottom. */
  readonly areas: readonly CellArea[]
  /** Draws those in an area of cells. `boxOf` gives the place of a cell or a merged area; undefined: it is not visible. */
  draw(area: CellArea, boxOf: (cells: CellArea) => Box | undefined): Placed[]
}

/** Values of a sparkline by their index, undefined for empty cells. */
type Values = readonly (number | undefined)[]

interface PlacedSparkline {
  readonly area: CellArea
  readonly group: SparklineGroup
  readonly sparkline: Sparkline
}

/** Prepares the sparklines of a sheet; undefined if it has none. Values are read when the first page with them is drawn. */
export function createSparklines(
  context: SheetContext,
  sheet: Sheet,
  merges: Merges,
): Sparklines | undefined {
  const { sparklines: groups = [] } = sheet
  if (groups.length === 0) return undefined
  const placed = groups
    .flatMap((group) =>
      group.sparklines.map((sparkline): PlacedSparkline => {
        const { row, column } = sparkline
        const cell = { top: row, left: column, bottom: row, right: column }
        return { area: merges.at(row, column) ?? cell, group, sparkline }
      }),
    )
    .sort((a, b) => a.area.top - b.area.top)
  const valuesOf = valueReader(context, sheet)
  const shared = new Map<SparklineGroup, { readonly min: number; readonly max: number }>()
  const extremesOf = (group: SparklineGroup): { readonly min: number; readonly max: number } => {
    let extremes = shared.get(group)
    if (extremes === undefined) {
      const all = group.sparklines.flatMap(({ data }) => numbersIn(valuesOf(data, group)))
      shared.set(group, (extremes = { min: minOf(all), max: maxOf(all) }))
    }
    return extremes
  }
  return {
    areas: placed.map(({ area }) => area),
    draw({ top, left, bottom, right }, boxOf) {
      const items: Placed[] = []
      for (const { area, group, sparkline } of placed) {
        context.budget.check()
        if (area.top > bottom) break
        if (area.bottom < top || area.left > right || area.right < left) continue
        const box = boxOf(area)
        if (box === undefined) continue
        const values = valuesOf(sparkline.data, group)
        const end = (side: SparklineEnd, name: 'min' | 'max'): number | undefined =>
          side === 'group' ? extremesOf(group)[name] : side === 'individual' ? undefined : side
        const range = rangeOf(values, group.kind, end(group.min, 'min'), end(group.max, 'max'))
        const places = placesOf(values, group, group.dates && valuesOf(group.dates, group))
        if (range !== undefined) pushAll(items, drawSparkline({ group, values, range, places, box }))
      }
      return items
    },
  }
}

const numbersIn = (values: Values): number[] => values.filter((value) => value !== undefined)

/** A function that reads the values of an area, row by row, once. Text counts as empty. */
function valueReader(
  { workbook, budget }: SheetContext,
  sheet: Sheet,
): (area: SheetArea, group: SparklineGroup) => Values {
  const read = cellReader(workbook, sheet)
  const sheets = new Map(workbook.sheets.map((each) => [each.name.toLowerCase(), each]))
  const kept = new Map<SheetArea, Values>()
  let left = maxRead
  const valueAt = (area: SheetArea, row: number, column: number): number | undefined => {
    try {
      const value = read(area.sheet, row + 1, column + 1)
      return typeof value === 'number' ? value : undefined
    } catch (error) {
      // Errors and cells of sheets that do not exist are empty.
      if (error instanceof NoValue) return undefined
      throw error
    }
  }
  return (area, { includesHidden, emptyCells }) => {
    const cached = kept.get(area)
    if (cached !== undefined) return cached
    const values: (number | undefined)[] = []
    const of = sheets.get(area.sheet.toLowerCase())
    const hiddenRows = new Set(of?.rows.filter(({ hidden }) => hidden).map(({ row }) => row))
    const hiddenColumns = of?.columns.filter(({ hidden }) => hidden) ?? []
    const isHidden = (column: number): boolean =>
      hiddenColumns.some(({ first, last }) => column >= first && column <= last)
    for (let column = area.left; column <= area.right; column++) {
      if (!includesHidden && isHidden(column)) continue
      for (let row = area.top; row <= area.bottom && values.length < maxPoints && left-- > 0; row++) {
        budget.check()
        if (!includesHidden && hiddenRows.has(row)) continue
        const value = valueAt(area, row, column)
        values.push(value === undefined && emptyCells === 'zero' ? 0 : value)
      }
    }
    kept.set(area, values)
    return values
  }
}

interface Range {
  readonly low: number
  readonly high: number
}

/**
 * The values at the bottom and the top of a cell; undefined without values. Columns of negative values hang from 0 (observed in
 * LibreOffice). Where all values are equal, a line is in the middle, and columns reach from 0.
 */
function rangeOf(
  values: Values,
  kind: SparklineGroup['kind'],
  min: number | undefined,
  max: number | undefined,
): Range | undefined {
  const numbers = numbersIn(values)
  if (numbers.length === 0) return undefined
  if (kind === 'win-loss') return { low: -1, high: 1 }
  const low = min ?? minOf(numbers)
  const high = max ?? Math.max(maxOf(numbers), kind === 'column' ? 0 : -Infinity)
  if (high > low) return { low, high }
  if (kind === 'line') return { low: low - 1, high: low + 1 }
  return low === 0 ? { low: 0, high: 1 } : { low: Math.min(0, low), high: Math.max(0, low) }
}

/** The places of the points across a cell, as shares of its width. */
function placesOf(
  values: Values,
  { kind, rightToLeft }: SparklineGroup,
  dates: Values | undefined,
): number[] {
  const count = values.length
  const known = dates === undefined ? [] : numbersIn(dates)
  const [first, last] = known.length === 0 ? [0, 0] : [minOf(known), maxOf(known)]
  const columns = 1 - columnWidth / count
  return values.map((_, at) => {
    const date = last > first ? dates?.[at] : undefined
    const even = kind === 'line' ? at / Math.max(1, count - 1) : at / count
    const share =
      date === undefined ? even : ((date - first) / (last - first)) * (kind === 'line' ? 1 : columns)
    return rightToLeft ? (kind === 'line' ? 1 : columns) - share : share
  })
}

interface SparklineDrawing {
  readonly group: SparklineGroup
  readonly values: Values
  readonly range: Range
  readonly places: readonly number[]
  readonly box: Box
}

/** The width of a column as a share of the distance between two of them. Observed in LibreOffice. */
const columnWidth = 0.7
/** The side of the mark of a point, in widths of the line. */
const markSize = 3
/** The smallest height of a column that is not 0, pt. */
const leastHeight = 0.75

const colourOf = (color: string): number => Number.parseInt(color, 16) || 0

function drawSparkline(drawing: SparklineDrawing): Placed[] {
  const { group, range, box } = drawing
  const { low, high } = range
  const zero = box.y + (box.height * high) / (high - low)
  const axis =
    group.hasAxis && low <= 0 && high >= 0
      ? [straightLine(box.x, zero, box.width, 0, { colour: colourOf(group.colors.axis), width: 0.5 })]
      : []
  return [...axis, ...(group.kind === 'line' ? drawLine(drawing) : drawColumns(drawing))]
}

/** The line, which gaps divide, and the marks of its points. */
function drawLine({ group, values, range: { low, high }, places, box }: SparklineDrawing): Placed[] {
  const items: Placed[] = []
  const stroke = { colour: colourOf(group.colors.series), width: group.lineWidth, join: 'round' } as const
  let commands: (readonly ['M' | 'L', Pt, Pt])[] = []
  const close = (): void => {
    if (commands.length > 1) items.push({ ...box, item: { kind: 'shape', path: { commands, stroke } } })
    commands = []
  }
  const side = markSize * group.lineWidth
  const marks: Placed[] = []
  const colorOf = colorsOf(values, group)
  values.forEach((value, at) => {
    if (value === undefined) {
      if (group.emptyCells !== 'span') close()
      return
    }
    const x = box.width * (places[at] ?? 0)
    const y = (box.height * (high - value)) / (high - low)
    commands.push([commands.length === 0 ? 'M' : 'L', x, y])
    const color = colorOf(value, at)
    if (color !== undefined)
      marks.push(filledBox(box.x + x - side / 2, box.y + y - side / 2, side, side, colourOf(color)))
  })
  close()
  const frame = { width: box.width, height: box.height, items: [...items, ...marks].map(within(box)) }
  return [{ x: box.x, y: box.y, item: { kind: 'group', clip: true, frame } }]
}

const within =
  ({ x, y }: Box) =>
  (placed: Placed): Placed => ({ x: placed.x - x, y: placed.y - y, item: placed.item })

/** The columns, which begin at 0 or at the end of the range that is nearest to it. */
function drawColumns({ group, values, range: { low, high }, places, box }: SparklineDrawing): Placed[] {
  const colorOf = colorsOf(values, group)
  const width = (box.width * columnWidth) / values.length
  const base = Math.min(high, Math.max(low, 0))
  const down = (value: number): Pt =>
    (box.height * (high - Math.min(high, Math.max(low, value)))) / (high - low)
  return values.flatMap((value, at): Placed[] => {
    if (value === undefined || value === 0) return []
    const end = group.kind === 'win-loss' ? Math.sign(value) : value
    const [from, to] = [down(base), down(end)]
    const height = Math.max(Math.abs(to - from), Math.min(leastHeight, box.height))
    const top = end < base || (end === base && base < 0) ? from : from - height
    const color = colorOf(value, at) ?? group.colors.series
    return [filledBox(box.x + box.width * (places[at] ?? 0), box.y + top, width, height, colourOf(color))]
  })
}

/**
 * The colour of a point that has one of its own. Of several, that of the ends of the line counts first, then those of the
 * largest and the smallest value (observed in LibreOffice).
 */
function colorsOf(
  values: Values,
  { marked, colors, kind }: SparklineGroup,
): (value: number, at: number) => string | undefined {
  const numbers = numbersIn(values)
  const [low, high] = [minOf(numbers), maxOf(numbers)]
  const first = values.findIndex((value) => value !== undefined)
  const last = values.findLastIndex((value) => value !== undefined)
  return (value, at) => {
    if (marked.has('first') && at === first) return colors.first
    if (marked.has('last') && at === last) return colors.last
    if (marked.has('low') && value === low) return colors.low
    if (marked.has('high') && value === high) return colors.high
    if (marked.has('negative') && value < 0) return colors.negative
    return marked.has('markers') && kind === 'line' ? colors.markers : undefined
  }
}

import type { Axis, Chart, ChartFormat } from '../../../../../shared/document/chart.ts'
import type { PathCommand, Pt } from '../frame.ts'
import {
  around,
  type CategoryRange,
  drawAxisLabels,
  drawAxisLine,
  type Ruler,
  type SetAxis,
  setAxis,
  type TickLabel,
} from './axis.ts'
import {
  box,
  type ChartArea,
  type ChartCanvas,
  lineGrey,
  mm,
  stroke,
  strokeOf,
  styleOf,
  textBlock,
} from './canvas.ts'
import { formatNumber } from './format.ts'
import { daysOf, type Plane, type PlotGroup, placesOf, shareOf, valuesOf, xsOf } from './plane.ts'
import { type AxisScale, scaleOf } from './scale.ts'
import { drawPlot } from './series.ts'

/** Charts with two axes: columns, bars, lines, areas, points, bubbles, prices. */

/** A group of series with its plane and axes. */
interface Standing {
  readonly group: PlotGroup
  readonly plane: Plane
  readonly axes: readonly SetAxis[]
  /** The value at which the category axis crosses. */
  readonly base: number
}

/**
 * Draws the plot with its axes and returns the bounds of both. `fixed` is the plot area without labels, when
 * the file specifies it.
 */
export function drawCartesian(canvas: ChartCanvas, area: ChartArea, fixed: ChartArea | undefined): ChartArea {
  const groups = groupsOf(canvas.chart)
  let inner = fixed ?? area
  let standing = groups.map((group) => stand(canvas, group, inner))
  for (let round = 0; fixed === undefined && round < 5; round += 1) {
    const outer = outerOf(inner, standing)
    const next = {
      x: area.x + (inner.x - outer.x),
      y: area.y + (inner.y - outer.y),
      width: Math.max(10, area.width - (outer.width - inner.width)),
      height: Math.max(10, area.height - (outer.height - inner.height)),
    }
    const still =
      Math.abs(next.width - inner.width) + Math.abs(next.height - inner.height) + Math.abs(next.x - inner.x)
    inner = next
    standing = groups.map((group) => stand(canvas, group, inner))
    if (still < 0.05) break
  }
  box(canvas, inner, canvas.chart.wall)
  for (const { plane, group, axes } of standing) drawGrids(canvas, plane, group, axes)
  for (const { axes } of standing) for (const axis of axes) drawAxisLine(canvas, axis)
  // Areas are drawn behind columns, and columns behind lines and points.
  const order = ['area', 'bar', 'stock', 'line', 'scatter', 'bubble']
  for (const { group, plane, base } of standing) {
    const plots = [...group.plots].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    for (const plot of plots) drawPlot(canvas, plane, plot, { value: base })
  }
  for (const { axes } of standing) for (const axis of axes) drawAxisLabels(canvas, axis)
  return outerOf(inner, standing)
}

const outerOf = (inner: ChartArea, standing: readonly Standing[]): ChartArea =>
  around([inner, ...standing.flatMap(({ axes }) => axes.flatMap((axis) => axis.area ?? []))])

function groupsOf(chart: Chart): PlotGroup[] {
  const round = ['pie', 'doughnut', 'radar']
  const plots = chart.plots.filter(({ kind }) => !round.includes(kind))
  const first = plots.filter(({ second }) => !second)
  const rest = plots.filter(({ second }) => second)
  const { categories, values, secondCategories, secondValues } = chart
  const own: PlotGroup[] = first.length === 0 ? [] : [{ plots: first, categories, values, second: false }]
  if (rest.length > 0)
    own.push({
      plots: rest,
      categories: secondCategories ?? { ...categories, hidden: true },
      values: secondValues ?? values,
      second: true,
    })
  return own
}

function stand(canvas: ChartCanvas, group: PlotGroup, area: ChartArea): Standing {
  const { plots, categories, values } = group
  const lying = plots.some(({ horizontal }) => horizontal)
  const points = plots.some(({ kind }) => kind === 'scatter' || kind === 'bubble')
  const format = valueFormat(group)
  const value = valueScale(canvas, group, area, lying, format)
  const across = points
    ? fitting(canvas, categories, area.width, true, categories.format, (most) =>
        scaleOf(
          plots.flatMap(({ series }) => series.flatMap(xsOf)),
          categories,
          { most },
        ),
      )
    : undefined
  const dates = categories.dates === undefined ? undefined : daysOf(plots, categories.dates)
  const bars = plots.some(({ kind }) => kind === 'bar' || kind === 'stock')
  const onlyAreas = plots.every(({ kind }) => kind === 'area')
  const names = namesOf(group, dates)
  const plane: Plane = {
    area,
    lying,
    value,
    across,
    count: names.length,
    reversed: categories.reversed,
    between: bars || (values.between ?? !onlyAreas),
    days: dates?.at,
    places: placesOf(names.length, dates?.at),
  }
  const base = Math.min(Math.max(crossing(categories, value), value.min), value.max)
  const axes = [
    setAxis(canvas, valueRuler(plane, group, format)),
    setAxis(
      canvas,
      points ? acrossRuler(plane, group) : categoryRuler(canvas, plane, group, names, base, dates?.dayAt),
    ),
  ]
  return { group, plane, axes, base }
}

/** The value at which an axis crosses the other one. */
function crossing({ crosses }: Axis, on: AxisScale): number {
  if (crosses === 'least') return on.min
  if (crosses === 'most') return on.max
  if (typeof crosses === 'number') return crosses
  return Math.min(Math.max(0, on.min), on.max)
}

function valueFormat({ plots, values }: PlotGroup): string | undefined {
  const fallback = plots.some(({ grouping }) => grouping === 'share') ? '0%' : undefined
  const { format } = values
  if (format !== undefined && !(fallback !== undefined && /^general$/i.test(format))) return format
  return fallback ?? plots.flatMap(({ series }) => series)[0]?.format
}

function valueScale(
  canvas: ChartCanvas,
  { plots, values }: PlotGroup,
  area: ChartArea,
  lying: boolean,
  format: string | undefined,
): AxisScale {
  const share = plots.some(({ grouping }) => grouping === 'share')
  const all = plots.flatMap(valuesOf)
  const zero = plots.some(({ kind }) => kind === 'bar')
  const negative = all.some((amount) => amount < 0)
  return fitting(canvas, values, lying ? area.width : area.height, lying, format, (most) =>
    scaleOf(share ? [negative ? -1 : 0, 1] : all, values, { most, zero, keepsDistance: !share }),
  )
}

/** The number of ticks is limited by the space that their labels need. */
function fitting(
  canvas: ChartCanvas,
  axis: Axis,
  length: Pt,
  level: boolean,
  format: string | undefined,
  scale: (most: number) => AxisScale,
): AxisScale {
  const style = styleOf(canvas, axis.letters)
  const tall = textBlock(canvas, '0', style).height
  if (!level) return scale(length / tall)
  let found = scale(10)
  for (let round = 0; round < 3; round += 1) {
    const wide = found.ticks.reduce(
      (most, tick) => Math.max(most, textBlock(canvas, formatNumber(tick, format), style).width),
      1,
    )
    const next = scale(length / wide)
    if (next.step === found.step) break
    found = next
  }
  return found
}

function namesOf({ plots, categories }: PlotGroup, dates: unknown): string[] {
  const series = plots.flatMap((plot) => plot.series)
  const named = series.find((one) => one.categories.length > 0)
  const count = series.reduce(
    (most, { values }) => Math.max(most, values.length),
    named?.categories.length ?? 0,
  )
  const format = /^general$/i.test(categories.format ?? '') ? undefined : categories.format
  return Array.from({ length: count }, (_, n) => {
    const day = named?.days?.[n]
    if (day !== undefined) return formatNumber(day, format ?? named?.dayFormat)
    return named?.categories[n] ?? (dates === undefined && named !== undefined ? '' : String(n + 1))
  })
}

/** An axis at position `at`, from which follows the side of its labels. */
function placed(
  axis: Axis,
  level: boolean,
  area: ChartArea,
  at: Pt,
  low: Pt,
  high: Pt,
): Pick<Ruler, 'axis' | 'level' | 'at' | 'far' | 'side' | 'from' | 'to'> {
  const far = axis.labels === 'high' ? high : axis.labels === 'low' ? low : at
  const end = level ? area.y : area.x + area.width
  const start = level ? area.y + area.height : area.x
  const side = Math.abs(far - end) < 0.1 && Math.abs(far - start) > 0.1 ? 1 : -1
  return level
    ? { axis, level, at, far, side, from: area.x, to: area.x + area.width }
    : { axis, level, at, far, side, from: area.y + area.height, to: area.y }
}

function valueRuler(plane: Plane, group: PlotGroup, format: string | undefined): Ruler {
  const { area, lying, value, across } = plane
  const { values, categories } = group
  const x = (share: number): Pt => area.x + share * area.width
  const y = (share: number): Pt => area.y + (1 - share) * area.height
  const share =
    across !== undefined
      ? across.share(Math.min(Math.max(crossing(values, across), across.min), across.max))
      : edgeShare(plane, values, categories.reversed)
  const where = lying ? y : x
  const [low, high] = categories.reversed ? [1, 0] : [0, 1]
  const along = (tick: number): Pt => (lying ? x : y)(value.share(tick))
  const tickLabels = value.ticks.map(
    (tick): TickLabel => ({ at: along(tick), text: formatNumber(tick, format) }),
  )
  return {
    ...placed(values, lying, area, where(share), where(low), where(high)),
    tickLabels,
    ticks: value.ticks.map(along),
    minors: value.minors.map(along),
  }
}

/** The position among the categories at which the value axis crosses, as a fraction. */
function edgeShare(plane: Plane, { crosses }: Axis, reversed: boolean): number {
  if (crosses === 'most') return reversed ? 0 : 1
  if (typeof crosses !== 'number') return reversed ? 1 : 0
  const n = Math.min(Math.max(crosses, 1), Math.max(1, plane.count))
  return plane.between
    ? Math.abs((reversed ? 1 : 0) - (n - 1) / Math.max(1, plane.count))
    : shareOf(plane, n - 1)
}

function acrossRuler(plane: Plane, { categories, values }: PlotGroup): Ruler {
  const { area, value, across } = plane
  const scale = across!
  const y = (amount: number): Pt => area.y + (1 - value.share(amount)) * area.height
  const at = Math.min(Math.max(crossing(categories, value), value.min), value.max)
  const along = (tick: number): Pt => area.x + scale.share(tick) * area.width
  const format = categories.format ?? values.format
  return {
    ...placed(categories, true, area, y(at), y(value.min), y(value.max)),
    tickLabels: scale.ticks.map((tick) => ({
      at: along(tick),
      text: formatNumber(tick, categories.format === undefined ? undefined : format),
    })),
    ticks: scale.ticks.map(along),
    minors: scale.minors.map(along),
  }
}

function categoryRuler(
  canvas: ChartCanvas,
  plane: Plane,
  group: PlotGroup,
  names: readonly string[],
  base: number,
  dayAt: ((n: number) => number) | undefined,
): Ruler {
  const { area, lying, value, count, between, days, places: all } = plane
  const { categories } = group
  const where = (amount: number): Pt =>
    lying ? area.x + value.share(amount) * area.width : area.y + (1 - value.share(amount)) * area.height
  const along = (share: number): Pt =>
    lying ? area.y + (1 - share) * area.height : area.x + share * area.width
  const edge = (n: number): Pt => {
    const share = between ? n / Math.max(1, all) : n / Math.max(1, all - 1)
    return along(categories.reversed ? 1 - share : share)
  }
  const middle = (n: number): Pt => (between ? (edge(n) + edge(n + 1)) / 2 : edge(n))
  const length = lying ? area.height : area.width
  const tickLabels =
    days === undefined
      ? names.map((text, n): TickLabel => ({ at: along(shareOf(plane, n)), text }))
      : dayTicks(canvas, categories, group, all, length, lying, middle, dayAt!)
  const every = categories.tickEvery ?? 1
  const edges = Array.from({ length: Math.min(2000, between ? all + 1 : all) }, (_, n) => n).filter(
    (n) => n % every === 0,
  )
  const levels = levelsOf(group, count, edge)
  return {
    ...placed(categories, !lying, area, where(base), where(value.min), where(value.max)),
    tickLabels,
    ticks: edges.map(edge),
    minors: [],
    ...(!lying && days === undefined && { available: Math.max(1, length / Math.max(1, count) - mm) }),
    ...(levels !== undefined && { levels }),
  }
}

/** Ticks at days, months or years, with the distance that their labels need. */
function dayTicks(
  canvas: ChartCanvas,
  axis: Axis,
  { plots }: PlotGroup,
  all: number,
  length: Pt,
  lying: boolean,
  at: (n: number) => Pt,
  dayAt: (n: number) => number,
): TickLabel[] {
  const style = styleOf(canvas, axis.letters)
  const series = plots.flatMap((plot) => plot.series).find(({ days }) => days !== undefined)
  const own = /^general$/i.test(axis.format ?? '') ? undefined : axis.format
  const text = (n: number): string => formatNumber(dayAt(n), own ?? series?.dayFormat ?? 'yyyy-mm-dd')
  const sample = textBlock(canvas, text(0), style)
  const fitting = Math.max(1, Math.floor(length / Math.max(1, lying ? sample.height : sample.width)))
  const steps =
    axis.dates === 'days'
      ? [1, 2, 7, 14, 30, 61, 91, 183, 365]
      : axis.dates === 'months'
        ? [1, 2, 3, 4, 6, 12, 24, 60]
        : [1, 2, 5, 10, 20, 50]
  const least = Math.ceil(all / fitting)
  const step = axis.step ?? steps.find((one) => one >= least) ?? least
  const tickLabels: TickLabel[] = []
  for (let n = 0; n < all && tickLabels.length < 2000; n += Math.max(1, Math.round(step)))
    tickLabels.push({ at: at(n), text: text(n) })
  return tickLabels
}

/** Outer category names with the category ranges that they cover. */
function levelsOf(
  { plots }: PlotGroup,
  count: number,
  edge: (n: number) => Pt,
): CategoryRange[][] | undefined {
  const levels = plots.flatMap(({ series }) => series).find((one) => one.levels !== undefined)?.levels
  return levels?.map((names) => {
    const starts = names.flatMap((name, n) => (name === undefined ? [] : [n]))
    return starts.map((from, n) => ({
      from: edge(from),
      to: edge(starts[n + 1] ?? count),
      text: names[from] ?? '',
    }))
  })
}

function drawGrids(
  canvas: ChartCanvas,
  plane: Plane,
  { values, categories }: PlotGroup,
  [value, category]: readonly SetAxis[],
): void {
  const { area, lying } = plane
  const fallback = { colour: lineGrey, width: 0.75 }
  const lines = (formatting: ChartFormat | undefined, places: readonly Pt[], level: boolean): void => {
    const how = formatting && strokeOf(formatting, fallback)
    if (how === undefined) return
    const commands = places.flatMap((at): PathCommand[] =>
      level
        ? [
            ['M', area.x, at],
            ['L', area.x + area.width, at],
          ]
        : [
            ['M', at, area.y],
            ['L', at, area.y + area.height],
          ],
    )
    if (commands.length > 0) stroke(canvas, commands, how)
  }
  lines(values.minorGrid, value!.ruler.minors, !lying)
  lines(categories.minorGrid, category!.ruler.minors, lying)
  lines(values.grid, value!.ruler.ticks, !lying)
  lines(categories.grid, category!.ruler.ticks, lying)
}

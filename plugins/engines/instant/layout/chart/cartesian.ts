import type { Axis, Chart, ChartFormat } from '../../../../../shared/document/chart.ts'
import type { PathCommand, Pt } from '../frame.ts'
import {
  type CategoryRange,
  drawAxisLabels,
  drawAxisLine,
  enclosingArea,
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
import { chartNumberText } from './format.ts'
import { axisLength, categoryFraction, daysOf, type Plane, type PlotGroup, valuesOf, xsOf } from './plane.ts'
import { type AxisScale, scaleOf } from './scale.ts'
import { drawPlot } from './series.ts'

/** Charts with two axes: columns, bars, lines, areas, points, bubbles, prices. */

/** A group of series with its plane and axes. */
interface PreparedGroup {
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
  let prepared = groups.map((group) => prepareGroup(canvas, group, inner))
  for (let pass = 0; fixed === undefined && pass < 5; pass += 1) {
    const outer = areaWithAxes(inner, prepared)
    const next = {
      x: area.x + (inner.x - outer.x),
      y: area.y + (inner.y - outer.y),
      width: Math.max(10, area.width - (outer.width - inner.width)),
      height: Math.max(10, area.height - (outer.height - inner.height)),
    }
    const change =
      Math.abs(next.width - inner.width) + Math.abs(next.height - inner.height) + Math.abs(next.x - inner.x)
    inner = next
    prepared = groups.map((group) => prepareGroup(canvas, group, inner))
    if (change < 0.05) break
  }
  box(canvas, inner, canvas.chart.wall)
  for (const { plane, group, axes } of prepared) drawGrids(canvas, plane, group, axes)
  for (const { axes } of prepared) for (const axis of axes) drawAxisLine(canvas, axis)
  // Areas are drawn behind columns, and columns behind lines and points.
  const order = ['area', 'bar', 'stock', 'line', 'scatter', 'bubble']
  for (const { group, plane, base } of prepared) {
    const plots = [...group.plots].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
    for (const plot of plots) drawPlot(canvas, plane, plot, { value: base })
  }
  for (const { axes } of prepared) for (const axis of axes) drawAxisLabels(canvas, axis)
  return areaWithAxes(inner, prepared)
}

const areaWithAxes = (inner: ChartArea, prepared: readonly PreparedGroup[]): ChartArea =>
  enclosingArea([inner, ...prepared.flatMap(({ axes }) => axes.flatMap((axis) => axis.area ?? []))])

function groupsOf(chart: Chart): PlotGroup[] {
  const polarKinds = ['pie', 'doughnut', 'radar']
  const plots = chart.plots.filter(({ kind }) => !polarKinds.includes(kind))
  const first = plots.filter(({ second }) => !second)
  const rest = plots.filter(({ second }) => second)
  const { categories, values, secondCategories, secondValues } = chart
  const groups: PlotGroup[] = first.length === 0 ? [] : [{ plots: first, categories, values, second: false }]
  if (rest.length > 0)
    groups.push({
      plots: rest,
      categories: secondCategories ?? { ...categories, hidden: true },
      values: secondValues ?? values,
      second: true,
    })
  return groups
}

function prepareGroup(canvas: ChartCanvas, group: PlotGroup, area: ChartArea): PreparedGroup {
  const { plots, categories, values } = group
  const horizontal = plots.some(({ horizontal }) => horizontal)
  const points = plots.some(({ kind }) => kind === 'scatter' || kind === 'bubble')
  const format = valueFormat(group)
  const value = valueScale(canvas, group, area, horizontal, format)
  const across = points
    ? fitting(canvas, categories, area.width, true, categories.format, (maxSteps) =>
        scaleOf(
          plots.flatMap(({ series }) => series.flatMap(xsOf)),
          categories,
          // Observed in LibreOffice: zero belongs to the axis of values only.
          { maxSteps, wide: false },
        ),
      )
    : undefined
  const dates = categories.dates === undefined ? undefined : daysOf(plots, categories.dates)
  const bars = plots.some(({ kind }) => kind === 'bar' || kind === 'stock')
  const onlyAreas = plots.every(({ kind }) => kind === 'area')
  const names = namesOf(group, dates)
  const plane: Plane = {
    area,
    horizontal,
    value,
    across,
    count: names.length,
    reversed: categories.reversed,
    between: bars || (values.between ?? !onlyAreas),
    days: dates?.at,
    length: axisLength(names.length, dates?.at),
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
  horizontal: boolean,
  format: string | undefined,
): AxisScale {
  const isPercentage = plots.some(({ grouping }) => grouping === 'share')
  const all = plots.flatMap(valuesOf)
  const zero = plots.some(({ kind }) => kind === 'bar')
  const negative = all.some((amount) => amount < 0)
  return fitting(canvas, values, horizontal ? area.width : area.height, horizontal, format, (maxSteps) =>
    scaleOf(isPercentage ? [negative ? -1 : 0, 1] : all, values, {
      maxSteps,
      zero,
      keepsDistance: !isPercentage,
    }),
  )
}

/** The number of ticks is limited by the space that their labels need. */
function fitting(
  canvas: ChartCanvas,
  axis: Axis,
  length: Pt,
  horizontal: boolean,
  format: string | undefined,
  scale: (maxSteps: number) => AxisScale,
): AxisScale {
  const style = styleOf(canvas, axis.letters)
  const tall = textBlock(canvas, '0', style).height
  if (!horizontal) return scale(length / tall)
  let current = scale(10)
  for (let pass = 0; pass < 3; pass += 1) {
    const wide = current.ticks.reduce(
      (max, tick) => Math.max(max, textBlock(canvas, chartNumberText(tick, format), style).width),
      1,
    )
    const next = scale(length / wide)
    if (next.step === current.step) break
    current = next
  }
  return current
}

function namesOf({ plots, categories }: PlotGroup, dates: unknown): string[] {
  const series = plots.flatMap((plot) => plot.series)
  const named = series.find((candidate) => candidate.categories.length > 0)
  const count = series.reduce(
    (max, { values }) => Math.max(max, values.length),
    named?.categories.length ?? 0,
  )
  const format = /^general$/i.test(categories.format ?? '') ? undefined : categories.format
  return Array.from({ length: count }, (_, n) => {
    const day = named?.days?.[n]
    if (day !== undefined) return chartNumberText(day, format ?? named?.dayFormat)
    return named?.categories[n] ?? (dates === undefined && named !== undefined ? '' : String(n + 1))
  })
}

/** An axis at position `at`, from which follows the side of its labels. */
function axisGeometry(
  axis: Axis,
  horizontal: boolean,
  area: ChartArea,
  at: Pt,
  low: Pt,
  high: Pt,
): Pick<Ruler, 'axis' | 'horizontal' | 'at' | 'labelStart' | 'side' | 'from' | 'to'> {
  const labelStart = axis.labels === 'high' ? high : axis.labels === 'low' ? low : at
  const end = horizontal ? area.y : area.x + area.width
  const start = horizontal ? area.y + area.height : area.x
  const side = Math.abs(labelStart - end) < 0.1 && Math.abs(labelStart - start) > 0.1 ? 1 : -1
  return horizontal
    ? { axis, horizontal, at, labelStart, side, from: area.x, to: area.x + area.width }
    : { axis, horizontal, at, labelStart, side, from: area.y + area.height, to: area.y }
}

function valueRuler(plane: Plane, group: PlotGroup, format: string | undefined): Ruler {
  const { area, horizontal, value, across } = plane
  const { values, categories } = group
  const x = (fraction: number): Pt => area.x + fraction * area.width
  const y = (fraction: number): Pt => area.y + (1 - fraction) * area.height
  const fraction =
    across !== undefined
      ? across.fractionOf(Math.min(Math.max(crossing(values, across), across.min), across.max))
      : edgeFraction(plane, values, categories.reversed)
  const pointAcross = horizontal ? y : x
  const [low, high] = categories.reversed ? [1, 0] : [0, 1]
  const along = (tick: number): Pt => (horizontal ? x : y)(value.fractionOf(tick))
  const tickLabels = value.ticks.map(
    (tick): TickLabel => ({ at: along(tick), text: chartNumberText(tick, format) }),
  )
  return {
    ...axisGeometry(values, horizontal, area, pointAcross(fraction), pointAcross(low), pointAcross(high)),
    tickLabels,
    ticks: value.ticks.map(along),
    minors: value.minors.map(along),
  }
}

/** The position among the categories at which the value axis crosses, as a fraction. */
function edgeFraction(plane: Plane, { crosses }: Axis, reversed: boolean): number {
  if (crosses === 'most') return reversed ? 0 : 1
  if (typeof crosses !== 'number') return reversed ? 1 : 0
  const n = Math.min(Math.max(crosses, 1), Math.max(1, plane.count))
  return plane.between
    ? Math.abs((reversed ? 1 : 0) - (n - 1) / Math.max(1, plane.count))
    : categoryFraction(plane, n - 1)
}

function acrossRuler(plane: Plane, { categories, values }: PlotGroup): Ruler {
  const { area, value, across } = plane
  const scale = across!
  const y = (amount: number): Pt => area.y + (1 - value.fractionOf(amount)) * area.height
  const at = Math.min(Math.max(crossing(categories, value), value.min), value.max)
  const along = (tick: number): Pt => area.x + scale.fractionOf(tick) * area.width
  const format = categories.format ?? values.format
  return {
    ...axisGeometry(categories, true, area, y(at), y(value.min), y(value.max)),
    tickLabels: scale.ticks.map((tick) => ({
      at: along(tick),
      text: chartNumberText(tick, categories.format === undefined ? undefined : format),
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
  const { area, horizontal, value, count, between, days, length: all } = plane
  const { categories } = group
  const pointAcross = (amount: number): Pt =>
    horizontal
      ? area.x + value.fractionOf(amount) * area.width
      : area.y + (1 - value.fractionOf(amount)) * area.height
  const along = (fraction: number): Pt =>
    horizontal ? area.y + (1 - fraction) * area.height : area.x + fraction * area.width
  const edge = (n: number): Pt => {
    const fraction = between ? n / Math.max(1, all) : n / Math.max(1, all - 1)
    return along(categories.reversed ? 1 - fraction : fraction)
  }
  const middle = (n: number): Pt => (between ? (edge(n) + edge(n + 1)) / 2 : edge(n))
  const length = horizontal ? area.height : area.width
  const tickLabels =
    days === undefined
      ? names.map((text, n): TickLabel => ({ at: along(categoryFraction(plane, n)), text }))
      : dayTicks(canvas, categories, group, all, length, horizontal, middle, dayAt!)
  const every = categories.tickEvery ?? 1
  const edges = Array.from({ length: Math.min(2000, between ? all + 1 : all) }, (_, n) => n).filter(
    (n) => n % every === 0,
  )
  const levels = levelsOf(group, count, edge)
  return {
    ...axisGeometry(
      categories,
      !horizontal,
      area,
      pointAcross(base),
      pointAcross(value.min),
      pointAcross(value.max),
    ),
    tickLabels,
    ticks: edges.map(edge),
    minors: [],
    ...(!horizontal && days === undefined && { available: Math.max(1, length / Math.max(1, count) - mm) }),
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
  horizontal: boolean,
  at: (n: number) => Pt,
  dayAt: (n: number) => number,
): TickLabel[] {
  const style = styleOf(canvas, axis.letters)
  const series = plots.flatMap((plot) => plot.series).find(({ days }) => days !== undefined)
  const declaredFormat = /^general$/i.test(axis.format ?? '') ? undefined : axis.format
  const text = (n: number): string =>
    chartNumberText(dayAt(n), declaredFormat ?? series?.dayFormat ?? 'yyyy-mm-dd')
  const sample = textBlock(canvas, text(0), style)
  const fitting = Math.max(1, Math.floor(length / Math.max(1, horizontal ? sample.height : sample.width)))
  const steps =
    axis.dates === 'days'
      ? [1, 2, 7, 14, 30, 61, 91, 183, 365]
      : axis.dates === 'months'
        ? [1, 2, 3, 4, 6, 12, 24, 60]
        : [1, 2, 5, 10, 20, 50]
  const minStep = Math.ceil(all / fitting)
  const step = axis.step ?? steps.find((value) => value >= minStep) ?? minStep
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
  const levels = plots
    .flatMap(({ series }) => series)
    .find((candidate) => candidate.levels !== undefined)?.levels
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
  const { area, horizontal } = plane
  const fallback = { colour: lineGrey, width: 0.75 }
  const lines = (
    formatting: ChartFormat | undefined,
    positions: readonly Pt[],
    horizontal: boolean,
  ): void => {
    const how = formatting && strokeOf(formatting, fallback)
    if (how === undefined) return
    const commands = positions.flatMap((at): PathCommand[] =>
      horizontal
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
  lines(values.minorGrid, value!.ruler.minors, !horizontal)
  lines(categories.minorGrid, category!.ruler.minors, horizontal)
  lines(values.grid, value!.ruler.ticks, !horizontal)
  lines(categories.grid, category!.ruler.ticks, horizontal)
}

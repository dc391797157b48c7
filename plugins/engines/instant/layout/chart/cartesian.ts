import type { Axis, Plot, Series } from '../../../../../shared/document/chart.ts'
import type { PathCommand, Pt } from '../frame.ts'
import { type Area, fill, type Ink, label, labelSize, rule, seriesColour, stroke, textWidth } from './ink.ts'
import { formatNumber, type Scale, scaleOf } from './scale.ts'

/** Charts between two axes: columns, bars, lines, areas, points, bubbles. */

const isPoints = ({ kind }: Plot): boolean => kind === 'scatter' || kind === 'bubble'

interface Plane {
  readonly area: Area
  /** Bars lie: categories run down, values to the right. */
  readonly lying: boolean
  readonly value: Scale
  /** Set where both axes are of numbers. */
  readonly across: Scale | undefined
  readonly categories: readonly string[]
  readonly categoriesReversed: boolean
}

export function drawCartesian(ink: Ink, area: Area): void {
  const { chart } = ink
  const plots = chart.plots.filter(({ kind }) => kind !== 'pie' && kind !== 'doughnut' && kind !== 'radar')
  const lying = plots.some(({ horizontal }) => horizontal)
  const categories = categoriesOf(plots)
  const values = plots.flatMap(valuesOf)
  const filled = plots.some(({ kind }) => kind === 'bar' || kind === 'area')
  const percent = plots.some(({ grouping }) => grouping === 'share')
  const length = lying ? area.width : area.height
  const value = scaleOf(
    percent ? [0, 1] : values,
    percent ? { ...chart.values, step: 0.1 } : chart.values,
    length / 20,
    filled,
  )
  const xs = plots.filter(isPoints).flatMap(({ series }) => series.flatMap(xsOf))
  const across = xs.length === 0 ? undefined : scaleOf(xs, chart.categories, area.width / 40)
  const format = percent ? '0%' : (chart.values.format ?? plots.flatMap(({ series }) => series)[0]?.format)
  const room = framed(ink, area, { lying, value, across, categories, format })
  const plane: Plane = {
    area: room,
    lying,
    value,
    across,
    categories,
    categoriesReversed: chart.categories.reversed,
  }
  drawAxes(ink, plane, format)
  let number = 0
  const bars = plots.filter(({ kind }) => kind === 'bar')
  // Areas lie behind columns, columns behind lines and points.
  const order = ['area', 'bar', 'line', 'scatter', 'bubble']
  const numbered = plots.map((plot) => {
    const first = number
    number += plot.series.length
    return { plot, first }
  })
  numbered.sort((a, b) => order.indexOf(a.plot.kind) - order.indexOf(b.plot.kind))
  for (const { plot, first } of numbered) {
    if (plot.kind === 'bar') drawBars(ink, plane, plot, first, bars)
    else if (plot.kind === 'area') drawAreas(ink, plane, plot, first)
    else if (plot.kind === 'line') drawLines(ink, plane, plot, first)
    else drawPoints(ink, plane, plot, first)
  }
}

const xsOf = ({ x, values }: Series): number[] =>
  (x ?? values.map((_, n) => n + 1)).flatMap((value) => value ?? [])

function categoriesOf(plots: readonly Plot[]): string[] {
  const series = plots.flatMap((plot) => plot.series)
  const named = series.find(({ categories }) => categories.length > 0)?.categories ?? []
  const count = Math.max(named.length, ...series.map(({ values }) => values.length))
  return Array.from({ length: count }, (_, n) => named[n] ?? String(n + 1))
}

/** Values as they stand on the axis: stacked ones by their sums. */
function valuesOf(plot: Plot): number[] {
  if (plot.grouping === 'side')
    return plot.series.flatMap(({ values }) => values.flatMap((value) => value ?? []))
  return stackOf(plot).flatMap((spans) => spans.flatMap(({ from, to }) => [from, to]))
}

interface Span {
  readonly from: number
  readonly to: number
}

/** For each series its stretch at each category, positive upward and negative downward of zero. */
function stackOf({ series, grouping }: Plot): Span[][] {
  const count = Math.max(0, ...series.map(({ values }) => values.length))
  const sums = Array.from({ length: count }, (_, n) =>
    series.reduce((sum, { values }) => sum + Math.abs(values[n] ?? 0), 0),
  )
  const up = new Array<number>(count).fill(0)
  const down = new Array<number>(count).fill(0)
  return series.map(({ values }) =>
    Array.from({ length: count }, (_, n) => {
      const own = values[n] ?? 0
      const value = grouping === 'share' ? own / (sums[n] || 1) : own
      const side = value < 0 ? down : up
      const from = side[n]!
      side[n] = from + value
      return { from, to: from + value }
    }),
  )
}

/** What is left between the labels of the axes. */
function framed(
  ink: Ink,
  area: Area,
  what: Omit<Plane, 'area' | 'categoriesReversed'> & { readonly format: string | undefined },
): Area {
  const { chart } = ink
  const valueLabels = what.value.marks.map((mark) => formatNumber(mark, what.format))
  const crossLabels =
    what.across === undefined
      ? what.categories
      : what.across.marks.map((mark) => formatNumber(mark, chart.categories.format))
  const widest = (texts: readonly string[]) =>
    texts.slice(0, 500).reduce((most, text) => Math.max(most, textWidth(ink, text)), 0)
  const title = (axis: Axis) => (axis.title === undefined ? 0 : labelSize * 1.8)
  const [left, bottom] = what.lying
    ? [
        (chart.categories.hidden ? 0 : Math.min(area.width / 3, widest(crossLabels)) + 5) +
          title(chart.categories),
        (chart.values.hidden ? 0 : labelSize * 1.6) + title(chart.values),
      ]
    : [
        (chart.values.hidden ? 0 : widest(valueLabels) + 5) + title(chart.values),
        (chart.categories.hidden
          ? 0
          : turns(ink, crossLabels, area.width)
            ? Math.min(area.height / 3, widest(crossLabels)) + 5
            : labelSize * 1.6) + title(chart.categories),
      ]
  const top = labelSize / 2
  return {
    x: area.x + left,
    y: area.y + top,
    width: Math.max(10, area.width - left - labelSize / 2),
    height: Math.max(10, area.height - bottom - top),
  }
}

/** Labels below the axis that would run into each other read upward. */
const turns = (ink: Ink, texts: readonly string[], width: Pt): boolean =>
  texts.length > 1 && texts.some((text) => textWidth(ink, text) > (0.95 * width) / texts.length)

function drawAxes(ink: Ink, plane: Plane, format: string | undefined): void {
  const { chart } = ink
  const { area, lying, value, across, categories } = plane
  const { x, y, width, height } = area
  const bottom = y + height
  for (const mark of value.marks) {
    const [px, py] = place(plane, 0, mark)
    const text = formatNumber(mark, format)
    if (lying) {
      if (chart.values.grid) rule(ink, px, y, px, bottom)
      if (!chart.values.hidden) label(ink, text, px, bottom + 3, { down: 'top' })
    } else {
      if (chart.values.grid) rule(ink, x, py, x + width, py)
      if (!chart.values.hidden) label(ink, text, x - 4, py, { across: 'end' })
    }
  }
  const zero = Math.min(Math.max(0, value.min), value.max)
  const [zx, zy] = place(plane, 0, zero)
  if (lying) rule(ink, zx, y, zx, bottom)
  else rule(ink, x, zy, x + width, zy)
  if (across !== undefined) {
    for (const mark of across.marks) {
      const px = x + across.share(mark) * width
      if (chart.categories.grid) rule(ink, px, y, px, bottom)
      if (!chart.categories.hidden)
        label(ink, formatNumber(mark, chart.categories.format), px, bottom + 3, { down: 'top' })
    }
    rule(ink, x, y, x, bottom)
  } else if (!chart.categories.hidden) drawCategories(ink, plane, categories)
  const middle = { x: x + width / 2, y: y + height / 2 }
  const [below, beside] = lying ? [chart.values, chart.categories] : [chart.categories, chart.values]
  if (below.title !== undefined)
    label(ink, below.title, middle.x, bottom + labelSize * (below.hidden ? 0.5 : 1.9), { down: 'top' })
  if (beside.title !== undefined) {
    const labels = lying ? categories : value.marks.map((mark) => formatNumber(mark, format))
    const room = beside.hidden
      ? 0
      : Math.min(area.x, labels.reduce((most, text) => Math.max(most, textWidth(ink, text)), 0) + 5)
    label(ink, beside.title, x - room - 2, middle.y, { turned: true, down: 'bottom' })
  }
}

function drawCategories(ink: Ink, plane: Plane, categories: readonly string[]): void {
  const { area, lying } = plane
  const turned = !lying && turns(ink, categories, area.width)
  // As many as there is room for.
  const room = (lying ? area.height : area.width) / (labelSize * 1.2)
  const every = turned || lying ? Math.max(1, Math.ceil(categories.length / room)) : 1
  for (const [n, text] of categories.entries()) {
    if (n % every !== 0 || text === '') continue
    const [px, py] = place(plane, n + 0.5, plane.value.min)
    if (lying) label(ink, text, area.x - 4, py, { across: 'end' })
    else if (turned) label(ink, text, px, area.y + area.height + 4, { turned: true, across: 'end' })
    else label(ink, text, px, area.y + area.height + 3, { down: 'top' })
  }
}

/** `at`: in categories from the first one's edge. */
function place(
  { area, lying, value, categories, categoriesReversed }: Plane,
  at: number,
  amount: number,
): [Pt, Pt] {
  const count = Math.max(1, categories.length)
  const share = categoriesReversed ? 1 - at / count : at / count
  const up = value.share(amount)
  return lying
    ? [area.x + up * area.width, area.y + (1 - share) * area.height]
    : [area.x + share * area.width, area.y + (1 - up) * area.height]
}

function drawBars(ink: Ink, plane: Plane, plot: Plot, first: number, all: readonly Plot[]): void {
  const stacked = plot.grouping !== 'side'
  const spans = stacked
    ? stackOf(plot)
    : plot.series.map(({ values }) => values.map((value) => ({ from: 0, to: value ?? 0 })))
  const count = stacked
    ? 1
    : Math.max(
        1,
        all.reduce((sum, { series, grouping }) => sum + (grouping === 'side' ? series.length : 0), 0),
      )
  const step = stacked ? 0 : 1 - plot.overlap
  const width = 1 / (1 + (count - 1) * (stacked ? 0 : step) + plot.gap)
  for (const [s, series] of plot.series.entries()) {
    const colour = seriesColour(ink.chart, series, first + s)
    for (const [n, span] of spans[s]!.entries()) {
      if (series.values[n] === undefined || series.noFill === true) continue
      const start = n + (plot.gap * width) / 2 + (stacked ? 0 : s * step * width)
      const own = series.pointColors.get(n)
      const [x1, y1] = place(plane, start, span.from)
      const [x2, y2] = place(plane, start + width, span.to)
      const box: PathCommand[] = [
        ['R', Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1)],
      ]
      fill(ink, box, own === undefined ? colour : Number.parseInt(own, 16))
      const text = labelText(series, n, undefined)
      if (text === undefined) continue
      const middle = [(x1 + x2) / 2, (y1 + y2) / 2] as const
      if (stacked) label(ink, text, middle[0], middle[1])
      else if (plane.lying) label(ink, text, x2 + 3, middle[1], { across: 'start' })
      else label(ink, text, middle[0], y2 - 2, { down: 'bottom' })
    }
  }
}

/** What stands at a point, undefined for nothing. `share`: of the whole, where that is known. */
export function labelText(series: Series, n: number, share: number | undefined): string | undefined {
  const { labels } = series
  const value = series.values[n]
  if (labels === undefined || value === undefined) return undefined
  const parts = [
    ...(labels.category ? [series.categories[n] ?? ''] : []),
    ...(labels.value ? [formatNumber(value, series.format)] : []),
    ...(labels.share && share !== undefined ? [`${Math.round(share * 100)}%`] : []),
  ]
  return parts.length === 0 ? undefined : parts.join('; ')
}

function drawAreas(ink: Ink, plane: Plane, plot: Plot, first: number): void {
  const stacked = plot.grouping !== 'side'
  const spans = stacked
    ? stackOf(plot)
    : plot.series.map(({ values }) => values.map((value) => ({ from: 0, to: value ?? 0 })))
  for (const [s, series] of plot.series.entries()) {
    const own = spans[s]!
    const top = own.map((span, n) => place(plane, n + 0.5, span.to))
    const bottom = own.map((span, n) => place(plane, n + 0.5, span.from)).reverse()
    const commands = [...top, ...bottom].map(([x, y], n): PathCommand => [n === 0 ? 'M' : 'L', x, y])
    if (commands.length > 2) fill(ink, [...commands, ['Z']], seriesColour(ink.chart, series, first + s))
  }
}

function drawLines(ink: Ink, plane: Plane, plot: Plot, first: number): void {
  const spans = plot.grouping === 'side' ? undefined : stackOf(plot)
  for (const [s, series] of plot.series.entries()) {
    const points = series.values.map((value, n) =>
      value === undefined ? undefined : place(plane, n + 0.5, spans?.[s]?.[n]?.to ?? value),
    )
    drawTrace(ink, points, series, first + s, true)
  }
}

function drawPoints(ink: Ink, plane: Plane, plot: Plot, first: number): void {
  const { area, across, value } = plane
  if (across === undefined) return
  const largest = plot.series
    .flatMap(({ sizes }) => sizes ?? [])
    .reduce<number>((most, size) => Math.max(most, size ?? 0), 0)
  for (const [s, series] of plot.series.entries()) {
    const colour = seriesColour(ink.chart, series, first + s)
    const points = series.values.map((amount, n): [Pt, Pt] | undefined => {
      const x = series.x === undefined ? n + 1 : series.x[n]
      if (amount === undefined || x === undefined) return undefined
      return [area.x + across.share(x) * area.width, area.y + (1 - value.share(amount)) * area.height]
    })
    if (plot.kind === 'scatter') {
      drawTrace(ink, points, series, first + s, plot.lines && series.noFill !== true)
      continue
    }
    for (const [n, point] of points.entries()) {
      const size = series.sizes?.[n] ?? 0
      if (point === undefined || size <= 0 || largest <= 0) continue
      const radius = (Math.min(area.width, area.height) / 8) * Math.sqrt(size / largest)
      fill(ink, circle(point[0], point[1], radius), colour, 0.75)
    }
  }
}

/** A line through points, gaps left out, and a mark at each where the series has them. */
function drawTrace(
  ink: Ink,
  points: readonly ([Pt, Pt] | undefined)[],
  series: Series,
  number: number,
  joined: boolean,
): void {
  const colour = seriesColour(ink.chart, series, number)
  if (joined && series.noFill !== true) {
    for (const stretch of stretches(points))
      stroke(ink, series.smooth ? smoothed(stretch) : straight(stretch), {
        colour,
        width: 2,
        cap: 'round',
        join: 'round',
      })
  }
  for (const [n, point] of points.entries()) {
    if (point === undefined) continue
    if (series.markers || !joined) fill(ink, circle(point[0], point[1], 2.6), colour)
    const text = labelText(series, n, undefined)
    if (text !== undefined) label(ink, text, point[0], point[1] - 4, { down: 'bottom' })
  }
}

function stretches(points: readonly ([Pt, Pt] | undefined)[]): [Pt, Pt][][] {
  const found: [Pt, Pt][][] = [[]]
  for (const point of points) {
    if (point === undefined) found.push([])
    else found.at(-1)!.push(point)
  }
  return found.filter((stretch) => stretch.length > 1)
}

const straight = (points: readonly [Pt, Pt][]): PathCommand[] =>
  points.map(([x, y], n): PathCommand => [n === 0 ? 'M' : 'L', x, y])

/** A Catmull-Rom curve through the points. */
function smoothed(points: readonly [Pt, Pt][]): PathCommand[] {
  const at = (n: number) => points[Math.min(points.length - 1, Math.max(0, n))]!
  return points.map((point, n): PathCommand => {
    if (n === 0) return ['M', point[0], point[1]]
    const [a, b, c, d] = [at(n - 2), at(n - 1), at(n), at(n + 1)]
    return [
      'C',
      b[0] + (c[0] - a[0]) / 6,
      b[1] + (c[1] - a[1]) / 6,
      c[0] - (d[0] - b[0]) / 6,
      c[1] - (d[1] - b[1]) / 6,
      c[0],
      c[1],
    ]
  })
}

const bow = 0.5523
export function circle(x: Pt, y: Pt, r: Pt): PathCommand[] {
  const k = bow * r
  return [
    ['M', x + r, y],
    ['C', x + r, y + k, x + k, y + r, x, y + r],
    ['C', x - k, y + r, x - r, y + k, x - r, y],
    ['C', x - r, y - k, x - k, y - r, x, y - r],
    ['C', x + k, y - r, x + r, y - k, x + r, y],
    ['Z'],
  ]
}

import type { ChartFormat, Plot, Series } from '../../../../../shared/document/chart.ts'
import { maxOf, minOf } from '../../../../../shared/extremes.ts'
import type { PathCommand, Placed, Pt } from '../frame.ts'
import {
  type ChartArea,
  type ChartCanvas,
  fill,
  fillOf,
  mm,
  paletteColour,
  putText,
  rule,
  seriesColour,
  stroke,
  strokeOf,
  styleOf,
  textBlock,
} from './canvas.ts'
import { lineOf, putSymbol, traceOf } from './data-markers.ts'
import { labelBlock, labelGap, labelsAt, putLabel } from './labels.ts'
import { categoryFraction, type Plane, pointAt, spansOf } from './plane.ts'
import type { AxisScale } from './scale.ts'
import { fitOf } from './trend.ts'

/** Series with two axes: columns, bars, lines, areas, points, bubbles, prices. */

/** The value from which columns start: zero, or where the category axis crosses. */
interface SeriesPoint {
  readonly value: number
}

export function drawPlot(canvas: ChartCanvas, plane: Plane, plot: Plot, base: SeriesPoint): void {
  if (plot.kind === 'bar') drawBars(canvas, plane, plot, base)
  else if (plot.kind === 'area') drawAreas(canvas, plane, plot, base)
  else if (plot.kind === 'line') drawLines(canvas, plane, plot, base)
  else if (plot.kind === 'stock') drawPrices(canvas, plane, plot)
  else drawPoints(canvas, plane, plot)
}

/** Content outside of the plot area is clipped. */
function cut(
  canvas: ChartCanvas,
  { x, y, width, height }: ChartArea,
  draw: (inner: ChartCanvas) => void,
): void {
  const items: Placed[] = []
  draw({ ...canvas, items })
  const clipPath: PathCommand[] = [['R', x - 0.5, y - 0.5, width + 1, height + 1]]
  const frame = { width: canvas.width, height: canvas.height, items }
  if (items.length > 0)
    canvas.items.push({ x: 0, y: 0, item: { kind: 'group', frame, clip: true, clipPath } })
}

const inside = (share: number): boolean => share > -1e-6 && share < 1 + 1e-6

function drawBars(canvas: ChartCanvas, plane: Plane, plot: Plot, base: SeriesPoint): void {
  const stacked = plot.grouping !== 'side'
  const spans = spansOf(plot, base.value)
  const count = stacked ? 1 : Math.max(1, plot.series.length)
  const step = stacked ? 0 : 1 - plot.overlap
  const width = 1 / (1 + (count - 1) * step + plot.gap) / Math.max(1, plane.length)
  const slot = (n: number, s: number): [number, number] => {
    const middle = categoryFraction(plane, n)
    const sign = plane.reversed ? -1 : 1
    const first =
      middle - (sign * (width * (1 + (count - 1) * step))) / 2 + sign * (stacked ? 0 : s) * step * width
    return [first, first + sign * width]
  }
  const clamp = (value: number): number => Math.min(Math.max(value, plane.value.min), plane.value.max)
  for (const [s, series] of plot.series.entries()) {
    for (const [n, { from, to }] of spans[s]!.entries()) {
      if (series.values[n] === undefined) continue
      const [start, end] = slot(n, s)
      const [x1, y1] = pointAt(plane, start, clamp(from))
      const [x2, y2] = pointAt(plane, end, clamp(to))
      const area = {
        x: Math.min(x1, x2),
        y: Math.min(y1, y2),
        width: Math.abs(x2 - x1),
        height: Math.abs(y2 - y1),
      }
      const fallback = plot.varied ? paletteColour(canvas.chart, n) : seriesColour(canvas.chart, series)
      shape(canvas, [['R', area.x, area.y, area.width, area.height]], area, formattingAt(series, n), fallback)
    }
  }
  const middles = plot.series.map((_, s) => (n: number) => {
    const [a, b] = slot(n, s)
    return (a + b) / 2
  })
  for (const [s, series] of plot.series.entries())
    extras(
      canvas,
      plane,
      series,
      (n) => middles[s]!(n),
      (n) => spans[s]![n]?.to,
    )
  for (const [s, series] of plot.series.entries())
    for (const [n, span] of spans[s]!.entries())
      barLabel(canvas, plane, plot, series, n, middles[s]!(n), span, stacked)
}

const formattingAt = (series: Series, n: number): ChartFormat => {
  const ofPoint = series.pointFormatting.get(n)
  return ofPoint === undefined ? series.formatting : { ...series.formatting, ...ofPoint }
}

function shape(
  canvas: ChartCanvas,
  commands: readonly PathCommand[],
  area: ChartArea,
  formatting: ChartFormat,
  fallback: number,
): void {
  const paint = fillOf(formatting, area, fallback)
  if (paint !== undefined) fill(canvas, commands, paint)
  const edge = strokeOf(formatting, 'none')
  if (edge !== undefined) stroke(canvas, commands, edge)
}

function barLabel(
  canvas: ChartCanvas,
  plane: Plane,
  plot: Plot,
  series: Series,
  n: number,
  share: number,
  { from, to }: { from: number; to: number },
  stacked: boolean,
): void {
  const block = labelBlock(canvas, plot, series, n)
  if (block === undefined || !inside(plane.value.fractionOf(to))) return
  const position = labelsAt(series, n)?.position ?? (stacked ? 'centre' : 'outside')
  const [bx, by] = pointAt(plane, share, from)
  const [tx, ty] = pointAt(plane, share, to)
  // The direction away from the start of the bar.
  const down = plane.horizontal ? (tx >= bx ? 1 : -1) : ty <= by ? 1 : -1
  const put = (x: Pt, y: Pt, outward: number): void => {
    if (plane.horizontal)
      putLabel(canvas, series, n, block, x + outward * labelGap, y, { across: outward > 0 ? 'start' : 'end' })
    else
      putLabel(canvas, series, n, block, x, y - outward * labelGap, { down: outward > 0 ? 'bottom' : 'top' })
  }
  if (position === 'inside') put(tx, ty, -down)
  else if (position === 'base') put(bx, by, down)
  else if (position === 'outside' || position === 'above') put(tx, ty, down)
  else putLabel(canvas, series, n, block, (bx + tx) / 2, (by + ty) / 2, {})
}

function drawAreas(canvas: ChartCanvas, plane: Plane, plot: Plot, base: SeriesPoint): void {
  const spans = spansOf(plot, base.value)
  const order = plot.grouping === 'side' ? [...plot.series.keys()].reverse() : [...plot.series.keys()]
  for (const s of order) {
    const series = plot.series[s]!
    const top = spans[s]!.map(({ to }, n) => pointAt(plane, categoryFraction(plane, n), to))
    const bottom = spans[s]!.map(({ from }, n) => pointAt(plane, categoryFraction(plane, n), from)).reverse()
    const commands = [...top, ...bottom].map(([x, y], n): PathCommand => [n === 0 ? 'M' : 'L', x, y])
    if (commands.length <= 2) continue
    cut(canvas, plane.area, (inner) =>
      shape(inner, [...commands, ['Z']], plane.area, series.formatting, seriesColour(canvas.chart, series)),
    )
  }
  for (const [s, series] of plot.series.entries()) {
    extras(
      canvas,
      plane,
      series,
      (n) => categoryFraction(plane, n),
      (n) => spans[s]![n]?.to,
    )
    for (const [n, { from, to }] of spans[s]!.entries()) {
      const block = labelBlock(canvas, plot, series, n)
      if (block === undefined) continue
      const [x, y1] = pointAt(plane, categoryFraction(plane, n), from)
      const [, y2] = pointAt(plane, categoryFraction(plane, n), to)
      putLabel(canvas, series, n, block, x, (y1 + y2) / 2, {})
    }
  }
}

function drawLines(canvas: ChartCanvas, plane: Plane, plot: Plot, base: SeriesPoint): void {
  const { blanks } = canvas.chart
  const spans = plot.grouping === 'side' ? undefined : spansOf(plot, base.value)
  const amounts = plot.series.map(({ values }, s) =>
    values.map((value, n) =>
      value === undefined ? (blanks === 'zero' ? 0 : undefined) : (spans?.[s]?.[n]?.to ?? value),
    ),
  )
  betweenSeries(canvas, plane, plot, amounts, base)
  for (const [s, series] of plot.series.entries()) {
    const points = amounts[s]!.map((amount, n) =>
      amount === undefined ? undefined : pointAt(plane, categoryFraction(plane, n), amount),
    )
    trace(canvas, plane, plot, series, points)
    extras(
      canvas,
      plane,
      series,
      (n) => categoryFraction(plane, n),
      (n) => amounts[s]![n],
    )
  }
  for (const [s, series] of plot.series.entries())
    pointLabels(
      canvas,
      plot,
      series,
      amounts[s]!.map((amount, n) =>
        amount === undefined || !inside(plane.value.fractionOf(amount))
          ? undefined
          : pointAt(plane, categoryFraction(plane, n), amount),
      ),
    )
}

/** High-low lines, drop lines, and up-down bars from the first to the last series. */
function betweenSeries(
  canvas: ChartCanvas,
  plane: Plane,
  plot: Plot,
  amounts: readonly (readonly (number | undefined)[])[],
  base: SeriesPoint,
): void {
  const thin = { colour: 0, width: 0.75 }
  const count = amounts.reduce((max, values) => Math.max(max, values.length), 0)
  for (let n = 0; n < count; n += 1) {
    const values = amounts.flatMap((values) => values[n] ?? [])
    if (values.length === 0) continue
    const line = (formatting: ChartFormat, from: number, to: number): void => {
      const how = strokeOf(formatting, thin)
      if (how !== undefined)
        rule(
          canvas,
          ...pointAt(plane, categoryFraction(plane, n), from),
          ...pointAt(plane, categoryFraction(plane, n), to),
          how,
        )
    }
    if (plot.spans !== undefined) line(plot.spans, minOf(values), maxOf(values))
    if (plot.drops !== undefined) line(plot.drops, base.value, maxOf(values))
    if (plot.boxes !== undefined) priceBox(canvas, plane, plot, n, amounts[0]?.[n], amounts.at(-1)?.[n])
  }
}

function priceBox(
  canvas: ChartCanvas,
  plane: Plane,
  plot: Plot,
  n: number,
  open: number | undefined,
  close: number | undefined,
): void {
  if (open === undefined || close === undefined || plot.boxes === undefined) return
  const half = 0.5 / (1 + plot.boxes.gap) / Math.max(1, plane.count)
  const [x1, y1] = pointAt(plane, categoryFraction(plane, n) - half, open)
  const [x2, y2] = pointAt(plane, categoryFraction(plane, n) + half, close)
  const area = {
    x: Math.min(x1, x2),
    y: Math.min(y1, y2),
    width: Math.abs(x2 - x1),
    height: Math.abs(y2 - y1),
  }
  const formatting = close >= open ? plot.boxes.up : plot.boxes.down
  const commands: PathCommand[] = [['R', area.x, area.y, area.width, area.height]]
  const paint = fillOf(formatting, area, close >= open ? 0xffffff : 0x404040)
  if (paint !== undefined) fill(canvas, commands, paint)
  const edge = strokeOf(formatting, { colour: 0, width: 0.75 })
  if (edge !== undefined) stroke(canvas, commands, edge)
}

/**
 * Stock prices: a line from the lowest to the highest, a dash for the closing price, a box from the first to
 * the last of four.
 */
function drawPrices(canvas: ChartCanvas, plane: Plane, plot: Plot): void {
  const amounts = plot.series.map(({ values }) => values)
  const boxed = plot.boxes !== undefined || amounts.length > 3
  betweenSeries(canvas, plane, { ...plot, spans: plot.spans ?? {} }, amounts, { value: 0 })
  if (boxed) return
  const close = plot.series.at(-1)
  if (close === undefined) return
  for (const [n, value] of close.values.entries()) {
    if (value === undefined) continue
    const [x, y] = pointAt(plane, categoryFraction(plane, n), value)
    rule(canvas, x, y, x + plane.area.width / Math.max(1, plane.count) / 4, y, { colour: 0, width: 0.75 })
  }
  pointLabels(
    canvas,
    plot,
    close,
    close.values.map((value, n) =>
      value === undefined ? undefined : pointAt(plane, categoryFraction(plane, n), value),
    ),
  )
}

function drawPoints(canvas: ChartCanvas, plane: Plane, plot: Plot): void {
  const { across, area, value } = plane
  if (across === undefined) return
  const largest = plot.series
    .flatMap(({ sizes }) => sizes ?? [])
    .reduce<number>((max, size) => Math.max(max, Math.abs(size ?? 0)), 0)
  for (const series of plot.series) {
    const points = series.values.map((amount, n): [Pt, Pt] | undefined => {
      const x = series.x === undefined ? n + 1 : series.x[n]
      if (amount === undefined || x === undefined) return undefined
      return [
        area.x + across.fractionOf(x) * area.width,
        area.y + (1 - value.fractionOf(amount)) * area.height,
      ]
    })
    const seen = points.map((point, n) =>
      point !== undefined &&
      inside(value.fractionOf(series.values[n] ?? 0)) &&
      inside((point[0] - area.x) / area.width)
        ? point
        : undefined,
    )
    if (plot.kind === 'scatter') {
      trace(canvas, plane, plot, series, points)
      pointExtras(canvas, plane, series, across)
    } else bubbles(canvas, plot, series, seen, Math.min(area.width, area.height), largest)
    pointLabels(canvas, plot, series, seen)
  }
}

/** The area of a bubble is proportional to its value; the largest is a quarter of the shorter side wide. */
function bubbles(
  canvas: ChartCanvas,
  plot: Plot,
  series: Series,
  points: readonly ([Pt, Pt] | undefined)[],
  available: Pt,
  largest: number,
): void {
  for (const [n, point] of points.entries()) {
    const size = Math.abs(series.sizes?.[n] ?? (largest === 0 ? 1 : 0))
    if (point === undefined || size <= 0) continue
    const wide = (available / 4) * Math.sqrt(size / (largest || 1))
    const area = { x: point[0] - wide / 2, y: point[1] - wide / 2, width: wide, height: wide }
    const formatting = formattingAt(series, n)
    const fallback = plot.varied ? paletteColour(canvas.chart, n) : seriesColour(canvas.chart, series)
    putSymbol(
      canvas,
      'circle',
      point[0],
      point[1],
      wide,
      fillOf(formatting, area, fallback),
      strokeOf(formatting, 'none'),
    )
  }
}

/** A line through points with a marker at each; gaps are left open or spanned. */
function trace(
  canvas: ChartCanvas,
  plane: Plane,
  plot: Plot,
  series: Series,
  points: readonly ([Pt, Pt] | undefined)[],
): void {
  const how = lineOf(canvas.chart, plot, series)
  if (how !== undefined) {
    const segments =
      canvas.chart.blanks === 'span' || plot.kind === 'scatter'
        ? [points.filter((point) => point !== undefined)]
        : segmentsOf(points)
    cut(canvas, plane.area, (inner) => {
      for (const segment of segments)
        if (segment.length > 1) stroke(inner, traceOf(segment, series.smooth), how)
    })
  }
  if (series.symbol === 'none') return
  const fallback = lineColour(canvas, series)
  for (const [n, point] of points.entries()) {
    if (point === undefined || !isInside(plane.area, point)) continue
    const ofPoint = series.pointFormatting.get(n)
    const formatting = ofPoint ?? series.markerFormatting
    const area = { x: point[0], y: point[1], width: series.symbolSize, height: series.symbolSize }
    putSymbol(
      canvas,
      series.symbol,
      point[0],
      point[1],
      series.symbolSize,
      fillOf(formatting, area, fallback),
      strokeOf(series.markerFormatting, 'none'),
    )
  }
}

const isInside = ({ x, y, width, height }: ChartArea, [px, py]: readonly [Pt, Pt]): boolean =>
  px > x - 0.5 && px < x + width + 0.5 && py > y - 0.5 && py < y + height + 0.5

const lineColour = (canvas: ChartCanvas, series: Series): number =>
  series.formatting.line !== undefined && series.formatting.line !== 'none'
    ? Number.parseInt(series.formatting.line, 16)
    : seriesColour(canvas.chart, series)

function segmentsOf(points: readonly ([Pt, Pt] | undefined)[]): [Pt, Pt][][] {
  const segments: [Pt, Pt][][] = [[]]
  for (const point of points) {
    if (point === undefined) segments.push([])
    else segments.at(-1)!.push(point)
  }
  return segments
}

function pointLabels(
  canvas: ChartCanvas,
  plot: Plot,
  series: Series,
  points: readonly ([Pt, Pt] | undefined)[],
): void {
  const off = labelGap + (series.symbol === 'none' ? 0 : series.symbolSize / 2 - 1)
  for (const [n, point] of points.entries()) {
    const block = point && labelBlock(canvas, plot, series, n)
    if (block === undefined || point === undefined) continue
    const [x, y] = point
    const position = labelsAt(series, n)?.position ?? (plot.kind === 'bubble' ? 'centre' : 'right')
    if (position === 'centre') putLabel(canvas, series, n, block, x, y, {})
    else if (position === 'below') putLabel(canvas, series, n, block, x, y + off, { down: 'top' })
    else if (position === 'left') putLabel(canvas, series, n, block, x - off, y, { across: 'end' })
    else if (position === 'right') putLabel(canvas, series, n, block, x + off, y, { across: 'start' })
    else putLabel(canvas, series, n, block, x, y - off, { down: 'bottom' })
  }
}

/** Trend lines and error bars of series with categories. */
function extras(
  canvas: ChartCanvas,
  plane: Plane,
  series: Series,
  fractionAt: (n: number) => number,
  amountAt: (n: number) => number | undefined,
): void {
  for (const bars of series.errors) {
    const how = strokeOf(bars.formatting, { colour: 0, width: 0.75 })
    if (how === undefined) continue
    for (const [n, value] of series.values.entries()) {
      const amount = amountAt(n)
      if (value === undefined || amount === undefined) continue
      const [x1, y1] = pointAt(plane, fractionAt(n), amount - bars.minus(value, n))
      const [x2, y2] = pointAt(plane, fractionAt(n), amount + bars.plus(value, n))
      cut(canvas, plane.area, (inner) => whisker(inner, [x1, y1], [x2, y2], bars.caps, how))
    }
  }
  const points = series.values.flatMap((value, n): [number, number][] =>
    value === undefined ? [] : [[n + 1, value]],
  )
  drawTrends(canvas, plane, series, points, (x, y) => pointAt(plane, categoryFraction(plane, x - 1), y))
}

function whisker(
  canvas: ChartCanvas,
  [x1, y1]: [Pt, Pt],
  [x2, y2]: [Pt, Pt],
  caps: boolean,
  how: NonNullable<ReturnType<typeof strokeOf>>,
): void {
  rule(canvas, x1, y1, x2, y2, how)
  if (!caps) return
  const half = 0.75 * mm
  const isVertical = Math.abs(x2 - x1) < Math.abs(y2 - y1) || x1 === x2
  for (const [x, y] of [
    [x1, y1],
    [x2, y2],
  ] as const) {
    if (isVertical) rule(canvas, x - half, y, x + half, y, how)
    else rule(canvas, x, y - half, x, y + half, how)
  }
}

function pointExtras(canvas: ChartCanvas, plane: Plane, series: Series, across: AxisScale): void {
  const { area, value } = plane
  const at = (x: number, y: number): [Pt, Pt] => [
    area.x + across.fractionOf(x) * area.width,
    area.y + (1 - value.fractionOf(y)) * area.height,
  ]
  const points = series.values.flatMap((amount, n): [number, number][] => {
    const x = series.x === undefined ? n + 1 : series.x[n]
    return amount === undefined || x === undefined ? [] : [[x, amount]]
  })
  for (const bars of series.errors) {
    const how = strokeOf(bars.formatting, { colour: 0, width: 0.75 })
    if (how === undefined) continue
    for (const [n, [x, y]] of points.entries()) {
      const level = bars.axis === 'x'
      const coordinate = level ? x : y
      const [less, more] = [bars.minus(coordinate, n), bars.plus(coordinate, n)]
      const from = level ? at(x - less, y) : at(x, y - less)
      const to = level ? at(x + more, y) : at(x, y + more)
      cut(canvas, area, (inner) => whisker(inner, from, to, bars.caps, how))
    }
  }
  drawTrends(canvas, plane, series, points, at)
}

const trendSteps = 100

function drawTrends(
  canvas: ChartCanvas,
  plane: Plane,
  series: Series,
  points: readonly (readonly [number, number])[],
  at: (x: number, y: number) => [Pt, Pt],
): void {
  const xs = points.map(([x]) => x)
  for (const trend of series.trends) {
    const sorted = [...points].sort((a, b) => a[0] - b[0])
    const fit = fitOf(sorted, trend)
    if (fit === undefined) continue
    const from = minOf(xs) - trend.backward
    const to = maxOf(xs) + trend.forward
    const steps = trend.kind === 'linear' ? 1 : trendSteps
    const curve =
      fit.points ??
      Array.from({ length: steps + 1 }, (_, n) => from + ((to - from) * n) / steps).flatMap(
        (x): [number, number][] => {
          const y = fit.at(x)
          return y === undefined ? [] : [[x, y]]
        },
      )
    const drawn = curve.map(([x, y]) => at(x, y))
    const how = strokeOf(trend.formatting, { colour: 0, width: 0.75 })
    if (how !== undefined && drawn.length > 1)
      cut(canvas, plane.area, (inner) => stroke(inner, traceOf(drawn, false), how))
    if (fit.lines.length === 0 || drawn.length === 0) continue
    const seen = drawn.filter((point) => isInside(plane.area, point))
    const left = minOf((seen.length > 0 ? seen : drawn).map(([x]) => x))
    const top = minOf((seen.length > 0 ? seen : drawn).map(([, y]) => y))
    const block = textBlock(canvas, fit.lines.join('\n'), styleOf(canvas, trend.letters))
    putText(canvas, block, left + 2.5 * mm, top + 1.4 * mm, { across: 'start', down: 'top', align: 'start' })
  }
}

import type { ChartFormat, Plot, Series } from '../../../../../shared/document/chart.ts'
import { ellipse } from '../../../../../shared/document/ellipse.ts'
import { minOf } from '../../../../../shared/extremes.ts'
import type { PathCommand, Pt } from '../frame.ts'
import { enclosingArea } from './axis.ts'
import {
  type ChartArea,
  type ChartCanvas,
  fill,
  fillOf,
  lineGrey,
  mm,
  paletteColour,
  putText,
  rule,
  seriesColour,
  stroke,
  strokeOf,
  styleOf,
  type TextAnchor,
  type TextBlock,
  textArea,
  textBlock,
} from './canvas.ts'
import { lineOf, putSymbol } from './data-markers.ts'
import { chartNumberText } from './format.ts'
import { labelBlock, labelGap, labelsAt, putLabel } from './labels.ts'
import { scaleOf } from './scale.ts'

/** Charts around a centre: pies, doughnuts, radars. */

interface PieSlice {
  readonly series: Series
  readonly n: number
  readonly share: number
  /** Radians clockwise from the right; `middle` is between both ends. */
  readonly start: number
  readonly span: number
  readonly middle: number
  readonly explosion: number
}

function slicesOf(series: Series, plot: Plot): PieSlice[] {
  const sum = series.values.reduce<number>((all, value) => all + Math.abs(value ?? 0), 0)
  let start = ((plot.start - 90) * Math.PI) / 180
  return series.values.flatMap((value, n): PieSlice[] => {
    const share = Math.abs(value ?? 0) / (sum || 1)
    if (share === 0) return []
    const span = share * 2 * Math.PI
    const from = start
    start += span
    const explosion = series.explosions.get(n) ?? series.explosion
    return [{ series, n, share, start: from, span, middle: from + span / 2, explosion }]
  })
}

interface Circle {
  readonly x: Pt
  readonly y: Pt
  readonly radius: Pt
}

const circleIn = (area: ChartArea, explosion: number): Circle => ({
  x: area.x + area.width / 2,
  y: area.y + area.height / 2,
  radius: Math.max(3, Math.min(area.width, area.height) / 2 / (1 + explosion)),
})

export function drawPie(canvas: ChartCanvas, area: ChartArea, plot: Plot, fixed: boolean): void {
  const [only] = plot.series
  if (only === undefined) return
  if (plot.kind === 'doughnut') {
    drawRings(canvas, area, plot)
    return
  }
  const slices = slicesOf(only, plot)
  const maxExplosion = slices.reduce((max, { explosion }) => Math.max(max, explosion), 0)
  const circle = fixed
    ? circleIn(area, maxExplosion)
    : circleWithLabels(canvas, area, plot, slices, maxExplosion)
  for (const slice of slices) {
    const at = movedBy(circle, slice)
    paintSlice(canvas, sliceOf(at, 0, circle.radius, slice.start, slice.span), slice, plot, {
      x: at.x - circle.radius,
      y: at.y - circle.radius,
      width: 2 * circle.radius,
      height: 2 * circle.radius,
    })
  }
  for (const slice of slices) {
    const block = labelBlock(canvas, plot, slice.series, slice.n, slice.share)
    if (block === undefined) continue
    const { x, y, at, leader } = sliceLabel(plot, circle, slice, block)
    if (leader !== undefined) rule(canvas, ...leader, x, y, { colour: lineGrey, width: 0.75 })
    putLabel(canvas, slice.series, slice.n, block, x, y, at, true)
  }
}

const movedBy = ({ x, y, radius }: Circle, { middle, explosion }: PieSlice): { x: Pt; y: Pt } => ({
  x: x + Math.cos(middle) * radius * explosion,
  y: y + Math.sin(middle) * radius * explosion,
})

/** The circle that leaves space for the labels around it. */
function circleWithLabels(
  canvas: ChartCanvas,
  area: ChartArea,
  plot: Plot,
  slices: readonly PieSlice[],
  maxExplosion: number,
): Circle {
  const unlabelled = circleIn(area, maxExplosion)
  const boxes = slices.flatMap((slice): ChartArea[] => {
    const block = labelBlock(canvas, plot, slice.series, slice.n, slice.share)
    if (block === undefined) return []
    const label = sliceLabel(plot, unlabelled, slice, block)
    if (label.at.across === undefined) return []
    return [textArea(block, label.x, label.y, label.at)]
  })
  if (boxes.length === 0) return unlabelled
  const bounds = {
    x: unlabelled.x - unlabelled.radius,
    y: unlabelled.y - unlabelled.radius,
    width: 2 * unlabelled.radius,
    height: 2 * unlabelled.radius,
  }
  const outer = enclosingArea([bounds, ...boxes])
  const over = {
    left: Math.max(0, area.x - outer.x),
    top: Math.max(0, area.y - outer.y),
    right: Math.max(0, outer.x + outer.width - area.x - area.width),
    bottom: Math.max(0, outer.y + outer.height - area.y - area.height),
  }
  return circleIn(
    {
      x: area.x + over.left,
      y: area.y + over.top,
      width: Math.max(area.width / 3, area.width - over.left - over.right),
      height: Math.max(area.height / 3, area.height - over.top - over.bottom),
    },
    maxExplosion,
  )
}

interface LabelPosition {
  readonly x: Pt
  readonly y: Pt
  readonly at: Pick<TextAnchor, 'across' | 'down'> & {
    across?: 'start' | 'middle' | 'end'
    down?: 'top' | 'middle' | 'bottom'
  }
  readonly leader?: [Pt, Pt]
}

const rim: Pt = 1.5 * mm

/**
 * The side of a label outside of the circle: horizontal or vertical within five degrees, otherwise by a
 * corner.
 */
function outsideLabel(circle: Circle, slice: PieSlice): LabelPosition {
  const { middle } = slice
  const { x, y } = movedBy(circle, slice)
  const [cos, sin] = [Math.cos(middle), Math.sin(middle)]
  const distance = circle.radius + rim
  const straight = Math.sin((5 * Math.PI) / 180)
  const across = Math.abs(cos) <= straight ? 'middle' : cos > 0 ? 'start' : 'end'
  const down = Math.abs(sin) <= straight ? 'middle' : sin > 0 ? 'top' : 'bottom'
  return { x: x + cos * distance, y: y + sin * distance, at: { across, down } }
}

function sliceLabel(plot: Plot, circle: Circle, slice: PieSlice, block: TextBlock): LabelPosition {
  const labels = labelsAt(slice.series, slice.n)!
  const position = labels.position ?? 'best'
  const { x, y } = movedBy(circle, slice)
  const [cos, sin] = [Math.cos(slice.middle), Math.sin(slice.middle)]
  const along = (by: Pt): LabelPosition => ({ x: x + cos * by, y: y + sin * by, at: {} })
  if (labels.moved !== undefined && plot.kind === 'pie') {
    const outside = outsideLabel(circle, slice)
    return { ...outside, leader: [x + cos * circle.radius, y + sin * circle.radius] }
  }
  if (position === 'centre') return along(circle.radius / 2)
  if (position === 'outside') return outsideLabel(circle, slice)
  const half = { width: block.width / 2, height: block.height / 2 }
  const by = maxDistanceInside(circle.radius * (position === 'inside' ? 0.98 : 0.975), slice.middle, half)
  if (position === 'inside') return along(Math.max(0, by))
  return by > 0 && withinSlice(slice, by, half) ? along(by) : outsideLabel(circle, slice)
}

/** The maximum distance from the centre at which a box is still inside the circle. */
function maxDistanceInside(radius: Pt, angle: number, { width, height }: { width: Pt; height: Pt }): Pt {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const reach = ([dx, dy]: readonly [Pt, Pt]): Pt => {
    const along = cos * dx + sin * dy
    const left = along * along - (dx * dx + dy * dy - radius * radius)
    return left < 0 ? -1 : -along + Math.sqrt(left)
  }
  return minOf(
    (
      [
        [width, height],
        [width, -height],
        [-width, height],
        [-width, -height],
      ] as const
    ).map(reach),
  )
}

function withinSlice(
  { middle, span }: PieSlice,
  by: Pt,
  { width, height }: { width: Pt; height: Pt },
): boolean {
  if (span >= Math.PI) return true
  const [x, y] = [Math.cos(middle) * by, Math.sin(middle) * by]
  return (
    [
      [width, height],
      [width, -height],
      [-width, height],
      [-width, -height],
    ] as const
  ).every(([dx, dy]) => {
    const angle = Math.atan2(y + dy, x + dx) - middle
    return Math.abs(Math.atan2(Math.sin(angle), Math.cos(angle))) <= span / 2
  })
}

/** Rings around a hole that is as wide as one ring. */
function drawRings(canvas: ChartCanvas, area: ChartArea, plot: Plot): void {
  const { x, y, radius } = circleIn(area, 0)
  const thick = radius / (plot.series.length + 1)
  for (const [r, series] of plot.series.entries()) {
    const [from, to] = [(r + 1) * thick, (r + 2) * thick]
    const slices = slicesOf(series, plot)
    const bounds = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }
    for (const slice of slices)
      paintSlice(canvas, sliceOf({ x, y }, from, to, slice.start, slice.span), slice, plot, bounds)
    for (const { n, share, middle } of slices) {
      const block = labelBlock(canvas, plot, series, n, share)
      if (block === undefined) continue
      const distance = (from + to) / 2
      putLabel(
        canvas,
        series,
        n,
        block,
        x + distance * Math.cos(middle),
        y + distance * Math.sin(middle),
        {},
        true,
      )
    }
  }
}

function paintSlice(
  canvas: ChartCanvas,
  commands: readonly PathCommand[],
  { series, n }: PieSlice,
  plot: Plot,
  area: ChartArea,
): void {
  const ofPoint = series.pointFormatting.get(n)
  const formatting: ChartFormat =
    ofPoint === undefined ? series.formatting : { ...series.formatting, ...ofPoint }
  const fallback = plot.varied ? paletteColour(canvas.chart, n) : seriesColour(canvas.chart, series)
  const paint = fillOf(formatting, area, fallback)
  if (paint !== undefined) fill(canvas, commands, paint)
  const edge = strokeOf(formatting, 'none')
  if (edge !== undefined) stroke(canvas, commands, { ...edge, join: 'round' })
}

function sliceOf(centre: { x: Pt; y: Pt }, inner: Pt, outer: Pt, start: number, span: number): PathCommand[] {
  const isFullCircle = span > 2 * Math.PI - 1e-6
  const edge = ellipse({ centre, rx: outer, ry: outer, turn: 0, start, span })
  const back =
    inner > 0 ? ellipse({ centre, rx: inner, ry: inner, turn: 0, start: start + span, span: -span }) : []
  if (isFullCircle) return [...edge, ['Z'], ...back, ...(back.length > 0 ? [['Z'] as const] : [])]
  if (back.length === 0) return [...edge, ['L', centre.x, centre.y], ['Z']]
  const [[, x, y] = ['M', 0, 0] as const] = back as [readonly ['M', Pt, Pt]]
  return [...edge, ['L', x, y], ...back.slice(1), ['Z']]
}

/** With more categories all spokes are drawn in the same grey. */
const maxSpokes = 360

/** Categories around the centre, values outward, connected by a web. */
export function drawRadar(canvas: ChartCanvas, area: ChartArea, plots: readonly Plot[]): void {
  const { chart } = canvas
  const all = plots.flatMap(({ series }) => series)
  const count = Math.min(
    maxSpokes,
    all.reduce((max, { values }) => Math.max(max, values.length), 0),
  )
  const names = all.find(({ categories }) => categories.length > 0)?.categories ?? []
  if (count < 2) return
  const style = styleOf(canvas, chart.categories.letters)
  const blocks = Array.from({ length: count }, (_, n) => textBlock(canvas, names[n] ?? String(n + 1), style))
  const direction = (n: number): [number, number] => {
    const angle = (2 * Math.PI * n) / count - Math.PI / 2
    return [Math.cos(angle), Math.sin(angle)]
  }
  const labelled = (circle: Circle): { x: Pt; y: Pt; anchor: TextAnchor }[] =>
    blocks.map((_, n) => {
      const [cos, sin] = direction(n)
      const distance = circle.radius * 1.17
      const across = Math.abs(cos) < 0.2 ? 'middle' : cos > 0 ? 'start' : 'end'
      const down = Math.abs(sin) < 0.2 ? 'middle' : sin > 0 ? 'top' : 'bottom'
      return { x: circle.x + cos * distance, y: circle.y + sin * distance, anchor: { across, down } }
    })
  let circle = circleIn(area, 0)
  const hasLabels = !chart.categories.hidden && chart.categories.labels !== 'none'
  for (let pass = 0; hasLabels && pass < 4; pass += 1) {
    const { x, y, radius } = circle
    const boxes = labelled(circle).map((at, n) => textArea(blocks[n]!, at.x, at.y, at.anchor))
    const outer = enclosingArea([
      { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius },
      ...boxes,
    ])
    const [left, top] = [x - radius - outer.x, y - radius - outer.y]
    const free = {
      width: area.width - (outer.width - 2 * radius),
      height: area.height - (outer.height - 2 * radius),
    }
    // The free space on both sides of the circle is equal.
    const [wide, high] = [Math.max(6, free.width), Math.max(6, free.height)]
    circle = circleIn({ x: area.x + left, y: area.y + top, width: wide, height: high }, 0)
  }
  const values = all.flatMap(({ values: own }) => own.flatMap((value) => value ?? []))
  const labelStyle = styleOf(canvas, chart.values.letters)
  const maxSteps = 2
  const scale = scaleOf(values, chart.values, { maxSteps })
  const at = (n: number, share: number): [Pt, Pt] => {
    const [cos, sin] = direction(n)
    return [circle.x + circle.radius * share * cos, circle.y + circle.radius * share * sin]
  }
  const ring = (share: number): PathCommand[] => [
    ...Array.from({ length: count }, (_, n): PathCommand => [n === 0 ? 'M' : 'L', ...at(n, share)]),
    ['Z'],
  ]
  const net = { colour: lineGrey, width: 0.75 }
  const grid = chart.values.grid && strokeOf(chart.values.grid, net)
  if (grid !== undefined) for (const tick of scale.ticks) stroke(canvas, ring(scale.fractionOf(tick)), grid)
  const spokes = chart.values.hidden ? undefined : strokeOf(chart.values.formatting, net)
  if (spokes !== undefined)
    for (let n = 0; n < count; n += 1) rule(canvas, circle.x, circle.y, ...at(n, 1), spokes)
  for (const plot of plots)
    for (const series of plot.series)
      drawWeb(canvas, plot, series, count, (n, value) => at(n, scale.fractionOf(value)))
  if (!chart.values.hidden && chart.values.labels !== 'none')
    for (const tick of scale.ticks) {
      const block = textBlock(canvas, chartNumberText(tick, chart.values.format), labelStyle)
      putText(canvas, block, circle.x + 2.5 * mm, circle.y - circle.radius * scale.fractionOf(tick), {
        across: 'start',
      })
    }
  if (hasLabels)
    for (const [n, { x, y, anchor }] of labelled(circle).entries()) putText(canvas, blocks[n]!, x, y, anchor)
}

function drawWeb(
  canvas: ChartCanvas,
  plot: Plot,
  series: Series,
  count: number,
  at: (n: number, value: number) => [Pt, Pt],
): void {
  const points = Array.from({ length: count }, (_, n) => {
    const value = series.values[n] ?? (canvas.chart.blanks === 'zero' ? 0 : undefined)
    return value === undefined ? undefined : at(n, value)
  })
  const present = points.filter((point) => point !== undefined)
  const commands: PathCommand[] = present.map(([x, y], n): PathCommand => [n === 0 ? 'M' : 'L', x, y])
  if (present.length === count || plot.filled) commands.push(['Z'])
  const colour = seriesColour(canvas.chart, series)
  if (plot.filled) {
    const area =
      present.length === 0
        ? { x: 0, y: 0, width: 0, height: 0 }
        : enclosingArea(present.map(([x, y]) => ({ x, y, width: 0, height: 0 })))
    const paint = fillOf(series.formatting, area, colour)
    if (paint !== undefined) fill(canvas, commands, paint)
    const edge = strokeOf(series.formatting, 'none')
    if (edge !== undefined) stroke(canvas, commands, edge)
  } else {
    const how = lineOf(canvas.chart, plot, series)
    if (how !== undefined) stroke(canvas, commands, how)
  }
  for (const [n, point] of points.entries()) {
    if (point === undefined) continue
    if (!plot.filled && series.symbol !== 'none') {
      const area = { x: point[0], y: point[1], width: series.symbolSize, height: series.symbolSize }
      putSymbol(
        canvas,
        series.symbol,
        point[0],
        point[1],
        series.symbolSize,
        fillOf(series.markerFormatting, area, colour),
        undefined,
      )
    }
    const block = labelBlock(canvas, plot, series, n)
    if (block !== undefined)
      putLabel(canvas, series, n, block, point[0], point[1] - labelGap, { down: 'bottom' })
  }
}

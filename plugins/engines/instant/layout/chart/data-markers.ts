import type { Chart, MarkSymbol, Plot, Series } from '../../../../../shared/document/chart.ts'
import { ellipse } from '../../../../../shared/document/ellipse.ts'
import type { Fill, PathCommand, PathStroke, Pt } from '../frame.ts'
import { type ChartCanvas, fill, seriesColour, stroke, strokeOf } from './canvas.ts'

/** Outlines of the data markers, as fractions of half the marker size around its centre. */
const outlines: Readonly<Record<Exclude<MarkSymbol, 'circle'>, readonly number[]>> = {
  square: [-1, -1, 1, -1, 1, 1, -1, 1],
  diamond: [0, -1, 1, 0, 0, 1, -1, 0],
  triangle: [0, -1, 1, 1, -1, 1],
  'triangle-down': [-1, -1, 1, -1, 0, 1],
  'triangle-left': [-1, 0, 1, -1, 1, 1],
  'triangle-right': [-1, -1, 1, 0, -1, 1],
  bowtie: [-1, -1, 0, -0.2, 1, -1, 1, 1, 0, 0.2, -1, 1],
  hourglass: [-1, -1, 1, -1, 0.2, 0, 1, 1, -1, 1, -0.2, 0],
  x: [
    -1, -0.7, -0.7, -1, 0, -0.3, 0.7, -1, 1, -0.7, 0.3, 0, 1, 0.7, 0.7, 1, 0, 0.3, -0.7, 1, -1, 0.7, -0.3, 0,
  ],
  plus: [
    -0.3, -1, 0.3, -1, 0.3, -0.3, 1, -0.3, 1, 0.3, 0.3, 0.3, 0.3, 1, -0.3, 1, -0.3, 0.3, -1, 0.3, -1, -0.3,
    -0.3, -0.3,
  ],
  star: [0, -1, 0.25, -0.25, 1, 0, 0.25, 0.25, 0, 1, -0.25, 0.25, -1, 0, -0.25, -0.25],
  dash: [-1, -0.25, 1, -0.25, 1, 0.25, -1, 0.25],
  bar: [-0.25, -1, 0.25, -1, 0.25, 1, -0.25, 1],
}

export function putSymbol(
  canvas: ChartCanvas,
  symbol: MarkSymbol,
  x: Pt,
  y: Pt,
  size: Pt,
  paint: Fill | undefined,
  edge: PathStroke | undefined,
): void {
  const half = size / 2
  const commands: PathCommand[] =
    symbol === 'circle'
      ? [...ellipse({ centre: { x, y }, rx: half, ry: half, turn: 0, start: 0, span: 2 * Math.PI }), ['Z']]
      : [...corners(outlines[symbol], x, y, half), ['Z']]
  if (paint !== undefined) fill(canvas, commands, paint)
  if (edge !== undefined) stroke(canvas, commands, edge)
}

function corners(outline: readonly number[], x: Pt, y: Pt, half: Pt): PathCommand[] {
  const commands: PathCommand[] = []
  for (let n = 0; n < outline.length; n += 2)
    commands.push([n === 0 ? 'M' : 'L', x + (outline[n] ?? 0) * half, y + (outline[n + 1] ?? 0) * half])
  return commands
}

/** The stroke of a series; undefined when it has none. */
export function lineOf(chart: Chart, plot: Plot, series: Series): PathStroke | undefined {
  if (plot.kind === 'stock') return { colour: 0, width: 0.75 }
  if (!series.joined && plot.kind !== 'radar') return undefined
  const fallback = { colour: seriesColour(chart, series), width: 1.5 }
  const how = strokeOf(series.formatting, fallback)
  return how && { ...how, cap: 'round', join: 'round' }
}

/** A line through points, straight or as a natural cubic spline. */
export function traceOf(points: readonly (readonly [Pt, Pt])[], smooth: boolean): PathCommand[] {
  if (!smooth || points.length < 3) return points.map(([x, y], n): PathCommand => [n === 0 ? 'M' : 'L', x, y])
  // The parameter of a curve through x and y is the distance along the points.
  const [start, ...rest] = points
  if (start === undefined) return []
  const at = [0]
  let [before, length, rises] = [start, 0, true]
  for (const point of rest) {
    length += Math.max(1e-6, Math.hypot(point[0] - before[0], point[1] - before[1]))
    at.push(length)
    rises &&= point[0] > before[0] + 1e-6
    before = point
  }
  const along = rises ? points.map(([x]) => x) : at
  const sx = rises
    ? points.map(() => 1)
    : slopes(
        along,
        points.map(([x]) => x),
      )
  const sy = slopes(
    along,
    points.map(([, y]) => y),
  )
  const commands: PathCommand[] = [['M', start[0], start[1]]]
  let [x0, y0] = start
  for (const [index, [x1, y1]] of rest.entries()) {
    const n = index + 1
    const third = ((along[n] ?? 0) - (along[n - 1] ?? 0)) / 3
    commands.push([
      'C',
      x0 + (sx[n - 1] ?? 0) * third,
      y0 + (sy[n - 1] ?? 0) * third,
      x1 - (sx[n] ?? 0) * third,
      y1 - (sy[n] ?? 0) * third,
      x1,
      y1,
    ])
    ;[x0, y0] = [x1, y1]
  }
  return commands
}

/** Slopes of the natural cubic spline through (at, value). */
function slopes(at: readonly number[], values: readonly number[]): number[] {
  const last = at.length - 1
  const width = (n: number): number => (at[n + 1] ?? 0) - (at[n] ?? 0)
  const rise = (n: number): number => ((values[n + 1] ?? 0) - (values[n] ?? 0)) / width(n)
  const bend = new Array<number>(last + 1).fill(0)
  const upper = new Array<number>(last + 1).fill(0)
  for (let n = 1; n < last; n += 1) {
    const pivot = 2 * (width(n - 1) + width(n)) - width(n - 1) * (upper[n - 1] ?? 0)
    upper[n] = width(n) / pivot
    bend[n] = (6 * (rise(n) - rise(n - 1)) - width(n - 1) * (bend[n - 1] ?? 0)) / pivot
  }
  for (let n = last - 1; n >= 1; n -= 1) bend[n] = (bend[n] ?? 0) - (upper[n] ?? 0) * (bend[n + 1] ?? 0)
  return at.map((_, n) =>
    n < last
      ? rise(n) - (width(n) * (2 * (bend[n] ?? 0) + (bend[n + 1] ?? 0))) / 6
      : rise(n - 1) + (width(n - 1) * (2 * (bend[n] ?? 0) + (bend[n - 1] ?? 0))) / 6,
  )
}

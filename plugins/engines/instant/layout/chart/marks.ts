import type { Chart, MarkSymbol, Plot, Series } from '../../../../../shared/document/chart.ts'
import { ellipse } from '../../../../../shared/document/ellipse.ts'
import type { Fill, PathCommand, Pt, Stroke } from '../frame.ts'
import { fill, type Ink, seriesColour, stroke, strokeOf } from './ink.ts'

/** Points that outline each symbol, as shares of half its size around its middle. */
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
  ink: Ink,
  symbol: MarkSymbol,
  x: Pt,
  y: Pt,
  size: Pt,
  paint: Fill | undefined,
  edge: Stroke | undefined,
): void {
  const half = size / 2
  const commands: PathCommand[] =
    symbol === 'circle'
      ? [...ellipse({ centre: { x, y }, rx: half, ry: half, turn: 0, start: 0, span: 2 * Math.PI }), ['Z']]
      : [...corners(outlines[symbol], x, y, half), ['Z']]
  if (paint !== undefined) fill(ink, commands, paint)
  if (edge !== undefined) stroke(ink, commands, edge)
}

function corners(outline: readonly number[], x: Pt, y: Pt, half: Pt): PathCommand[] {
  const commands: PathCommand[] = []
  for (let n = 0; n < outline.length; n += 2)
    commands.push([n === 0 ? 'M' : 'L', x + outline[n]! * half, y + outline[n + 1]! * half])
  return commands
}

/** How the line of a series is drawn; undefined for none. */
export function lineOf(chart: Chart, plot: Plot, series: Series): Stroke | undefined {
  if (plot.kind === 'stock') return { colour: 0, width: 0.75 }
  if (!series.joined && plot.kind !== 'radar') return undefined
  const usual = { colour: seriesColour(chart, series), width: 1.5 }
  const how = strokeOf(series.look, usual)
  return how && { ...how, cap: 'round', join: 'round' }
}

/** A line through points, straight or with bends as a natural cubic spline has them. */
export function traceOf(points: readonly (readonly [Pt, Pt])[], smooth: boolean): PathCommand[] {
  if (!smooth || points.length < 3) return points.map(([x, y], n): PathCommand => [n === 0 ? 'M' : 'L', x, y])
  // The parameter of a curve through x and y is the way between points.
  const at = [0]
  for (let n = 1; n < points.length; n += 1)
    at.push(
      at[n - 1]! +
        Math.max(1e-6, Math.hypot(points[n]![0] - points[n - 1]![0], points[n]![1] - points[n - 1]![1])),
    )
  const rises = points.every(([x], n) => n === 0 || x > points[n - 1]![0] + 1e-6)
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
  const commands: PathCommand[] = [['M', points[0]![0], points[0]![1]]]
  for (let n = 1; n < points.length; n += 1) {
    const [x0, y0] = points[n - 1]!
    const [x1, y1] = points[n]!
    const third = (along[n]! - along[n - 1]!) / 3
    commands.push([
      'C',
      x0 + sx[n - 1]! * third,
      y0 + sy[n - 1]! * third,
      x1 - sx[n]! * third,
      y1 - sy[n]! * third,
      x1,
      y1,
    ])
  }
  return commands
}

/** Slopes of the natural cubic spline through (at, value). */
function slopes(at: readonly number[], values: readonly number[]): number[] {
  const last = at.length - 1
  const width = (n: number): number => at[n + 1]! - at[n]!
  const rise = (n: number): number => (values[n + 1]! - values[n]!) / width(n)
  const bend = new Array<number>(last + 1).fill(0)
  const upper = new Array<number>(last + 1).fill(0)
  for (let n = 1; n < last; n += 1) {
    const pivot = 2 * (width(n - 1) + width(n)) - width(n - 1) * upper[n - 1]!
    upper[n] = width(n) / pivot
    bend[n] = (6 * (rise(n) - rise(n - 1)) - width(n - 1) * bend[n - 1]!) / pivot
  }
  for (let n = last - 1; n >= 1; n -= 1) bend[n] = bend[n]! - upper[n]! * bend[n + 1]!
  return at.map((_, n) =>
    n < last
      ? rise(n) - (width(n) * (2 * bend[n]! + bend[n + 1]!)) / 6
      : rise(n - 1) + (width(n - 1) * (2 * bend[n]! + bend[n - 1]!)) / 6,
  )
}

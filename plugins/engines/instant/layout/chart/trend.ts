import type { Trend } from '../../../../../shared/document/chart.ts'
import { chartNumberText } from './format.ts'

/** A curve fitted to points. */
export interface Fit {
  at(x: number): number | undefined
  /** The equation of the curve, and how well it fits (R²). */
  readonly lines: readonly string[]
  /** The points of a moving average, instead of a curve. */
  readonly points?: readonly (readonly [number, number])[]
}

type TrendPoints = readonly (readonly [number, number])[]

/** Least squares, of logarithms for exponential and power curves. */
export function fitOf(points: TrendPoints, trend: Trend): Fit | undefined {
  if (trend.kind === 'moving') return movingAverage(points, trend)
  const usable = points.filter(
    ([x, y]) =>
      (x > 0 || (trend.kind !== 'logarithmic' && trend.kind !== 'power')) &&
      (y > 0 || (trend.kind !== 'exponential' && trend.kind !== 'power')),
  )
  if (usable.length < 2) return undefined
  const number = (value: number): string =>
    trend.format === undefined ? chartNumberText(value, undefined) : chartNumberText(value, trend.format)
  const logX = trend.kind === 'logarithmic' || trend.kind === 'power'
  const logY = trend.kind === 'exponential' || trend.kind === 'power'
  const bent: TrendPoints = usable.map(([x, y]) => [logX ? Math.log(x) : x, logY ? Math.log(y) : y])
  const degree = trend.kind === 'polynomial' ? Math.min(trend.order, 6, usable.length - 1) : 1
  const fixed =
    trend.intercept === undefined || trend.kind === 'power' || logX
      ? undefined
      : logY
        ? Math.log(Math.max(1e-300, trend.intercept))
        : trend.intercept
  const powers = degree === 1 && fixed === undefined ? straight(bent) : polynomial(bent, degree, fixed)
  if (powers === undefined) return undefined
  const raw = (x: number): number =>
    powers.reduce((sum, factor, n) => sum + factor * (logX ? Math.log(x) : x) ** n, 0)
  const at = (x: number): number | undefined => {
    if (logX && x <= 0) return undefined
    const value = logY ? Math.exp(raw(x)) : raw(x)
    return Number.isFinite(value) ? value : undefined
  }
  const mean = bent.reduce((sum, [, y]) => sum + y, 0) / bent.length
  const total = bent.reduce((sum, [, y]) => sum + (y - mean) ** 2, 0)
  const rest = usable.reduce((sum, [x], n) => sum + (bent[n]![1] - raw(x)) ** 2, 0)
  const lines = [
    ...(trend.equation ? [`f(x) = ${equation(trend.kind, powers, number)}`] : []),
    ...(trend.fit ? [`R² = ${number(total === 0 ? 1 : 1 - rest / total)}`] : []),
  ]
  return { at, lines }
}

function equation(kind: Trend['kind'], powers: readonly number[], number: (value: number) => string): string {
  const [a = 0, b = 0] = powers
  if (kind === 'exponential') return `${number(Math.exp(a))} exp( ${number(b)} x )`
  if (kind === 'power') return `${number(Math.exp(a))} x^${number(b)}`
  const terms = powers.map((factor, n) => ({
    factor,
    unit: kind === 'logarithmic' ? ['', ' ln(x)'][n]! : ['', ' x', ' x²', ' x³', ' x⁴', ' x⁵', ' x⁶'][n]!,
  }))
  return terms
    .reverse()
    .map(
      ({ factor, unit }, n) =>
        `${n === 0 ? (factor < 0 ? '-' : '') : factor < 0 ? ' - ' : ' + '}${number(Math.abs(factor))}${unit}`,
    )
    .join('')
}

/** A straight line, computed from the deviations from the means, which keeps precision. */
function straight(points: TrendPoints): number[] | undefined {
  const mean = (of: 0 | 1): number => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [mx, my] = [mean(0), mean(1)]
  const width = points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
  if (!(width > 0)) return undefined
  const slope = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / width
  return [my - slope * mx, slope]
}

/** Coefficients of 1, x, x² … that fit best; undefined when there is no unique solution. */
function polynomial(
  points: TrendPoints,
  degree: number,
  intercept: number | undefined,
): number[] | undefined {
  const from = intercept === undefined ? 0 : 1
  const size = degree + 1 - from
  if (size < 1) return undefined
  const rows = Array.from({ length: size }, (_, r) => [
    ...Array.from({ length: size }, (_column, c) =>
      points.reduce((sum, [x]) => sum + x ** (r + c + 2 * from), 0),
    ),
    points.reduce((sum, [x, y]) => sum + x ** (r + from) * (y - (intercept ?? 0)), 0),
  ])
  for (let pivot = 0; pivot < size; pivot += 1) {
    const best = rows
      .slice(pivot)
      .reduce(
        (largest, row, n) =>
          Math.abs(row[pivot] ?? 0) > Math.abs(rows[largest]![pivot] ?? 0) ? pivot + n : largest,
        pivot,
      )
    ;[rows[pivot], rows[best]] = [rows[best]!, rows[pivot]!]
    const pivotRow = rows[pivot]!
    if (!(Math.abs(pivotRow[pivot] ?? 0) > 1e-12)) return undefined
    for (const [n, row] of rows.entries()) {
      if (n === pivot) continue
      const share = (row[pivot] ?? 0) / (pivotRow[pivot] ?? 0)
      for (let c = pivot; c <= size; c += 1) row[c] = (row[c] ?? 0) - share * (pivotRow[c] ?? 0)
    }
  }
  const factors = rows.map((row, n) => (row[size] ?? 0) / (row[n] ?? 0))
  return intercept === undefined ? factors : [intercept, ...factors]
}

function movingAverage(points: TrendPoints, { period }: Trend): Fit | undefined {
  const averages: (readonly [number, number])[] = []
  for (let n = period - 1; n < points.length; n += 1) {
    const window = points.slice(n - period + 1, n + 1)
    averages.push([points[n]![0], window.reduce((sum, [, y]) => sum + y, 0) / period])
  }
  return averages.length < 2 ? undefined : { at: () => undefined, lines: [], points: averages }
}

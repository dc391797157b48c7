import type { Axis } from '../../../../../shared/document/chart.ts'

/** The ticks of a value axis. */
export interface AxisScale {
  readonly min: number
  readonly max: number
  readonly step: number
  readonly ticks: readonly number[]
  readonly minors: readonly number[]
  /**
   * Position of a value: 0 at the beginning of the axis, 1 at its end, outside of both for values beyond it.
   */
  fractionOf(value: number): number
}

export interface ScaleOptions {
  /** Maximum number of steps. */
  readonly maxSteps: number
  /** Whether the axis includes zero in every case. */
  readonly zero?: boolean
  /** Whether the axis includes zero unless the values are close to each other. */
  readonly wide?: boolean
  /** Whether values keep a distance from the ends. */
  readonly keepsDistance?: boolean
}

const maxTicks = 500

/**
 * Chooses round values for ticks as LibreOffice does: steps of 1, 2 or 5, at most `maxSteps` of them. Positive
 * values begin at zero when the smallest is below five sixths of the largest, and a value in the last 21st of
 * the axis adds a step.
 */
export function scaleOf(values: readonly number[], axis: Axis, options: ScaleOptions): AxisScale {
  if (axis.base !== undefined && axis.base > 1) return logarithmic(values, axis, axis.base)
  const { maxSteps, zero = false, wide = true, keepsDistance = true } = options
  const [dataMin, dataMax] = dataRange(values, axis)
  let [low, high] = [dataMin, dataMax]
  if (axis.min === undefined && low > 0) low = startNearZero(low, high, zero, wide)
  else if (axis.max === undefined && high < 0) high = -startNearZero(-high, -low, zero, wide)
  const maxCount = Math.max(2, Math.min(10, Math.floor(maxSteps)))
  let step = axis.step ?? niceStep(Math.max(Number.MIN_VALUE, high - low) / maxCount)
  let [min, max] = [low, high]
  // Extending the range to multiples of the step can give more ticks than fit, and then the next larger round
  // step is tried. Eight of them span more than two orders of magnitude, so the loop normally ends by
  // itself.
  for (let attempt = 0; attempt < 8; attempt += 1) {
    if (!((high - low) / step < maxTicks)) step = niceStep((high - low) / 100)
    min = axis.min === undefined ? Math.floor(low / step + 1e-9) * step : low
    max = axis.max === undefined ? Math.ceil(high / step - 1e-9) * step : high
    if (keepsDistance) {
      if (axis.min === undefined && isTight(max - dataMin, min, max, min)) min -= step
      if (axis.max === undefined && isTight(dataMax - min, min, max, max)) max += step
    }
    if (axis.step !== undefined || (max - min) / step <= maxCount + 1e-9) break
    step = niceStep(step * 1.01)
  }
  const origin = axis.min === undefined ? 0 : low
  const ticks = ticksOf(min, max, step, origin)
  const minors = ticksOf(min, max, axis.minorStep ?? step / 5, origin)
  return {
    min,
    max,
    step,
    ticks,
    minors,
    fractionOf: (value) => directed(axis, (value - min) / (max - min || 1)),
  }
}

/**
 * The range of the values, with the ends that the axis fixes. It is never empty: where the ends meet or cross, one that is
 * not fixed moves.
 */
function dataRange(values: readonly number[], axis: Axis): [low: number, high: number] {
  let [low, high] = rangeOf(values)
  if (axis.min !== undefined) low = axis.min
  if (axis.max !== undefined) high = axis.max
  if (low > high) {
    if (axis.max === undefined) return [low, low + Math.max(1, Math.abs(low) / 10)]
    if (axis.min === undefined) return [high - Math.max(1, Math.abs(high) / 10), high]
    return [high, low]
  }
  if (low !== high) return [low, high]
  // With a single value the axis begins at zero.
  if (low > 0 && axis.min === undefined) return [0, high]
  if (high < 0 && axis.max === undefined) return [low, 0]
  return axis.max === undefined ? [low, low + 1] : [high - 1, high]
}

/**
 * Whether values come closer to an end of the axis than 1/21 of its length. `used` is the length from the other end to
 * the outermost value. An axis that ends at zero may be used entirely. Observed in LibreOffice.
 */
const isTight = (used: number, min: number, max: number, end: number): boolean =>
  end !== 0 && used / (max - min) > 20 / 21

const directed = (axis: Axis, fractionOf: number): number => (axis.reversed ? 1 - fractionOf : fractionOf)

function startNearZero(low: number, high: number, zero: boolean, wide: boolean): number {
  if (zero || (wide && low / high < 5 / 6)) return 0
  return wide ? low - (high - low) / 2 : low
}

function rangeOf(values: readonly number[]): [number, number] {
  const finite = values.filter((value) => Number.isFinite(value))
  if (finite.length === 0) return [0, 1]
  const low = finite.reduce((min, value) => Math.min(min, value))
  const high = finite.reduce((max, value) => Math.max(max, value))
  // Values near the limits of numbers leave no space between them.
  return [Math.max(-1e300, low), Math.min(1e300, high)]
}

/** Multiples of the step, counted from `origin`. */
function ticksOf(min: number, max: number, step: number, origin: number): number[] {
  const ticks: number[] = []
  if (!(step > 0)) return ticks
  const first = Math.ceil((min - origin) / step - 1e-9)
  for (let n = 0; n <= maxTicks && origin + (first + n) * step <= max + step * 1e-6; n += 1)
    ticks.push(rounded(origin + (first + n) * step, step))
  return ticks
}

function logarithmic(values: readonly number[], axis: Axis, base: number): AxisScale {
  const power = (value: number): number => Math.log(value) / Math.log(base)
  const [low, high] = rangeOf(values.filter((value) => value > 0))
  const first = Math.max(
    -300,
    Math.floor(power(axis.min !== undefined && axis.min > 0 ? axis.min : low || 1) + 1e-9),
  )
  const last = Math.max(
    first + 1,
    Math.ceil(power(axis.max !== undefined && axis.max > 0 ? axis.max : high) - 1e-9),
  )
  const ends = [
    axis.min !== undefined && axis.min > 0 ? power(axis.min) : first,
    axis.max !== undefined && axis.max > 0 ? power(axis.max) : last,
  ] as const
  const every = Math.max(1, Math.ceil((last - first) / 10))
  const ticks: number[] = []
  const minors: number[] = []
  for (let n = first; n <= Math.min(last, first + 600); n += 1) {
    const tick = Number((base ** n).toPrecision(12))
    if ((n - first) % every === 0 && n <= ends[1] + 1e-9) ticks.push(tick)
    if (n < last) for (let part = 2; part < Math.min(base, 10); part += 1) minors.push(tick * part)
  }
  const fractionOf = (value: number): number =>
    directed(axis, value > 0 ? (power(value) - ends[0]) / (ends[1] - ends[0] || 1) : 0)
  return { min: base ** ends[0], max: base ** ends[1], step: base, ticks, minors, fractionOf }
}

function niceStep(rough: number): number {
  if (!(rough > 0) || !Number.isFinite(rough)) return 1
  const power = 10 ** Math.floor(Math.log10(rough) + 1e-9)
  const fractionOf = rough / power
  const nice = fractionOf <= 1 + 1e-9 ? 1 : fractionOf <= 2 + 1e-9 ? 2 : fractionOf <= 5 + 1e-9 ? 5 : 10
  return nice * power || Number.MIN_VALUE
}

/** Removes the rounding errors of added fractions. */
const rounded = (value: number, step: number): number => {
  const digits = Math.max(0, Math.min(15, 2 - Math.floor(Math.log10(step))))
  return Number(value.toFixed(digits))
}

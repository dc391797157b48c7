import type { Axis } from '../../../../../shared/document/chart.ts'

/** Marks of a value axis. */
export interface Scale {
  readonly min: number
  readonly max: number
  readonly step: number
  readonly marks: readonly number[]
  readonly minors: readonly number[]
  /** 0 at the beginning of the axis, 1 at its end; outside of both for values beyond it. */
  share(value: number): number
}

export interface ScaleOptions {
  /** As many steps as there is room for. */
  readonly most: number
  /** Zero belongs to the axis however close the values are to each other. */
  readonly zero?: boolean
  /** Zero belongs to the axis unless the values are close to each other. */
  readonly wide?: boolean
  /** Values keep away from the ends. */
  readonly roomy?: boolean
}

const mostMarks = 500

/**
 * Round marks around the values, as LibreOffice chooses them: steps of 1, 2 or 5, at most `most` of them; positive values
 * begin at zero when the least is below five sixths of the largest; a value in the last 21st of the axis adds a step.
 */
export function scaleOf(values: readonly number[], axis: Axis, options: ScaleOptions): Scale {
  if (axis.base !== undefined && axis.base > 1) return logarithmic(values, axis, axis.base)
  const { most, zero = false, wide = true, roomy = true } = options
  let [low, high] = rangeOf(values)
  if (axis.min !== undefined) low = axis.min
  if (axis.max !== undefined) high = axis.max
  if (low > high) {
    if (axis.max === undefined) high = low + Math.max(1, Math.abs(low) / 10)
    else if (axis.min === undefined) low = high - Math.max(1, Math.abs(high) / 10)
    else [low, high] = [high, low]
  }
  if (low === high) {
    // One value: the axis begins at zero.
    if (low > 0 && axis.min === undefined) low = 0
    else if (high < 0 && axis.max === undefined) high = 0
    else if (axis.max === undefined) high = low + 1
    else low = high - 1
  }
  const [from, to] = [low, high]
  const [least, largest] = [
    axis.min === undefined ? undefined : low,
    axis.max === undefined ? undefined : high,
  ]
  if (axis.min === undefined && low > 0) low = nearZero(low, high, zero, wide)
  else if (axis.max === undefined && high < 0) high = -nearZero(-high, -low, zero, wide)
  const wanted = Math.max(2, Math.min(10, Math.floor(most)))
  let step = axis.step ?? niceStep(Math.max(Number.MIN_VALUE, high - low) / wanted)
  let [min, max] = [low, high]
  for (let round = 0; round < 8; round += 1) {
    if (!((high - low) / step < mostMarks)) step = niceStep((high - low) / 100)
    min = least ?? Math.floor(low / step + 1e-9) * step
    max = largest ?? Math.ceil(high / step - 1e-9) * step
    if (roomy && axis.min === undefined && min !== 0 && (max - from) / (max - min) > 20 / 21) min -= step
    if (roomy && axis.max === undefined && max !== 0 && (to - min) / (max - min) > 20 / 21) max += step
    if (axis.step !== undefined || (max - min) / step <= wanted + 1e-9) break
    step = niceStep(step * 1.01)
  }
  const origin = least ?? 0
  const marks = marksOf(min, max, step, origin)
  const minors =
    axis.minorStep === undefined
      ? marksOf(min, max, step / 5, origin)
      : marksOf(min, max, axis.minorStep, origin)
  return { min, max, step, marks, minors, share: (value) => turned(axis, (value - min) / (max - min || 1)) }
}

const turned = (axis: Axis, share: number): number => (axis.reversed ? 1 - share : share)

function nearZero(low: number, high: number, zero: boolean, wide: boolean): number {
  if (zero || (wide && low / high < 5 / 6)) return 0
  return wide ? low - (high - low) / 2 : low
}

function rangeOf(values: readonly number[]): [number, number] {
  const finite = values.filter((value) => Number.isFinite(value))
  if (finite.length === 0) return [0, 1]
  const low = finite.reduce((least, value) => Math.min(least, value))
  const high = finite.reduce((most, value) => Math.max(most, value))
  // Values at the ends of what numbers can be leave no room between them.
  return [Math.max(-1e300, low), Math.min(1e300, high)]
}

/** Multiples of the step counted from `origin`. */
function marksOf(min: number, max: number, step: number, origin: number): number[] {
  const marks: number[] = []
  if (!(step > 0)) return marks
  const first = Math.ceil((min - origin) / step - 1e-9)
  for (let n = 0; n <= mostMarks && origin + (first + n) * step <= max + step * 1e-6; n += 1)
    marks.push(rounded(origin + (first + n) * step, step))
  return marks
}

function logarithmic(values: readonly number[], axis: Axis, base: number): Scale {
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
  const marks: number[] = []
  const minors: number[] = []
  for (let n = first; n <= Math.min(last, first + 600); n += 1) {
    const mark = Number((base ** n).toPrecision(12))
    if ((n - first) % every === 0 && n <= ends[1] + 1e-9) marks.push(mark)
    if (n < last) for (let part = 2; part < Math.min(base, 10); part += 1) minors.push(mark * part)
  }
  const share = (value: number): number =>
    turned(axis, value > 0 ? (power(value) - ends[0]) / (ends[1] - ends[0] || 1) : 0)
  return { min: base ** ends[0], max: base ** ends[1], step: base, marks, minors, share }
}

function niceStep(rough: number): number {
  if (!(rough > 0) || !Number.isFinite(rough)) return 1
  const power = 10 ** Math.floor(Math.log10(rough) + 1e-9)
  const share = rough / power
  const nice = share <= 1 + 1e-9 ? 1 : share <= 2 + 1e-9 ? 2 : share <= 5 + 1e-9 ? 5 : 10
  return nice * power || Number.MIN_VALUE
}

/** Without the noise of adding up fractions. */
const rounded = (value: number, step: number): number => {
  const digits = Math.max(0, Math.min(15, 2 - Math.floor(Math.log10(step))))
  return Number(value.toFixed(digits))
}

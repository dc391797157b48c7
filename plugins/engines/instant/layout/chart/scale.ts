import type { Axis } from '../../../../../shared/document/chart.ts'

/** Marks of a value axis. */
export interface Scale {
  readonly min: number
  readonly max: number
  readonly step: number
  readonly marks: readonly number[]
  /** 0 at the beginning of the axis, 1 at its end. */
  share(value: number): number
}

const mostMarks = 100

/**
 * Round marks around the values, about `wanted` of them. Zero is on the axis unless the values are far from it and close to
 * each other. Observed in LibreOffice: within a sixth of the largest value the axis may begin elsewhere.
 */
export function scaleOf(values: readonly number[], axis: Axis, wanted: number, always = false): Scale {
  const finite = values.filter((value) => Number.isFinite(value))
  let low = finite.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  let high = finite.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  if (finite.length === 0) [low, high] = [0, 1]
  if (low > 0 && (always || (high - low) / high > 1 / 6 || high === low)) low = 0
  if (high < 0 && (always || (high - low) / -low > 1 / 6 || high === low)) high = 0
  if (low === high) high = low + 1
  const from = axis.min ?? low
  const to = axis.max ?? high
  const span = Math.max(Number.MIN_VALUE, to - from)
  let step = axis.step ?? niceStep(span / Math.max(1, wanted))
  if (!(span / step <= mostMarks)) step = niceStep(span / mostMarks)
  const min = axis.min ?? Math.floor(from / step + 1e-9) * step
  // The highest value does not touch the top.
  const max = axis.max ?? Math.ceil(to / step - 1e-9) * step
  const marks: number[] = []
  for (let n = 0; n <= mostMarks && min + n * step <= max + step * 1e-6; n += 1)
    marks.push(round(min + n * step, step))
  const share = (value: number) => {
    const place = Math.min(1, Math.max(0, (value - min) / (max - min || 1)))
    return axis.reversed ? 1 - place : place
  }
  return { min, max, step, marks, share }
}

function niceStep(rough: number): number {
  if (!(rough > 0) || !Number.isFinite(rough)) return 1
  const power = 10 ** Math.floor(Math.log10(rough))
  const share = rough / power
  return (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10) * power
}

/** Without the noise of adding up fractions. */
const round = (value: number, step: number): number => {
  const digits = Math.max(0, Math.min(15, 2 - Math.floor(Math.log10(step))))
  return Number(value.toFixed(digits))
}

/** Number formats as charts use them: digits, groups, percent, text around. Source: ECMA-376-1, clause 18.8.31. */
export function formatNumber(value: number, format: string | undefined): string {
  const code = (format ?? 'General').split(';')[0]!.replace(/\[[^\]]*\]/g, '')
  const digits = /[0#?][0#?,]*(?:\.[0#?]+)?/.exec(code)
  if (/^general$/i.test(code.trim()) || digits === null) return plain(value)
  const percent = code.includes('%')
  const decimals = /\.([0#?]+)/.exec(digits[0])?.[1]
  const least = (decimals ?? '').replace(/[#?]/g, '').length
  const shown = percent ? value * 100 : value
  const text = new Intl.NumberFormat('en', {
    minimumFractionDigits: least,
    maximumFractionDigits: Math.max(least, decimals?.length ?? 0),
    useGrouping: digits[0].includes(','),
  }).format(shown)
  const words = (part: string) =>
    part.replace(
      /"([^"]*)"|\\(.)|_.|\*./g,
      (_, quoted: string | undefined, one: string | undefined) => quoted ?? one ?? '',
    )
  const before = words(code.slice(0, digits.index))
  const after = words(code.slice(digits.index + digits[0].length))
  return value < 0 && before !== ''
    ? `-${before}${text.replace('-', '')}${after}`
    : `${before}${text}${after}`
}

function plain(value: number): string {
  const text = String(Number(value.toPrecision(10)))
  return text.includes('e') ? text.replace('e', 'E') : text
}

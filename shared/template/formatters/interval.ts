import { humanSpan, spanMs } from '../../locale/relative.ts'
import { isMissing, numericOf } from './coerce.ts'
import { dateScope } from './date-scope.ts'
import { readUnit } from './date-units.ts'
import { optional, required, value } from './define.ts'
import { printed } from './printed.ts'

/** Spans of time. */

/**
 * A span in words of the language (`human`, or `human+` with its direction) or as a number of units, not rounded. The
 * value is a number of `patternIn`, milliseconds when left out, or an ISO 8601 duration. A year is 365 days, a month a
 * twelfth of it. A value that is not a duration is returned unchanged.
 *
 * @example 45000 {d.v:formatI(human)} | {d.v:formatI(human+)} => a minute | in a minute
 * @example -5400000 {d.v:formatI(human+)} => 2 hours ago
 * @example -5400000 {d.v:formatI(human+)} => hace 2 horas | lang=es
 * @example 5400000 {d.v:formatI(hour)} {d.v:formatI(m)} => 1.5 90
 * @example 90 {d.v:formatI(hour, minute)} => 1.5
 * @example "PT1H30M" {d.v:formatI(minute)} => 90
 * @example "PT1H30M" {d.v:formatI(hours):floor:padl(2,0)}:{d.v:formatI(minutes):mod(60):padl(2,0)} => 01:30
 * @example "P1M" {d.v:formatI(ms)} => 2628000000
 * @example "P1Y2M3DT4H5M6S" {d.v:formatI(s)} => 37065906
 * @example "-P2W" {d.v:formatI(days)} => -14
 * @example 10000 {d.v:formatI(human)} => a few seconds
 * @example 172800000 {d.v:formatI(human)} => 2 Tage | lang=de
 * @example 172800000 {d.v:formatI(human+)} => in 2 Tagen | lang=de
 * @example 1728000000 {d.v:formatI(human)} => 20 днів | lang=uk
 * @example "soon" {d.v:formatI(hour)} => soon
 * @example null {d.v:formatI(hour)} =>
 */
export const formatI = value(
  'formatI',
  [
    required('patternOut', 'text', 'human, human+ or a unit, milliseconds to year'),
    optional('patternIn', 'text', 'the unit of the value, milliseconds when left out'),
  ],
  (v, [out, into], { render }) => {
    if (isMissing(v)) return v
    const ms = spanOf(v, unitMs(into))
    if (ms === undefined) return v
    const requested = printed(out).trim()
    if (/^human\+?$/i.test(requested)) {
      return humanSpan(ms, dateScope(render).locale, render.lang, requested.endsWith('+'))
    }
    return ms / unitMs(requested)
  },
)

function unitMs(unit: unknown): number {
  const inputUnit = readUnit(printed(unit)) ?? 'millisecond'
  return Object.hasOwn(spanMs, inputUnit) ? spanMs[inputUnit as keyof typeof spanMs] : 1
}

/** ISO 8601-1 5.5.2; only the last part may have a fraction, which is not checked. */
const duration =
  /^\s*([+-])?P(?:([\d.,]+)Y)?(?:([\d.,]+)M)?(?:([\d.,]+)W)?(?:([\d.,]+)D)?(?:T(?:([\d.,]+)H)?(?:([\d.,]+)M)?(?:([\d.,]+)S)?)?\s*$/i
const parts = [
  spanMs.year,
  spanMs.month,
  spanMs.week,
  spanMs.day,
  spanMs.hour,
  spanMs.minute,
  spanMs.second,
] as const

function spanOf(v: unknown, unit: number): number | undefined {
  const number = numericOf(v)
  if (number !== undefined) return number * unit
  const match = typeof v === 'string' ? duration.exec(v) : null
  if (match === null || !/\d/.test(match[0])) return undefined
  const [, sign, ...counts] = match
  const ms = parts.reduce((sum, part, i) => sum + part * Number((counts[i] ?? '0').replace(',', '.')), 0)
  if (Number.isNaN(ms)) return undefined
  return sign === '-' ? -ms : ms
}

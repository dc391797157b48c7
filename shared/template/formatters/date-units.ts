import { entryOf } from '../../entry-of.ts'
import { addMonths, civilDate, dayMs, dayNumber, startOfWeek } from '../../locale/calendar.ts'
import type { TimeZone } from '../../locale/time-zone.ts'
import { dateValue } from './date-read.ts'
import type { DateValue } from './formatter.ts'

/** Units of time that formatters accept, by their singular English name. */
export type Unit =
  | 'millisecond'
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'week'
  | 'isoweek'
  | 'month'
  | 'quarter'
  | 'year'

const shortUnits: Readonly<Record<string, Unit>> = {
  ms: 'millisecond',
  s: 'second',
  m: 'minute',
  h: 'hour',
  d: 'day',
  D: 'day',
  w: 'week',
  M: 'month',
  Q: 'quarter',
  q: 'quarter',
  y: 'year',
}
const longUnits = new Set<string>([...Object.values(shortUnits), 'isoweek'])

/** A unit by its name, plural or short form; only 'M' (month) and 'm' (minute) differ by case. */
export function readUnit(text: string): Unit | undefined {
  const name = text.trim()
  const exact = entryOf(shortUnits, name)
  if (exact !== undefined) return exact
  const lower = name.toLowerCase()
  const singular = lower === 'ms' ? lower : lower.replace(/s$/, '')
  if (longUnits.has(singular)) return singular as Unit
  return lower === 'm' ? undefined : entryOf(shortUnits, lower)
}

/** Lengths of the units that always last the same. */
const fixedMs: Readonly<Partial<Record<Unit, number>>> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
}

const calendarDays: Readonly<Partial<Record<Unit, number>>> = { day: 1, week: 7, isoweek: 7 }
const calendarMonths: Readonly<Partial<Record<Unit, number>>> = { month: 1, quarter: 3, year: 12 }

/**
 * Moves a date by n units. Hours and shorter ones pass as they do on every clock; days and longer ones keep the time
 * of the local clock. Undefined beyond the years a date can hold.
 */
export function moved(date: DateValue, n: number, unit: Unit, zone: TimeZone): DateValue | undefined {
  const fixed = fixedMs[unit]
  if (fixed !== undefined) return dateValue(date.epochMs + n * fixed, date.dateOnly)
  if (Math.abs(n) > 1e9) return undefined
  const { days, time } = split(localOf(date, zone))
  const perDay = calendarDays[unit]
  const target =
    perDay === undefined ? addMonths(days, n * (calendarMonths[unit] as number)) : days + n * perDay
  return fromLocal(target * dayMs + time, date.dateOnly, zone)
}

/** The first millisecond of the unit that the date lies in, on the local clock. */
export function startOf(
  date: DateValue,
  unit: Unit,
  zone: TimeZone,
  weekStart: number,
): DateValue | undefined {
  const local = localOf(date, zone)
  const fixed = fixedMs[unit]
  if (fixed !== undefined) {
    return fromLocal(Math.floor(local / fixed) * fixed, date.dateOnly, zone)
  }
  return fromLocal(firstDay(split(local).days, unit, weekStart) * dayMs, date.dateOnly, zone)
}

/** The last millisecond of the unit that the date lies in, on the local clock. */
export function endOf(date: DateValue, unit: Unit, zone: TimeZone, weekStart: number): DateValue | undefined {
  const start = startOf(date, unit, zone, weekStart)
  const next = start && moved(start, 1, unit, zone)
  return next && dateValue(next.epochMs - 1, date.dateOnly)
}

/** Whole units from one date to another, cut towards zero; negative when `to` is earlier. */
export function difference(from: DateValue, to: DateValue, unit: Unit, zone: TimeZone): number {
  const fixed = fixedMs[unit]
  if (fixed !== undefined) return cut((instantOf(to, from, zone) - instantOf(from, to, zone)) / fixed)
  const a = localOf(from, zone)
  const b = localOf(to, zone)
  const perDay = calendarDays[unit]
  if (perDay !== undefined) return cut((b - a) / (perDay * dayMs))
  return cut(monthsBetween(a, b) / (calendarMonths[unit] as number))
}

const cut = (n: number): number => Math.trunc(n) + 0 // no -0

function monthsBetween(a: number, b: number): number {
  const from = split(a)
  const to = split(b)
  const [start, end] = [civilDate(from.days), civilDate(to.days)]
  const months = (end.year - start.year) * 12 + end.month - start.month
  const reached = addMonths(from.days, months) * dayMs + from.time
  if (months > 0 && reached > b) return months - 1
  return months < 0 && reached < b ? months + 1 : months
}

function firstDay(days: number, unit: Unit, weekStart: number): number {
  const { year, month } = civilDate(days)
  switch (unit) {
    case 'week':
      return startOfWeek(days, weekStart)
    case 'isoweek':
      return startOfWeek(days, 1)
    case 'month':
      return dayNumber(year, month, 1)
    case 'quarter':
      return dayNumber(year, month - ((month - 1) % 3), 1)
    case 'year':
      return dayNumber(year, 1, 1)
    default:
      return days
  }
}

const localOf = (date: DateValue, zone: TimeZone): number =>
  date.dateOnly ? date.epochMs : date.epochMs + zone.offsetAt(date.epochMs)

/** A date without time, beside one that has a time, means its midnight on the local clock. */
const instantOf = (date: DateValue, other: DateValue, zone: TimeZone): number =>
  date.dateOnly && !other.dateOnly ? zone.toInstant(date.epochMs) : date.epochMs

const fromLocal = (localMs: number, dateOnly: boolean, zone: TimeZone): DateValue | undefined =>
  dateValue(dateOnly ? localMs : zone.toInstant(localMs), dateOnly)

function split(localMs: number): { days: number; time: number } {
  const days = Math.floor(localMs / dayMs)
  return { days, time: localMs - days * dayMs }
}

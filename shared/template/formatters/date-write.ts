import { entryOf } from '../../entry-of.ts'
import { civilDate, dayMs, weekdayOf, weekOf } from '../../locale/calendar.ts'
import { type DateLocale, meridiemText, ordinalText } from '../../locale/dates.ts'
import type { TimeZone } from '../../locale/time-zone.ts'
import type { DateValue } from './formatter.ts'

/** Writes a date by a compiled pattern. */
export type DateWriter = (date: DateValue) => string

/** The parts of one date on the clock of its zone. */
interface Moment {
  readonly epochMs: number
  readonly offsetMs: number
  readonly zone: TimeZone | undefined // undefined for a date without time
  readonly days: number
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly ms: number
}

type PatternItem = string | ((moment: Moment) => string)

/**
 * Compiles a pattern of the tokens in the reference, 16.3. A date without a time is written unchanged, whatever the
 * zone.
 */
export function compileWriter(pattern: string, locale: DateLocale, zone: TimeZone): DateWriter {
  const items = compile(expandFormats(pattern, locale), locale)
  return ({ epochMs, dateOnly }) => {
    const offsetMs = dateOnly ? 0 : zone.offsetAt(epochMs)
    const localMs = epochMs + offsetMs
    const days = Math.floor(localMs / dayMs)
    const date = civilDate(days)
    const time = localMs - days * dayMs
    const moment: Moment = {
      epochMs,
      offsetMs,
      zone: dateOnly ? undefined : zone,
      days,
      year: date.year,
      month: date.month,
      day: date.day,
      hour: Math.floor(time / 3_600_000),
      minute: Math.floor(time / 60_000) % 60,
      second: Math.floor(time / 1_000) % 60,
      ms: time % 1_000,
    }
    let text = ''
    for (const item of items) text += typeof item === 'string' ? item : item(moment)
    return text
  }
}

/** Replaces L, ll, LT ... by the patterns of the locale. A short form without its own is the long one cut. */
export function expandFormats(pattern: string, { formats }: DateLocale): string {
  return pattern.replace(/(\[[^\]]*\])|LTS?|L{1,4}|l{1,4}/g, (token, literal: string | undefined) => {
    if (literal !== undefined) return literal
    return entryOf(formats, token) ?? shortened(entryOf(formats, token.toUpperCase()) ?? '')
  })
}

const shortened = (format: string): string =>
  format.replace(
    /(\[[^\]]*\])|MMMM|MM|DD|dddd/g,
    (token, literal: string | undefined) => literal ?? token.slice(1),
  )

export const tokens =
  /\[([^\]]*)\]|Y{1,4}|gggg|GGGG|M{1,4}|Do|D{1,2}|d{1,4}|Q|wo|ww?|WW?|HH?|hh?|kk?|mm?|ss?|S{1,9}|A|a|ZZ?|z{1,3}|X|x/g

function compile(pattern: string, locale: DateLocale): PatternItem[] {
  const items: PatternItem[] = []
  const names = monthNames(pattern, locale)
  let end = 0
  for (const match of pattern.matchAll(tokens)) {
    const [token, literal] = match
    if (match.index > end) items.push(pattern.slice(end, match.index))
    items.push(literal ?? write(token, locale, names))
    end = match.index + token.length
  }
  if (end < pattern.length) items.push(pattern.slice(end))
  return items
}

/** Months take another form beside a day in some languages: after it, in Lithuanian also before it. */
function monthNames(
  pattern: string,
  locale: DateLocale,
): { long: readonly string[]; short: readonly string[] } {
  const besideDay =
    /D[oD]?(\[[^\]]*\]|\s)+MMMM?/.test(pattern) ||
    (locale.monthBeforeDay === true && /MMMM?(\[[^\]]*\]|\s)+D[oD]?/.test(pattern))
  return {
    long: (besideDay ? locale.monthsInDate : undefined) ?? locale.months,
    short: (besideDay ? locale.monthsShortInDate : undefined) ?? locale.monthsShort,
  }
}

type MonthNames = ReturnType<typeof monthNames>

function write(token: string, locale: DateLocale, names: MonthNames): PatternItem {
  const digits = token.length
  switch (token) {
    case 'YY':
      return ({ year }) => padded(Math.abs(year) % 100, 2)
    case 'Y':
      return ({ year }) => String(year)
    case 'YYY':
    case 'YYYY':
      return ({ year }) => padded(year, 4)
    case 'gggg':
      return ({ days }) => padded(weekOf(days, locale.weekStart, locale.firstWeekHas).year, 4)
    case 'GGGG':
      return ({ days }) => padded(weekOf(days, 1, 4).year, 4)
    case 'Q':
      return ({ month }) => String(Math.ceil(month / 3))
    case 'M':
    case 'MM':
      return ({ month }) => padded(month, digits)
    case 'MMM':
      return ({ month }) => names.short[month - 1] as string
    case 'MMMM':
      return ({ month }) => names.long[month - 1] as string
    case 'D':
    case 'DD':
      return ({ day }) => padded(day, digits)
    case 'Do':
      return ({ day }) => ordinalText(locale.ordinal, day)
    default:
      return writeWeek(token, locale) ?? writeTime(token, locale) ?? writeZone(token) ?? token
  }
}

function writeWeek(token: string, locale: DateLocale): PatternItem | undefined {
  const localeWeek = (days: number) => weekOf(days, locale.weekStart, locale.firstWeekHas).week
  switch (token) {
    case 'd':
      return ({ days }) => String(weekdayOf(days))
    case 'dd':
      return ({ days }) => locale.weekdaysMin[weekdayOf(days)] as string
    case 'ddd':
      return ({ days }) => locale.weekdaysShort[weekdayOf(days)] as string
    case 'dddd':
      return ({ days }) => locale.weekdays[weekdayOf(days)] as string
    case 'w':
    case 'ww':
      return ({ days }) => padded(localeWeek(days), token.length)
    case 'wo':
      return ({ days }) => ordinalText(locale.weekOrdinal ?? locale.ordinal, localeWeek(days))
    case 'W':
    case 'WW':
      return ({ days }) => padded(weekOf(days, 1, 4).week, token.length)
    default:
      return undefined
  }
}

function writeTime(token: string, locale: DateLocale): PatternItem | undefined {
  const digits = token.length
  switch (token[0]) {
    case 'H':
      return ({ hour }) => padded(hour, digits)
    case 'h':
      return ({ hour }) => padded(hour % 12 || 12, digits)
    case 'k':
      return ({ hour }) => padded(hour || 24, digits)
    case 'm':
      return ({ minute }) => padded(minute, digits)
    case 's':
      return ({ second }) => padded(second, digits)
    case 'S':
      return ({ ms }) => padded(ms, 3).padEnd(digits, '0').slice(0, digits)
    case 'A':
    case 'a':
      return ({ hour, minute }) => meridiemText(locale, hour, minute, token === 'a')
    default:
      return undefined
  }
}

function writeZone(token: string): PatternItem | undefined {
  switch (token) {
    case 'Z':
      return ({ offsetMs }) => offsetText(offsetMs, ':')
    case 'ZZ':
      return ({ offsetMs }) => offsetText(offsetMs, '')
    case 'z':
    case 'zz':
    case 'zzz':
      return ({ zone, epochMs }) => zone?.abbreviationAt(epochMs) ?? 'UTC'
    case 'X':
      return ({ epochMs }) => String(Math.floor(epochMs / 1_000))
    case 'x':
      return ({ epochMs }) => String(epochMs)
    default:
      return undefined
  }
}

function padded(n: number, digits: number): string {
  if (n < 0) return `-${padded(-n, digits)}`
  const text = String(n)
  return text.length >= digits ? text : '0000'.slice(0, digits - text.length) + text
}

function offsetText(offsetMs: number, separator: string): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000)
  return `${offsetMs < 0 ? '-' : '+'}${padded(Math.floor(minutes / 60), 2)}${separator}${padded(minutes % 60, 2)}`
}

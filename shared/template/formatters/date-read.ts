import { civilDate, dayMs, dayNumber, daysInMonth, latestMs } from '../../locale/calendar.ts'
import { type DateLocale, english, meridiemText } from '../../locale/dates.ts'
import type { TimeZone } from '../../locale/time-zone.ts'
import { expandFormats, tokens } from './date-write.ts'
import { DateValue } from './formatter.ts'

/** Reads a text by a compiled pattern; undefined when it does not fit. */
export type DateReader = (text: string) => DateValue | undefined

/**
 * A larger number (from 1973 in milliseconds) cannot be a compact date and is interpreted as milliseconds since 1970.
 */
const leastEpochMs = 1e11

const iso =
  /^\s*(\d{4})(?:([-/.]?)(\d{1,2})(?:\2(\d{1,2}))?)?(?:(?:T|\s+)?(?<=[T\s]|\d{8})(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?\s*$/i

/**
 * Reads ISO 8601 and its close relatives: 2023-03-05, 20230305, 2023-03-05 22:30, 2023-03-05T22:30:15.250+0300.
 * A time without offset is on the clock of `zone`. A number beyond a compact date is milliseconds since 1970.
 */
export function readIso(value: string | number, zone: TimeZone): DateValue | undefined {
  if (typeof value === 'number' && Math.abs(value) > leastEpochMs) return dateValue(value, false)
  const text = String(value)
  const match = iso.exec(text)
  if (match === null) return /^\s*\d{12,13}\s*$/.test(text) ? dateValue(Number(text), false) : undefined
  const [, year, , month, day, hour, minute, second, fraction, offset] = match
  return assemble(
    {
      year: Number(year),
      month: month === undefined ? 1 : Number(month),
      day: day === undefined ? 1 : Number(day),
      hour: hour === undefined ? undefined : Number(hour),
      minute: Number(minute ?? 0),
      second: Number(second ?? 0),
      ms: fractionMs(fraction ?? ''),
      offsetMs: offset === undefined ? undefined : offsetMs(offset),
    },
    zone,
  )
}

interface DateFields {
  year?: number
  month?: number
  day?: number
  hour?: number | undefined
  minute?: number
  second?: number
  ms?: number
  offsetMs?: number | undefined
  epochMs?: number
  /** Upper or lower case word for the half of the day. */
  meridiem?: string
}

/** Reads a field from the start of a text and returns how many characters it took; undefined when it does not fit. */
type FieldReader = (text: string, fields: DateFields) => number | undefined

/**
 * Compiles an input pattern. White space and punctuation of the pattern are matched loosely, names of months and days
 * in the language of the render or in English. Text after the pattern is ignored. Without a year
 * the date is that of `now`, on the clock of the zone.
 */
export function compileReader(pattern: string, locale: DateLocale, zone: TimeZone, now: number): DateReader {
  const expanded = expandFormats(pattern, locale)
  const steps: FieldReader[] = []
  let end = 0
  for (const match of expanded.matchAll(tokens)) {
    const [token, literal] = match
    for (const character of expanded.slice(end, match.index)) steps.push(skip(character))
    if (literal === undefined) steps.push(read(token, locale))
    else for (const character of literal) steps.push(skip(character))
    end = match.index + token.length
  }
  for (const character of expanded.slice(end)) steps.push(skip(character))

  return (source) => {
    const fields: DateFields = {}
    let text = source.trimStart()
    for (const step of steps) {
      const length = step(text, fields)
      if (length === undefined) return undefined
      text = text.slice(length)
    }
    if (fields.epochMs !== undefined) return dateValue(fields.epochMs, false)
    if (fields.meridiem !== undefined) fields.hour = resolveMeridiem(fields, locale)
    if (fields.year === undefined) today(fields, zone, now)
    return assemble(fields, zone)
  }
}

/** An instant as a date; undefined beyond the years a date can hold. */
export function dateValue(epochMs: number, dateOnly: boolean): DateValue | undefined {
  return Math.abs(epochMs) <= latestMs ? new DateValue(Math.trunc(epochMs), dateOnly) : undefined
}

function assemble(fields: DateFields, zone: TimeZone): DateValue | undefined {
  const { year = 1970, month = 1, day = 1, hour, minute = 0, second = 0, ms = 0 } = fields
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  const days = dayNumber(year, month, day)
  if (hour === undefined) return dateValue(days * dayMs, true)
  const isMidnightAfter = hour === 24 && minute === 0 && second === 0 && ms === 0
  if ((hour > 23 && !isMidnightAfter) || minute > 59 || second > 59) return undefined
  const localMs = days * dayMs + hour * 3_600_000 + minute * 60_000 + second * 1_000 + ms
  return dateValue(fields.offsetMs === undefined ? zone.toInstant(localMs) : localMs - fields.offsetMs, false)
}

function today(fields: DateFields, zone: TimeZone, now: number): void {
  const date = civilDate(Math.floor((now + zone.offsetAt(now)) / dayMs))
  fields.year = date.year
  if (fields.month === undefined && fields.day === undefined) {
    fields.month = date.month
    fields.day = date.day
  } else if (fields.month === undefined) {
    fields.month = date.month
  }
}

function read(token: string, locale: DateLocale): FieldReader {
  switch (token) {
    case 'Y':
    case 'YYY':
    case 'YYYY':
      return digits(/^[+-]?\d{1,4}/, (fields, n) => (fields.year = n))
    case 'YY':
      return digits(/^\d{2}/, (fields, n) => (fields.year = n + (n > 68 ? 1900 : 2000)))
    case 'M':
    case 'MM':
      return digits(/^\d{1,2}/, (fields, n) => (fields.month = n))
    case 'MMM':
    case 'MMMM':
      return names(
        (of) => [of.months, of.monthsInDate, of.monthsShort, of.monthsShortInDate],
        locale,
        (fields, i) => (fields.month = i + 1),
      )
    case 'D':
    case 'DD':
      return digits(/^\d{1,2}/, (fields, n) => (fields.day = n))
    case 'Do':
      return digits(/^(\d{1,2})[^\s\d,/-]*/, (fields, n) => (fields.day = n))
    case 'd':
    case 'dd':
    case 'ddd':
    case 'dddd':
      return names(
        (of) => [of.weekdays, of.weekdaysShort, of.weekdaysMin],
        locale,
        () => {},
      )
    case 'X':
      return digits(/^[+-]?\d+(?:\.\d+)?/, (fields, n) => (fields.epochMs = n * 1_000))
    case 'x':
      return digits(/^[+-]?\d+/, (fields, n) => (fields.epochMs = n))
    default:
      return readTime(token, locale)
  }
}

function readTime(token: string, locale: DateLocale): FieldReader {
  switch (token[0]) {
    case 'H':
    case 'h':
    case 'k':
      return digits(/^\d{1,2}/, (fields, n) => (fields.hour = token[0] === 'k' && n === 24 ? 0 : n))
    case 'm':
      return digits(/^\d{1,2}/, (fields, n) => {
        fields.minute = n
        fields.hour ??= 0
      })
    case 's':
      return digits(/^\d{1,2}/, (fields, n) => (fields.second = n))
    case 'S':
      return (text, fields) => {
        const match = /^\d{1,9}/.exec(text)
        if (match === null) return undefined
        fields.ms = fractionMs(match[0])
        return match[0].length
      }
    case 'A':
    case 'a':
      return readMeridiem(locale)
    case 'Z':
      return (text, fields) => {
        const match = /^(?:Z|[+-]\d{2}:?\d{2})/i.exec(text)
        if (match === null) return undefined
        fields.offsetMs = offsetMs(match[0])
        return match[0].length
      }
    case 'Q':
      return digits(/^[1-4]/, (fields, n) => (fields.month = n * 3 - 2))
    default:
      // Weeks and zone names are skipped: they do not affect the result.
      return (text) => /^[\p{L}\d]*/u.exec(text)?.[0].length
  }
}

function digits(pattern: RegExp, keep: (fields: DateFields, n: number) => void): FieldReader {
  return (text, fields) => {
    const match = pattern.exec(text)
    if (match === null) return undefined
    keep(fields, Number(match[1] ?? match[0]))
    return match[0].length
  }
}

/** The longest name that the text begins with, in any case. */
function names(
  listsOf: (locale: DateLocale) => readonly (readonly string[] | undefined)[],
  locale: DateLocale,
  keep: (fields: DateFields, index: number) => void,
): FieldReader {
  const locales = [locale, english()]
    .flatMap(listsOf)
    .flatMap((list) => (list ?? []).map((name, index) => ({ name: name.toLowerCase(), index })))
    .filter(({ name }) => name !== '')
    .sort((a, b) => b.name.length - a.name.length)
  return (text, fields) => {
    const start = text.slice(0, 64).toLowerCase()
    const match = locales.find(({ name }) => start.startsWith(name))
    if (match === undefined) return undefined
    keep(fields, match.index)
    return match.name.length
  }
}

function readMeridiem(locale: DateLocale): FieldReader {
  const names = [
    ...(locale.meridiem ?? []).flatMap(([, upper, lower]) => [upper, lower]),
    'AM',
    'PM',
    'am',
    'pm',
  ]
    .filter((word) => word !== '')
    .sort((a, b) => b.length - a.length)
  return (text, fields) => {
    const start = text.slice(0, 64).toLowerCase()
    const match = names.find((word) => start.startsWith(word.toLowerCase()))
    if (match === undefined) return undefined
    fields.meridiem = match
    return match.length
  }
}

/** The hour of a twelve-hour clock that the word fits; an hour beyond 12 is unambiguous. */
function resolveMeridiem({ hour = 0, minute = 0, meridiem = '' }: DateFields, locale: DateLocale): number {
  if (hour > 12) return hour
  const lowerCase = meridiem.toLowerCase()
  if (lowerCase === 'am' || lowerCase === 'pm') return (hour % 12) + (lowerCase === 'pm' ? 12 : 0)
  const fits = (candidate: number) =>
    [true, false].some((lower) => meridiemText(locale, candidate, minute, lower).toLowerCase() === lowerCase)
  return [hour % 12, (hour % 12) + 12].find(fits) ?? hour
}

/** Skips one character of the pattern: white space matches any white space, punctuation any punctuation. */
function skip(character: string): FieldReader {
  if (/\s/.test(character)) return (text) => /^\s*/.exec(text)?.[0].length
  const isLetter = /[\p{L}\d]/u.test(character)
  return (text) => {
    if (text.startsWith(character)) return character.length
    return !isLetter && text !== '' && !/^[\p{L}\d\s]/u.test(text) ? 1 : undefined
  }
}

const fractionMs = (digits: string): number => Number(digits.slice(0, 3).padEnd(3, '0'))

function offsetMs(offset: string): number {
  if (/^z$/i.test(offset)) return 0
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000
}

import type { Field } from '../../../../shared/document/content.ts'

/**
 * The text of a date or time field. `now` is in ms since the epoch. Without a pattern it is the short form of
 * the language.
 */
export function momentText({ pattern, time, shift = 0 }: Field, now: number, language?: string): string {
  if (pattern !== undefined) return formatMoment(now + shift, pattern, language)
  const options: Intl.DateTimeFormatOptions = time === true ? { timeStyle: 'short' } : { dateStyle: 'short' }
  return formatter(language, options).format(now + shift)
}

/**
 * Formats a time in ms since the epoch by a pattern with the letters of Unicode date patterns: d, M, y, E, H,
 * h, m, s, a, Q, w and 'quoted text'. Names are those of the language. The time zone is UTC, so that a
 * document gives the same page everywhere.
 */
function formatMoment(time: number, pattern: string, language: string | undefined): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  return pattern.replace(/'((?:[^']|'')*)'|([a-zA-Z])\2*/g, (match, text: string | undefined) =>
    text === undefined ? part(date, match, language) : text.replaceAll("''", "'"),
  )
}

const padded = (value: number, length: number): string => String(value).padStart(Math.min(length, 2), '0')

/** The text of one group of equal pattern letters. */
function part(date: Date, letters: string, language: string | undefined): string {
  const { length } = letters
  switch (letters[0]) {
    case 'd':
      return padded(date.getUTCDate(), length)
    case 'M':
      return length < 3
        ? padded(date.getUTCMonth() + 1, length)
        : name(date, { month: length === 3 ? 'short' : 'long', day: 'numeric' }, 'month', language)
    case 'y':
      return length === 2 ? padded(date.getUTCFullYear() % 100, 2) : String(date.getUTCFullYear())
    case 'E':
      return name(date, { weekday: length < 4 ? 'short' : 'long' }, 'weekday', language)
    case 'H':
      return padded(date.getUTCHours(), length)
    case 'h':
      return padded(date.getUTCHours() % 12 === 0 ? 12 : date.getUTCHours() % 12, length)
    case 'm':
      return padded(date.getUTCMinutes(), length)
    case 's':
      return padded(date.getUTCSeconds(), length)
    case 'a':
      return date.getUTCHours() < 12 ? 'AM' : 'PM'
    case 'Q':
      return `Q${Math.floor(date.getUTCMonth() / 3) + 1}`
    case 'w':
      return String(isoWeek(date))
    default:
      return letters
  }
}

/**
 * The name of a month or weekday. Including the day makes Intl return the month in the form used within a
 * date.
 */
function name(
  date: Date,
  options: Intl.DateTimeFormatOptions,
  type: 'month' | 'weekday',
  language: string | undefined,
): string {
  const parts = formatter(language, options).formatToParts(date)
  return parts.find((found) => found.type === type)?.value ?? ''
}

/** A formatter for a language tag, or for American English when the tag is invalid. */
function formatter(language: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const universal = { ...options, timeZone: 'UTC' }
  try {
    return new Intl.DateTimeFormat(language ?? 'en-US', universal)
  } catch {
    return new Intl.DateTimeFormat('en-US', universal)
  }
}

/** The week number of ISO 8601. */
function isoWeek(date: Date): number {
  const day = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7))
  const start = Date.UTC(day.getUTCFullYear(), 0, 1)
  return Math.ceil(((day.getTime() - start) / 86_400_000 + 1) / 7)
}

import type { DateLocale } from './dates.ts'
import { intlTag } from './tags.ts'

/**
 * Builds a date locale from CLDR for languages without a table: names of months and days, the order of the
 * parts of a date and its separators. Returns undefined for a language that CLDR does not know. Durations
 * stay English.
 */
export function dateLocaleFromIntl(language: string): DateLocale | undefined {
  const [tag] = Intl.DateTimeFormat.supportedLocalesOf([intlTag(language)])
  if (tag === undefined) return undefined
  const latin = `${tag}${tag.includes('-u-') ? '' : '-u'}-ca-gregory-nu-latn`
  const months = (options: Intl.DateTimeFormatOptions) =>
    range(12).map((month) => part(latin, options, 'month', Date.UTC(2023, month, 1)))
  const weekdays = (weekday: 'long' | 'short' | 'narrow') =>
    range(7).map((day) => part(latin, { weekday }, 'weekday', Date.UTC(2023, 0, 1 + day)))
  const time = pattern(latin, { hour: 'numeric', minute: '2-digit' })
  const long = pattern(latin, { year: 'numeric', month: 'long', day: 'numeric' })
  return {
    months: months({ month: 'long' }),
    monthsInDate: months({ month: 'long', day: 'numeric' }),
    monthsShort: months({ month: 'short' }),
    monthsShortInDate: months({ month: 'short', day: 'numeric' }),
    weekdays: weekdays('long'),
    weekdaysShort: weekdays('short'),
    weekdaysMin: weekdays('short').map((name) => name.slice(0, 2)),
    ...week(tag),
    formats: {
      LT: time,
      LTS: pattern(latin, { hour: 'numeric', minute: '2-digit', second: '2-digit' }),
      L: pattern(latin, { year: 'numeric', month: '2-digit', day: '2-digit' }),
      LL: long,
      LLL: `${long} ${time}`,
      LLLL: `${pattern(latin, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' })} ${time}`,
    },
    ordinal: '%d',
  }
}

const range = (length: number) => Array.from({ length }, (_, i) => i)

const formatter = (tag: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' })

function part(tag: string, options: Intl.DateTimeFormatOptions, type: string, ms: number): string {
  const parts = formatter(tag, options).formatToParts(ms)
  return parts.find((candidate) => candidate.type === type)?.value ?? ''
}

/** Formats a sample date and replaces each part by its token. */
function pattern(tag: string, options: Intl.DateTimeFormatOptions): string {
  const parts = formatter(tag, options).formatToParts(Date.UTC(2023, 2, 5, 9, 4, 7))
  const hour = parts.some(({ type }) => type === 'dayPeriod') ? 'h' : 'H'
  return parts.map(({ type, value }) => token(type, value, hour)).join('')
}

function token(type: string, value: string, hour: string): string {
  const double = /^0\d$/.test(value)
  switch (type) {
    case 'year':
      return 'YYYY'
    case 'month':
      return double ? 'MM' : /^\d/.test(value) ? 'M' : 'MMMM'
    case 'day':
      return double ? 'DD' : 'D'
    case 'weekday':
      return 'dddd'
    case 'hour':
      return double ? hour.repeat(2) : hour
    case 'minute':
      return 'mm'
    case 'second':
      return 'ss'
    case 'dayPeriod':
      return 'A'
    default:
      return /[a-z]/i.test(value) ? `[${value}]` : value.replace(/[\u00a0\u202f]/g, ' ')
  }
}

/** The first day of the week and the day of January that makes week 1, from CLDR's week data. */
function week(tag: string): Pick<DateLocale, 'weekStart' | 'firstWeekHas'> {
  const locale = new Intl.Locale(tag) as Intl.Locale & WeekInfo
  const info = locale.getWeekInfo?.() ?? locale.weekInfo
  return { weekStart: (info?.firstDay ?? 1) % 7, firstWeekHas: info?.minimalDays === 4 ? 4 : 1 }
}

/** An API proposed for ECMA-402 that runtimes offer as a method or as a property. */
interface WeekInfo {
  getWeekInfo?(): { firstDay: number; minimalDays?: number }
  readonly weekInfo?: { firstDay: number; minimalDays?: number }
}

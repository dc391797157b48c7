import { entryOf } from '../entry-of.ts'
import { dateTables } from './data/dates.ts'
import { dateLocaleFromIntl } from './date-locale-from-intl.ts'
import { languageOf, normaliseLanguage } from './tags.ts'

/** How a language writes dates and durations. */
export interface DateLocale {
  readonly months: readonly string[]
  /** Where the name differs beside a day: 'января' for 'январь'. */
  readonly monthsInDate?: readonly string[]
  /** Whether the months take that form before a day as well. */
  readonly monthBeforeDay?: boolean
  readonly monthsShort: readonly string[]
  readonly monthsShortInDate?: readonly string[]
  readonly weekdays: readonly string[] // from Sunday
  readonly weekdaysShort: readonly string[]
  readonly weekdaysMin: readonly string[]
  readonly weekStart: number // 0 is Sunday
  readonly firstWeekHas: number // the day of January that is always in week 1
  /** The formats LT LTS L LL LLL LLLL. Also l ll lll llll, unless they are the abbreviations of these. */
  readonly formats: Readonly<Record<string, string>>
  /**
   * The minute of the day from which a word applies: [minute, upper case, lower case]. Without it AM and PM
   * are used.
   */
  readonly meridiem?: readonly (readonly [minute: number, upper: string, lower: string])[]
  readonly ordinal: Ordinal
  readonly weekOrdinal?: Ordinal
  readonly relative?: Relative
}

/** '%d' is the number, followed by the templates of numbers that differ. */
export type Ordinal =
  | string
  | readonly [template: string, others: Readonly<Record<string, readonly number[]>>]

/** The forms alone, in the future and in the past, or one for all three. */
export type RelativeUnit =
  | RelativeForm
  | readonly [alone: RelativeForm, future: RelativeForm, past: RelativeForm]
/**
 * Forms by plural category. '%12' applies to numbers that end so, '=2' to one number, 'other' to the rest.
 */
export type RelativeForm = string | Readonly<Record<string, string>>
/** 'future' and 'past' contain '%s'; the units are s m mm h hh d dd M MM y yy. */
export type Relative = Readonly<Record<string, RelativeUnit>>

/** Languages whose table is stored under another name. */
const tableNames: Readonly<Record<string, string>> = {
  gom: 'gom-latn',
  hy: 'hy-am',
  no: 'nb',
  oc: 'oc-lnc',
  pa: 'pa-in',
  ug: 'ug-cn',
  'zh-mo': 'zh-hk',
  'zh-sg': 'zh-cn',
}

/** Locales that have been read. A table contains only facts, so it is kept for the life of the process. */
const read = new Map<string, DateLocale>()
const maxRead = 300

/** The date locale of a language: its own table, else that of the language alone, else CLDR, else English. */
export function dateLocale(language: string): DateLocale {
  const tag = normaliseLanguage(language)
  const cached = read.get(tag)
  if (cached !== undefined) return cached
  const locale = fromTable(tag) ?? fromTable(languageOf(tag)) ?? dateLocaleFromIntl(tag) ?? english()
  if (read.size >= maxRead) read.clear()
  read.set(tag, locale)
  return locale
}

export const english = (): DateLocale => fromTable('en') as DateLocale

function fromTable(tag: string): DateLocale | undefined {
  const table = entryOf(dateTables, entryOf(tableNames, tag) ?? tag)
  return table === undefined ? undefined : (JSON.parse(table) as DateLocale)
}

/** The number with its ending: 5th. */
export function ordinalText(ordinal: Ordinal, n: number): string {
  if (typeof ordinal === 'string') return ordinal.replace('%d', String(n))
  for (const [template, numbers] of Object.entries(ordinal[1])) {
    if (numbers.includes(n)) return template.replace('%d', String(n))
  }
  return ordinal[0].replace('%d', String(n))
}

/** AM or PM, or the locale's word for that time of the day. */
export function meridiemText(locale: DateLocale, hour: number, minute: number, lower: boolean): string {
  if (locale.meridiem === undefined) return lower ? (hour < 12 ? 'am' : 'pm') : hour < 12 ? 'AM' : 'PM'
  const at = hour * 60 + minute
  const row = locale.meridiem.findLast(([from]) => from <= at)
  return row === undefined ? '' : lower ? row[2] : row[1]
}

import { entryOf } from '../entry-of.ts'
import { type DateLocale, english, type RelativeForm, type RelativeUnit } from './dates.ts'
import { intlTag } from './tags.ts'

/** Milliseconds of the units of a duration: a year has 365 days, a month a twelfth of them. */
export const spanMs = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_628_000_000,
  year: 31_536_000_000,
} as const

/**
 * The steps of humanised durations: up to `max` of a unit, rounded, the words of `key` are used. The
 * thresholds are the conventional ones: 44 seconds, 89 seconds, 44 minutes, 89 minutes, 21 hours, 35 hours,
 * 25 days, 45 days, 10 months, 17 months.
 */
const steps: readonly (readonly [key: string, unit: keyof typeof spanMs, most: number])[] = [
  ['s', 'second', 44],
  ['m', 'second', 89],
  ['mm', 'minute', 44],
  ['h', 'minute', 89],
  ['hh', 'hour', 21],
  ['d', 'hour', 35],
  ['dd', 'day', 25],
  ['M', 'day', 45],
  ['MM', 'month', 10],
  ['y', 'month', 17],
  ['yy', 'year', Number.POSITIVE_INFINITY],
]

/**
 * Writes a duration in words: '2 hours'; with its direction 'in 2 hours' or, when negative, '2 hours ago'.
 */
export function humanSpan(ms: number, locale: DateLocale, language: string, withDirection: boolean): string {
  const words = locale.relative ?? english().relative
  if (words === undefined) return ''
  const form = withDirection ? (ms > 0 ? 1 : 2) : 0
  for (const [key, unit, max] of steps) {
    const count = Math.round(Math.abs(ms) / spanMs[unit])
    if (count > max) continue
    const tag = locale.relative === undefined ? 'en' : language
    const text = formOf(entryOf(words, key) as RelativeUnit, form, count, tag).replace('%d', String(count))
    return withDirection ? printedIn(words, form === 1 ? 'future' : 'past', text) : text
  }
  return ''
}

const printedIn = (words: Readonly<Record<string, RelativeUnit>>, direction: string, text: string): string =>
  String(entryOf(words, direction)).replace('%s', () => text)

function formOf(unit: RelativeUnit, form: number, count: number, language: string): string {
  const chosen: RelativeForm = Array.isArray(unit) ? unit.at(form) : unit
  if (typeof chosen === 'string') return chosen
  return (
    entryOf(chosen, `=${count}`) ??
    entryOf(chosen, `%${count % 100}`) ??
    entryOf(chosen, pluralRules(language).select(count)) ??
    chosen.other ??
    chosen.many ??
    ''
  )
}

/** Plural rules are costly to create and contain only facts, so they are kept for the life of the process. */
const rules = new Map<string, Intl.PluralRules>()
const maxRules = 300

function pluralRules(language: string): Intl.PluralRules {
  let rule = rules.get(language)
  if (rule === undefined) {
    rule = new Intl.PluralRules(intlTag(language))
    if (rules.size >= maxRules) rules.clear()
    rules.set(language, rule)
  }
  return rule
}

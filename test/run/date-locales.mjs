/**
 * Makes shared/locale/data/dates.ts, which `npm run generate` writes: names, patterns, ordinals and humanised durations of every date locale, sampled
 * from the locale files of Day.js. Functions among them become tables over their whole range; the sampling fails
 * loudly when a table cannot say what the function says.
 */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const dayjs = require('dayjs')
const englishFormats = {
  LT: 'h:mm A',
  LTS: 'h:mm:ss A',
  L: 'MM/DD/YYYY',
  LL: 'MMMM D, YYYY',
  LLL: 'MMMM D, YYYY h:mm A',
  LLLL: 'dddd, MMMM D, YYYY h:mm A',
}
const englishRelative = {
  future: 'in %s',
  past: '%s ago',
  s: 'a few seconds',
  m: 'a minute',
  mm: '%d minutes',
  h: 'an hour',
  hh: '%d hours',
  d: 'a day',
  dd: '%d days',
  M: 'a month',
  MM: '%d months',
  y: 'a year',
  yy: '%d years',
}
/** The numbers each unit is ever printed with; years go on, and repeat every hundred. */
const ranges = {
  s: [1, 44],
  m: [1, 1],
  mm: [2, 44],
  h: [1, 1],
  hh: [2, 21],
  d: [1, 1],
  dd: [2, 25],
  M: [1, 1],
  MM: [2, 10],
  y: [1, 1],
  yy: [2, 220],
}

export function render() {
  const folder = require.resolve('dayjs').replace(/dayjs\.min\.js$/, 'locale')
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.js') && !['index.js', 'x-pseudo.js'].includes(name))
    .map((name) => name.slice(0, -3))
    .sort()
  const rows = names.map(
    (name) => `  ${JSON.stringify(name)}: ${JSON.stringify(JSON.stringify(sample(name)))},`,
  )
  return `// biome-ignore-all format: written by test/run/date-locales.mjs
// biome-ignore-all lint: written by test/run/date-locales.mjs
/**
 * Date locales, sampled from the locale files of Day.js (MIT licence, copyright 2018-present iamkun). One JSON text
 * each, read when the locale is first used; \`../dates.ts\` knows its shape.
 */
export const dateTables: Readonly<Record<string, string>> = {
${rows.join('\n')}
}
`
}

function sample(name) {
  const file = require(`dayjs/locale/${name}`)
  const locale = file.default ?? file
  const months = (pattern, strip = '') =>
    range(0, 11).map((month) => print(2023, month, 1, pattern).replace(strip, ''))
  const print = (year, month, day, pattern) =>
    dayjs(new Date(year, month, day))
      .locale(name)
      .format(pattern)
  const weekdays = (pattern) => range(1, 7).map((day) => print(2023, 0, day, pattern)) // 2023-01-01 is a Sunday
  const alone = months('MMMM')
  const inDate = months('D MMMM', '1 ')
  const shortAlone = months('MMM')
  const shortInDate = months('D MMM', '1 ')
  const formats = { ...englishFormats, ...locale.formats }
  return {
    months: alone,
    ...(differ(alone, inDate) && { monthsInDate: inDate }),
    ...(differ(alone, months('MMMM D', ' 1')) && { monthBeforeDay: true }),
    monthsShort: shortAlone,
    ...(differ(shortAlone, shortInDate) && { monthsShortInDate: shortInDate }),
    weekdays: weekdays('dddd'),
    weekdaysShort: weekdays('ddd'),
    weekdaysMin: weekdays('dd'),
    weekStart: locale.weekStart ?? 0,
    firstWeekHas: locale.yearStart ?? 1,
    formats: Object.fromEntries(Object.entries(formats).sort()),
    ...(locale.meridiem && { meridiem: sampleMeridiem(locale.meridiem) }),
    ordinal: sampleOrdinal((n) => ordinal(locale, n)),
    ...(differ(
      range(1, 53).map((n) => ordinal(locale, n)),
      range(1, 53).map((n) => ordinal(locale, n, 'W')),
    ) && {
      weekOrdinal: sampleOrdinal((n) => ordinal(locale, n, 'W')),
    }),
    ...(name === 'en' || locale.relativeTime
      ? { relative: sampleRelative(name, locale.relativeTime ?? englishRelative) }
      : {}),
  }
}

const ordinal = (locale, n, period) => String(locale.ordinal?.(n, period) ?? n).replace(/\[([^\]]*)\]/g, '$1')

/** The template used most, then the others with the numbers that take them. */
function sampleOrdinal(ordinalOf) {
  const groups = new Map()
  for (const n of range(0, 60)) {
    const template = ordinalOf(n).replace(String(n), '%d')
    groups.set(template, [...(groups.get(template) ?? []), n])
  }
  const [[most], ...others] = [...groups].sort((a, b) => b[1].length - a[1].length)
  return others.length === 0 ? most : [most, Object.fromEntries(others)]
}

/** From which minute of the day on a word holds: [minute, upper, lower]. */
function sampleMeridiem(meridiem) {
  const rows = []
  for (const minute of range(0, 1439)) {
    const texts = [false, true].map((lower) => meridiem(Math.floor(minute / 60), minute % 60, lower))
    const last = rows.at(-1)
    if (last === undefined || last[1] !== texts[0] || last[2] !== texts[1]) rows.push([minute, ...texts])
  }
  return rows
}

/**
 * Every unit alone, in the future and in the past: one template, or one for each plural category, or, where neither
 * fits, 'other' and the exceptions: '%71' for all numbers that end so, '=2' for one number.
 */
function sampleRelative(name, relative) {
  const plural = new Intl.PluralRules(Intl.PluralRules.supportedLocalesOf([name.split('-')[0]])[0] ?? 'en')
  const units = Object.entries(ranges).map(([key, [from, to]]) => {
    const forms = ['alone', 'future', 'past'].map((form) => {
      const entry = relative[key]
      if (typeof entry === 'string') return entry
      const print = (n) => String(entry(n, form === 'alone', key, form === 'future')).replace('%d', n)
      return from === to ? print(from) : compress(range(from, to), print, (n) => plural.select(n))
    })
    return [key, differ(forms[0], forms[1]) || differ(forms[0], forms[2]) ? forms : forms[0]]
  })
  return { future: relative.future, past: relative.past, ...Object.fromEntries(units) }
}

function compress(numbers, print, categoryOf) {
  const template = (n) => print(n).replace(new RegExp(`(?<!\\d)${n}(?!\\d)`), '%d')
  const templates = new Set(numbers.map(template))
  if (templates.size === 1) return [...templates][0]
  for (const classOf of [categoryOf, (n) => `%${n % 100}`, (n) => `=${n}`]) {
    const byClass = {}
    if (numbers.every((n) => (byClass[classOf(n)] ??= template(n)) === template(n))) {
      return classOf === categoryOf ? byClass : grouped(byClass)
    }
  }
  throw new Error(`No table for ${print(2)}`)
}

/** The template used most as 'other', and the exceptions. */
function grouped(byClass) {
  const counts = new Map()
  for (const template of Object.values(byClass)) counts.set(template, (counts.get(template) ?? 0) + 1)
  const [most] = [...counts].sort((a, b) => b[1] - a[1])[0]
  return {
    other: most,
    ...Object.fromEntries(Object.entries(byClass).filter(([, template]) => template !== most)),
  }
}

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const differ = (a, b) => JSON.stringify(a) !== JSON.stringify(b)

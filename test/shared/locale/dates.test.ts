import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { dateTables } from '../../../shared/locale/data/dates.ts'
import { dateLocale } from '../../../shared/locale/dates.ts'
import { humanSpan } from '../../../shared/locale/relative.ts'
import { supportedLanguages } from '../../../shared/locale/tags.ts'
import { timeZone } from '../../../shared/locale/time-zone.ts'
import { compileWriter } from '../../../shared/template/formatters/date-write.ts'
import { DateValue } from '../../../shared/template/formatters/formatter.ts'

/** Compares with Day.js, whose locale tables are the reference, over every locale and every token. */
const require = createRequire(import.meta.url)
const dayjs = require('dayjs')
const plugins = 'utc advancedFormat localizedFormat weekOfYear weekYear isoWeek relativeTime duration'
for (const plugin of plugins.split(' ')) {
  dayjs.extend(require(`dayjs/plugin/${plugin}`))
}
const names = Object.keys(dateTables)

const patterns = [
  'L | LL | LLL | LLLL | l | ll | lll | llll | LT | LTS',
  'YY YYYY M MM MMM MMMM D DD Do d dd ddd dddd Q',
  'H HH h hh k kk m mm s ss SSS A a Z ZZ X x [literal]',
  'D MMMM YYYY, MMMM D, DD MMM, Do MMMM',
  'MMMM YYYY',
  'w ww wo W WW gggg GGGG',
]
const instants = [
  '2023-03-05T23:30:15.250Z',
  '2024-02-29T00:05:09.007Z',
  '2021-01-01T12:00:00.000Z',
  '2022-12-31T04:59:59.999Z',
  '2020-08-22T15:00:00.000Z',
  '1969-07-20T20:17:40.000Z',
].map((text) => Date.parse(text))

describe('dates are written as the reference writes them', () => {
  beforeAll(() => {
    for (const name of names) require(`dayjs/locale/${name}`)
  })

  test.each(names)('%s', (name) => {
    const locale = dateLocale(name)
    for (const pattern of patterns) {
      const write = compileWriter(pattern, locale, timeZone('UTC'))
      for (const instant of instants) {
        expect(write(new DateValue(instant)), pattern).toBe(dayjs.utc(instant).locale(name).format(pattern))
      }
    }
  })
})

const spans = [0, 1, 44, 45, 89, 90, 120, 2640, 2700, 5340, 5400, 7200, 18000, 75600, 79200, 126000, 130000]
  .concat([172800, 432000, 1814400, 2160000, 2246400, 3888000])
  .map((seconds) => seconds * 1000)

describe('spans are humanised as the reference does it', () => {
  // Day.js measures from the clock; a frozen one keeps the halves exact.
  beforeAll(() => void vi.useFakeTimers({ now: Date.UTC(2023, 2, 5), toFake: ['Date'] }))
  afterAll(() => void vi.useRealTimers())

  test.each(names)('%s', (name) => {
    const locale = dateLocale(name)
    for (const ms of spans) {
      const duration = dayjs.duration(ms).locale(name)
      expect(humanSpan(ms, locale, name, false), `${ms}`).toBe(duration.humanize())
      if (ms > 0) {
        expect(humanSpan(ms, locale, name, true)).toBe(duration.humanize(true))
        expect(humanSpan(-ms, locale, name, true)).toBe(dayjs.duration(-ms).locale(name).humanize(true))
      }
    }
  })
})

describe('every supported language has dates of its own', () => {
  const english = JSON.stringify(dateLocale('en'))

  test.each(supportedLanguages.filter((language) => !/^en|^ts$/.test(language)))('%s', (language) => {
    const locale = dateLocale(language)
    expect(JSON.stringify(locale)).not.toBe(english)
    expect(locale.months.filter((name) => name !== '')).toHaveLength(12)
    expect(locale.weekdays.filter((name) => name !== '')).toHaveLength(7)
    const written = compileWriter(
      'L LL LLL LLLL l ll lll llll LT LTS Do',
      locale,
      timeZone('UTC'),
    )(new DateValue(Date.UTC(2023, 2, 5, 14, 30)))
    expect(written).toMatch(/2023/)
    expect(written).not.toMatch(/undefined|YYYY|MMMM|dddd|%d/)
  })
})

test.each([
  ['zu', 'LLLL', 'ISonto, Mashi 5, 2023 14:30'],
  ['xx-yy', 'LL', 'March 5, 2023'],
  ['../../etc', 'LL', 'March 5, 2023'],
  ['__proto__', 'LL', 'March 5, 2023'],
  ['PT_br', 'LL', '5 de março de 2023'],
])('%s writes %s', (language, pattern, expected) => {
  const write = compileWriter(pattern, dateLocale(language), timeZone('UTC'))
  expect(write(new DateValue(Date.UTC(2023, 2, 5, 14, 30)))).toBe(expected)
})

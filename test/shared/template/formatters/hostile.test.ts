import { expect, test } from 'vitest'
import { currency, currencyCodes, languageCurrency } from '../../../../shared/locale/currencies.ts'
import { supportedLanguages } from '../../../../shared/locale/tags.ts'
import { evaluate } from '../../../helpers/evaluate.ts'
import { processorTime } from '../../../helpers/processor-time.ts'
import { titled } from '../../../helpers/titled.ts'

/** Data and arguments that want to hurt: each is answered quickly, with text or with a typed error. */
const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))
const long = 'a'.repeat(100_000)

test.each(
  titled([
    ['{d.v:padr(99999999)}', 'x', /more than/],
    [`{d.v:replace(a, '${'b'.repeat(1000)}')}`, long, /more than/],
    [`{d.v:split(''):arrayJoin('${'b'.repeat(1000)}')}`, long, /more than/],
    ['{d.v:printJSON}', deep, /nested too deeply/],
  ]),
)('%s is refused', (_title, template, v, message) => {
  expect(() => evaluate(template, { v })).toThrow(message)
})

test.each([
  ['{d.v:arrayJoin}', deep, ''],
  ['{d.v:ifEQ(1):show(a):elseShow(b)}', { toString: 1, valueOf: 1 }, 'b'],
  ['{d.v:ifEM:show(a):elseShow(b)}', { constructor: null }, 'b'],
  ['{d.v:convEnum(constructor)}', 'name', 'name'],
  ['{d.v:convEnum(__proto__)}', 'toString', 'toString'],
  ['{d.v:ifTE(constructor):show(a):elseShow(b)}', 'x', 'b'],
  ['{d.v:addD(1e300,year)}', '2023-01-01', '2024-01-01T00:00:00.000Z'],
  ['{d.v:addD(99999999999,day)}', '2023-01-01', 'Invalid Date'],
  ['{d.v:formatD(L,x)}', '9'.repeat(400), 'Invalid Date'],
  ['{d.v:formatN(1000000000)}', 1, `1.${'0'.repeat(100)}`],
  ['{d.v:round(1000000000)}', 1.5, '1.5'],
  ['{d.v:toFixed(1000000000)}', 1, `1.${'0'.repeat(100)}`],
  ['{d.v:formatN(0)}', '1e999999999', '1e999999999'],
  ['{d.v:substr(-1,99999999999)}', 'ab😀', ''],
  ['{d.v:ellipsis(3)}', 'ab😀', 'ab...'],
])('%s of hostile data is %3$s', (template, v, expected) => {
  expect(evaluate(template, { v })).toBe(expected)
})

test('exact arithmetic on numbers of any length stays quick', () => {
  const begun = process.cpuUsage()
  evaluate('{d.v:mul(1e300):div(3):add(1e-300)}', { v: '9'.repeat(100_000) }, { highPrecision: true })
  evaluate('{d.v:add(1)}', { v: '1e-999999999' }, { highPrecision: true })
  expect(processorTime(begun)).toBeLessThan(1000)
})

test.each(supportedLanguages)('%s prints numbers, money, dates, spans and countries', (lang) => {
  const line = '{d.v:formatN(1)} {d.v:formatC} {d.t:formatD(LLLL)} {d.v:formatI(human+)} {d.c:formatR}'
  const text = evaluate(
    line,
    { v: 1234.5, t: '2023-03-05T10:00:00Z', c: 'JP' },
    { lang, timezone: 'Asia/Tokyo' },
  )
  expect(text).not.toMatch(/undefined|NaN|Invalid|\[object/)
  expect(text).toMatch(/^1.?234.5 /u)
})

test('every language has a known currency, every currency a symbol and a name', () => {
  const codes = new Set(currencyCodes())
  expect(supportedLanguages.filter((language) => !codes.has(languageCurrency(language)))).toEqual([])
  expect(currencyCodes().filter((code) => !currency(code).symbol || !currency(code).name)).toEqual([])
  expect(codes.size).toBeGreaterThan(180)
})

test.each(
  Object.entries({
    USD: 'en-us es-pr',
    EUR: 'en fr de-at nl-be gd-ie xx',
    DZD: 'ar ar-dz',
    GBP: 'cy en-gb',
    INR: 'hi kn or te en-in',
    MYR: 'ms-my ml',
    CHF: 'de-ch fr-ch it-ch de-li',
    BGN: 'bg',
    HRK: 'hr',
    MOP: 'zh-mo',
    ZAR: 'af ts xh zu en-za',
    NZD: 'mi en-nz',
  }).flatMap(([code, languages]) => languages.split(' ').map((language) => [language, code])),
)('%s pays in %s', (language, code) => {
  expect(languageCurrency(language as string)).toBe(code)
})

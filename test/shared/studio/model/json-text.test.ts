import { describe, expect, it } from 'vitest'
import { readJson, writeJson } from '../../../../shared/studio/model/json-text.ts'

/** ‸ stands before the letter that is wrong. */
function check(marked: string, message: string): void {
  const offset = marked.indexOf('‸')
  const text = marked.replace('‸', '')
  const before = marked.slice(0, offset).split('\n')
  expect(readJson(text)).toEqual({
    ok: false,
    error: { message, offset, line: before.length, column: before.at(-1)!.length + 1 },
  })
}

describe('where a text stops being JSON', () => {
  const cases: readonly (readonly [marked: string, message: string])[] = [
    ['‸hello', '"hello" is not a value: strings need double quotes'],
    ['{ "a": ‸\'b\' }', 'strings need double quotes'],
    ['{ "a": ‸nul }', '"nul" is not a value: strings need double quotes'],
    ['{ "a": ‸, "b": 1 }', 'a value is missing'],
    ['{ "a": 1‸', '} is missing at the end'],
    ['[1, 2‸', '] is missing at the end'],
    ['{ "a": ‸', 'a value is missing at the end'],
    ['[1, 2‸, ]', 'there is an extra comma before ]'],
    ['{\n  "a": 1‸,\n}', 'there is an extra comma before }'],
    ['[1 ‸2]', 'a comma or ] is missing'],
    ['{\n  "a": 1\n  ‸"b": 2\n}', 'a comma or } is missing'],
    ['{ ‸a: 1 }', 'a name in double quotes is missing'],
    ['{ "a" ‸1 }', 'a colon is missing'],
    ['{ "a": ‸"b }', 'a string is not closed'],
    ['{ "a": ‸"b\n" }', 'a string is not closed'],
    ['["a‸\tb"]', 'a string contains a control character: write it as \\u or \\t'],
    ['["a‸\\x"]', '"\\x" is not a JSON escape sequence'],
    ['["‸\\u12"]', '"\\u" is not a JSON escape sequence'],
    ['[‸01]', '"01" is not a JSON number'],
    ['[‸1.]', '"1." is not a JSON number'],
    ['[‸+1]', '"+1" is not a JSON number'],
    ['[‸.5]', '".5" is not a JSON number'],
    ['{} ‸{}', 'there is text after the end'],
    ['{ "a": [1, {"b": ‸]}] }', 'a value is missing'],
  ]
  it.each(cases)('%s', check)

  it('agrees with the parser of the language about what is JSON', () => {
    for (const text of ['{}', '[]', ' {"a":[1,-2.5e+3,true,false,null,"\\u00e9\\n"]} ', '"x"', '0', '-0'])
      expect(readJson(text)).toEqual({ ok: true, value: JSON.parse(text) })
    for (const [marked] of cases) expect(() => JSON.parse(marked.replace('‸', ''))).toThrow()
  })

  it('a text of brackets alone ends too', () => {
    expect(readJson('['.repeat(100_000))).toMatchObject({ error: { message: 'this is nested too deeply' } })
  })
})

it('undefined is not a value', () => {
  expect(readJson(' \n')).toEqual({ ok: true, value: undefined })
  expect(writeJson(undefined)).toBe('')
  expect(writeJson({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}')
})

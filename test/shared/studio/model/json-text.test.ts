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
    ['‸hello', '"hello" is not a value: texts stand in double quotes'],
    ['{ "a": ‸\'b\' }', 'texts stand in double quotes'],
    ['{ "a": ‸nul }', '"nul" is not a value: texts stand in double quotes'],
    ['{ "a": ‸, "b": 1 }', 'a value is missing'],
    ['{ "a": 1‸', '} is missing at the end'],
    ['[1, 2‸', '] is missing at the end'],
    ['{ "a": ‸', 'a value is missing at the end'],
    ['[1, 2‸, ]', 'the comma before ] is one too many'],
    ['{\n  "a": 1‸,\n}', 'the comma before } is one too many'],
    ['[1 ‸2]', 'a comma or ] is missing'],
    ['{\n  "a": 1\n  ‸"b": 2\n}', 'a comma or } is missing'],
    ['{ ‸a: 1 }', 'a name in double quotes is missing'],
    ['{ "a" ‸1 }', 'a colon is missing'],
    ['{ "a": ‸"b }', 'a text is not closed'],
    ['{ "a": ‸"b\n" }', 'a text is not closed'],
    ['["a‸\tb"]', 'a control character stands in a text: write it as \\u or \\t'],
    ['["a‸\\x"]', '"\\x" means nothing in a text'],
    ['["‸\\u12"]', '"\\u" means nothing in a text'],
    ['[‸01]', '"01" is no number of JSON'],
    ['[‸1.]', '"1." is no number of JSON'],
    ['[‸+1]', '"+1" is no number of JSON'],
    ['[‸.5]', '".5" is no number of JSON'],
    ['{} ‸{}', 'the text goes on behind its end'],
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

it('nothing is no value', () => {
  expect(readJson(' \n')).toEqual({ ok: true, value: undefined })
  expect(writeJson(undefined)).toBe('')
  expect(writeJson({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}')
})

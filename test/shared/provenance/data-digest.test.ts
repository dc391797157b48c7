import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { digestOfJson } from '../../../shared/provenance/data-digest.ts'

const digestOf = (text: string, salt = 'pepper') => createHmac('sha256', salt).update(text).digest('hex')

it.each([
  ['blanks between tokens', ' {\r\n\t"a" : [ 1 , true ] }\n', '{"a":[1,true]}'],
  ['blanks within texts', '{"a b": " c\\t d "}', '{"a b":" c\\t d "}'],
  ['an escaped quote does not end a text', '{"a": "\\" b", "c": 1}', '{"a":"\\" b","c":1}'],
  ['an escaped backslash does not escape a quote', '{"a": "\\\\" , "b": 1}', '{"a":"\\\\","b":1}'],
  ['characters beyond ASCII', '{"ü": "日 本"}', '{"ü":"日 本"}'],
])('%s', async (_, json, compact) => {
  expect(await digestOfJson(json, 'pepper')).toBe(digestOf(compact))
  expect(await digestOfJson(new TextEncoder().encode(json), 'pepper')).toBe(digestOf(compact))
})

it('the salt is the key, in UTF-8', async () => {
  expect(await digestOfJson('{}', 'größe')).toBe(digestOf('{}', 'größe'))
})

it('other data, another order and another notation have other digests', async () => {
  const texts = ['{"a":1,"b":2}', '{"b":2,"a":1}', '{"a":1.0,"b":2}', '{"a":1,"b":3}']
  const digests = await Promise.all(texts.map((text) => digestOfJson(text, 'pepper')))
  expect(new Set(digests).size).toBe(texts.length)
})

it('a text that is longer than one step', async () => {
  const value = { a: Array.from({ length: 40_000 }, (_, n) => `n ${n} " \\ ${'x'.repeat(50)}`) }
  const compact = JSON.stringify(value)
  expect(compact.length).toBeGreaterThan(2_000_000)
  expect(await digestOfJson(JSON.stringify(value, undefined, 1), 'pepper')).toBe(digestOf(compact))
})

/** The words that every object answers to, as arguments, as names of data and as options: none of them means anything. */
import { describe, expect, test } from 'vitest'
import * as engines from '../../../../origin/engines.ts'
import { formatters } from '../../../../shared/template/formatters/registry.ts'
import { mergeText } from '../../../helpers/merge.ts'

/** Each word of the prototype, and one of its length and syntax that no table and no prototype has. */
const words = [
  ['constructor', 'constructoq'],
  ['__proto__', '__protq__'],
  ['toString', 'toStrinq'],
  ['hasOwnProperty', 'hasOwnPropertq'],
] as const

/** Formatters to which each letter of an argument means something, so that no word is neutral. */
const lettered: ReadonlySet<string> = new Set(['formatD', 'convDate'])

/** What a template becomes, or the error, with `WORD` for the word again. */
async function written(template: string, word: string, data: unknown): Promise<string> {
  const text = await mergeText(template.replaceAll('WORD', word), data, { format: 'txt' }).catch(String)
  return text.replaceAll(new RegExp(word, 'gi'), 'WORD')
}

describe.each(words)('%s', (word, neutral) => {
  const same = async (template: string, data: unknown): Promise<void> =>
    expect(await written(template, word, data), template).toBe(await written(template, neutral, data))

  test('as an argument of every formatter', async () => {
    for (const name of formatters.keys()) {
      if (lettered.has(name)) continue
      for (const value of ['12', 12, '2024-01-02', { a: 1 }, [{ a: 1 }]]) {
        await same(`{d.v:${name}(WORD)}`, { v: value })
        await same(`{d.v:${name}(a, WORD, WORD)}`, { v: value })
      }
    }
  })

  test('as a name in data, and as a formatter', async () => {
    for (const template of [
      '{d.WORD}',
      '{d.v.WORD.length}',
      '{d.v[WORD=1].a}',
      '{d.v:WORD}',
      '{t(WORD)}',
      '{c.WORD}',
    ])
      await same(template, { v: [{ a: 1 }] })
  })

  test('as an option of every engine', () => {
    for (const { id, options } of Object.values(engines)) {
      const parsed = (name: string) => JSON.stringify(options.parse({ [name]: 1 })).replaceAll(name, neutral)
      expect(parsed(word), id).toBe(parsed(neutral))
    }
  })
})

test('data with such names is written as any other', async () => {
  const data: unknown = JSON.parse(
    '{"__proto__": "a", "constructor": {"name": "b"}, "list": [{"toString": "c"}]}',
  )
  const template = '{d.__proto__} {d.constructor.name} {d.list[i].toString}{d.list[i+1]}'
  expect(await mergeText(template, data, { format: 'txt' })).toBe('a b c')
})

import { describe, expect, it } from 'vitest'
import { AppError } from '../../../shared/errors/app-error.ts'
import {
  findJsonMember,
  maxFieldBytes,
  maxMembers,
  parseJson,
  splitJson,
  splitJsonArray,
} from '../../../shared/json/split.ts'
import { damaged, randomJson, randomNumbers } from '../../helpers/random-json.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const fields = { knownNames: new Set(['first', 'second', '__proto__']), large: new Set(['data']) }
const everything = { large: new Set<string>() }

async function valuesOf(text: string, kept: Parameters<typeof splitJson>[1]): Promise<Map<string, unknown>> {
  const bytes = encode(text)
  const members = await splitJson(bytes, kept)
  return new Map([...members].map(([name, { start, end }]) => [name, parseJson(bytes.subarray(start, end))]))
}
const codeOf = (running: Promise<unknown>) =>
  running.then(
    () => 'no error',
    (error: AppError) => [error.code, error.details],
  )

describe('the split of an object', () => {
  it('keeps the known members with the values that JSON.parse gives, and refuses what it refuses', async () => {
    const random = randomNumbers(3)
    for (let time = 0; time < 2000; time++) {
      const sound = `{"first":${randomJson(random)},"other":${randomJson(random)},"second":${randomJson(random)}}`
      const text = time % 2 === 0 ? sound : damaged(random, sound)
      let expected: object | undefined
      try {
        expected = JSON.parse(text.replace(/^\ufeff/, ''))
      } catch {
        expected = undefined
      }
      if (expected === undefined || Array.isArray(expected)) {
        await expect(valuesOf(text, fields), text).rejects.toThrow('Invalid JSON body')
        continue
      }
      const known = Object.entries(expected).filter(([name]) => fields.knownNames.has(name))
      expect(await valuesOf(text, fields), text).toEqual(new Map(known))
    }
  })

  it('passes over what is not known, however large it is', async () => {
    const text = `{"other":[${'{"a":1},'.repeat(500_000)}0],"first":1}`
    expect([...(await valuesOf(text, fields))]).toEqual([['first', 1]])
  })

  it('accepts the maximum number of members and no more, known or not, duplicate or not', async () => {
    const of = (count: number, name: (at: number) => string) =>
      splitJson(encode(`{${Array.from({ length: count }, (_, at) => `"${name(at)}":1`).join(',')}}`), fields)
    for (const name of [() => 'first', () => 'other', (at: number) => `k${at}`]) {
      await of(maxMembers, name)
      expect(await codeOf(of(maxMembers + 1, name))).toEqual(['api.json.members', { limit: maxMembers }])
    }
  })

  it('accepts the maximum bytes of all fields together and no more, except for the large ones', async () => {
    const half = (name: string, bytes: number) => `"${name}":"${'x'.repeat(bytes - 2)}"`
    const of = (first: number, second: number, data: number) =>
      splitJson(encode(`{${half('first', first)},${half('data', data)},${half('second', second)}}`), {
        knownNames: new Set(['first', 'second', 'data']),
        large: new Set(['data']),
      })
    await of(maxFieldBytes / 2, maxFieldBytes / 2, 2 * maxFieldBytes)
    expect(await codeOf(of(maxFieldBytes / 2, maxFieldBytes / 2 + 1, 2))).toEqual([
      'api.field.too-large',
      { field: 'second', limit: maxFieldBytes, others: '"data"' },
    ])
  })

  it('refuses data that needs too much memory', async () => {
    const rows = `{"data":[${'[],'.repeat(8_400_000)}0]}`
    expect(await codeOf(splitJson(encode(rows), fields))).toEqual('no error')
    const known = { large: new Set(['data']) }
    expect(await codeOf(splitJson(encode(rows), known))).toEqual([
      'api.field.memory',
      { field: 'data', limit: 536_870_912 },
    ])
  })

  it('treats duplicate names and __proto__ like any other', async () => {
    expect([...(await valuesOf('{ "a" : 1 , "a":\t2 }', everything))]).toEqual([['a', 2]])
    expect([...(await valuesOf('{"__proto__":1}', everything))]).toEqual([['__proto__', 1]])
    expect([...(await valuesOf('{"\\u0061":1}', everything))]).toEqual([['a', 1]])
  })
})

describe('one member of an object', () => {
  it('is the last one of its name', async () => {
    const text = '{"a":1,"b":[1,2],"c":{"b":3},"b":[4]}'
    const { start, end } = (await findJsonMember(encode(text), 'b'))!
    expect(text.slice(start, end)).toBe('[4]')
    expect(await findJsonMember(encode(text), 'd')).toBeUndefined()
  })
})

describe('the split of an array', () => {
  const tooMany = () => new AppError('api.batch.many', { limit: 3 })
  const parts = async (text: string) => {
    const bytes = encode(text)
    const items = await splitJsonArray(bytes, { maxItems: 3, tooMany })
    return items.map(({ start, end }) => parseJson(bytes.subarray(start, end)))
  }

  it('gives the elements', async () => {
    expect(await parts(' [ 1 , "]" ,{"a":[2]}] ')).toEqual([1, ']', { a: [2] }])
    expect(await parts('[]')).toEqual([])
  })

  it('stops at one too many, whatever follows', async () => {
    await expect(parts('[1, 2, 3, 4 oops')).rejects.toMatchObject({ code: 'api.batch.many' })
    expect(await parts('[1,2,3]')).toEqual([1, 2, 3])
  })

  const broken = ['', '{}', '[', '[1', '[1,', '[,1]', '[1 2]', '[1]x', '[{]', '["a]', '[[]', 'null']
  for (const text of broken) {
    it(`refuses ${text}`, async () => {
      await expect(parts(text)).rejects.toMatchObject({ code: 'api.json.invalid.at' })
    })
  }
})

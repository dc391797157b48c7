import { describe, expect, it } from 'vitest'
import { createJsonScanner, maxDepth, maxNameLength } from '../../../shared/json/scanner.ts'
import { damaged, inPieces, type Random, randomJson, randomNumbers } from '../../helpers/random-json.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

interface Item {
  readonly name: string | undefined
  readonly json: string
}

/** What the scanner returns for a text, or 'refused'. The parts of an item must agree with its position. */
function scan(
  text: string,
  outermost: 'object' | 'array',
  size: number | Random,
): readonly Item[] | 'refused' {
  const bytes = encode(text)
  const items: Item[] = []
  let name: string | undefined
  let start = 0
  let parts = ''
  const scanner = createJsonScanner(outermost, {
    begin(found, at) {
      name = found
      start = at
      parts = ''
    },
    part(part) {
      parts += Buffer.from(part).toString('latin1')
    },
    end(at) {
      const json = bytes.subarray(start, at)
      expect(Buffer.from(parts, 'latin1').equals(json)).toBe(true)
      items.push({ name, json: decode(json) })
    },
  })
  try {
    for (const piece of inPieces(bytes, size)) scanner.push(piece)
    scanner.finish()
    return items
  } catch (error) {
    expect(error).toMatchObject({ code: 'api.json.invalid.at' })
    return 'refused'
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return 'refused'
  }
}

/** The same as JSON.parse says of an object, member by member; its last one of a name wins. */
function expectAsParsed(text: string, size: number | Random): void {
  const expected = parsed(text)
  const found = scan(text, 'object', size)
  if (expected === 'refused' || typeof expected !== 'object' || expected === null || Array.isArray(expected))
    return void expect(found, text).toBe('refused')
  if (found === 'refused') return void expect(found, text).toEqual(expected)
  const members = new Map(found.map(({ name, json }) => [name, JSON.parse(json)]))
  expect(members, text).toEqual(new Map(Object.entries(expected)))
}

describe('the scanner of JSON', () => {
  it('accepts what JSON.parse accepts, and finds its members, in pieces of every size', () => {
    const random = randomNumbers(7)
    for (let time = 0; time < 3000; time++) {
      const text = `{"first":${randomJson(random)},"second":${randomJson(random)}}`
      for (const size of [1, 3, 100_000, random]) expectAsParsed(text, size)
    }
  })

  it('refuses what JSON.parse refuses', () => {
    const random = randomNumbers(11)
    let refused = 0
    for (let time = 0; time < 12_000; time++) {
      const text = damaged(random, `{"a":${randomJson(random)},"b":${randomJson(random)}}`)
      if (parsed(text) === 'refused') refused++
      expectAsParsed(text, random(2) === 0 ? 1 : random)
    }
    expect(refused).toBeGreaterThan(6000)
  })

  it('finds the elements of a list', () => {
    const random = randomNumbers(13)
    for (let time = 0; time < 2000; time++) {
      const text = damaged(
        random,
        `[${Array.from({ length: random(5) }, () => randomJson(random)).join(',')}]`,
      )
      const expected = parsed(text)
      const found = scan(text, 'array', random)
      if (!Array.isArray(expected)) expect(found, text).toBe('refused')
      else
        expect(found === 'refused' ? found : found.map(({ json }) => JSON.parse(json)), text).toEqual(
          expected,
        )
    }
  })

  const rows: readonly (readonly [string, boolean])[] = [
    ['{}', true],
    ['\ufeff \n{ "a" : 1 }\r\n', true],
    [' \ufeff{}', false],
    ['\ufeff\ufeff{}', false],
    ['{"a":\ufeff1}', false],
    ['', false],
    ['[]', false],
    ['"{}"', false],
    ['{}{}', false],
    ['{"a":01}', false],
    ['{"a":1.}', false],
    ['{"a":.5}', false],
    ['{"a":+1}', false],
    ['{"a":-}', false],
    ['{"a":1e}', false],
    ['{"a":nul}', false],
    ['{"a":nulll}', false],
    ['{"a":"\t"}', false],
    ['{"a":"\\x"}', false],
    ['{"a":"\\u12g4"}', false],
    ['{"a":1,}', false],
    ['{"a":[1,]}', false],
    ['{"a":[}]}', false],
    ["{'a':1}", false],
    ['{"a":1/**/}', false],
    ['{"a":NaN}', false],
  ]
  for (const [text, isSound] of rows)
    it(`${isSound ? 'accepts' : 'refuses'} ${JSON.stringify(text)}`, () => {
      for (const size of [1, 2, 1000]) {
        expect(scan(text, 'object', size) !== 'refused').toBe(isSound)
        expectAsParsed(text, size)
      }
    })

  it('invalid UTF-8 is decoded with replacement characters', () => {
    for (const byte of [0x80, 0xc3, 0xe2, 0xf0, 0xff]) {
      const bytes = Uint8Array.of(...encode('{"a":"'), byte, ...encode('"}'))
      const scanner = createJsonScanner('object', {})
      scanner.push(bytes)
      scanner.finish()
      const outside = createJsonScanner('object', {})
      expect(() => outside.push(Uint8Array.of(123, byte))).toThrow('Invalid JSON body')
    }
  })

  it('does not report names that are longer than any known one', () => {
    const names = [maxNameLength, maxNameLength + 1].map((length) => {
      const found = scan(`{"${'x'.repeat(length)}":1}`, 'object', 5)
      return found === 'refused' ? found : found[0]?.name?.length
    })
    expect(names).toEqual([maxNameLength, undefined])
  })

  it('accepts the maximum depth and no more', () => {
    const nested = (depth: number) => encode(`{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`)
    const all = createJsonScanner('object', {})
    all.push(nested(maxDepth))
    all.finish()
    expect(() => createJsonScanner('object', {}).push(nested(maxDepth + 1))).toThrow(
      expect.objectContaining({ code: 'api.json.too-deep' }),
    )
    expect(() => createJsonScanner('array', {}).push(encode('['.repeat(1_000_000)))).toThrow(
      expect.objectContaining({ code: 'api.json.too-deep' }),
    )
  })

  it('estimates the memory of a value', () => {
    const reported: number[] = []
    const scanner = createJsonScanner('object', { end: (_, memory) => reported.push(memory) })
    scanner.push(encode('{"a":[[],[],[]],"b":1,"c":"x","d":{"e":1,"f":"x"}}'))
    scanner.finish()
    expect(reported).toEqual([4 * 64, 16, 32, 64 + 2 * 16 + 16 + 32])
  })
})

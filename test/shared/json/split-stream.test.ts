import { describe, expect, it } from 'vitest'
import { createBase64Decoder, decodeBase64 } from '../../../shared/base64.ts'
import { concatBytes } from '../../../shared/bytes.ts'
import { createJsonSplitter } from '../../../shared/json/split-stream.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const fields = { knownNames: new Set(['template', 'a', 'b', 'n', 't']), large: new Set(['template']) }
const sizes = [1, 2, 3, 5, 7, 64, 100_000]

function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const joined = (chunks: readonly Uint8Array[]) =>
  concatBytes(
    chunks,
    chunks.reduce((size, chunk) => size + chunk.length, 0),
  )

function split(text: string, size: number) {
  const splitter = createJsonSplitter('template', fields)
  const found: Uint8Array[] = []
  for (const piece of pieces(encode(text), size))
    for (const part of splitter.push(piece)) found.push(part.slice())
  const { members, streamed } = splitter.finish()
  return {
    file: streamed ? decode(joined(found)) : undefined,
    members: Object.fromEntries([...members].map(([name, json]) => [name, decode(json)])),
  }
}

describe('a JSON object that arrives in pieces', () => {
  const rows: readonly (readonly [string, string | undefined, Readonly<Record<string, string>>])[] = [
    ['{}', undefined, {}],
    ['{"template":"abc"}', 'abc', {}],
    ['{"template":""}', '', {}],
    [
      '\ufeff { "a" : 1 , "template" : "a\\/b\\"c" , "b" : [1,"]",{"x":"}"}] } ',
      'a\\/b\\"c',
      { a: '1', b: '[1,"]",{"x":"}"}]' },
    ],
    ['{"template":null,"n":-1.5e3,"t":true}', undefined, { template: 'null', n: '-1.5e3', t: 'true' }],
    ['{"template":{"x":1}}', undefined, { template: '{"x":1}' }],
    ['{"a":"\\\\","template":"x"}', 'x', { a: '"\\\\"' }],
    ['{"a":"é😀","templ\\u0061te":"y"}', 'y', { a: '"é😀"' }],
    ['{"a":1,"a":2}', undefined, { a: '2' }],
    ['{"unknown":[1],"a":2}', undefined, { a: '2' }],
    ['{"template":7,"template":"x"}', 'x', {}],
  ]
  for (const [text, file, members] of rows)
    it(text, () => {
      for (const size of sizes) expect([size, split(text, size)]).toEqual([size, { file, members }])
    })

  const broken = [
    '',
    ' ',
    '[1]',
    '{',
    '{"a"}',
    '{"a":}',
    '{"a":1',
    '{"a":1,}',
    '{a:1}',
    '{"a":1 "b":2}',
    '{"a":1}x',
    '{"a" 1}',
    '"x"',
    '{"template":"x',
    '{"template":"x","template":"y"}',
    '{"a":"x"y}',
    '{,}',
  ]
  for (const text of broken)
    it(`refuses ${text}`, () => {
      for (const size of sizes)
        expect(() => split(text, size)).toThrow(expect.objectContaining({ code: 'api.json.invalid.at' }))
    })
})

describe('base64 that arrives in pieces', () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, at) => (at * 167 + (at >> 4)) & 255)
  const plain = btoa(String.fromCharCode(...bytes))
  const texts = [
    '',
    'YQ==',
    'YWI=',
    'YWI',
    'YWJj',
    plain,
    plain.replace(/=+$/, ''),
    plain.replaceAll('+', '-').replaceAll('/', '_'),
    plain.replaceAll('/', '\\/'),
    plain.replaceAll('/', '\\u002f'),
    plain.replace(/.{76}/g, '$&\r\n'),
    plain.replace(/.{10}/g, '$&\\r\\n'),
    `data:application/x;base64,${plain}`,
    `DATA:;BASE64,${plain}\n`,
    `data:text/plain,${plain}`,
    `${plain}===`,
    'a',
    'ab=c',
    '!!!!',
    `${plain.slice(0, 100)}*${plain.slice(100)}`,
    `${plain.slice(0, 100)}\\x${plain.slice(100)}`,
    ' \\n'.repeat(500),
    '=',
    'data',
    'da',
    'data:',
    `YWI=${' '.repeat(1000)}`,
  ]
  for (const text of texts)
    it(`${text.slice(0, 30)} (${text.length})`, () => {
      const wanted = decodeBase64(encode(text))
      for (const size of sizes) {
        const stream = createBase64Decoder()
        let found: Uint8Array[] | undefined = []
        for (const piece of [...pieces(encode(text), size), undefined]) {
          const next = piece === undefined ? stream.finish() : stream.push(piece)
          found = next === undefined ? undefined : found && [...found, next.slice()]
          if (found === undefined) break
        }
        expect([size, found && Array.from(joined(found))]).toEqual([size, wanted && Array.from(wanted)])
      }
    })
})

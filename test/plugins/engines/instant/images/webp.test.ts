import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { decodePng, readPng } from '../../../../../plugins/engines/instant/images/png.ts'
import { BitReader, prefixCode } from '../../../../../plugins/engines/instant/images/prefix-code.ts'
import { decodeWebp } from '../../../../../plugins/engines/instant/images/webp.ts'

const load = (name: string): Uint8Array => readFileSync(`test/fixtures/images/lossless/${name}`)

/** Each pair holds the same pixels: two decoders of different formats agree on every one. */
test.each(['photo', 'clear', 'few', 'four', 'two', 'many', 'flat'])(
  '%s has the pixels of its PNG',
  (name) => {
    expect(decodeWebp(load(`${name}.webp`))).toEqual(decodePng(readPng(load(`${name}.png`)), nodeCodec))
  },
)

test('prefix codes are read shortest first', () => {
  // Lengths 1, 2, 3, 3: codes 0, 10, 110, 111, their first bit lowest in the byte.
  const code = prefixCode([2, 1, 3, 3])
  const bits = new BitReader(Uint8Array.of(0b0_111_011_0, 0b1))
  expect([1, 2, 3, 4].map(() => code.read(bits))).toEqual([1, 2, 3, 1])
})

test.each([[[1, 1, 1]], [[2, 2, 2, 2, 1]]])('lengths %j that make no code are refused', (lengths) => {
  expect(() => prefixCode(lengths)).toThrow(expect.objectContaining({ code: 'image.damaged' }))
})

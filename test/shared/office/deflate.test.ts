import { deflateRawSync, inflateRawSync, crc32 as nativeCrc } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { advance, advanceOperator, advanceTable, crc32 } from '../../../shared/crc32.ts'
import { DeflateWriter } from '../../../shared/office/deflate.ts'
import { codeLengths } from '../../../shared/office/huffman.ts'
import { makeStatics } from '../../../shared/template/statics.ts'

/** A generator of numbers below n, the same every time. */
function generator(seed: number): (n: number) => number {
  let state = seed
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

const encode = (text: string) => new TextEncoder().encode(text)

describe('crc', () => {
  it('is the CRC of everybody', () => {
    for (const text of ['', 'a', 'hello world', 'é😀'.repeat(100)])
      expect(crc32(encode(text))).toBe(nativeCrc(encode(text)))
  })
  it('of two parts joins from the CRCs of the parts', () => {
    for (const length of [0, 1, 7, 300, 70_000]) {
      const a = encode('first part ')
      const b = encode('x'.repeat(length))
      const operator = advanceOperator(length)
      const table = advanceTable(operator)
      const crc = crc32(a)
      const expected = nativeCrc(Buffer.concat([a, b]))
      expect((advance(operator, crc) ^ crc32(b)) >>> 0).toBe(expected)
      const byTable =
        table[crc & 255]! ^
        table[256 + ((crc >>> 8) & 255)]! ^
        table[512 + ((crc >>> 16) & 255)]! ^
        table[768 + (crc >>> 24)]!
      expect((byTable ^ crc32(b)) >>> 0).toBe(expected)
    }
  })
})

describe('code lengths', () => {
  it('are complete and within their limit, whatever the frequencies', () => {
    const random = generator(7)
    for (let round = 0; round < 300; round += 1) {
      const count = 2 + random(286)
      const skew = random(30)
      const frequencies = Uint32Array.from({ length: count }, () =>
        random(3) === 0 ? 0 : 1 + Math.floor(2 ** (skew * (random(1000) / 1000))),
      )
      const limit = count > 100 || skew < 7 ? 15 : 9
      const lengths = codeLengths(frequencies, count, limit)
      const used = [...lengths].filter((length) => length > 0)
      expect(Math.max(0, ...used)).toBeLessThanOrEqual(limit)
      expect(used.length).toBe([...frequencies].filter((n) => n > 0).length)
      if (used.length > 1) expect(used.reduce((sum, length) => sum + 2 ** -length, 0)).toBe(1)
    }
  })
})

describe('the encoder', () => {
  const check = (statics: readonly string[], pieces: readonly (number | string)[]) => {
    const table = makeStatics(
      statics,
      statics.map((_, n) => n % 2 === 0),
    )
    const writer = new DeflateWriter(table)
    for (const piece of pieces) {
      if (typeof piece === 'number') writer.static(piece)
      else writer.text(piece)
    }
    const { chunks, crc, size, compressed } = writer.end()
    const expected = encode(
      pieces
        .map((piece) => (typeof piece === 'number' ? statics[piece]! : piece))
        .join('')
        .toWellFormed(),
    )
    const packed = Buffer.concat(chunks)
    expect(packed.length).toBe(compressed)
    expect(Buffer.compare(inflateRawSync(packed), expected)).toBe(0)
    expect(size).toBe(expected.length)
    expect(crc).toBe(nativeCrc(expected))
    return { packed: packed.length, native: deflateRawSync(expected, { level: 6 }).length }
  }

  it('writes nothing, one byte, one text', () => {
    check([''], [])
    check(['a'], [0])
    check([], ['x'])
    check(['', 'ab', 'abc'], [0, 1, 2, 1, 1, 2, 0])
  })

  it('writes text of all planes, lone surrogates and long runs', () => {
    check(
      ['<a>', '</a>'],
      [0, 'é ß 日本語 😀\u{10ffff}', 1, 'x'.repeat(50_000), 0, '\ud800a\udc00', 1, '😀'.repeat(9_000)],
    )
  })

  it('points back to stretches at every distance', () => {
    const random = generator(3)
    const statics = Array.from(
      { length: 40 },
      (_, n) => `<e${n}>${'abcdefgh'.repeat(random(60))}${random(1000)}</e${n}>`,
    )
    for (let round = 0; round < 30; round += 1) {
      const pieces: (number | string)[] = []
      for (let n = random(3_000); n > 0; n -= 1) {
        const kind = random(10)
        if (kind < 6) pieces.push(random(statics.length))
        else if (kind < 9) pieces.push(`value ${random(50)}`)
        else
          pieces.push(String.fromCharCode(...Array.from({ length: random(400) }, () => 32 + random(2_000))))
      }
      check(statics, pieces)
    }
  })

  it('goes beyond the window and beyond one block', () => {
    const random = generator(11)
    const long = Array.from({ length: 40_000 }, () => String.fromCharCode(97 + random(26))).join('')
    check([long, 'short'], [0, 1, 0, 1, 'between', 0, ...Array.from({ length: 20_000 }, () => 1)])
    check(
      ['<r>'],
      Array.from({ length: 60_000 }, (_, n) => (n % 2 === 0 ? 0 : String(random(1e9)))),
    )
  })

  it('is about as small as zlib on rows of a table', () => {
    const cell = (n: number) =>
      `</w:t></w:r></w:p></w:tc><w:tc><w:tcPr><w:tcW w:w="${n * 137}" w:type="dxa"/></w:tcPr><w:p><w:r><w:t>`
    const statics = [
      '<w:tr><w:tc><w:p><w:r><w:t>',
      cell(1),
      cell(2),
      cell(3),
      '</w:t></w:r></w:p></w:tc></w:tr>',
    ]
    const rows = Array.from({ length: 2_000 }, (_, n) => [
      0,
      `${n + 1}`,
      1,
      `Article ${n} of range ${n % 13}`,
      2,
      `${((n * 7919) % 10_007) / 100}`,
      3,
      '20 %',
      4,
    ])
    const { packed, native } = check(statics, rows.flat())
    expect(packed).toBeLessThan(native * 1.25)
  })
})

describe('the chunks of a long output', () => {
  it('grow, so that little memory stays in pieces that the system never gets back', () => {
    const next = generator(3)
    const noise = () => String.fromCharCode(...Array.from({ length: 4096 }, () => 32 + next(95)))
    const writer = new DeflateWriter(makeStatics([''], [false]))
    for (let times = 0; times < 1000; times++) writer.text(noise())
    const before = writer.compressed
    const { chunks, compressed } = writer.end()
    expect(compressed).toBeGreaterThan(3_000_000)
    expect(before).toBeGreaterThan(0.95 * compressed)
    const capacity = (least: number) =>
      chunks.reduce((sum, { buffer }) => sum + (buffer.byteLength >= least ? buffer.byteLength : 0), 0)
    expect(capacity(131_072)).toBeGreaterThan(0.95 * capacity(0))
    expect(capacity(0)).toBeLessThan(1.5 * compressed)
  })
})

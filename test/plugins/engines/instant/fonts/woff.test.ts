import { readFileSync } from 'node:fs'
import { brotliDecompressSync, deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { createFontBook } from '../../../../../plugins/engines/instant/fonts/font-book.ts'
import { readFont } from '../../../../../plugins/engines/instant/fonts/sfnt/font-file.ts'
import { unpackFont } from '../../../../../plugins/engines/instant/fonts/sfnt/woff.ts'
import { shape } from '../../../../../plugins/engines/instant/text/shape.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import { inspect, pageOf, paint, shippedBytes, shippedSource } from '../../../../helpers/instant-fonts.ts'

const unpackers = {
  inflateRaw: nodeCodec.inflateRaw,
  brotli: (bytes: Uint8Array, maxOutputLength: number) => brotliDecompressSync(bytes, { maxOutputLength }),
}
const unpack = (bytes: Uint8Array) => unpackFont(bytes, unpackers)

/** WOFF 1.0: each table deflated where that makes it smaller. */
function packed(font: Uint8Array): Uint8Array {
  const from = new DataView(font.buffer, font.byteOffset)
  const count = from.getUint16(4)
  const head = new DataView(new ArrayBuffer(44 + 20 * count))
  const tables: Uint8Array[] = []
  let at = head.byteLength
  head.setUint32(0, 0x774f4646)
  head.setUint32(4, from.getUint32(0))
  head.setUint16(12, count)
  for (let table = 0; table < count; table++) {
    const [record, entry] = [12 + 16 * table, 44 + 20 * table]
    const [start, length] = [from.getUint32(record + 8), from.getUint32(record + 12)]
    const plain = font.subarray(start, start + length)
    const small = deflateSync(plain)
    const stored = small.length < length ? small : plain
    head.setUint32(entry, from.getUint32(record))
    head.setUint32(entry + 4, at)
    head.setUint32(entry + 8, stored.length)
    head.setUint32(entry + 12, length)
    const padded = new Uint8Array((stored.length + 3) & ~3)
    padded.set(stored)
    tables.push(padded)
    at += padded.length
  }
  const bytes = new Uint8Array(at)
  bytes.set(new Uint8Array(head.buffer))
  let end = head.byteLength
  for (const table of tables) {
    bytes.set(table, end)
    end += table.length
  }
  return bytes
}

const plain = shippedBytes('platen-text-regular.bin')
const vietnamese = Uint8Array.from(readFileSync('test/fixtures/fonts/inter-vietnamese.woff2'))

test('WOFF holds the same tables as the plain font', () => {
  const [one, other] = [readFont(plain), readFont(unpack(packed(plain)))]
  expect(other.names).toEqual(one.names)
  expect(other.advances).toEqual(one.advances)
  for (const tag of ['glyf', 'cmap', 'loca'])
    expect(Buffer.from(other.table(tag)!.buffer as ArrayBuffer, other.table(tag)!.byteOffset, 64)).toEqual(
      Buffer.from(one.table(tag)!.buffer as ArrayBuffer, one.table(tag)!.byteOffset, 64),
    )
})

test('WOFF 2 is put together again and draws', () => {
  const bytes = unpack(vietnamese)
  const fonts = createFontBook(shippedSource).forDocument({ embedded: [bytes] })
  const run = shape('Ạổữ ẩ', { face: fonts.face('Inter', false, false), size: 40 })
  expect(run.face.family).toBe('Inter')
  const pdf = paint([pageOf([{ x: 20, y: 80, item: { kind: 'glyphs', run, colour: 0 } }])])
  expect(inspect(pdf, 'qpdf', ['--check', '{}'])).toContain('No syntax')
  expect(inspect(pdf, 'pdftotext', ['{}', '-']).trim()).toBe('Ạổữ ẩ')
})

test('plain fonts stay what they are', () => expect(unpack(plain)).toBe(plain))

test('without brotli WOFF 2 is refused', () => {
  expect(() => unpackFont(vietnamese, { inflateRaw: nodeCodec.inflateRaw })).toThrow(
    expect.objectContaining({ code: 'font.damaged' }),
  )
})

describe.each([
  ['WOFF', packed(plain)],
  ['WOFF 2', vietnamese],
])('damaged %s', (_kind, bytes) => {
  const survive = (spoilt: Uint8Array) => {
    try {
      readFont(unpack(spoilt))
    } catch (error) {
      expect(error).toBeInstanceOf(AppError)
    }
  }
  test('cut anywhere', () => {
    for (let part = 0; part < 30; part++) survive(bytes.subarray(0, Math.floor((bytes.length * part) / 30)))
  })
  test('with bytes changed', () => {
    for (let round = 0; round < 60; round++) {
      const spoilt = bytes.slice()
      for (let change = 0; change < 6; change++)
        spoilt[(round * 7919 + change * 104_729) % (round % 2 ? 200 : spoilt.length)] =
          (round * 31 + change * 97) & 255
      survive(spoilt)
    }
  })
})

test('tables that say they unpack to gigabytes are refused', () => {
  const bytes = packed(plain)
  new DataView(bytes.buffer).setUint32(44 + 12, 0xffff_ffff)
  expect(() => unpack(bytes)).toThrow(expect.objectContaining({ code: 'font.damaged' }))
})

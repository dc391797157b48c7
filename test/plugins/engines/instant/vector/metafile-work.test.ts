/** Metafiles that are small and ask for much: the work that a file causes is in proportion to its size, or is counted as steps. */
import { describe, expect, it } from 'vitest'
import { readVector } from '../../../../../plugins/engines/instant/vector/read-vector.ts'
import { concatBytes } from '../../../../../shared/bytes.ts'
import { shippedBook } from '../../../../helpers/instant-fonts.ts'

type Part = Uint8Array | readonly number[]
const words = (...values: number[]): number[] => values.flatMap((value) => [value & 255, (value >> 8) & 255])
const longs = (...values: number[]): number[] => values.flatMap((value) => words(value, value >>> 16))
const joined = (parts: readonly Part[]): Uint8Array => {
  const chunks = parts.map((part) => Uint8Array.from(part))
  return concatBytes(
    chunks,
    chunks.reduce((sum, { length }) => sum + length, 0),
  )
}
const repeated = (count: number, part: Part): Part[] => Array.from({ length: count }, () => part)

const wmfRecord = (type: number, bytes: readonly number[]): number[] => [
  ...longs(3 + bytes.length / 2),
  ...words(type),
  ...bytes,
]
const wmf = (records: readonly Part[]): Uint8Array => {
  const head = [...longs(0x9ac6cdd7), ...words(0, 0, 0, 100, 100, 96), ...longs(0), ...words(0)]
  return joined([head, words(1, 9, 0x300, 0, 0, 10, 0, 0, 0), ...records, words(3, 0, 0)])
}
const emfRecord = (type: number, bytes: Part): Uint8Array => joined([longs(type, 8 + bytes.length), bytes])
const emf = (records: readonly Part[]): Uint8Array => {
  const head = longs(1, 88, 0, 0, 99, 99, 0, 0, 2646, 2646, 0x464d4520, 0x10000, 0, 9, 1, 0, 0, 0)
  return joined([head, longs(960, 960, 254, 254), ...records, emfRecord(14, longs(0, 0, 20))])
}
/** A bitmap of 24 bits a pixel, and a record that draws it with a raster operation. */
const drawn = (width: number, height: number, operation: number): Uint8Array => {
  const bits = new Uint8Array(height * (Math.ceil((3 * width) / 4) * 4))
  const header = [...longs(40, width, height), ...words(1, 24), ...longs(0, 0, 0, 0, 0, 0)]
  const place = longs(0, 0, 0, 0, 0, 0, 0, 0, width, height, 80, 40, 120, bits.length, 0, operation, 50, 50)
  return emfRecord(81, joined([place, header, bits]))
}
const texts = (count: number, length: number): Uint8Array => {
  const at = 40 + 40 * count
  const entries = Array.from({ length: count }, () => longs(0, 0, length, at, 0, 0, 0, 1, 1, 0)).flat()
  const letters = new Uint8Array(length).fill(65)
  return emfRecord(96, joined([longs(0, 0, 1, 1, 1, 0, 0, count), entries, letters]))
}

/** Each with what it leaves undrawn. None of them may be read for more than `maxMs` of CPU time or `maxSteps` steps of work. */
const pictures: readonly (readonly [name: string, bytes: () => Uint8Array, ignored: readonly string[]])[] = [
  [
    'polygons whose points are in later records',
    () => wmf([...repeated(20_000, wmfRecord(0x0324, words(0xffff))), new Uint8Array(300_000)]),
    ['record'],
  ],
  [
    'groups of polygons that are in later records',
    () => wmf([...repeated(3_000, wmfRecord(0x0538, words(0xffff))), new Uint8Array(3_000_000).fill(1)]),
    ['record'],
  ],
  [
    'texts that are in later records',
    () => wmf(repeated(20_000, wmfRecord(0x0521, words(0xffff)))),
    ['record'],
  ],
  ['objects without end', () => wmf(repeated(200_000, wmfRecord(0x02fa, words(0, 1, 0, 0, 0)))), []],
  [
    'polylines of a negative number of points, which read the same bytes again',
    () => {
      const counts = Array.from({ length: 2_000 }, (_, n) => (n % 2 === 0 ? 100_000 : -100_000))
      return emf([
        emfRecord(7, joined([longs(0, 0, 1, 1, 2_000, 0), longs(...counts), new Uint8Array(800_000)])),
      ])
    },
    ['record'],
  ],
  [
    'bitmaps that share the bytes of one record',
    () => {
      const place = longs(
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        10,
        10,
        240_000,
        40,
        240_040,
        20_000_000,
        0,
        0xcc0020,
        50,
        50,
      )
      return emf([...repeated(3_000, emfRecord(81, place)), emfRecord(70, new Uint8Array(20_600_000))])
    },
    ['record'],
  ],
  [
    'a wide and a tall bitmap, which together have 400 million pixels',
    () => emf([drawn(20_000, 1, 0x8800c6), drawn(1, 20_000, 0xee0086)]),
    ['bitmap'],
  ],
  ['a text of two million letters', () => emf([texts(1, 2_000_000)]), ['record']],
  ['two thousand texts that share the same letters', () => emf([texts(2_000, 50_000)]), ['most of it']],
]
const maxMs = 4_000
const maxSteps = 1_000_000

describe('metafiles that ask for much', () => {
  it.each(pictures)('%s', (_, bytes, ignored) => {
    const file = bytes()
    let steps = 0
    const start = process.threadCpuUsage().user
    const check = (more = 1) => {
      steps += more
      if (process.threadCpuUsage().user - start > 1_000 * maxMs) throw new Error('It takes too long.')
    }
    const picture = readVector(file, { fonts: shippedBook.forDocument(), check })
    expect([...(picture?.ignored ?? [])]).toEqual(ignored)
    expect((process.threadCpuUsage().user - start) / 1_000).toBeLessThan(maxMs)
    expect(steps).toBeLessThan(maxSteps)
  })
})

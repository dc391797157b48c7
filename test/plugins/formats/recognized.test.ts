import { describe, expect, it } from 'vitest'
import { recognizedFormats } from '../../../plugins/formats/recognized/index.ts'
import { joinRanges, openCompound } from '../../../shared/office/incoming/compound.ts'
import { fromBytes } from '../../../shared/plugin/byte-source.ts'
import { XmlFault } from '../../../shared/xml/cursor.ts'
import { compoundOf } from '../../helpers/compound.ts'

const binaryFormats = ['doc', 'xls', 'ppt']
const content = Uint8Array.from({ length: 5_000 }, (_, n) => n % 251)
const others = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`Other ${n}`, content] as const))

/** The formats that are sure of the content. */
async function sureOf(bytes: Uint8Array): Promise<string[]> {
  const sure: string[] = []
  for (const { id, sniff } of recognizedFormats) {
    if ((await sniff?.(fromBytes(bytes))) === 'sure') sure.push(id)
  }
  return sure
}

describe('binary office formats', () => {
  it.each([
    ['doc', 'WordDocument'],
    ['xls', 'Workbook'],
    ['xls', 'Book'],
    ['ppt', 'PowerPoint Document'],
  ])('%s is recognised by its stream %s, wherever its entry is', async (format, stream) => {
    expect(await sureOf(compoundOf({ [stream]: content }))).toEqual([format])
    expect(await sureOf(compoundOf({ ...others(2), [stream]: content }))).toEqual([format])
    expect(await sureOf(compoundOf({ ...others(3), [stream]: content }))).toEqual([format])
    expect(await sureOf(compoundOf({ ...others(90), [stream]: content }))).toEqual([format])
  })

  it('are known where the tables need sectors that number them', async () => {
    const large = new Uint8Array(8 * 2 ** 20)
    expect(
      await sureOf(compoundOf({ Pictures: large, ...others(4), 'PowerPoint Document': content })),
    ).toEqual(['ppt'])
  })

  it('are not those of an object in a storage further down', async () => {
    const file = compoundOf({ Object: content, 'PowerPoint Document': content, Workbook: content })
    const directory = directoryOf(file)
    const view = new DataView(file.buffer)
    // The first entry becomes a storage that holds the third; the second is the last of the root.
    view.setUint8(directory + 128 + 66, 1)
    view.setUint32(directory + 128 + 76, 3, true)
    view.setUint32(directory + 256 + 72, 0xffffffff, true)
    expect(openCompound(file).map(({ name, storage }) => [name, storage])).toEqual(
      expect.arrayContaining([
        ['Workbook', 1],
        ['PowerPoint Document', 0],
      ]),
    )
    expect(await sureOf(file)).toEqual(['ppt'])
  })

  it.each([
    ['nothing of an office', compoundOf({ Catalog: content })],
    ['only the first bytes', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)],
    ['another signature', compoundOf({ Workbook: content }).fill(0, 0, 1)],
  ])('are none with %s', async (_name, bytes) => {
    expect(await sureOf(bytes)).toEqual([])
  })
})

/** The offset of the first directory sector in the file. */
const directoryOf = (file: Uint8Array): number =>
  512 * (1 + new DataView(file.buffer, file.byteOffset, file.byteLength).getUint32(48, true))

describe('damaged compound files', () => {
  const whole = compoundOf({ ...others(9), WordDocument: content, Data: content })

  /** Numbers of a fixed sequence (Numerical Recipes, 7.1). */
  function numbersFrom(seed: number): (below: number) => number {
    let state = seed
    return (below) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
  }
  const values = [0, 1, 2, 7, 0x7fffffff, 0xfffffffa, 0xfffffffc, 0xfffffffd, 0xfffffffe, 0xffffffff]

  it('are a document or of no format, and read or refused with an XmlFault', async () => {
    const seen = new Set<string>()
    for (let seed = 1; seed <= 600; seed++) {
      const random = numbersFrom(seed)
      const file = whole.slice(0, random(4) === 0 ? random(whole.length) : whole.length)
      const view = new DataView(file.buffer)
      const put = (from: number, length: number) => {
        const at = from + 4 * random(length / 4)
        const value = random(2) === 0 ? random(120) : (values[random(values.length)] ?? 0)
        if (at + 4 <= file.length) view.setUint32(at, value, true)
      }
      // The header, the allocation table that follows it, and the first sector of the directory.
      for (let n = random(6); n > 0; n--)
        put([24, 512, 1_024][random(3)] ?? 0, [64, 512, 512][random(3)] ?? 4)
      const formats = (await sureOf(file)).filter((id) => binaryFormats.includes(id))
      expect(['', 'doc']).toContain(formats.join())
      seen.add(formats.join())
      try {
        for (const { ranges } of openCompound(file)) joinRanges(file, ranges)
        seen.add('read')
      } catch (error) {
        expect(error, `seed ${seed}`).toBeInstanceOf(XmlFault)
        seen.add('refused')
      }
    }
    expect(seen).toEqual(new Set(['', 'doc', 'read', 'refused']))
  })

  it('are refused where many streams begin the same long chain', () => {
    const file = compoundOf({ A: new Uint8Array(2 ** 20), ...others(40) })
    const view = new DataView(file.buffer)
    const first = view.getUint32(directoryOf(file) + 128 + 116, true)
    const far = file.length - 512 * 10
    for (let at = far; at < file.length; at += 128) {
      view.setUint32(at + 116, first, true)
      view.setUint32(at + 120, 4_096, true)
    }
    expect(() => openCompound(file)).toThrow(XmlFault)
  })
})

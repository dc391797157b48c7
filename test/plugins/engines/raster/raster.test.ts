import { unzlibSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import plugin from '../../../../plugins/engines/raster/index.ts'
import { packBits } from '../../../../plugins/engines/raster/pict.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../../../../shared/plugin/byte-source.ts'
import { testHost } from '../../../helpers/host.ts'
import { titled } from '../../../helpers/titled.ts'

/** Rows from the top; each pixel 0xRRGGBB. */
type Rows = readonly (readonly number[])[]

/** A BMP of 24 bits, from the bottom, as other programs write them. */
function bmpOf(rows: Rows): Uint8Array {
  const width = rows[0]?.length ?? 0
  const rowBytes = Math.ceil((width * 3) / 4) * 4
  const file = new Uint8Array(54 + rowBytes * rows.length)
  const view = new DataView(file.buffer)
  file.set([0x42, 0x4d])
  view.setUint32(2, file.length, true)
  view.setUint32(10, 54, true)
  view.setUint32(14, 40, true)
  view.setInt32(18, width, true)
  view.setInt32(22, rows.length, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 24, true)
  for (const [y, row] of rows.toReversed().entries())
    for (const [x, colour] of row.entries())
      file.set([colour & 255, (colour >> 8) & 255, colour >> 16], 54 + y * rowBytes + x * 3)
  return file
}

const rows: Rows = [
  [0xff0000, 0x00ff00, 0x0000ff],
  [0x000000, 0xffffff, 0x808080],
]
const { settings, options } = plugin
const engine = plugin.create((settings.parse({}) as { value: object }).value, testHost())
const never = new AbortController().signal

async function write(to: string, source: Uint8Array): Promise<Uint8Array> {
  const checked = options.parse({})
  if (!checked.ok) throw new Error('options')
  const job = {
    source: fromBytes(source),
    from: 'bmp',
    to,
    options: checked.value,
    deadline: Date.now() + 200_000,
  }
  return bytesOf((await engine.convert(job, never)).value)
}

/** What stands behind a header of text, and the header. */
const ascii = (bytes: Uint8Array, length: number) => new TextDecoder().decode(bytes.subarray(0, length))
const flat = (all: Rows) => all.flat().flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255])

describe('pictures of older programs', () => {
  it('PPM holds the colours', async () => {
    const bytes = await write('ppm', bmpOf(rows))
    expect(ascii(bytes, 11)).toBe('P6\n3 2\n255\n')
    expect([...bytes.subarray(11)]).toEqual(flat(rows))
  })
  it('PGM holds the brightness', async () => {
    const bytes = await write('pgm', bmpOf(rows))
    expect(ascii(bytes, 11)).toBe('P5\n3 2\n255\n')
    expect([...bytes.subarray(11)]).toEqual([76, 150, 29, 0, 255, 128])
  })
  it('PBM holds what is dark', async () => {
    const bytes = await write('pbm', bmpOf(rows))
    expect(ascii(bytes, 7)).toBe('P4\n3 2\n')
    expect([...bytes.subarray(7)]).toEqual([0b10100000, 0b10000000])
  })
  it('Sun raster holds blue, green, red in padded rows', async () => {
    const bytes = await write('ras', bmpOf(rows))
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    const head = Array.from({ length: 8 }, (_, at) => view.getUint32(at * 4))
    expect(head).toEqual([0x59a66a95, 3, 2, 24, 20, 1, 0, 0])
    expect([...bytes.subarray(32, 42)]).toEqual([0, 0, 255, 0, 255, 0, 255, 0, 0, 0])
  })
  it('a Flash film has the picture and the right length', async () => {
    const bytes = await write('swf', bmpOf(rows))
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    expect(ascii(bytes, 3)).toBe('FWS')
    expect(view.getUint32(4, true)).toBe(bytes.length)
    const found: [number, Uint8Array][] = []
    // The frame's rectangle has 5 + 4 * 18 bits.
    for (let at = 8 + 10 + 4; at < bytes.length; ) {
      const head = view.getUint16(at, true)
      const long = (head & 63) === 63
      const length = long ? view.getUint32(at + 2, true) : head & 63
      const start = at + (long ? 6 : 2)
      found.push([head >> 6, bytes.subarray(start, start + length)])
      at = start + length
    }
    expect(found.map(([code]) => code)).toEqual([9, 20, 2, 26, 1, 0])
    const bits = found[1]?.[1] ?? new Uint8Array()
    expect([...bits.subarray(0, 7)]).toEqual([1, 0, 5, 3, 0, 2, 0])
    const pixels = [...unzlibSync(bits.subarray(7))].filter((_, at) => at % 4 !== 0)
    expect(pixels).toEqual(flat(rows))
  })
  it('PICT holds the planes of each row', async () => {
    const wide = Array.from({ length: 2 }, () => Array.from({ length: 100 }, (_, x) => x * 0x010203))
    const bytes = await write('pct', bmpOf(wide))
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    expect([...bytes.subarray(0, 512)].every((byte) => byte === 0)).toBe(true)
    expect([2, 4, 6, 8].map((at) => view.getInt16(512 + at))).toEqual([0, 0, 2, 100])
    expect(view.getUint32(522)).toBe(0x001102ff)
    expect(view.getUint16(bytes.length - 2)).toBe(0xff)
    const at = bytes.findIndex((_, index) => index > 540 && view.getUint32(index) === 0x009a0000)
    const first = at + 2 + 4 + 46 + 18
    const packed = bytes.subarray(first + 2, first + 2 + view.getUint16(first))
    expect(unpack(packed)).toEqual(
      [16, 8, 0].flatMap((shift) => (wide[0] ?? []).map((c) => (c >> shift) & 255)),
    )
  })
})

function unpack(packed: Uint8Array): number[] {
  const out: number[] = []
  for (let at = 0; at < packed.length; ) {
    const code = packed[at++] ?? 0
    if (code < 128) {
      out.push(...packed.subarray(at, at + code + 1))
      at += code + 1
    } else if (code > 128) out.push(...new Array<number>(257 - code).fill(packed[at++] ?? 0))
  }
  return out
}

describe('PackBits', () => {
  it.each(
    titled([
      [[], []],
      [[7], [0, 7]],
      [
        [7, 7, 7],
        [254, 7],
      ],
      [
        [1, 2, 3],
        [2, 1, 2, 3],
      ],
      [new Array(300).fill(9), [129, 9, 129, 9, 213, 9]],
    ]),
  )('%s', (_title, source, expected) => {
    expect([...packBits(Uint8Array.from(source))]).toEqual(expected)
    expect(unpack(Uint8Array.from(expected))).toEqual(source)
  })
})

describe('what is no picture, or too large a one', () => {
  const changed = (at: number, value: number) => {
    const file = bmpOf(rows)
    new DataView(file.buffer).setInt32(at, value, true)
    return file
  }
  it.each([
    ['nothing', new Uint8Array(0)],
    ['rubbish', Uint8Array.from({ length: 300 }, (_, at) => at)],
    ['cut short', bmpOf(rows).subarray(0, 60)],
    ['of 500 megapixels', changed(18, 500_000_000)],
    ['without rows', changed(22, 0)],
    ['packed', changed(30, 1)],
  ])('%s ends in a document error', async (_, source) => {
    await expect(write('ppm', source)).rejects.toSatisfy(
      (error) => error instanceof AppError && error.code === 'convert.document',
    )
  })
  it('reports pictures that are too wide for PICT and Flash', async () => {
    const wide = bmpOf([new Array<number>(5000).fill(0)])
    await expect(write('pct', wide)).rejects.toThrow('at most 4095 pixels wide')
    await expect(write('swf', wide)).rejects.toThrow('at most 3200 pixels wide')
  })
  it('warns about options that it does not have', async () => {
    const checked = options.parse({ Quality: 3, hardRefresh: true })
    if (!checked.ok) throw new Error('options')
    const job = {
      source: fromBytes(bmpOf(rows)),
      from: 'bmp',
      to: 'ppm',
      options: checked.value,
      deadline: 0,
    }
    expect((await engine.convert(job, never)).warnings.map(({ message }) => message)).toEqual([
      'Option Quality has no effect on output of the type ppm.',
    ])
  })
})

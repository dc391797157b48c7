import { describe, expect, test } from 'vitest'
import { createFontBook } from '../../../../../plugins/engines/instant/fonts/font-book.ts'
import { type FontEntry, joinSources } from '../../../../../plugins/engines/instant/fonts/font-source.ts'
import { glyphPicture } from '../../../../../plugins/engines/instant/fonts/sfnt/colour-bitmaps.ts'
import { describeFont } from '../../../../../plugins/engines/instant/fonts/sfnt/describe.ts'
import { readFont, tableBytes } from '../../../../../plugins/engines/instant/fonts/sfnt/font-file.ts'
import { writeSfnt } from '../../../../../plugins/engines/instant/fonts/subset/write-sfnt.ts'
import type { Placed } from '../../../../../plugins/engines/instant/layout/frame.ts'
import { shape } from '../../../../../plugins/engines/instant/text/shape.ts'
import {
  inspect,
  pageOf,
  paint,
  pdfText,
  rasterise,
  shippedFont,
  shippedSource,
} from '../../../../helpers/instant-fonts.ts'
import { plainPng } from '../../../../helpers/png.ts'

const be16 = (...values: number[]): number[] => values.flatMap((value) => [(value >> 8) & 255, value & 255])
const be32 = (...values: number[]): number[] =>
  values.flatMap((value) => [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255])
const png = plainPng(100, 100)

/** One picture of 100 pixels at 100 to the em, glyph 1, 80 pixels of it above the line. */
function strike(format: 1 | 3 | 4, metrics: 17 | 18): { places: number[]; data: number[] } {
  const glyph = [100, 100, 0, 80, 100, ...(metrics === 18 ? [0, 0, 0] : []), ...be32(png.length), ...png]
  const offsets = {
    1: be32(0, glyph.length),
    3: be16(0, glyph.length),
    4: [...be32(1), ...be16(1, 0, 2, glyph.length)],
  }[format]
  const table = [...be16(format, metrics), ...be32(4), ...offsets]
  const size = [...be32(56, 8 + table.length, 1, 0), ...Array(24).fill(0), ...be16(1, 1), 100, 100, 32, 1]
  return {
    places: [...be16(3, 0), ...be32(1), ...size, ...be16(1, 1), ...be32(8), ...table],
    data: [...be16(3, 0), ...glyph],
  }
}

/** A font of one emoji, U+1F389, in the measures of a font of letters. */
function emojiFont({ places, data }: ReturnType<typeof strike> = strike(1, 17)): Uint8Array {
  const like = shippedFont('platen-sans-regular.bin')
  const name = [...'Test Emoji'].flatMap((letter) => be16(letter.charCodeAt(0)))
  const cmap = [...be16(0, 1, 3, 10), ...be32(12), ...be16(12, 0), ...be32(28, 0, 1, 0x1f389, 0x1f389, 1)]
  const hhea = new Uint8Array(tableBytes(like, 'hhea'))
  new DataView(hhea.buffer).setUint16(34, 2)
  return writeSfnt([
    ['CBDT', new Uint8Array(data)],
    ['CBLC', new Uint8Array(places)],
    ['OS/2', tableBytes(like, 'OS/2')],
    ['cmap', new Uint8Array(cmap)],
    ['head', tableBytes(like, 'head')],
    ['hhea', hhea],
    ['hmtx', new Uint8Array(be16(0, 0, 2048, 0))],
    ['maxp', new Uint8Array([...be32(0x5000), ...be16(2)])],
    ['name', new Uint8Array([...be16(0, 1, 18, 3, 1, 0x409, 1, name.length, 0), ...name])],
  ])
}

describe('fonts of pictures', () => {
  test.each([
    [1, 17],
    [3, 17],
    [4, 17],
    [1, 18],
  ] as const)('a picture in a table of format %i with metrics %i', (format, metrics) => {
    const font = readFont(emojiFont(strike(format, metrics)))
    expect(font.outlines).toBe('pictures')
    const picture = glyphPicture(font, 1)
    expect(picture).toMatchObject({ left: 0, top: 80, perEm: 100 })
    expect([...picture!.png]).toEqual([...png])
    expect(glyphPicture(font, 0)).toBeUndefined()
  })
  test('tables that say more than they hold have none', () => {
    const whole = strike(1, 17)
    for (let cut = 0; cut < whole.places.length; cut += 1)
      expect(() =>
        glyphPicture(readFont(emojiFont({ ...whole, places: whole.places.slice(0, cut) })), 1),
      ).not.toThrow()
    const short = readFont(emojiFont({ ...whole, data: whole.data.slice(0, 40) }))
    expect(glyphPicture(short, 1)).toBeUndefined()
  })
  test('draw what no font of letters has, and mean it', () => {
    const bytes = emojiFont()
    const entries = describeFont('emoji.ttf', (offset, length) => bytes.subarray(offset, offset + length))
    expect(entries.map(({ family }) => family)).toEqual(['Test Emoji'])
    const own = { entries, read: (_: FontEntry) => bytes }
    const fonts = createFontBook(joinSources(shippedSource, own)).forDocument()
    const text = 'A🎉B'
    const face = fonts.face('Liberation Sans', false, false)
    let x = 50
    const items = fonts.runs(text, face).map((part): Placed => {
      const run = shape(text.slice(part.start, part.end), { face: part.face, size: 100 })
      x += run.width
      return { x: x - run.width, y: 150, item: { kind: 'glyphs', run, colour: 0 } }
    })
    expect(items).toHaveLength(3)
    expect(fonts.report().missing).toEqual([])
    const pdf = paint([pageOf(items)])
    expect(inspect(pdf, 'qpdf', ['--check', '{}'])).toContain('No syntax or stream encoding errors')
    expect(inspect(pdf, 'pdffonts', ['{}'])).toContain('Type 3')
    expect(pdfText(pdf).trim()).toBe(text)
    const page = rasterise(pdf)
    // The A is 66.7 wide; the picture is 100 by 100, 80 of it above the line.
    const at = (px: number, py: number): number => page.grey[py * page.width + px]!
    expect([at(125, 75), at(210, 165), at(125, 165)]).toEqual([120, 120, 120])
    expect([at(125, 65), at(125, 175), at(222, 100)]).toEqual([255, 255, 255])
  })
})

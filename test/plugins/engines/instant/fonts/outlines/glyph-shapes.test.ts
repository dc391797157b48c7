import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { charStringOutline } from '../../../../../../plugins/engines/instant/fonts/outlines/cff-outline.ts'
import {
  createGlyphShapes,
  type GlyphOutline,
} from '../../../../../../plugins/engines/instant/fonts/outlines/glyph-shapes.ts'
import { type FontFile, readFont } from '../../../../../../plugins/engines/instant/fonts/sfnt/font-file.ts'
import { glyphBox } from '../../../../../../plugins/engines/instant/fonts/sfnt/glyph-bounds.ts'
import { shippedBytes, shippedFont } from '../../../../../helpers/instant-fonts.ts'

/** The box of all points, those off the curve included. */
function boxOf(outline: GlyphOutline): readonly number[] {
  const xs: number[] = []
  const ys: number[] = []
  for (const step of outline)
    for (let at = 1; at < step.length; at += 2) {
      if (step[0] === 'C' && at < 5) continue
      xs.push(step[at] as number)
      ys.push(step[at + 1] as number)
    }
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

describe('TrueType', () => {
  const font = shippedFont('platen-sans-regular.bin')
  const { outlineOf } = createGlyphShapes()
  test.each([...'lHiÉñ8%ЖΩ'])('the outline of %s fills the box that the font declares', (letter) => {
    const glyph = font.characters.glyphOf(letter.codePointAt(0)!)
    const box = glyphBox(font, glyph)!
    const declared = [box.xMin, box.yMin, box.xMax, box.yMax]
    // Extremes of curves lie on points in these fonts.
    for (const [side, value] of boxOf(outlineOf(font, glyph)).entries())
      expect(Math.abs(value - declared[side]!)).toBeLessThanOrEqual(1)
  })
  test('a blank has none', () => expect(outlineOf(font, font.characters.glyphOf(32))).toEqual([]))
  test('a composite has the contours of its parts', () => {
    const count = (letter: string): number =>
      outlineOf(font, font.characters.glyphOf(letter.codePointAt(0)!)).filter(([kind]) => kind === 'M').length
    expect(count('É')).toBe(count('E') + 1)
  })
  test.each([
    ['whose outlines end early', (bytes: Uint8Array) => shortened(bytes, 'glyf')],
    ['with glyphs of noise', (bytes: Uint8Array) => noisy(bytes, 'glyf')],
    ['with places of noise', (bytes: Uint8Array) => noisy(bytes, 'loca')],
  ])('glyphs of a font %s are outlines or blanks', (_name, damage) => {
    const damaged = readFont(damage(Uint8Array.from(shippedBytes('platen-sans-regular.bin'))))
    const shapes = createGlyphShapes()
    for (let glyph = 0; glyph < damaged.glyphCount; glyph++)
      expect(shapes.outlineOf(damaged, glyph).length).toBeLessThan(100_000)
  })
})

/** A font in which one table is said to be a third as long. */
function shortened(bytes: Uint8Array, tag: string): Uint8Array {
  const view = new DataView(bytes.buffer)
  for (let record = 12; record < 12 + 16 * view.getUint16(4); record += 16)
    if (String.fromCharCode(...bytes.subarray(record, record + 4)) === tag)
      view.setUint32(record + 12, Math.floor(view.getUint32(record + 12) / 3))
  return bytes
}

/** A font in which one table holds numbers without a meaning. */
function noisy(bytes: Uint8Array, tag: string): Uint8Array {
  const view = new DataView(bytes.buffer)
  let state = 7
  for (let record = 12; record < 12 + 16 * view.getUint16(4); record += 16) {
    if (String.fromCharCode(...bytes.subarray(record, record + 4)) !== tag) continue
    const [start, length] = [view.getUint32(record + 8), view.getUint32(record + 12)]
    for (let at = start; at < start + length; at++) {
      state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
      if (at % 3 === 0) bytes[at] = state >> 16
    }
  }
  return bytes
}

describe('CFF', () => {
  const numbers = (...values: readonly number[]): number[] => values.map((value) => value + 139)
  const outline = (...code: readonly number[]): string =>
    charStringOutline(Uint8Array.from(code))
      .map(([kind, ...values]) => `${kind}${values.join(' ')}`)
      .join(' ')
  test.each<[string, number[], string]>([
    [
      'a width before the first move',
      [...numbers(50, 10, 20), 21, ...numbers(5, 6), 5, 14],
      'M10 20 L15 26 Z',
    ],
    ['lines in turn', [...numbers(3), 22, ...numbers(1, 2, 3), 6, 14], 'M3 0 L4 0 L4 2 L7 2 Z'],
    [
      'two contours',
      [...numbers(1), 4, ...numbers(2), 7, ...numbers(3, 0), 21, ...numbers(4), 6, 14],
      'M0 1 L0 3 Z M3 3 L7 3 Z',
    ],
    ['a curve', [...numbers(0, 0), 21, ...numbers(1, 2, 3, 4, 5, 6), 8, 14], 'M0 0 C1 2 4 6 9 12 Z'],
    [
      'curves then a line',
      [...numbers(0), 4, ...numbers(1, 2, 3, 4, 5, 6, 7, 8), 24, 14],
      'M0 0 C1 2 4 6 9 12 L16 20 Z',
    ],
    [
      'a line then a curve',
      [...numbers(0), 4, ...numbers(7, 8, 1, 2, 3, 4, 5, 6), 25, 14],
      'M0 0 L7 8 C8 10 11 14 16 20 Z',
    ],
    [
      'hvcurveto that ends off the axis',
      [...numbers(0), 4, ...numbers(1, 2, 3, 4, 5), 31, 14],
      'M0 0 C1 0 3 3 8 7 Z',
    ],
    [
      'vhcurveto in turn',
      [...numbers(0), 4, ...numbers(1, 2, 3, 4, 5, 6, 7, 8), 30, 14],
      'M0 0 C0 1 2 4 6 4 C11 4 17 11 17 19 Z',
    ],
    [
      'hhcurveto off the axis',
      [...numbers(0), 4, ...numbers(9, 1, 2, 3, 4), 27, 14],
      'M0 0 C1 9 3 12 7 12 Z',
    ],
    [
      'vvcurveto off the axis',
      [...numbers(0), 4, ...numbers(9, 1, 2, 3, 4), 26, 14],
      'M0 0 C9 1 11 4 11 8 Z',
    ],
    [
      'stems and masks',
      [...numbers(1, 2, 3, 4), 18, ...numbers(1, 2), 19, 0b11100000, ...numbers(5), 22, ...numbers(6), 6, 14],
      'M5 0 L11 0 Z',
    ],
    [
      'hflex',
      [...numbers(0), 4, ...numbers(1, 2, 3, 4, 5, 6, 7), 12, 34, 14],
      'M0 0 C1 0 3 3 7 3 C12 3 18 0 25 0 Z',
    ],
    [
      'flex1',
      [...numbers(0), 4, ...numbers(10, 1, 10, 1, 10, 1, 10, 1, 10, 1, 9), 12, 37, 14],
      'M0 0 C10 1 20 2 30 3 C40 4 50 5 59 0 Z',
    ],
    [
      'a number with a fraction',
      [255, 0, 1, 0x80, 0, ...numbers(0), 21, ...numbers(1), 6, 14],
      'M1.5 0 L2.5 0 Z',
    ],
  ])('%s', (_name, code, expected) => expect(outline(...code)).toBe(expected))

  test.each(['cantarell-few.otf', 'noto-cjk-few.otf'])(
    'glyphs of %s have outlines within reach of the em',
    (name) => {
      const font: FontFile = readFont(Uint8Array.from(readFileSync(`test/fixtures/fonts/${name}`)))
      const { outlineOf } = createGlyphShapes()
      const outlines = Array.from({ length: font.glyphCount }, (_, glyph) => outlineOf(font, glyph))
      expect(outlines.filter(({ length }) => length > 0).length).toBeGreaterThan(font.glyphCount / 2)
      for (const outline of outlines.filter(({ length }) => length > 0)) {
        const [left = 0, bottom = 0, right = 0, top = 0] = boxOf(outline)
        expect(Math.min(left, bottom)).toBeGreaterThan(-font.metrics.unitsPerEm * 2)
        expect(Math.max(right, top)).toBeLessThan(font.metrics.unitsPerEm * 3)
      }
    },
  )
})

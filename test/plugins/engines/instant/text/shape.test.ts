import { describe, expect, test } from 'vitest'
import { measure, shape, spaceKerning } from '../../../../../plugins/engines/instant/text/shape.ts'
import { shippedFace } from '../../../../helpers/instant-fonts.ts'

/** Widths in font units and glyphs as hb-shape of HarfBuzz 6.0 gives them for the shipped files. */
const harfbuzz: readonly [family: string, style: string, text: string, width: number, glyphs: string][] = [
  [
    'Liberation Sans',
    '',
    'AVATAR To We. Type 1911',
    24399,
    '34 55 34 53 34 51 1 53 80 1 56 70 15 1 53 90 81 70 1 18 26 18 18',
  ],
  ['Liberation Sans', '', 'Ωμέγα Αθήνα', 12140, '764 783 768 774 772 1 741 779 769 784 772'],
  [
    'Liberation Sans',
    '',
    'Привет Гастроном',
    17449,
    '881 914 906 900 903 916 1 869 898 915 916 914 912 911 912 910',
  ],
  [
    'Liberation Sans',
    '',
    'naïve Élève Ærøskøbing',
    22423,
    '79 66 175 87 70 1 137 77 168 87 70 1 134 83 184 84 76 184 67 74 79 72',
  ],
  ['Liberation Sans', '', 'e\u0301 x\u0301 n\u0303', 4440, '169 1 89 612 1 177'],
  [
    'Carlito',
    '',
    'first office attitude fficiency',
    22685,
    '62 110 111 115 1 104 71 48 54 1 44 1462 115 125 50 54 1 71 48 92 54 102 48 130',
  ],
  [
    'Carlito',
    '',
    'AVATAR To We. Type 1911',
    21432,
    '2 39 2 35 2 32 1 35 104 1 40 54 287 1 35 130 107 54 1 346 352 346 346',
  ],
  [
    'Carlito',
    '',
    'Привет Гастроном',
    15794,
    '226 1421 253 247 1293 262 1 215 1246 1275 262 1421 1401 258 1401 257',
  ],
  [
    'Caladea',
    'italic',
    'first office attitude fficiency',
    11150,
    '257 46 47 48 1 43 34 257 31 33 1 29 48 48 37 48 49 32 33 1 34 257 31 37 33 42 31 53',
  ],
  [
    'Caladea',
    'italic',
    'AVATAR To We. Type 1911',
    9772,
    '3 24 3 22 3 20 1 22 43 1 25 33 299 1 22 53 44 33 1 335 343 335 335',
  ],
  [
    'Liberation Serif',
    'bold',
    'AVATAR To We. Type 1911',
    23693,
    '34 55 34 53 34 51 1 53 80 1 56 70 15 1 53 90 81 70 1 18 26 18 18',
  ],
  ['Liberation Mono', '', 'Ωμέγα Αθήνα', 13519, '765 784 769 775 773 1 742 780 770 785 773'],
]

describe('agrees with HarfBuzz', () => {
  test.each(harfbuzz)('%s %s: %s', (family, style, text, width, glyphs) => {
    const face = shippedFace(family, style === 'bold', style === 'italic')
    const run = shape(text, { face, size: face.unitsPerEm })
    expect(Array.from(run.glyphs).join(' ')).toBe(glyphs)
    expect(run.width).toBeCloseTo(width, 6)
  })
})

const arial = shippedFace('Arial')
const calibri = shippedFace('Calibri')

describe('a run', () => {
  test('has a width that is the sum of its advances, and measure returns it too', () => {
    for (const text of ['', ' ', 'a', 'AV', 'To be, or  not to be', ' lead and trail ', 'x\u0301 y']) {
      for (const letterSpacing of [undefined, 0, 1.5, -0.3]) {
        const style = { face: calibri, size: 11, letterSpacing }
        const run = shape(text, style)
        expect(Array.from(run.advances).reduce((sum, advance) => sum + advance, 0)).toBeCloseTo(run.width, 9)
        expect(measure(text, style)).toBeCloseTo(run.width, 9)
      }
    }
  })
  test('maps a glyph to its characters', () => {
    const run = shape('office ti', { face: calibri, size: 10 })
    // 'ffi' and 'ti' are one glyph each.
    expect(Array.from(run.clusters)).toEqual([0, 1, 4, 5, 6, 7])
  })
  test('spaces every letter but not the marks on them', () => {
    const plain = measure('ax\u0301b', { face: arial, size: 10 })
    expect(measure('ax\u0301b', { face: arial, size: 10, letterSpacing: 2 })).toBeCloseTo(plain + 6, 9)
  })
  test('letters that are spaced make no ligatures', () => {
    expect(shape('ffi', { face: calibri, size: 10, letterSpacing: 1 }).glyphs).toHaveLength(3)
    expect(shape('ffi', { face: calibri, size: 10 }).glyphs).toHaveLength(1)
    expect(shape('ffi', { face: calibri, size: 10, ligatures: false }).glyphs).toHaveLength(3)
  })
  test('kerning can be off, and reaches over spaces when on', () => {
    const natural = ['A', 'V', ' ', 'A'].reduce(
      (sum, letter) => sum + measure(letter, { face: arial, size: 10 }),
      0,
    )
    expect(measure('AV A', { face: arial, size: 10, kerning: false })).toBeCloseTo(natural, 9)
    expect(measure('AV A', { face: arial, size: 10 })).toBeLessThan(natural)
    expect(measure(' A', { face: arial, size: 10 })).toBeLessThan(
      measure(' ', { face: arial, size: 10 }) + measure('A', { face: arial, size: 10 }),
    )
  })
  test('is scaled along the line only', () => {
    const run = shape('wide', { face: arial, size: 10, scaleX: 1.5 })
    expect(run.width).toBeCloseTo(1.5 * measure('wide', { face: arial, size: 10 }), 9)
    expect(run.scaleX).toBe(1.5)
    expect(run.size).toBe(10)
  })
  test('right to left is seen in reverse, brackets turned', () => {
    const run = shape('a(b', { face: arial, size: 10, rtl: true })
    expect(Array.from(run.clusters)).toEqual([2, 1, 0])
    expect(run.glyphs[1]).toBe(shape(')', { face: arial, size: 10 }).glyphs[0])
  })
  test('drops what guides breaking and direction', () => {
    expect(shape('a\u00ad\u200b\u200d\u2060\ufeffb', { face: arial, size: 10 }).glyphs).toHaveLength(2)
  })
  test('draws no-break spaces and hyphens as their plain relatives', () => {
    const glyphs = (text: string) => Array.from(shape(text, { face: arial, size: 10 }).glyphs)
    expect(glyphs('\u00a0')).toHaveLength(1)
    expect(measure('\u00a0', { face: arial, size: 10 })).toBe(measure(' ', { face: arial, size: 10 }))
    expect(glyphs('\u2011')).toHaveLength(1)
    expect(glyphs('\u2011')[0]).not.toBe(0)
    expect(measure('\u2003', { face: arial, size: 10 })).toBeCloseTo(10, 6)
  })
  test('combining marks are centred over their letter', () => {
    const run = shape('x\u0301', { face: arial, size: 1000 })
    expect(run.glyphs).toHaveLength(2)
    expect(run.advances[1]).toBe(0)
    const reversed = shape('x\u0301', { face: arial, size: 1000, rtl: true })
    // The mark comes first now, at the left edge of its letter, and is as far from it as before.
    expect(reversed.offsets![0]!).toBeCloseTo(run.offsets![2]! + run.advances[0]!, 6)
    // Where hb-shape puts it: 249 units back, 340 down, of 2048.
    expect([run.offsets![2], run.offsets![3]]).toEqual([(-249 * 1000) / 2048, (340 * 1000) / 2048])
  })
})

describe('words and spaces that are measured one by one', () => {
  test.each(['befindlicher Armaturen und', 'To We. Type 1911', 'A V  A', 'uses VML files', ' A'])(
    '%s',
    (text) => {
      const style = { face: shippedFace('Liberation Sans'), size: 11, script: 'latn' }
      const parts = [...text.matchAll(/ +|[^ ]+/g)].map(({ 0: part, index }) =>
        part.startsWith(' ')
          ? measure(part, style) + spaceKerning(text[index - 1] ?? '', text[index + part.length] ?? '', style)
          : measure(part, style),
      )
      const sum = parts.reduce((all, width) => all + width, 0)
      expect(sum).toBeCloseTo(measure(text, style), 6)
    },
  )
})

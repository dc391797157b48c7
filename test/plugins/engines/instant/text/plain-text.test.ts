import { describe, expect, it } from 'vitest'
import { respaced } from '../../../../../plugins/engines/instant/layout/frame.ts'
import { PlainRun } from '../../../../../plugins/engines/instant/text/plain-text.ts'
import { measure, type ShapingStyle, shape } from '../../../../../plugins/engines/instant/text/shape.ts'
import { wordShaper } from '../../../../../plugins/engines/instant/text/word-shaper.ts'
import { shippedFace } from '../../../../helpers/instant-fonts.ts'

const fonts = ['Liberation Sans', 'Liberation Serif', 'Liberation Mono', 'Carlito', 'Caladea'].map(
  (family) => ({
    family,
    style: { face: shippedFace(family), size: 11, kerning: false } satisfies ShapingStyle,
  }),
)

/** Every pair of characters of Latin-1, and words in which ligatures of three letters or marks may form. */
function texts(): string[] {
  const characters = Array.from({ length: 0x100 - 0x20 }, (_, at) => String.fromCharCode(0x20 + at))
  const pairs = characters.flatMap((first) => characters.map((second) => first + second))
  return [
    ...pairs,
    '',
    ' ',
    'office ffi fjord attic tti',
    'i\u0301 j\u0301 e\u0301',
    '1,234.50',
    'A  B ',
    'Nº 5 «ß»',
  ]
}

describe.each(fonts)('in $family', ({ style }) => {
  const shaper = wordShaper(style.face.file, { kerning: false, ligatures: true, language: undefined })

  /** The glyphs and advances of a text as its words are shaped one by one. */
  function asShaped(text: string): { glyphs: number[]; advances: number[] } {
    const script = /[A-Za-zªºÀ-ÿ]/.test(text) ? 'latn' : 'DFLT'
    const words = (text.match(/ |[^ ]+/g) ?? []).map((word) => shaper.shape(word, script))
    return {
      glyphs: words.flatMap(({ glyphs }) => glyphs),
      advances: words.flatMap(({ advances }) => advances),
    }
  }

  it('sets plain text as shaping does', () => {
    const scale = style.size / style.face.unitsPerEm
    let plain = 0
    const differing = texts().filter((text) => {
      const run = shape(text, style)
      const { glyphs, advances } = asShaped(text)
      const isPlain = run instanceof PlainRun
      if (isPlain) plain++
      return !(
        run.glyphs.length === glyphs.length &&
        glyphs.every((glyph, at) => run.glyphs[at] === glyph) &&
        advances.every((units, at) => run.advances[at] === units * scale) &&
        (!isPlain || glyphs.every((_, at) => run.clusters[at] === at)) &&
        Math.abs(measure(text, style) - run.width) < 1e-9
      )
    })
    expect(differing).toEqual([])
    // Otherwise nothing but shaping was compared with itself.
    expect(plain).toBeGreaterThan(30_000)
  })

  it('leaves ligatures, kerning, spaced letters and other scripts to shaping', () => {
    const of = (text: string, changes: Partial<ShapingStyle> = {}) => shape(text, { ...style, ...changes })
    const { length } = asShaped('fi').glyphs
    expect(of('fi') instanceof PlainRun).toBe(length === 2)
    expect(of('ab')).toBeInstanceOf(PlainRun)
    expect(of('ab', { kerning: true })).not.toBeInstanceOf(PlainRun)
    expect(of('ab', { letterSpacing: 1 })).not.toBeInstanceOf(PlainRun)
    expect(of('ab', { rtl: true })).not.toBeInstanceOf(PlainRun)
    expect(of('12', { script: 'cyrl' })).not.toBeInstanceOf(PlainRun)
    expect(of('ab', { steps: 4 })).not.toBeInstanceOf(PlainRun)
    for (const text of ['aб', 'a\u0301', 'a\u00a0b', 'a\u00adb', 'a\tb', 'a\n'])
      expect(of(text), JSON.stringify(text)).not.toBeInstanceOf(PlainRun)
  })
})

it('keeps the glyphs of plain text when its advances change', () => {
  const run = shape('abc', { face: shippedFace('Carlito'), size: 10, kerning: false })
  const wider = respaced(run, [10, 10, 10], 30)
  expect(wider).toMatchObject({
    glyphs: run.glyphs,
    clusters: [0, 1, 2],
    advances: [10, 10, 10],
    width: 30,
    text: 'abc',
  })
})

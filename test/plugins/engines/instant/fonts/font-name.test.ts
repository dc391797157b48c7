import { describe, expect, test } from 'vitest'
import { readFontName } from '../../../../../plugins/engines/instant/fonts/font-name.ts'
import type { Item } from '../../../../../plugins/engines/instant/layout/frame.ts'
import { measure, shape } from '../../../../../plugins/engines/instant/text/shape.ts'
import { shippedBook, shippedFace } from '../../../../helpers/instant-fonts.ts'
import { layWord, p } from '../../../../helpers/laid-out.ts'
import { titled } from '../../../../helpers/titled.ts'

test.each(
  titled([
    ['Arial', 'Arial', []],
    ['Linux Libertine G:smcp', 'Linux Libertine G', ['smcp']],
    ['A:smcp&onum', 'A', ['smcp', 'onum']],
    ['A:-liga&kern=0&ss02=1&dlig=on&swsh=off', 'A', ['-liga', '-kern', 'ss02', 'dlig', '-swsh']],
    ['A:lang=de&frac', 'A', ['frac']],
    ['A:onum[3:5]', 'A', []],
    ['A:', 'A', []],
    ['A:nonsense&x', 'A', []],
    [':smcp', '', ['smcp']],
    [`A:${'smcp&'.repeat(10_000)}`, 'A', Array.from({ length: 32 }, () => 'smcp')],
  ]),
)('%s', (_title, name, family, features) => expect(readFontName(name)).toEqual({ family, features }))

describe('features behind the name of a font', () => {
  const calibri = shippedFace('Calibri')
  test('turn ligatures and kerning off', () => {
    expect(shape('office', { face: calibri, size: 10 }).glyphs).toHaveLength(4)
    expect(shape('office', { face: calibri, size: 10, features: ['-liga'] }).glyphs).toHaveLength(6)
    const width = (features?: readonly string[]) => measure('AVAVA', { face: calibri, size: 100, features })
    expect(width(['-kern'])).toBeGreaterThan(width() + 10)
    expect(width(['-kern'])).toBeCloseTo(measure('AVAVA', { face: calibri, size: 100, kerning: false }), 6)
  })
  test('are no part of the family', () => {
    const fonts = shippedBook.forDocument()
    expect(fonts.face('Carlito:-liga', false, false)).toBe(fonts.face('Carlito', false, false))
    expect(fonts.has('Carlito:smcp')).toBe(true)
    expect(fonts.report().substituted).toEqual([{ family: 'Carlito', by: 'Platen Humanist' }])
  })
  test('reach the text of a document', () => {
    const { pages } = layWord({
      body: p('office', '', '<w:rFonts w:ascii="Calibri:-liga" w:hAnsi="Calibri:-liga"/>'),
    })
    const glyphs: number[] = []
    const walk = (item: Item): void => {
      if (item.kind === 'group') for (const placed of item.frame.items) walk(placed.item)
      else if (item.kind === 'glyphs') glyphs.push(...Array.from(item.run.glyphs))
    }
    for (const { frame } of pages) for (const placed of frame.items) walk(placed.item)
    expect(glyphs).toHaveLength(6)
  })
})

/** Presentations of OpenDocument that ask for too much, or for what cannot be: a deck or a typed error within bounded work. */
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import { layDeck } from '../../../../helpers/deck-layout.ts'
import { type FlatPresentation, pageOf, readFlat, textBoxOf } from '../../../../helpers/flat-presentation.ts'

const steps = 2_000_000
const lay = (presentation: FlatPresentation) =>
  layDeck(readFlat(presentation).value, { maxSteps: steps }).pages

const circle = `<style:style style:name="a" style:family="graphic" style:parent-style-name="b"/><style:style style:name="b" style:family="graphic" style:parent-style-name="a"/>`
const equations = Array.from(
  { length: 100 },
  (_, at) => `<draw:equation draw:name="f${at}" draw:formula="?f${(at + 1) % 100} + ?f${(at + 7) % 100}"/>`,
).join('')

describe('hostile presentations of OpenDocument', () => {
  it.each<[string, FlatPresentation]>([
    [
      'styles in a circle',
      { pages: pageOf(textBoxOf('x', { attributes: 'draw:style-name="a"' })), styles: circle },
    ],
    [
      'groups in groups',
      { pages: pageOf(`${'<draw:g>'.repeat(2000)}${textBoxOf('deep')}${'</draw:g>'.repeat(2000)}`) },
    ],
    [
      'lists in lists',
      {
        pages: pageOf(
          textBoxOf(
            `${'<text:list><text:list-item>'.repeat(500)}<text:p>x</text:p>${'</text:list-item></text:list>'.repeat(500)}`,
          ),
        ),
      },
    ],
    ['a size of a master that is none', { pages: '<draw:page draw:master-page-name="none"/>' }],
    [
      'equations in a circle',
      {
        pages: pageOf(
          `<draw:custom-shape svg:width="9pt" svg:height="9pt"><text:p>x</text:p><draw:enhanced-geometry draw:text-areas="?f0 ?f1 ?f2 ?f3" draw:enhanced-path="M ?f0 ?f1 L ?f2 ?f3 Z N">${equations}</draw:enhanced-geometry></draw:custom-shape>`,
        ),
      },
    ],
    [
      'a transformation of endless operations',
      {
        pages: pageOf(
          `<draw:rect svg:width="9pt" svg:height="9pt" draw:transform="${'scale (1e9 1e9) '.repeat(10_000)}"/>`,
        ),
      },
    ],
    [
      'lengths that are none',
      { pages: pageOf(textBoxOf('x', { box: [Number.NaN, -1e9, 1e9, Number.NaN] })) },
    ],
    [
      'a table of endless repetitions',
      {
        pages: pageOf(
          `<draw:frame svg:width="9pt" svg:height="9pt"><table:table><table:table-column table:number-columns-repeated="999999999"/><table:table-row table:number-rows-repeated="999999999"><table:table-cell table:number-columns-repeated="999999999" table:number-columns-spanned="99999"/></table:table-row></table:table></draw:frame>`,
        ),
      },
    ],
  ])('%s', (_, presentation) => {
    expect(lay(presentation)).toHaveLength(1)
  })
  it('a page of five metres has a size that a PDF can have', () => {
    const automatic =
      '<style:page-layout style:name="L"><style:page-layout-properties fo:page-width="500cm" fo:page-height="50000cm"/></style:page-layout>'
    const [slide] = readFlat({ pages: pageOf(''), automatic }).value.slides
    expect([slide?.width, slide?.height]).toEqual([expect.closeTo(14_173.2, 1), 14_400])
  })
  it('a master with shapes for each of many slides is read once, and more shapes than the budget are refused', () => {
    const master = '<draw:rect svg:width="9pt" svg:height="9pt"/>'.repeat(2000)
    expect(readFlat({ pages: pageOf('').repeat(1000), master }).value.slides).toHaveLength(1000)
    expect(() => readFlat({ pages: pageOf('<draw:rect/>'.repeat(100_001)) })).toThrow(AppError)
  })
})

/** Text in shapes and cells of OpenDocument presentations, as LibreOffice draws it: each figure was observed there. */
import { describe, expect, it } from 'vitest'
import type { Paragraph } from '../../../../../shared/document/content.ts'
import type { Deck } from '../../../../../shared/document/deck.ts'
import type { Shape } from '../../../../../shared/document/drawing.ts'
import { layDeck, runsOf } from '../../../../helpers/deck-layout.ts'
import { type FlatPresentation, pageOf, readFlat, textBoxOf } from '../../../../helpers/flat-presentation.ts'

const deckOf = (presentation: FlatPresentation): Deck => readFlat(presentation).value
const linesOf = (deck: Deck, at = 0) => {
  const page = layDeck(deck).pages[at]
  return page === undefined ? [] : runsOf(page)
}
const shapesOf = (deck: Deck): Shape[] =>
  deck.slides.flatMap(({ shapes }) =>
    shapes.flatMap(({ drawing }) => (drawing.content.kind === 'shape' ? [drawing.content] : [])),
  )
const paragraphsOf = (shape: Shape | undefined): Paragraph[] =>
  (shape?.text?.blocks ?? []).flatMap((block) => (block.kind === 'paragraph' ? [block] : []))

const styleOf = (properties: string, paragraph = ''): string =>
  `<style:style style:name="gr" style:family="graphic"><style:graphic-properties ${properties}/><style:paragraph-properties ${paragraph}/><style:text-properties fo:font-size="10pt"/></style:style>`
const words = 'words that are wider than their shape is'
const box = 'draw:style-name="gr" svg:x="50pt" svg:y="50pt" svg:width="60pt" svg:height="60pt"'
const geometry = (attributes = ''): string =>
  `<draw:enhanced-geometry svg:viewBox="0 0 100 100" draw:enhanced-path="M 0 0 L 100 0 100 100 0 100 Z N" ${attributes}/>`
const polygon = 'svg:viewBox="0 0 10 10" draw:points="0,0 10,0 10,10 0,10"'

describe('text of shapes', () => {
  it.each([
    ['draw:rect', '', 'wrap', 1],
    ['draw:ellipse', '', 'wrap', 1],
    ['draw:polygon', polygon, 'wrap', 1],
    ['draw:custom-shape', '', 'wrap', 3],
    ['draw:custom-shape', '', 'no-wrap', 1],
  ])('of the kind %s %s with %s has %i lines', (element, attributes, wrap, count) => {
    const inside = element === 'draw:custom-shape' ? geometry() : ''
    const shape = `<${element} ${box} ${attributes}><text:p>${words}</text:p>${inside}</${element}>`
    const lines = linesOf(
      deckOf({ pages: pageOf(shape), automatic: styleOf(`fo:wrap-option="${wrap}" fo:padding="0pt"`) }),
    )
    expect(new Set(lines.map(({ y }) => Math.round(y))).size).toBe(count)
  })
  it('is broken in a custom shape that says nothing of it', () => {
    const shape = `<draw:custom-shape ${box}><text:p>${words}</text:p>${geometry()}</draw:custom-shape>`
    expect(shapesOf(deckOf({ pages: pageOf(shape), automatic: styleOf('') }))[0]?.text?.wraps).toBe(true)
  })
  it('begins at the side of the box of an ellipse, not within its outline', () => {
    const shape = `<draw:ellipse ${box}><text:p>x</text:p></draw:ellipse>`
    const [line] = linesOf(deckOf({ pages: pageOf(shape), automatic: styleOf('fo:padding="2pt"') }))
    expect(line?.x).toBeCloseTo(52, 1)
  })
  it.each([
    ['draw:mirror-vertical="true"', 180],
    ['draw:mirror-horizontal="true"', undefined],
    ['draw:text-rotate-angle="180"', 180],
    ['draw:mirror-vertical="true" draw:text-rotate-angle="-180"', undefined],
  ])('in a shape with %s is turned by %s degrees', (mirrored, turn) => {
    const shape = `<draw:custom-shape ${box}><text:p>x</text:p>${geometry(mirrored)}</draw:custom-shape>`
    expect(shapesOf(deckOf({ pages: pageOf(shape), automatic: styleOf('') }))[0]?.text?.turn).toBe(turn)
  })
  it.each([
    ['0cm', '-1cm', 0, 0],
    ['9pt', '-1cm', 9, -9],
    ['-9pt', '0cm', 0, 0],
    ['2cm', '-9pt', 56.69, -9],
  ])(
    'with a margin of %s and an indent of %s does not begin before the text',
    (margin, indent, start, first) => {
      const automatic = styleOf('', `fo:margin-left="${margin}" fo:text-indent="${indent}"`)
      const [shape] = shapesOf(
        deckOf({ pages: pageOf(textBoxOf('x', { attributes: 'draw:style-name="gr"' })), automatic }),
      )
      const declared = paragraphsOf(shape)[0]?.properties.indent
      expect(declared?.start).toBeCloseTo(start, 1)
      expect(declared?.first).toBeCloseTo(first, 1)
    },
  )
})

it.each([
  ['style:punctuation-wrap="simple"', false],
  ['style:punctuation-wrap="hanging"', true],
  ['', undefined],
])('punctuation at the end of lines hangs as a style with %s says: %s', (properties, hangs) => {
  const styles = `<style:default-style style:family="graphic"><style:paragraph-properties ${properties}/></style:default-style>`
  const [shape] = shapesOf(deckOf({ pages: pageOf(textBoxOf('x')), styles }))
  expect(paragraphsOf(shape)[0]?.properties.hangingPunctuation).toBe(hangs)
})

describe('lines of text that shrinks', () => {
  const named = (name: string, fit: string, isIndependent: boolean): string =>
    `<style:style style:name="${name}" style:family="graphic"><style:graphic-properties draw:fit-to-size="${fit}"/><style:paragraph-properties style:font-independent-line-spacing="${isIndependent}"/></style:style>`
  const automatic = [
    named('shrinks', 'shrink-to-fit', true),
    named('independent', 'false', true),
    named('dependent', 'false', false),
  ].join('')
  const textBoxes = (...names: readonly string[]): string =>
    names.map((name) => textBoxOf('x', { attributes: `draw:style-name="${name}"` })).join('')
  const cell = `<draw:frame svg:width="90pt" svg:height="20pt"><table:table><table:table-column/><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table></draw:frame>`
  it.each([
    ['alone', textBoxes('shrinks'), undefined],
    ['after text that ignores its font', textBoxes('independent', 'shrinks'), true],
    ['after text that does not', textBoxes('independent', 'dependent', 'shrinks'), undefined],
    ['after a table', textBoxes('independent') + cell + textBoxes('shrinks'), undefined],
  ])('%s', (_, shapes, ignores) => {
    const shape = shapesOf(deckOf({ pages: pageOf(shapes), automatic })).at(-1)
    expect(paragraphsOf(shape)[0]?.mark.lineIgnoresFont).toBe(ignores)
  })
  const field = '<text:p><presentation:footer/></text:p>'
  const footer = textBoxOf(field, { attributes: 'draw:style-name="independent"' })
  it.each([
    ['text of the master', textBoxes('independent'), pageOf(textBoxes('shrinks')), undefined],
    ['a field of the master', footer, pageOf(textBoxes('shrinks'), 'presentation:use-footer-name="f"'), true],
    ['the first slide', '', pageOf(textBoxes('independent')) + pageOf(textBoxes('shrinks')), undefined],
    [
      'the second slide',
      '',
      pageOf('') + pageOf(textBoxes('independent')) + pageOf(textBoxes('shrinks')),
      true,
    ],
  ])('follow %s', (_, master, pages, ignores) => {
    const declarations = '<presentation:footer-decl presentation:name="f">x</presentation:footer-decl>'
    const shape = shapesOf(deckOf({ pages, master, automatic, declarations })).at(-1)
    expect(paragraphsOf(shape)[0]?.mark.lineIgnoresFont).toBe(ignores)
  })
})

describe('numbers of lists', () => {
  const lists =
    '<text:list-style style:name="N"><text:list-level-style-number text:level="1" style:num-suffix="." style:num-format="1"/><text:list-level-style-number text:level="2" style:num-suffix=")" style:num-format="a"/></text:list-style><text:list-style style:name="B"><text:list-level-style-bullet text:level="1" text:bullet-char="-"/></text:list-style>'
  const item = (content: string): string => `<text:list-item>${content}</text:list-item>`
  const list = (attributes: string, ...items: readonly string[]): string =>
    `<text:list text:style-name="N" ${attributes}>${items.map(item).join('')}</text:list>`
  const p = '<text:p>x</text:p>'
  const inner = `<text:list>${item(p)}${item(p)}</text:list>`
  it.each([
    ['go on behind another paragraph', list('', p) + p + list('', p), ['1.', '2.']],
    [
      'go on behind a deeper level, which begins anew',
      list('', p + inner, p + inner),
      ['1.', 'a)', 'b)', '2.', 'a)', 'b)'],
    ],
    [
      'begin anew behind a bullet',
      `${list('', p)}<text:list text:style-name="B">${item(p)}</text:list>${list('', p)}`,
      ['1.', '-', '1.'],
    ],
    [
      'begin where an item says',
      list('', p) +
        list('', p).replace('<text:list-item>', '<text:list-item text:start-value="7">') +
        list('', p),
      ['1.', '7.', '8.'],
    ],
  ])('%s', (_, text, labels) => {
    const lines = linesOf(
      deckOf({ pages: pageOf(textBoxOf(text, { box: [0, 0, 300, 200] })), automatic: lists }),
    )
    expect(lines.map((line) => line.text).filter((label) => label !== 'x')).toEqual(labels)
  })
  it('are those of each text and cell alone, whatever they continue', () => {
    const continued = list('text:continue-numbering="true"', p, p)
    const cell = `<table:table-cell>${continued}</table:table-cell>`
    const table = `<draw:frame svg:width="300pt" svg:height="80pt"><table:table><table:table-column/><table:table-column/><table:table-row>${cell}${cell}</table:table-row></table:table></draw:frame>`
    const lines = linesOf(
      deckOf({ pages: pageOf(textBoxOf(continued) + textBoxOf(continued) + table), automatic: lists }),
    )
    const labels = lines.map(({ text }) => text).filter((text) => text !== 'x')
    expect(labels).toEqual(['1.', '2.', '1.', '2.', '1.', '2.', '1.', '2.'])
  })
})

describe('cells of a table without a template', () => {
  const standard =
    '<style:style style:name="standard" style:family="graphic"><style:graphic-properties draw:fill="solid" draw:fill-color="#ffcc00"/></style:style>'
  it.each([
    ['have the fill of the standard style', '', 'FFCC00'],
    ['have their fill', 'draw:fill="solid" draw:fill-color="#00ff00"', '00FF00'],
    ['have none where they say so', 'draw:fill="none"', undefined],
  ])('%s', (_, properties, shading) => {
    const automatic = `<style:style style:name="ce" style:family="table-cell"><style:graphic-properties ${properties}/></style:style>`
    const table = `<draw:frame svg:width="90pt" svg:height="20pt"><table:table><table:table-column/><table:table-row><table:table-cell table:style-name="ce"><text:p>x</text:p></table:table-cell></table:table-row></table:table></draw:frame>`
    const [block] =
      shapesOf(deckOf({ pages: pageOf(table), styles: standard, automatic }))[0]?.text?.blocks ?? []
    expect(block?.kind === 'table' && block.rows[0]?.cells[0]?.properties.shading).toBe(shading)
  })
})

it.each([
  ['svg:stroke-width="0cm"', 0],
  ['', 0],
  ['svg:stroke-width="3pt"', 3],
])('a line with %s is %s points wide, of which none is the thinnest line of a device', (width, expected) => {
  const deck = deckOf({
    pages: pageOf(`<draw:rect ${box}/>`),
    automatic: styleOf(`draw:stroke="solid" ${width}`),
  })
  const items = JSON.stringify(layDeck(deck).pages[0]?.frame.items)
  expect(/"stroke":\{[^}]*"width":(\d+)/.exec(items)?.[1]).toBe(String(expected))
})

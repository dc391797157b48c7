/** Presentations of OpenDocument into the model of decks: what slides, masters, styles and texts become. */
import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { readDeck } from '../../../../../plugins/formats/odp/slides/index.ts'
import { readFodp, readOdp } from '../../../../../plugins/formats/odp/slides/open.ts'
import type { Paragraph } from '../../../../../shared/document/content.ts'
import type { Deck } from '../../../../../shared/document/deck.ts'
import type { Drawing, Shape } from '../../../../../shared/document/drawing.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import { layDeck, runsOf } from '../../../../helpers/deck-layout.ts'
import { zipOf } from '../../../../helpers/docx.ts'
import {
  type FlatPresentation,
  flatPresentation,
  pageOf,
  readFlat,
  textBoxOf,
} from '../../../../helpers/flat-presentation.ts'

const deckOf = (presentation: FlatPresentation | string): Deck =>
  readFlat(typeof presentation === 'string' ? { pages: pageOf(presentation) } : presentation).value

/** The first drawing of the first slide. */
function firstDrawing(deck: Deck): Drawing {
  const drawing = deck.slides[0]?.shapes[0]?.drawing
  if (drawing === undefined) throw new Error('nothing is drawn')
  return drawing
}

function firstShape(deck: Deck): Shape {
  const { content } = firstDrawing(deck)
  if (content.kind !== 'shape') throw new Error(`a ${content.kind} is drawn`)
  return content
}

function paragraphsOf(deck: Deck): Paragraph[] {
  return (firstShape(deck).text?.blocks ?? []).flatMap((block) => (block.kind === 'paragraph' ? [block] : []))
}

/** The texts of a slide as they are laid out. */
const textsOf = (deck: Deck, at = 0): string[] => {
  const page = layDeck(deck).pages[at]
  return page === undefined ? [] : runsOf(page).map(({ text }) => text)
}

const graphic = (name: string, properties: string, more = ''): string =>
  `<style:style style:name="${name}" style:family="graphic"><style:graphic-properties ${properties}/>${more}</style:style>`
const pageStyle = (name: string, properties: string): string =>
  `<style:style style:name="${name}" style:family="drawing-page"><style:drawing-page-properties ${properties}/></style:style>`

describe('slides of OpenDocument', () => {
  it('have the size of the page layout of their master, their title and their place', () => {
    const [slide] = deckOf(textBoxOf('Goals', { attributes: 'presentation:class="title"' })).slides
    expect(slide).toMatchObject({ id: 'slide-1', width: 400, height: 300, title: 'Goals' })
    expect(slide?.shapes[0]).toMatchObject({ x: 10, y: 20, drawing: { width: 100, height: 50 } })
  })
  it('are left out where they are hidden, and links to the others still lead there', () => {
    const link = `<draw:a xlink:href="#last">${textBoxOf('go')}</draw:a>`
    const pages = `${pageOf(link, 'draw:name="first"')}${pageOf('', 'draw:style-name="dpHidden"')}${pageOf('', 'draw:name="last"')}`
    const deck = deckOf({ pages, automatic: pageStyle('dpHidden', 'presentation:visibility="hidden"') })
    expect(deck.slides.map(({ id }) => id)).toEqual(['slide-1', 'slide-3'])
    expect(firstDrawing(deck).link).toEqual({ anchor: 'slide-3' })
  })
  it.each([
    ['next-page', 'slide-2'],
    ['last-page', 'slide-3'],
    ['previous-page', undefined],
  ])('the action %s leads to %s', (action, anchor) => {
    const listener = `<office:event-listeners><presentation:event-listener script:event-name="dom:click" presentation:action="${action}"/></office:event-listeners>`
    const shape = `<draw:rect svg:width="9pt" svg:height="9pt">${listener}</draw:rect>`
    const deck = deckOf({ pages: pageOf(shape) + pageOf('') + pageOf('') })
    expect(firstDrawing(deck).link).toEqual(anchor === undefined ? undefined : { anchor })
  })
  it('packages are read like flat files', async () => {
    const xml = flatPresentation({ pages: pageOf(textBoxOf('packed')) })
    const bytes = await zipOf({
      mimetype: 'application/vnd.oasis.opendocument.presentation',
      'styles.xml': xml,
      'content.xml': xml,
    })
    expect(textsOf(readOdp(bytes, { codec: nodeCodec, limits: defaultLimits }).value)).toEqual(['packed'])
  })
  it('name the letters that are in no shape, and not those of notes and comments', () => {
    const comment = '<office:annotation><text:p>never</text:p></office:annotation>'
    const notes = `<presentation:notes>${textBoxOf('<text:p>never</text:p>')}</presentation:notes>`
    const wrapped = `<draw:newer>${textBoxOf('<text:p>words</text:p>')}</draw:newer>`
    expect(deckOf(textBoxOf('<text:p>shown</text:p>') + notes + comment).unread).toBeUndefined()
    expect(deckOf(textBoxOf('<text:p>shown</text:p>') + wrapped).unread).toEqual([
      { part: 'content.xml', letters: 5 },
    ])
  })
  it.each([
    ['no slides', ''],
    ['no slide that is shown', pageOf('', 'draw:style-name="dpHidden"')],
  ])('a presentation with %s is refused', (_, pages) => {
    const automatic = pageStyle('dpHidden', 'presentation:visibility="hidden"')
    expect(() => readFlat({ pages, automatic })).toThrow(AppError)
  })
})

describe('masters of OpenDocument', () => {
  const master =
    textBoxOf('logo') +
    textBoxOf('prompt', { attributes: 'presentation:class="title" presentation:placeholder="true"' }) +
    textBoxOf('<text:p><presentation:footer/></text:p>', { attributes: 'presentation:class="footer"' }) +
    textBoxOf('<text:p><text:page-number>#</text:page-number></text:p>', {
      attributes: 'presentation:class="page-number"',
    })
  const declarations =
    '<presentation:footer-decl presentation:name="f1">Confidential</presentation:footer-decl>'
  const named = 'presentation:use-footer-name="f1"'
  it.each([
    ['all of it', '', ['logo', 'Confidential', '1']],
    ['no footer', 'presentation:display-footer="false"', ['logo', '1']],
    ['no number', 'presentation:display-page-number="false"', ['logo', 'Confidential']],
    ['none of its objects', 'presentation:background-objects-visible="false"', []],
  ])('a slide with the setting shows %s', (_, properties, texts) => {
    const pages = pageOf('', `draw:style-name="dp1" ${named}`)
    expect(textsOf(deckOf({ pages, master, declarations, automatic: pageStyle('dp1', properties) }))).toEqual(
      texts,
    )
  })
  it('show the fields of each slide, also in shapes of no class', () => {
    const field = (name: string): string => textBoxOf(`<text:p><${name}/></text:p>`)
    const deck = deckOf({
      pages:
        pageOf(field('loext:page-name'), `draw:name="page1" ${named}`) +
        pageOf(field('loext:page-name'), 'draw:name="Results"'),
      master: field('presentation:footer') + field('loext:page-name'),
      declarations,
    })
    expect(deck.slides.map((slide) => textsOf({ ...deck, slides: [slide] }))).toEqual([
      ['Confidential', 'Slide 1', 'Slide 1'],
      ['Results', 'Results'],
    ])
  })
  it.each([
    ['in its format', 'D1', '1970'],
    ['without a format of its own', 'D9', '01/01/70'],
  ])('show the current date that a slide declares, %s', (_, style, text) => {
    const xml = flatPresentation({
      pages: pageOf('', 'presentation:use-date-time-name="d1"'),
      declarations: `<presentation:date-time-decl presentation:name="d1" presentation:source="current-date" style:data-style-name="${style}"/>`,
      master: textBoxOf('<text:p><presentation:date-time/></text:p>', {
        attributes: 'presentation:class="date-time"',
      }),
    })
    const formats =
      '<number:date-style style:name="D1"><number:year number:style="long"/></number:date-style>'
    const content = xml.replace('<office:automatic-styles>', `<office:automatic-styles>${formats}`)
    const deck = readDeck((name) =>
      name === 'styles.xml' || name === 'content.xml'
        ? new TextEncoder().encode(name === 'styles.xml' ? xml : content)
        : undefined,
    ).value
    expect(textsOf(deck)).toEqual([text])
  })
  it.each([
    ['its own', 'draw:fill="solid" draw:fill-color="#112233"', '112233'],
    ['that of its master', '', 'AABBCC'],
    ['none', 'presentation:background-visible="false"', undefined],
  ])('the background of a slide is %s', (_, properties, color) => {
    const automatic =
      pageStyle('dp1', properties) + pageStyle('dpM', 'draw:fill="solid" draw:fill-color="#aabbcc"')
    expect(deckOf({ pages: pageOf('', 'draw:style-name="dp1"'), automatic }).slides[0]?.color).toBe(color)
  })
})

describe('shapes of OpenDocument', () => {
  it('are filled, outlined and shadowed as their style and the default style say', () => {
    const styles = `<style:default-style style:family="graphic"><style:graphic-properties svg:stroke-color="#445566" draw:fill-color="#778899"/></style:default-style>`
    const automatic = graphic(
      'gr',
      'draw:fill="solid" draw:stroke="solid" svg:stroke-width="2pt" draw:opacity="40%" draw:shadow="visible" draw:shadow-offset-x="3pt" draw:shadow-offset-y="4pt" draw:shadow-color="#010203"',
    )
    const shape = '<draw:rect draw:style-name="gr" svg:width="90pt" svg:height="9pt"/>'
    expect(firstShape(deckOf({ pages: pageOf(shape), styles, automatic }))).toMatchObject({
      fill: '778899',
      fillOpacity: 0.4,
      stroke: { color: '445566', width: 2 },
      shadow: { x: 3, y: 4, color: '010203' },
    })
  })
  it.each([
    ['square', true, ['read.gradient']],
    ['rectangular', true, ['read.gradient']],
    ['ellipsoid', true, ['read.gradient']],
    ['ellipsoid', false, []],
    ['radial', true, []],
    ['linear', true, []],
  ])(
    'a gradient of the kind %s that is in use (%s) is reported where it is simplified',
    (kind, isUsed, codes) => {
      const fill = isUsed ? 'draw:fill="gradient" draw:fill-gradient-name="G"' : 'draw:fill="none"'
      const { warnings } = readFlat({
        pages: pageOf(textBoxOf('x', { attributes: 'draw:style-name="gr"' })),
        automatic: `<draw:gradient draw:name="G" draw:style="${kind}" draw:start-color="#ff0000" draw:end-color="#0000ff"/>${graphic('gr', fill)}`,
      })
      expect(warnings.map(({ code }) => code)).toEqual(codes)
    },
  )
  it('a text box has neither fill nor outline by itself', () => {
    const { fill, stroke } = firstShape(deckOf(textBoxOf('x')))
    expect([fill, stroke]).toEqual([undefined, undefined])
  })
  it.each([
    ['translate (30pt 40pt)', [30, 40, 60, 20, 0]],
    ['rotate (1.5707963) translate (30pt 40pt)', [10, 0, 60, 20, -90]],
    ['rotate (-1.5707963) translate (30pt 40pt)', [-10, 60, 60, 20, 90]],
    ['scale (2 3)', [0, 0, 120, 60, 0]],
  ])(
    'the transformation %s is followed',
    (transform, [x = 0, y = 0, width = 0, height = 0, rotation = 0]) => {
      const shape = `<draw:rect svg:width="60pt" svg:height="20pt" draw:transform="${transform}"/>`
      const [child] = deckOf(shape).slides[0]?.shapes ?? []
      expect(child?.x).toBeCloseTo(x, 2)
      expect(child?.y).toBeCloseTo(y, 2)
      expect(child?.drawing.width).toBeCloseTo(width, 2)
      expect(child?.drawing.height).toBeCloseTo(height, 2)
      expect(child?.drawing.rotation).toBeCloseTo(rotation, 2)
    },
  )
  it('a bent connector follows its path, a straight one its ends', () => {
    const bent =
      '<draw:connector svg:x1="1cm" svg:y1="1cm" svg:x2="3cm" svg:y2="2cm" svg:d="M1000 1000h1000v1000h1000"/>'
    const [child] = deckOf(bent).slides[0]?.shapes ?? []
    expect(child?.x).toBeCloseTo(28.35, 1)
    expect(child?.drawing.width).toBeCloseTo(56.7, 1)
    const { geometry } = firstShape(deckOf(bent))
    expect(geometry.kind === 'path' && geometry.lines?.length).toBe(4)
    const line = '<draw:line svg:x1="9pt" svg:y1="2pt" svg:x2="1pt" svg:y2="8pt"/>'
    expect(firstShape(deckOf(line))).toMatchObject({ flipHorizontal: true })
  })
  it('text of a custom shape keeps to the text area of the shape', () => {
    const shape = `<draw:custom-shape svg:width="200pt" svg:height="100pt"><text:p>in</text:p><draw:enhanced-geometry svg:viewBox="0 0 100 100" draw:text-areas="50 ?f0 100 100" draw:enhanced-path="M 0 0 L 100 0 100 100 Z N"><draw:equation draw:name="f0" draw:formula="right/4"/></draw:enhanced-geometry></draw:custom-shape>`
    const { geometry } = firstShape(deckOf(shape))
    expect(geometry.kind === 'path' && geometry.textArea).toEqual([0.5, 0.25, 1, 1])
    const page = layDeck(deckOf(shape)).pages[0]
    expect(page && runsOf(page)[0]?.x).toBeGreaterThanOrEqual(100)
  })
  it('members of groups keep their positions on the page', () => {
    const group = `<draw:g>${textBoxOf('a', { box: [50, 60, 10, 10] })}${textBoxOf('b', { box: [70, 80, 10, 10] })}</draw:g>`
    const [child] = deckOf(group).slides[0]?.shapes ?? []
    expect(child).toMatchObject({ x: 50, y: 60, drawing: { width: 30, height: 30 } })
    expect(child?.drawing.content).toMatchObject({
      children: [
        { x: 0, y: 0 },
        { x: 20, y: 20 },
      ],
    })
  })
  it('a picture inside the XML is drawn, with its alternative text', () => {
    const pixel = btoa('GIF89a')
    const picture = `<draw:frame svg:width="9pt" svg:height="9pt"><draw:image><office:binary-data>${pixel}</office:binary-data></draw:image><svg:desc>A dot</svg:desc></draw:frame>`
    const deck = deckOf(picture)
    expect(firstDrawing(deck)).toMatchObject({ description: 'A dot', content: { kind: 'picture' } })
    expect([...deck.media.values()].map(({ length }) => length)).toEqual([6])
  })
  it.each([
    ['read.scene', '<dr3d:scene xmlns:dr3d="urn:oasis:names:tc:opendocument:xmlns:dr3d:1.0"/>'],
    ['read.object', '<draw:frame svg:width="9pt" svg:height="9pt"><draw:object-ole/></draw:frame>'],
  ])('what is not drawn is reported as %s', (code, shape) => {
    expect(readFlat({ pages: pageOf(shape) }).warnings.map((warning) => warning.code)).toContain(code)
  })
})

describe('text of slides of OpenDocument', () => {
  const styles = `<style:default-style style:family="graphic"><style:paragraph-properties fo:text-align="center"/><style:text-properties fo:font-size="24pt" fo:color="#111111"/></style:default-style>${graphic('standard', '', '<style:text-properties fo:font-weight="bold"/>')}`
  const automatic = `<style:style style:name="gr" style:family="graphic" style:parent-style-name="standard"><style:text-properties fo:color="#222222"/></style:style><style:style style:name="P" style:family="paragraph"><style:paragraph-properties fo:margin-left="9pt"/><style:text-properties fo:font-size="20pt"/></style:style><style:style style:name="T" style:family="text"><style:text-properties fo:font-style="italic"/></style:style>`
  it('inherits from the default style, the styles of its shape, its paragraph and its span', () => {
    const text = '<text:p text:style-name="P">a<text:span text:style-name="T">b</text:span></text:p>'
    const pages = pageOf(textBoxOf(text, { attributes: 'draw:style-name="gr"' }))
    const [paragraph] = paragraphsOf(deckOf({ pages, styles, automatic }))
    expect(paragraph?.properties).toMatchObject({ align: 'center', indent: { start: 9 } })
    expect(paragraph?.inlines).toMatchObject([
      { text: 'a', run: { size: 20, bold: true, color: '222222' } },
      { text: 'b', run: { size: 20, bold: true, italic: true } },
    ])
  })
  it('the levels of an outline have the styles of the outline', () => {
    const outline = (level: number, size: number) =>
      `<style:style style:name="M-outline${level}" style:family="presentation"><style:text-properties fo:font-size="${size}pt"/></style:style>`
    const text =
      '<text:list><text:list-item><text:p>a</text:p><text:list><text:list-item><text:p>b</text:p></text:list-item></text:list></text:list-item></text:list>'
    const pages = pageOf(
      textBoxOf(text, { attributes: 'presentation:style-name="M-outline1" presentation:class="outline"' }),
    )
    const paragraphs = paragraphsOf(deckOf({ pages, styles: outline(1, 30) + outline(2, 26) }))
    expect(paragraphs.map(({ inlines }) => inlines)).toMatchObject([
      [{ text: 'a', run: { size: 30 } }],
      [{ text: 'b', run: { size: 26 } }],
    ])
  })
  it('bullets have a size relative to their text and are centred in their lines', () => {
    const list = `<text:list-style style:name="L1"><text:list-level-style-bullet text:level="1" text:bullet-char="●"><style:list-level-properties text:min-label-width="9pt"/><style:text-properties fo:font-family="StarSymbol" fo:font-size="45%"/></text:list-level-style-bullet></text:list-style>`
    const text =
      '<text:list text:style-name="L1"><text:list-item><text:p text:style-name="P">a</text:p></text:list-item></text:list>'
    const deck = deckOf({ pages: pageOf(textBoxOf(text)), automatic: automatic + list })
    const [paragraph] = paragraphsOf(deck)
    const level = deck.numbering.get(paragraph?.properties.list?.list ?? '')?.levels[0]
    expect(level).toMatchObject({ text: '●', isCentred: true, run: { size: 9 } })
    expect(textsOf(deck)).toEqual(['●', 'a'])
  })
  it('bullets follow the size of the first letter rather than that of the paragraph', () => {
    const list = `<text:list-style style:name="L1"><text:list-level-style-bullet text:level="1" text:bullet-char="●"><style:text-properties fo:font-size="50%"/></text:list-level-style-bullet></text:list-style>`
    const big =
      '<style:style style:name="big" style:family="text"><style:text-properties fo:font-size="60pt"/></style:style>'
    const text =
      '<text:list text:style-name="L1"><text:list-item><text:p><text:span text:style-name="big">a</text:span></text:p></text:list-item></text:list>'
    const deck = deckOf({ pages: pageOf(textBoxOf(text)), automatic: big + list })
    const [paragraph] = paragraphsOf(deck)
    expect(deck.numbering.get(paragraph?.properties.list?.list ?? '')?.levels[0]?.run.size).toBe(30)
  })
  it.each([
    ['begins at the top of a text box that keeps its height', 'middle', 'false', 100],
    ['grows out of the middle of a text box that grows', 'middle', 'true', 100 - 15],
    ['grows upward where it is aligned to the bottom', 'bottom', 'true', 100 - 30],
    ['grows downward where it is aligned to the top', 'top', 'true', 100],
  ])('tall text %s', (_, align, grows, top) => {
    const style = `draw:textarea-vertical-align="${align}" draw:auto-grow-height="${grows}" fo:padding="0pt"`
    const ten =
      '<style:paragraph-properties fo:line-height="20pt"/><style:text-properties fo:font-size="10pt"/>'
    const lines = '<text:p>one</text:p><text:p>two</text:p><text:p>three</text:p>'
    // Three lines of 20 pt in a box of 30 pt, and one line in a box that it fits.
    const first = (text: string, height: number, attributes: string): number => {
      const box = textBoxOf(text, { attributes, box: [10, 100, 100, height] })
      const automatic = graphic('gr', style, ten) + graphic('top', 'fo:padding="0pt"', ten)
      const [page] = layDeck(deckOf({ pages: pageOf(box), automatic })).pages
      return (page === undefined ? undefined : runsOf(page)[0]?.y) ?? 0
    }
    const ascent = first('one', 30, 'draw:style-name="top"') - 100
    expect(first(lines, 30, 'draw:style-name="gr"') - ascent).toBeCloseTo(top, 1)
  })
  it('last lines are not justified, whatever the style sets', () => {
    const justified =
      '<style:style style:name="J" style:family="paragraph"><style:paragraph-properties fo:text-align="justify" fo:text-align-last="justify"/></style:style>'
    const deck = deckOf({
      pages: pageOf(textBoxOf('<text:p text:style-name="J">a b</text:p>')),
      automatic: justified,
    })
    expect(paragraphsOf(deck)[0]?.properties).not.toHaveProperty('alignLast')
  })
  it('an empty paragraph is as tall as the text of its empty span', () => {
    const text = '<text:p><text:span text:style-name="big"/></text:p><text:p>x</text:p>'
    const big =
      '<style:style style:name="big" style:family="text"><style:text-properties fo:font-size="60pt"/></style:style>'
    expect(paragraphsOf(deckOf({ pages: pageOf(textBoxOf(text)), automatic: big }))[0]?.mark.size).toBe(60)
  })
  it.each([
    ['true', 'add'],
    ['false', 'collapse'],
  ])('with ParagraphSummation %s the space between paragraphs is to %s', (value, gap) => {
    const settings = `<office:settings><config:config-item config:name="ParagraphSummation" config:type="boolean">${value}</config:config-item></office:settings>`
    expect(deckOf({ pages: pageOf(''), settings }).paragraphGap).toBe(gap)
  })
  it('text that is shrunk into its shape is, and its lines have the heights of its font', () => {
    const more = '<style:paragraph-properties style:font-independent-line-spacing="true"/>'
    const shrinks = graphic('gr', 'draw:fit-to-size="shrink-to-fit"', more)
    const keeps = graphic('gr', 'draw:auto-grow-height="false"', more)
    const textIn = (automaticStyles: string) =>
      deckOf({
        pages: pageOf(textBoxOf('x', { attributes: 'draw:style-name="gr"' })),
        automatic: automaticStyles,
      })
    expect(firstShape(textIn(shrinks)).text).toMatchObject({ shrinks: true, grows: false })
    expect(paragraphsOf(textIn(shrinks))[0]?.mark.lineIgnoresFont).toBeUndefined()
    expect(paragraphsOf(textIn(keeps))[0]?.mark.lineIgnoresFont).toBe(true)
  })
})

describe('tables of slides of OpenDocument', () => {
  const cell = (name: string, padding: string, fill: string): string =>
    `<style:style style:name="${name}" style:family="table-cell"><style:graphic-properties draw:fill="solid" draw:fill-color="${fill}" fo:padding="${padding}"/><style:paragraph-properties fo:border="1pt solid #000000"/><style:text-properties fo:font-size="11pt"/></style:style>`
  const template =
    '<table:table-template table:name="T"><table:first-row table:style-name="head"/><table:body table:style-name="body"/></table:table-template>'
  const row = (...texts: readonly string[]): string =>
    `<table:table-row>${texts.map((text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join('')}</table:table-row>`
  const styles = cell('head', '2pt', '#0000ff') + cell('body', '3pt', '#ffffff') + template
  const table = `<draw:frame svg:width="200pt" svg:height="80pt"><table:table table:template-name="T" table:use-first-row-styles="true"><table:table-column/><table:table-column/>${row('a', 'b')}${row('c', 'd')}</table:table></draw:frame>`
  it('their cells have the styles of the parts of the template that the table uses', () => {
    const [block] = firstShape(deckOf({ pages: pageOf(table), styles })).text?.blocks ?? []
    if (block?.kind !== 'table') throw new Error('no table')
    expect(block.rows.map(({ cells }) => cells[0])).toMatchObject([
      { properties: { shading: '0000FF', margins: { left: 2 }, borders: { top: { width: 1 } } } },
      { properties: { shading: 'FFFFFF', margins: { left: 3 } } },
    ])
    expect(textsOf(deckOf({ pages: pageOf(table), styles }))).toEqual(['a', 'b', 'c', 'd'])
  })
  it('their empty cells have a line in the size of the standard style, and the frame holds their height', () => {
    const standard =
      '<style:style style:name="standard" style:family="graphic"><style:text-properties fo:font-size="18pt"/></style:style>'
    const pages = pageOf(table.replace('<text:p>a</text:p>', ''))
    const [block] = firstShape(deckOf({ pages, styles: standard })).text?.blocks ?? []
    if (block?.kind !== 'table') throw new Error('no table')
    expect(block.rows[0]?.cells[0]?.blocks).toMatchObject([{ kind: 'paragraph', mark: { size: 18 } }])
    expect(block.properties.frameHeight).toBe(80)
  })
})

describe('text in the middle or at the end of its box', () => {
  const placesOf = (align: string) => {
    const box = `<style:style style:name="g" style:family="graphic"><style:graphic-properties draw:textarea-horizontal-align="${align}"/><style:text-properties style:font-name="Liberation Sans" fo:font-size="10pt"/></style:style>`
    const text = '<text:p>wide line</text:p><text:p>i</text:p>'
    const pages = pageOf(textBoxOf(text, { attributes: 'draw:style-name="g"', box: [10, 20, 200, 50] }))
    return layDeck(deckOf({ pages, styles: box })).pages.flatMap((page) => runsOf(page).map(({ x }) => x))
  }
  it('is one block as wide as its widest line, whose lines keep their places in it', () => {
    const [left, center, right] = ['left', 'center', 'right'].map(placesOf)
    expect(left![0]).toBeCloseTo(left![1]!, 3)
    expect(center![0]).toBeCloseTo(center![1]!, 3)
    expect(right![0]).toBeCloseTo(right![1]!, 3)
    expect(center![0]! - left![0]!).toBeGreaterThan(50)
    expect(right![0]! - left![0]!).toBeCloseTo(2 * (center![0]! - left![0]!), 2)
  })
})

it('drafts of the standard name lengths in the namespaces of SVG and XSL', () => {
  const draft = flatPresentation({ pages: pageOf(textBoxOf('x', { box: [10, 20, 100, 50] })) })
    .replace('urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0', 'http://www.w3.org/2000/svg')
    .replace(
      'urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0',
      'http://www.w3.org/1999/XSL/Format',
    )
  const [slide] = readFodp(new TextEncoder().encode(draft)).value.slides
  expect(slide).toMatchObject({
    width: 400,
    height: 300,
    shapes: [{ x: 10, y: 20, drawing: { width: 100 } }],
  })
})

it('shapes of the master and titles are marked as such', () => {
  const pages = pageOf(textBoxOf('Title', { attributes: 'presentation:class="title"' }) + textBoxOf('more'))
  const [slide] = deckOf({ pages, master: textBoxOf('all') }).slides
  expect(slide?.shapes.map(({ role }) => role)).toEqual(['repeated', 'title', undefined])
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Paragraph } from '../../../../../shared/document/content.ts'
import type { Deck } from '../../../../../shared/document/deck.ts'
import type { Shape } from '../../../../../shared/document/drawing.ts'
import { changedParts, deckOf, paragraphOf, readSlides, shapeOf } from '../../../../helpers/deck-layout.ts'
import { pptxOf, pptxTable } from '../../../../helpers/pptx.ts'

const shapes = ({ slides }: Deck, at = 0): Shape[] =>
  (slides[at]?.shapes ?? [])
    .map(({ drawing }) => drawing.content)
    .filter((content) => content.kind === 'shape')
const paragraphs = ({ text }: Shape): Paragraph[] =>
  (text?.blocks ?? []).filter((block): block is Paragraph => block.kind === 'paragraph')
const placeholder = (type: string, index = ''): string =>
  `<p:nvPr><p:ph type="${type}"${index === '' ? '' : ` idx="${index}"`}/></p:nvPr>`

/** A title of a slide without formatting, on a layout whose title has the given text body. */
const titled = (body: string): Promise<Uint8Array> =>
  pptxOf(
    [
      `<p:sp><p:nvSpPr><p:cNvPr id="2" name="T"/><p:cNvSpPr/>${placeholder('title')}</p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${paragraphOf('Sales')}</p:txBody></p:sp>`,
    ],
    {
      layout: shapeOf({ box: [10, 20, 300, 60], names: placeholder('title'), body, paragraphs: '<a:p/>' }),
    },
  )

describe('slides', () => {
  it('have the size and the order of the presentation', async () => {
    const deck = await deckOf(
      shapeOf({ paragraphs: paragraphOf('a') }),
      shapeOf({ paragraphs: paragraphOf('b') }),
    )
    expect(deck.slides.map(({ id, width, height }) => [id, width, height])).toEqual([
      ['slide-1', 720, 540],
      ['slide-2', 720, 540],
    ])
  })
  it('show what is behind them through shapes that say so', async () => {
    const through = shapeOf({}).replace('<p:sp>', '<p:sp useBgFill="1">')
    expect(through).toContain('useBgFill')
    const file = await changedParts(await pptxOf([through]), {
      'ppt/slides/slide1.xml': (xml) =>
        xml.replace(
          '<p:cSld>',
          '<p:cSld><p:bg><p:bgPr><a:solidFill><a:srgbClr val="ABCDEF"/></a:solidFill></p:bgPr></p:bg>',
        ),
    })
    const [slide] = readSlides(file).value.slides
    const content = slide?.shapes[0]?.drawing.content
    expect([slide?.color, content?.kind === 'shape' && content.fill]).toEqual(['ABCDEF', 'ABCDEF'])
  })
  it('have the two colours of a picture of the theme behind them, also in shapes that show it', () => {
    const file = readFileSync('test/fixtures/templates/roadshow/template.pptx')
    const deck = readSlides(new Uint8Array(file)).value
    const backgrounds = [deck.slides[0]?.background, shapes(deck)[1]?.background]
    for (const background of backgrounds)
      expect(background).toMatchObject({
        kind: 'picture',
        sizing: 'tile',
        adjust: { kind: 'duotone', dark: 'FFFFFF', light: 'CCCCCC' },
      })
  })
  it('are left out where they are hidden', async () => {
    const file = await changedParts(await pptxOf([shapeOf({}), shapeOf({})]), {
      'ppt/slides/slide1.xml': (xml) => xml.replace('<p:sld ', '<p:sld show="0" '),
    })
    expect(readSlides(file).value.slides.map(({ id }) => id)).toEqual(['slide-2'])
  })
  it('are read without the one that is damaged', async () => {
    const file = await changedParts(await pptxOf([shapeOf({}), shapeOf({})]), {
      'ppt/slides/slide1.xml': () => '<p:sld',
    })
    const { value, warnings } = readSlides(file)
    expect([value.slides.length, warnings.map(({ code }) => code)]).toEqual([1, ['read.slide']])
  })
})

describe('placeholders', () => {
  it('take box, alignment and size from their layout', async () => {
    const { value } = readSlides(
      await titled(
        '<a:bodyPr anchor="b"/><a:lstStyle><a:lvl1pPr algn="ctr"><a:defRPr sz="4400" b="1"/></a:lvl1pPr></a:lstStyle>',
      ),
    )
    const [slide] = value.slides
    const [shape] = shapes(value)
    const [paragraph] = paragraphs(shape!)
    expect(slide?.title).toBe('Sales')
    expect(slide?.shapes.map(({ x, y, drawing }) => [x, y, drawing.width, drawing.height])).toEqual([
      [10, 20, 300, 60],
    ])
    expect([shape?.text?.align, paragraph?.properties.align]).toEqual(['bottom', 'center'])
    expect(paragraph?.inlines[0]).toMatchObject({
      kind: 'text',
      text: 'Sales',
      run: { size: 44, bold: true },
    })
  })
  it('of a layout are not drawn, its other shapes are', async () => {
    const file = await pptxOf([''], {
      layout:
        shapeOf({ names: placeholder('title'), paragraphs: paragraphOf('Click to add title') }) +
        shapeOf({ paragraphs: paragraphOf('Our company') }),
    })
    const texts = shapes(readSlides(file).value).flatMap((shape) =>
      paragraphs(shape).flatMap(({ inlines }) => inlines),
    )
    expect(texts).toMatchObject([{ text: 'Our company' }])
  })
})

describe('text', () => {
  it('is shrunk by the saved scale, unless its shape declares its own size', async () => {
    const own = shapeOf({
      body: '<a:bodyPr><a:normAutofit fontScale="50000"/></a:bodyPr>',
      paragraphs: paragraphOf('a', {
        run: 'sz="2400"',
        properties: '<a:spcBef><a:spcPts val="1000"/></a:spcBef>',
      }),
    })
    const deck = await deckOf(own.replace('<a:prstGeom prst="rect"/>', '') + own)
    const [shape, framed] = shapes(deck)
    expect(framed && paragraphs(framed)[0]?.inlines).toMatchObject([{ run: { size: 24 } }])
    expect(shape?.text?.shrinks).toBe(true)
    expect(paragraphs(shape!)[0]).toMatchObject({
      properties: { spaceBefore: 5 },
      inlines: [{ run: { size: 12 } }],
    })
  })
  it('is numbered, and counts on after deeper levels', async () => {
    const list = [0, 0, 1, 0].map(
      (level) =>
        `<a:p><a:pPr lvl="${level}"><a:buAutoNum type="arabicParenR"/></a:pPr><a:r><a:t>x</a:t></a:r></a:p>`,
    )
    const deck = await deckOf(shapeOf({ paragraphs: list.join('') }))
    const positions = paragraphs(shapes(deck)[0]!).map(({ properties }) => properties.list)
    expect(positions.map((position) => position?.restart)).toEqual([1, 2, 1, 3])
    expect(deck.numbering.get(positions[0]!.list)?.levels[0]).toMatchObject({
      format: 'decimal',
      text: '%1)',
    })
  })
  it('links to addresses and to other slides', async () => {
    const file = await pptxOf([
      shapeOf({
        paragraphs: paragraphOf('next', {
          run: '<a:hlinkClick r:id="" action="ppaction://hlinkshowjump?jump=nextslide"/>',
        }),
      }),
      shapeOf({}),
    ])
    expect(paragraphs(shapes(readSlides(file).value)[0]!)[0]?.inlines[0]).toMatchObject({
      link: { anchor: 'slide-2' },
      run: { underline: { style: 'single' } },
    })
  })
})

describe('shapes', () => {
  it('take fill and line of the theme by their style, in its colour', async () => {
    const style =
      '<p:style><a:lnRef idx="1"><a:srgbClr val="112233"/></a:lnRef><a:fillRef idx="1"><a:srgbClr val="445566"/></a:fillRef><a:effectRef idx="0"/><a:fontRef idx="minor"><a:srgbClr val="778899"/></a:fontRef></p:style>'
    const deck = await deckOf(
      shapeOf({ paragraphs: paragraphOf('a') }).replace('<p:txBody>', `${style}<p:txBody>`),
    )
    const [shape] = shapes(deck)
    expect(shape).toMatchObject({ fill: '445566', stroke: { color: '112233', width: 0.75 } })
    expect(paragraphs(shape!)[0]?.inlines[0]).toMatchObject({ run: { color: '778899' } })
  })
  it('of a group are placed and scaled into its box', async () => {
    const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="G"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="1270000" y="0"/><a:ext cx="1270000" cy="1270000"/><a:chOff x="0" y="0"/><a:chExt cx="2540000" cy="2540000"/></a:xfrm></p:grpSpPr>${shapeOf({ box: [100, 50, 100, 100] })}</p:grpSp>`
    const [member] = (await deckOf(group)).slides[0]!.shapes
    expect(member).toMatchObject({
      x: 100,
      y: 0,
      drawing: {
        content: { kind: 'group', children: [{ x: 50, y: 25, drawing: { width: 50, height: 50 } }] },
      },
    })
  })
  it('of a table are cells with the widths of its grid', async () => {
    const [frame] = (await deckOf(pptxTable(2, ['a', 'b'], ['c', 'd']))).slides[0]!.shapes
    const content = frame?.drawing.content
    const [inner] = content?.kind === 'group' ? content.children : []
    expect(inner?.drawing.content).toMatchObject({
      text: {
        blocks: [
          { kind: 'table', grid: [78.74, 78.74].map((width) => expect.closeTo(width, 2)), rows: [{}, {}] },
        ],
      },
    })
  })
})

describe('controls and diagrams', () => {
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const withRelation = (xml: string, kind: string, target: string): string =>
    xml.replace(
      '</Relationships>',
      `<Relationship Id="rIdX" Type="${relation}/${kind}" Target="${target}"/></Relationships>`,
    )
  const rels = 'ppt/slides/_rels/slide1.xml.rels'

  it('are drawn by the pictures of the controls, which are the other choice of an application without VML', async () => {
    const picture =
      '<p:pic><p:nvPicPr><p:cNvPr id="4" name="C"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="rIdX"/></p:blipFill><p:spPr><a:xfrm><a:off x="127000" y="254000"/><a:ext cx="635000" cy="317500"/></a:xfrm></p:spPr></p:pic>'
    const controls = `<p:controls><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice xmlns:v="urn:schemas-microsoft-com:vml" Requires="v"><p:control name="C"/></mc:Choice><mc:Fallback><p:control name="C">${picture}</p:control></mc:Fallback></mc:AlternateContent><p:control name="bare"/></p:controls>`
    const file = await changedParts(
      await pptxOf([shapeOf({})]),
      {
        'ppt/slides/slide1.xml': (xml) => xml.replace('</p:cSld>', `${controls}</p:cSld>`),
        [rels]: (xml) => withRelation(xml, 'image', '../media/control.wmf'),
      },
      { 'ppt/media/control.wmf': 'picture' },
    )
    const { value, warnings } = readSlides(file)
    expect(value.slides[0]?.shapes.at(-1)).toMatchObject({
      x: 10,
      y: 20,
      drawing: { width: 50, height: 25, content: { kind: 'picture', media: 'ppt/media/control.wmf' } },
    })
    expect(warnings.map(({ code }) => code)).toEqual(['read.slide-control'])
  })

  it('without a drawing of their own show their texts, and say so', async () => {
    const point = (kind: string, text: string) =>
      `<dgm:pt type="${kind}"><dgm:t><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`
    const data = `<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:ptLst>${point('node', 'first')}<dgm:pt type="pres"/>${point('node', 'second')}</dgm:ptLst></dgm:dataModel>`
    const frame =
      '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="D"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="1270000" cy="635000"/></p:xfrm><a:graphic><a:graphicData uri="x"><dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="rIdX"/></a:graphicData></a:graphic></p:graphicFrame>'
    const file = await changedParts(
      await pptxOf([frame]),
      { [rels]: (xml) => withRelation(xml, 'diagramData', '../diagrams/data1.xml') },
      { 'ppt/diagrams/data1.xml': data },
    )
    const { value, warnings } = readSlides(file)
    const content = value.slides[0]?.shapes[0]?.drawing.content
    const inner = content?.kind === 'group' ? content.children[0]?.drawing.content : undefined
    const lines = inner?.kind === 'shape' ? paragraphs(inner) : []
    expect(lines.flatMap(({ inlines }) => inlines)).toMatchObject([{ text: 'first' }, { text: 'second' }])
    expect(warnings.map(({ code }) => code)).toEqual(['read.diagram'])
  })
})

describe('rotation', () => {
  const scene = (rotation: string): string =>
    `<a:scene3d><a:camera prst="orthographicFront"><a:rot ${rotation}/></a:camera></a:scene3d>`
  it.each([
    ['by the camera', { properties: scene('lat="0" lon="0" rev="5400000"') }, -90, undefined],
    [
      'but not by a camera at the side',
      { properties: scene('lat="60000" lon="0" rev="5400000"') },
      0,
      undefined,
    ],
    ['of the text alone', { body: '<a:bodyPr rot="-10800000"/>' }, 0, -180],
  ])('%s', async (_name, spec, rotation, turn) => {
    const { slides } = await deckOf(shapeOf({ ...spec, paragraphs: paragraphOf('a') }))
    const drawing = slides[0]?.shapes[0]?.drawing
    const text = drawing?.content.kind === 'shape' ? drawing.content.text : undefined
    expect([drawing?.rotation, text?.turn]).toEqual([rotation, turn])
  })
})

describe('what is not drawn', () => {
  it.each([
    [
      'read.text-opacity',
      '<a:solidFill><a:srgbClr val="112233"><a:alpha val="40000"/></a:srgbClr></a:solidFill>',
      '',
    ],
    ['read.text-outline', '<a:ln><a:solidFill><a:srgbClr val="112233"/></a:solidFill></a:ln>', ''],
    ['read.text-flip', '', 'flipV="1"'],
  ])('is reported as %s', async (code, run, flip) => {
    const shape = shapeOf({
      paragraphs: `<a:p><a:r><a:rPr>${run}</a:rPr><a:t>x</a:t></a:r></a:p>`,
    }).replace('<a:xfrm>', `<a:xfrm ${flip}>`)
    const { warnings } = readSlides(await pptxOf([shape]))
    expect(warnings.map((warning) => warning.code)).toEqual([code])
  })
  it.each([
    ['an outline of nothing', '<a:ln><a:noFill/></a:ln>'],
    [
      'an opaque colour',
      '<a:solidFill><a:srgbClr val="112233"><a:alpha val="100000"/></a:srgbClr></a:solidFill>',
    ],
  ])('%s causes no warning', async (_, run) => {
    const shape = shapeOf({ paragraphs: `<a:p><a:r><a:rPr>${run}</a:rPr><a:t>x</a:t></a:r></a:p>` })
    expect(readSlides(await pptxOf([shape])).warnings).toEqual([])
  })
})

it('what is behind a cell whose fill is transparent shines through', async () => {
  const file = await pptxOf([
    pptxTable(1, ['a']).replace(
      '<a:tcPr/>',
      '<a:tcPr><a:solidFill><a:srgbClr val="112233"><a:alpha val="40000"/></a:srgbClr></a:solidFill></a:tcPr>',
    ),
  ])
  const content = readSlides(file).value.slides[0]?.shapes[0]?.drawing.content
  const inner = content?.kind === 'group' ? content.children[0]?.drawing.content : undefined
  const [table] = inner?.kind === 'shape' ? (inner.text?.blocks ?? []) : []
  const cell = table?.kind === 'table' ? table.rows[0]?.cells[0]?.properties : undefined
  expect(cell).toMatchObject({ backdrop: { kind: 'gradient', gradient: { opacity: 0.4 } } })
  expect(cell?.shading).toBeUndefined()
})

describe('a built-in table style that is not stored', () => {
  it.each([
    ['Medium Style 4 of accent 1', '{69CF1AB2-1976-4502-BF36-3FF5EA218861}', true, 'single'],
    ['Light Style 1 of accent 1', '{3B4B98B0-60AC-42C2-AFA5-B58CD77FA1E5}', false, 'single'],
    ['Dark Style 1 of accent 1', '{125E5076-3810-47DD-B79F-674D7AD40C01}', true, undefined],
    ['No Style, No Grid', '{2D5ABB26-0587-4C30-8999-92F81FD0307C}', false, undefined],
    ['a style that is not known', '{00000000-0000-0000-0000-000000000000}', false, undefined],
  ])('%s', async (_, id, isFilled, top) => {
    const table = pptxTable(1, ['a'], ['b']).replace(
      '<a:tblPr/>',
      `<a:tblPr><a:tableStyleId>${id}</a:tableStyleId></a:tblPr>`,
    )
    const content = (await deckOf(table)).slides[0]?.shapes[0]?.drawing.content
    const inner = content?.kind === 'group' ? content.children[0]?.drawing.content : undefined
    const [block] = inner?.kind === 'shape' ? (inner.text?.blocks ?? []) : []
    const cell = block?.kind === 'table' ? block.rows[0]?.cells[0]?.properties : undefined
    expect([cell?.shading !== undefined, cell?.borders?.top?.style]).toEqual([isFilled, top])
  })
})

describe('lines of text that shrinks have the kind of height of the last text before it that does not', () => {
  const body = '<a:bodyPr><a:normAutofit/></a:bodyPr>'
  const text = (fit: string, names: string) => shapeOf({ body: fit, names, paragraphs: paragraphOf('a') })
  const plain = text('<a:bodyPr/>', '<p:nvPr/>')
  const last = async (...slides: readonly string[]) => {
    const shape = shapes(await deckOf(...slides), slides.length - 1).at(-1)
    return shape && paragraphs(shape)[0]?.mark.lineIgnoresFont
  }
  describe.each([
    ['a text box', '<p:nvPr/>'],
    ['a placeholder', placeholder('body')],
  ])('in %s', (_, names) => {
    const shrunk = text(body, names)
    it.each([
      ['alone', [shrunk], undefined],
      ['after other text', [plain + shrunk], true],
      ['after an empty shape', [shapeOf({ body: '<a:bodyPr/>', paragraphs: '<a:p/>' }) + shrunk], undefined],
      ['after text of the first slide', [plain, shrunk], undefined],
      ['after text of the second slide', [shrunk, plain, shrunk], true],
      ['after a table', [plain + pptxTable(9, ['x']) + shrunk], undefined],
    ])('%s', async (_case, slides, ignoresFont) => {
      expect(await last(...slides)).toBe(ignoresFont)
    })
  })
  it('and that in a placeholder without a geometry of its own is such a text', async () => {
    const shrunk = text(body, placeholder('body'))
    const inherited = shrunk.replace(/<p:spPr>.*?<\/p:spPr>/, '<p:spPr/>')
    expect(inherited).not.toBe(shrunk)
    const file = await pptxOf([inherited + shrunk], {
      layout: shapeOf({ names: placeholder('body'), body: '<a:bodyPr/>', paragraphs: '<a:p/>' }),
    })
    const heights = shapes(readSlides(file).value).map((shape) => paragraphs(shape)[0]?.mark.lineIgnoresFont)
    expect(heights).toEqual([true, true])
  })
  it('whatever text its layout has', async () => {
    const deck = readSlides(await pptxOf([text(body, '<p:nvPr/>')], { layout: plain })).value
    expect(paragraphs(shapes(deck).at(-1)!)[0]?.mark.lineIgnoresFont).toBeUndefined()
  })
})

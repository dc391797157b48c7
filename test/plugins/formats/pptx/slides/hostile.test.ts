/** Presentations that ask for too much, or for what cannot be: a deck or a typed error within bounded work. */
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import {
  changedParts,
  deckOf,
  layDeck,
  paragraphOf,
  readSlides,
  shapeOf,
} from '../../../../helpers/deck-layout.ts'
import { pptxOf } from '../../../../helpers/pptx.ts'

const group = (inner: string): string =>
  `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="G"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="9" cy="9"/><a:chOff x="0" y="0"/><a:chExt cx="1" cy="1"/></a:xfrm></p:grpSpPr>${inner}</p:grpSp>`
const steps = 2_000_000

describe('hostile presentations', () => {
  it('a layout that is its own master, and a master that is its own layout', async () => {
    const file = await changedParts(await pptxOf([shapeOf({ paragraphs: paragraphOf('a') })]), {
      'ppt/slideLayouts/_rels/slideLayout1.xml.rels': (xml) =>
        xml.replace('../slideMasters/slideMaster1.xml', 'slideLayout1.xml'),
      'ppt/slideMasters/_rels/slideMaster1.xml.rels': (xml) =>
        xml.replaceAll('../slideLayouts/slideLayout1.xml', 'slideMaster1.xml'),
    })
    expect(readSlides(file).value.slides).toHaveLength(1)
  })
  it('one part as every slide is read once', async () => {
    const file = await changedParts(await pptxOf([shapeOf({})]), {
      'ppt/presentation.xml': (xml) => xml.replace(/(<p:sldId [^>]*>)/, (slide) => slide.repeat(10_000)),
    })
    expect(readSlides(file).value.slides).toHaveLength(1)
  })
  it('groups in groups are drawn as deep as the reader goes', async () => {
    let nested = shapeOf({ paragraphs: paragraphOf('deep') })
    for (let depth = 0; depth < 2000; depth++) nested = group(nested)
    expect(layDeck(await deckOf(nested), { maxSteps: steps }).pages).toHaveLength(1)
  })
  it('a slide of five metres and one of none have sizes that a PDF can have', async () => {
    const sized = async (cx: string, cy: string) => {
      const file = await changedParts(await pptxOf([shapeOf({})]), {
        'ppt/presentation.xml': (xml) => xml.replace('cx="9144000" cy="6858000"', `cx="${cx}" cy="${cy}"`),
      })
      const [{ width, height } = { width: 0, height: 0 }] = readSlides(file).value.slides
      return [width, height]
    }
    expect(await sized('180000000', '180000000')).toEqual(
      [14_173.2283, 14_173.2283].map((side) => expect.closeTo(side, 2)),
    )
    expect(await sized('999999999999', '-5')).toEqual([14_400, 7.2])
    expect(await sized('NaN', '')).toEqual([720, 540])
  })
  it('a gradient of 10,000 stops keeps some of them', async () => {
    const stops = Array.from(
      { length: 10_000 },
      (_, at) => `<a:gs pos="${at * 10}"><a:srgbClr val="112233"/></a:gs>`,
    )
    const deck = await deckOf(
      shapeOf({ properties: `<a:gradFill><a:gsLst>${stops.join('')}</a:gsLst></a:gradFill>` }),
    )
    const content = deck.slides[0]?.shapes[0]?.drawing.content
    expect(content?.kind === 'shape' && content.gradient?.stops.length).toBe(64)
  })
  it('a size of letters that shrinks to nothing, and one that is huge, end', async () => {
    const body = '<a:bodyPr lIns="99999999" tIns="99999999"><a:normAutofit fontScale="1"/></a:bodyPr>'
    const paragraphs = paragraphOf('word '.repeat(500), { run: 'sz="400000"' })
    const { pages } = layDeck(await deckOf(shapeOf({ box: [0, 0, 1, 1], body, paragraphs })), {
      maxSteps: steps,
    })
    expect(pages).toHaveLength(1)
  })
  it('a table with spans beyond its grid is drawn', async () => {
    const cells =
      '<a:tc gridSpan="99999" rowSpan="99999"><a:txBody><a:bodyPr/><a:p/></a:txBody><a:tcPr/></a:tc>'
    const table = `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="T"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></p:xfrm><a:graphic><a:graphicData uri="x"><a:tbl><a:tblPr/><a:tblGrid><a:gridCol w="-9"/></a:tblGrid>${`<a:tr h="-1">${cells}</a:tr>`.repeat(20)}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
    expect(layDeck(await deckOf(table), { maxSteps: steps }).pages).toHaveLength(1)
  })
  it('more shapes than the budget are refused', async () => {
    const file = await pptxOf(['<p:sp/>'.repeat(100_001)])
    expect(() => readSlides(file)).toThrow(AppError)
  })
  it('a presentation without slides, and a package that is none, are refused', async () => {
    const empty = await changedParts(await pptxOf([shapeOf({})]), {
      'ppt/presentation.xml': (xml) => xml.replace(/<p:sldId [^>]*>/, ''),
    })
    for (const bytes of [empty, new Uint8Array([1, 2, 3])]) expect(() => readSlides(bytes)).toThrow(AppError)
  })
})

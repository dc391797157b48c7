import { describe, expect, test } from 'vitest'
import { readWord, readWordWithWarnings } from '../../../../helpers/laid-out.ts'

const main = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
const codes = (body: string): string[] => readWordWithWarnings({ body }).map(({ code }) => code)
const run = (properties: string): string => `<w:p><w:r><w:rPr>${properties}</w:rPr><w:t>a</w:t></w:r></w:p>`
const paragraph = (properties: string): string => `<w:p><w:pPr>${properties}</w:pPr></w:p>`
const w14 = 'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
const shape = (properties: string, body = '<wps:bodyPr/>'): string =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="127000" cy="127000"/><a:graphic ${main}><a:graphicData><wps:wsp xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:spPr><a:prstGeom prst="rect"/>${properties}</wps:spPr>${body}</wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
const spaced = (width: string): string =>
  `<w:tbl><w:tblPr><w:tblCellSpacing w:w="${width}" w:type="dxa"/></w:tblPr><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>`
const shadow = `<a:outerShdw dist="127000" dir="5400000" blurRad="63500"><a:srgbClr val="FF0000"><a:alpha val="40000"/></a:srgbClr></a:outerShdw>`

describe('what is not drawn is reported', () => {
  test.each([
    ['text that fills a width', run('<w:fitText w:val="2000"/>'), 'read.text-fit'],
    ['glowing letters', run(`<w14:glow ${w14}/>`), 'read.text-effect'],
    ['a bar beside a paragraph', paragraph('<w:pBdr><w:bar w:val="single"/></w:pBdr>'), 'read.paragraph-bar'],
    ['mirrored indents', paragraph('<w:mirrorIndents/>'), 'read.mirrored-indents'],
    ['a part of a master document', '<w:subDoc r:id="x"/>', 'read.embedded-document'],
    ['a glow around a shape', shape('<a:effectLst><a:glow rad="1"/></a:effectLst>'), 'read.shape-effect'],
    ['stacked text in a box', shape('', '<wps:bodyPr vert="wordArtVert"/>'), 'read.text-box'],
    [
      'text along an outline',
      shape('', '<wps:bodyPr><a:prstTxWarp prst="textWave1"/></wps:bodyPr>'),
      'read.text-box',
    ],
    [
      'a drawing of another kind',
      `<w:p><w:r><w:drawing><wp:inline><a:graphic ${main}><a:graphicData><w14:contentPart ${w14}/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`,
      'read.object',
    ],
    [
      'an Asian grid',
      '<w:p/><w:sectPr><w:docGrid w:type="linesAndChars" w:linePitch="360"/></w:sectPr>',
      'read.character-grid',
    ],
    [
      'numbers of chapters',
      '<w:p/><w:sectPr><w:pgNumType w:chapStyle="1"/></w:sectPr>',
      'read.chapter-number',
    ],
  ])('%s', (_, body, code) => expect(codes(body)).toEqual([code]))

  test.each([
    ['text that need not fit', run('<w:fitText w:val="0"/>')],
    ['cells that keep apart', spaced('100')],
    ['no bar', paragraph('<w:pBdr><w:bar w:val="nil"/></w:pBdr>')],
    ['indents as usual', paragraph('<w:mirrorIndents w:val="0"/>')],
    ['a box without a warp', shape('', '<wps:bodyPr><a:prstTxWarp prst="textNoShape"/></wps:bodyPr>')],
    ['a shadow', shape(`<a:effectLst>${shadow}</a:effectLst>`)],
    ['no effects', shape('<a:effectLst/>')],
  ])('%s: no warning', (_, body) => expect(codes(body)).toEqual([]))
})

test('the shadow of a shape', () => {
  const [block] = readWord({ body: shape(`<a:effectLst>${shadow}</a:effectLst>`) }).sections[0]!.blocks
  const inline = block?.kind === 'paragraph' ? block.inlines[0] : undefined
  expect(inline?.kind === 'drawing' && inline.drawing.content).toMatchObject({
    shadow: { x: expect.closeTo(0), y: expect.closeTo(10), blur: 5, color: 'FF0000', opacity: 0.4 },
  })
})

test('tracked changes that the document hides are reported', () => {
  const body = '<w:p><w:ins w:id="1" w:author="A"><w:r><w:t>new</w:t></w:r></w:ins></w:p>'
  const codesWith = (settings: string, content = body): string[] =>
    readWordWithWarnings({ body: content, settings }).map(({ code }) => code)
  expect(codesWith('<w:revisionView w:insDel="0" w:formatting="0"/>')).toEqual(['read.hidden-changes'])
  expect(codesWith('<w:revisionView w:markup="0"/>')).toEqual(['read.hidden-changes'])
  expect(codesWith('<w:revisionView w:formatting="0"/>')).toEqual([])
  expect(codesWith('<w:revisionView w:markup="0"/>', '<w:p/>')).toEqual([])
})

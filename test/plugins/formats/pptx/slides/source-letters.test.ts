import { describe, expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import instant from '../../../../../plugins/engines/instant/index.ts'
import pptx from '../../../../../plugins/formats/pptx/index.ts'
import { readPptx } from '../../../../../plugins/formats/pptx/slides/open.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import { fromBytes } from '../../../../../shared/plugin/byte-source.ts'
import { testHost } from '../../../../helpers/host.ts'
import { shippedSource } from '../../../../helpers/instant-fonts.ts'
import { pptxOf } from '../../../../helpers/pptx.ts'

const run = (words: string): string => `<a:r><a:t>${words}</a:t></a:r>`
const place = '<p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="4000000" cy="2000000"/></a:xfrm></p:spPr>'
const shape = (content: string, attributes = ''): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="s"${attributes}/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>${place}<p:txBody><a:bodyPr/><a:p>${content}</a:p></p:txBody></p:sp>`
const cell = (words: string, attributes = ''): string =>
  `<a:tc${attributes}><a:txBody><a:bodyPr/><a:p>${run(words)}</a:p></a:txBody></a:tc>`
const table = (...cells: readonly string[]): string =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="t"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="4000000" cy="900000"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblGrid><a:gridCol w="2000000"/><a:gridCol w="2000000"/></a:tblGrid><a:tr h="400000">${cells.join('')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
const alternates = (choice: string, fallback: string): string =>
  `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" Requires="a14">${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`
const unread = async (...slides: readonly string[]) =>
  readPptx(await pptxOf(slides), { codec: nodeCodec, limits: defaultLimits }).value.unread

describe('the text of slides', () => {
  test.each([
    ['of a shape, with references to characters', shape(run('a &amp; b&#233;'))],
    ['of a table', table(cell('a'), cell('b'))],
    ['of a hidden shape', shape(run('never'), ' hidden="1"') + shape(run('here'))],
    ['of a cell that another covers', table(cell('a', ' gridSpan="2"'), cell('never', ' hMerge="1"'))],
    ['of a field', shape(`<a:fld id="{1}" type="slidenum"><a:t>17</a:t></a:fld>`)],
    ['of two forms of one shape', alternates(shape(run('words')), shape(run('words')))],
  ])('%s is not missed', async (_, slide) => expect(await unread(slide)).toBeUndefined())

  test('in an element that the reader does not know is missed, by slide', async () => {
    const wrapped = `<p:newer>${shape(run('words'))}</p:newer>`
    expect(await unread(shape(run('a')), wrapped, shape(run('b')) + wrapped)).toEqual([
      { part: 'ppt/slides/slide2.xml', letters: 5 },
      { part: 'ppt/slides/slide3.xml', letters: 5 },
    ])
  })
  test('that is missing is reported, and declines a strict job', async () => {
    const engine = instant.create(
      { fontCacheSize: 24, maxPagePixels: 1_000_000 },
      { ...testHost([pptx]), codec: nodeCodec, fonts: () => shippedSource },
    )
    const source = fromBytes(await pptxOf([`<p:newer>${shape(run('words'))}</p:newer>`]))
    const job = { source, from: 'pptx', to: 'pdf', options: {}, deadline: Date.now() + 200_000 }
    const { signal } = new AbortController()
    expect((await engine.convert(job, signal)).warnings).toEqual([
      { code: 'layout.lost', message: 'Text of 5 letters in ppt/slides/slide1.xml is on no page.' },
    ])
    await expect(engine.convert({ ...job, strict: true }, signal)).rejects.toMatchObject({
      code: 'convert.beyond',
    })
  })
})

/** Embedded objects of slides that have no picture of themselves: PowerPoint 2007 keeps it in a VML drawing. */
import { describe, expect, it } from 'vitest'
import { changedParts, readSlides } from '../../../../helpers/deck-layout.ts'
import { pptxOf } from '../../../../helpers/pptx.ts'

const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const frame = (object: string): string =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="O"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="127000" y="254000"/><a:ext cx="2540000" cy="1270000"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole">${object}</a:graphicData></a:graphic></p:graphicFrame>`
const shapeOf = (id: string, picture: string, content = ''): string =>
  `<v:shape id="${id}">${content}<v:imagedata o:relid="${picture}"/></v:shape>`
const drawingOf = (shapes: string): string =>
  `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><v:shapetype id="_x0000_t75"><v:path/></v:shapetype>${shapes}</xml>`

async function drawn(object: string, drawing: string) {
  const file = await changedParts(
    await pptxOf([frame(object)]),
    {
      'ppt/slides/_rels/slide1.xml.rels': (xml) =>
        xml.replace(
          '</Relationships>',
          `<Relationship Id="rIdV" Type="${relation}/vmlDrawing" Target="../drawings/vmlDrawing1.vml"/></Relationships>`,
        ),
    },
    {
      'ppt/drawings/vmlDrawing1.vml': drawing,
      'ppt/drawings/_rels/vmlDrawing1.vml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/image" Target="../media/other.png"/><Relationship Id="rId2" Type="${relation}/image" Target="../media/object.emf"/></Relationships>`,
      'ppt/media/other.png': 'other',
      'ppt/media/object.emf': 'object',
    },
  )
  const { value, warnings } = readSlides(file)
  const { x, y, drawing: box } = value.slides[0]!.shapes[0]!
  const { content } = box
  const inner = content.kind === 'group' ? content.children[0]?.drawing.content : content
  return {
    box: [x, y, box.width, box.height],
    drawn: inner?.kind === 'picture' ? inner.media : inner?.kind,
    codes: warnings.map(({ code }) => code),
  }
}

describe('an embedded object', () => {
  const other = shapeOf('_x0000_s1', 'rId1')
  const own = shapeOf('_x0000_s2', 'rId2')
  const object = '<p:oleObj spid="_x0000_s2" name="Sheet"><p:embed/></p:oleObj>'
  it.each([
    ['has the picture of its shape', object, drawingOf(other + own)],
    ['has that of a shape in a group', object, drawingOf(`${other}<v:group>${own}</v:group>`)],
    [
      'has that of a shape whose id is only its second',
      object,
      drawingOf(own.replace(' id=', ' id="s" o:spid=')),
    ],
  ])('%s, in the box of its frame', async (_, markup, drawing) => {
    expect(await drawn(markup, drawing)).toEqual({
      box: [10, 20, 200, 100],
      drawn: 'ppt/media/object.emf',
      codes: [],
    })
  })
  it.each([
    ['without a shape', object, drawingOf(other)],
    ['without an id', object.replace(/spid="\w+"/, ''), drawingOf(own)],
    ['with a damaged drawing', object, '<xml><br>'],
  ])('%s is reported', async (_, markup, drawing) => {
    expect(await drawn(markup, drawing)).toMatchObject({ drawn: 'unknown', codes: ['read.object'] })
  })
})

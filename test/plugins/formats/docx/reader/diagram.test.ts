import { expect, test } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { docxReader } from '../../../../../plugins/formats/docx/reader/open.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import { docxOf } from '../../../../helpers/docx.ts'

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const main = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const dsp = 'http://schemas.microsoft.com/office/drawing/2008/diagram'
const box = (x: number, text: string): string =>
  `<dsp:sp modelId="{0}"><dsp:spPr><a:xfrm><a:off x="${x * 12_700}" y="0"/><a:ext cx="${50 * 12_700}" cy="${40 * 12_700}"/></a:xfrm><a:prstGeom prst="roundRect"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="4472C4"/></a:solidFill></dsp:spPr><dsp:style><a:lnRef idx="0"/><a:fillRef idx="0"/><a:effectRef idx="0"/><a:fontRef idx="minor"><a:srgbClr val="FFFFFF"/></a:fontRef></dsp:style><dsp:txBody><a:bodyPr anchor="ctr"/><a:p><a:pPr algn="ctr"/><a:r><a:rPr sz="900" b="1"/><a:t>${text}</a:t></a:r></a:p></dsp:txBody></dsp:sp>`
const drawing = `<dsp:drawing xmlns:dsp="${dsp}" xmlns:a="${main}"><dsp:spTree><dsp:nvGrpSpPr/><dsp:grpSpPr/>${box(0, 'First')}${box(60, 'Second')}</dsp:spTree></dsp:drawing>`

async function read(drawn: boolean) {
  const body = `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="1397000" cy="508000"/><a:graphic xmlns:a="${main}"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/diagram"><dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:r="${office}" r:dm="d" r:lo="l" r:qs="q" r:cs="c"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`
  const relations =
    relation('d', `${office}/diagramData`, 'diagrams/data1.xml') +
    relation(
      'x',
      'http://schemas.microsoft.com/office/2007/relationships/diagramDrawing',
      'diagrams/drawing1.xml',
    )
  const bytes = await docxOf(body, {
    'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}</Relationships>`,
    ...(drawn && { 'word/diagrams/drawing1.xml': drawing }),
  })
  const { value, warnings } = docxReader.read(bytes, { codec: nodeCodec, limits: defaultLimits })
  const [block] = value.sections[0]!.blocks
  const inline = block?.kind === 'paragraph' ? block.inlines[0] : undefined
  return { content: inline?.kind === 'drawing' ? inline.drawing.content : undefined, warnings }
}

test('a SmartArt is the drawing that Word keeps of it, text included', async () => {
  const { content, warnings } = await read(true)
  expect(warnings).toEqual([])
  expect(content).toMatchObject({
    kind: 'group',
    children: [
      { x: 0, y: 0, drawing: { width: 50, height: 40 } },
      {
        x: 60,
        drawing: {
          content: {
            kind: 'shape',
            fill: '4472C4',
            geometry: { name: 'roundRect' },
            text: {
              align: 'center',
              blocks: [
                {
                  properties: { align: 'center' },
                  inlines: [{ kind: 'text', text: 'Second', run: { size: 9, bold: true, color: 'FFFFFF' } }],
                },
              ],
            },
          },
        },
      },
    ],
  })
})
test('reports one without a drawing', async () => {
  const { content, warnings } = await read(false)
  expect(content).toEqual({ kind: 'unknown', what: 'diagram' })
  expect(warnings.map(({ code }) => code)).toEqual(['read.diagram'])
})

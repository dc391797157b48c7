import { expect, it } from 'vitest'
import { readDrawings } from '../../../../../plugins/formats/xlsx/reader/drawings.ts'
import { readWorkbook } from '../../../../../plugins/formats/xlsx/reader/index.ts'
import type { DrawingContext } from '../../../../../shared/office/ooxml/drawing/part.ts'

const drawingml = 'http://schemas.openxmlformats.org/drawingml/2006'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const anchor = (object: string): string =>
  `<d:oneCellAnchor><d:from><d:col>1</d:col><d:row>2</d:row></d:from><d:ext cx="1270000" cy="635000"/>${object}<d:clientData/></d:oneCellAnchor>`
const names = (attributes = '', content = ''): string =>
  `<d:nvSpPr><d:cNvPr id="2" ${attributes}>${content}</d:cNvPr></d:nvSpPr>`
const box = (x: number, y: number, width: number, height: number): string =>
  `<a:xfrm><a:off x="${x * 12_700}" y="${y * 12_700}"/><a:ext cx="${width * 12_700}" cy="${height * 12_700}"/></a:xfrm>`

function read(objects: string, parts: Readonly<Record<string, string>> = {}) {
  const all: Record<string, string> = {
    'xl/drawings/one.xml': `<d:wsDr xmlns:d="${drawingml}/spreadsheetDrawing" xmlns:a="${drawingml}/main" xmlns:c="${drawingml}/chart" xmlns:r="${relations}">${objects}</d:wsDr>`,
    ...parts,
  }
  const context: DrawingContext = {
    parts: (name) => (all[name] === undefined ? undefined : new TextEncoder().encode(all[name])),
    theme: { fonts: new Map(), colors: new Map([['accent1', '123456']]) },
    media: new Map(),
    warnings: new Map(),
  }
  const drawings = readDrawings(context, 'xl/drawings/one.xml')
  return { drawings, codes: [...context.warnings.values()].map(({ code }) => code) }
}

it('reads a shape with its text, its style and its link', () => {
  const { drawings, codes } = read(
    anchor(
      `<d:sp>${names('descr="a note"', '<a:hlinkClick r:id="h"/>')}<d:spPr>${box(0, 0, 100, 50)}<a:prstGeom prst="ellipse"/></d:spPr><d:style><a:fillRef idx="1"><a:schemeClr val="accent1"/></a:fillRef></d:style><d:txBody><a:bodyPr anchor="ctr"/><a:p><a:pPr algn="ctr"/><a:r><a:rPr sz="1200" b="1"/><a:t>Hello</a:t></a:r></a:p></d:txBody></d:sp>`,
    ),
    {
      'xl/drawings/_rels/one.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="h" Type="${relations}/hyperlink" Target="https://example.com/" TargetMode="External"/></Relationships>`,
    },
  )
  expect(codes).toEqual([])
  expect(drawings).toMatchObject([
    {
      from: { row: 2, column: 1, x: 0, y: 0 },
      to: { width: 100, height: 50 },
      drawing: {
        width: 100,
        height: 50,
        link: { href: 'https://example.com/' },
        description: 'a note',
        content: {
          kind: 'shape',
          geometry: { kind: 'preset', name: 'ellipse' },
          fill: '123456',
          text: {
            align: 'center',
            blocks: [
              {
                properties: { align: 'center' },
                inlines: [{ kind: 'text', text: 'Hello', run: { size: 12, bold: true } }],
              },
            ],
          },
        },
      },
    },
  ])
})

it('reads groups in the space of their members', () => {
  const group = `<a:xfrm><a:off x="0" y="0"/><a:ext cx="1270000" cy="1270000"/><a:chOff x="127000" y="0"/><a:chExt cx="635000" cy="635000"/></a:xfrm>`
  const { drawings } = read(
    anchor(
      `<d:grpSp><d:nvGrpSpPr><d:cNvPr id="1"/></d:nvGrpSpPr><d:grpSpPr>${group}</d:grpSpPr><d:cxnSp>${names()}<d:spPr>${box(20, 10, 30, 0)}<a:prstGeom prst="line"/></d:spPr></d:cxnSp></d:grpSp>`,
    ),
  )
  expect(drawings[0]?.drawing).toMatchObject({
    content: { kind: 'group', children: [{ x: 20, y: 20, drawing: { width: 60, height: 0 } }] },
  })
})

it('reads chart sheets, which have one page, and reports sheets of other kinds', () => {
  const relationships = (...list: readonly (readonly [kind: string, target: string])[]): string =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.map(([kind, target], at) => `<Relationship Id="r${at}" Type="${relations}/${kind}" Target="${target}"/>`).join('')}</Relationships>`
  const root = (name: string, content: string): string =>
    `<${name} xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relations}">${content}</${name}>`
  const whole = `<d:absoluteAnchor><d:pos x="12700" y="25400"/><d:ext cx="1270000" cy="635000"/><d:sp>${names()}<d:spPr>${box(0, 0, 100, 50)}</d:spPr></d:sp><d:clientData/></d:absoluteAnchor>`
  const parts: Readonly<Record<string, string>> = {
    '_rels/.rels': relationships(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': root(
      'workbook',
      '<sheets><sheet name="Chart" sheetId="1" r:id="r0"/><sheet name="Dialogue" sheetId="2" r:id="r1"/></sheets>',
    ),
    'xl/_rels/workbook.xml.rels': relationships(['chartsheet', 'chart.xml'], ['dialogsheet', 'dialogue.xml']),
    'xl/chart.xml': root('chartsheet', '<pageSetup orientation="landscape"/><drawing r:id="r0"/>'),
    'xl/dialogue.xml': root('dialogsheet', ''),
    'xl/_rels/chart.xml.rels': relationships(['drawing', 'one.xml']),
    'xl/one.xml': `<d:wsDr xmlns:d="${drawingml}/spreadsheetDrawing" xmlns:a="${drawingml}/main">${whole}</d:wsDr>`,
  }
  const { value, warnings } = readWorkbook((name) => {
    const part = parts[name]
    return part === undefined ? undefined : new TextEncoder().encode(part)
  })
  expect(value.sheets).toMatchObject([
    {
      name: 'Chart',
      page: { scale: { pagesWide: 1, pagesTall: 1 }, width: 792 },
      drawings: [{ from: { x: 1, y: 2, isFree: true }, to: { width: 100, height: 50 } }],
    },
  ])
  expect(warnings.map(({ code }) => code)).toEqual(['read.other-sheet'])
})

it('reads charts, and reports frames of other kinds', () => {
  const frame = (data: string): string =>
    anchor(
      `<d:graphicFrame><d:nvGraphicFramePr><d:cNvPr id="1"/></d:nvGraphicFramePr><d:xfrm/><a:graphic><a:graphicData>${data}</a:graphicData></a:graphic></d:graphicFrame>`,
    )
  const { drawings, codes } = read(frame('<c:chart r:id="c"/>') + frame('<c:slicer/>'), {
    'xl/drawings/_rels/one.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="c" Type="${relations}/chart" Target="../charts/one.xml"/></Relationships>`,
    'xl/charts/one.xml': `<c:chartSpace xmlns:c="${drawingml}/chart"><c:chart><c:plotArea><c:barChart><c:ser><c:idx val="0"/><c:val><c:numRef><c:numCache><c:ptCount val="1"/><c:pt idx="0"><c:v>3</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`,
  })
  expect(drawings.map(({ drawing }) => drawing?.content.kind)).toEqual(['chart', undefined])
  expect(codes).toEqual(['read.sheet-drawing'])
})

it('bounds drawings and the shapes in them', () => {
  const shape = `<d:sp>${names()}<d:spPr/></d:sp>`
  expect(read(anchor(shape).repeat(10_001)).drawings).toHaveLength(10_000)
  const group = `<d:grpSp><d:nvGrpSpPr/><d:grpSpPr/>${shape.repeat(60_000)}</d:grpSp>`
  const [first] = read(anchor(group)).drawings
  expect(first?.drawing?.content).toMatchObject({ kind: 'group', children: { length: 49_999 } })
})

import { describe, expect, it } from 'vitest'
import { nodeCodec } from '../../../../../origin/codec.ts'
import { readXlsx } from '../../../../../plugins/formats/xlsx/reader/open.ts'
import { defaultLimits } from '../../../../../shared/limits.ts'
import { zipOf } from '../../../../helpers/docx.ts'
import { xlsxOf } from '../../../../helpers/xlsx.ts'

const context = { codec: nodeCodec, limits: defaultLimits }
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

interface Parts {
  readonly sheet: string // inside the worksheet
  readonly styles?: string
  readonly workbook?: string // behind the list of sheets
  readonly strict?: boolean
  readonly application?: string // that wrote the file
  readonly drawing?: string // inside the drawing part
  readonly table?: string // inside a table part
}

/** A workbook of one sheet whose parts do not have their usual names. */
async function workbookOf({
  sheet,
  styles = '',
  workbook = '',
  strict = false,
  application,
  drawing,
  table,
}: Parts): Promise<Uint8Array> {
  const uri = strict ? 'http://purl.oclc.org/ooxml/spreadsheetml/main' : main
  const types = strict ? 'http://purl.oclc.org/ooxml/officeDocument/relationships' : relations
  const relationship = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${types}/${kind}" Target="${target}"/>`
  const list = (all: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all}</Relationships>`
  return zipOf({
    '_rels/.rels': list(
      relationship('r1', 'officeDocument', 'book/main.xml') +
        relationship('r2', 'extended-properties', 'app.xml'),
    ),
    ...(application !== undefined && {
      'app.xml': `<Properties><Application>${application}</Application></Properties>`,
    }),
    ...(drawing !== undefined && {
      'book/_rels/one.xml.rels': list(relationship('d', 'drawing', 'over.xml')),
      'book/over.xml': `<d:wsDr xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${types}">${drawing}</d:wsDr>`,
      'book/_rels/over.xml.rels': list(relationship('p', 'image', 'picture.png')),
      'book/picture.png': 'picture',
    }),
    ...(table !== undefined && {
      'book/_rels/one.xml.rels': list(relationship('t', 'table', 'table.xml')),
      'book/table.xml': `<table xmlns="${uri}">${table}</table>`,
    }),
    'book/main.xml': `<b:workbook xmlns:b="${uri}" xmlns:q="${types}"><b:sheets><b:sheet name="One" sheetId="1" q:id="s"/></b:sheets>${workbook}</b:workbook>`,
    'book/_rels/main.xml.rels': list(
      relationship('s', 'worksheet', 'one.xml') + relationship('t', 'styles', 'look.xml'),
    ),
    'book/one.xml': `<worksheet xmlns="${uri}" xmlns:r="${types}">${sheet}</worksheet>`,
    'book/look.xml': `<styleSheet xmlns="${uri}">${styles}</styleSheet>`,
  })
}

describe('the reader of workbooks', () => {
  it.each([
    ['showZeros="0"', [undefined, 1, undefined]],
    ['showZeros="1"', [0, 1, 0]],
    ['', [0, 1, 0]],
  ])('shows zeros as the view sets: %s', async (attributes, values) => {
    const bytes = await workbookOf({
      sheet: `<sheetViews><sheetView ${attributes}/></sheetViews><sheetData><row><c><v>0</v></c><c><v>1</v></c><c><f>1-1</f><v>0</v></c></row></sheetData>`,
    })
    const [sheet] = readXlsx(bytes, context).value.sheets
    expect(sheet?.rows[0]?.cells.map(({ value }) => value)).toEqual(values)
  })
  it.each([
    ['TODAY()', { text: 'TODAY()', down: 0, right: 0 }],
    ['1+1', undefined],
  ])('keeps formulas with stored results only where one changes with the time: %s', async (text, formula) => {
    const bytes = await workbookOf({
      sheet: `<sheetData><row><c><f>${text}</f><v>4</v></c><c><f>A1</f><v>4</v></c></row></sheetData>`,
    })
    const cells = readXlsx(bytes, context).value.sheets[0]?.rows[0]?.cells
    expect(cells?.map(({ value }) => value)).toEqual([4, 4])
    expect(cells?.map((cell) => cell.formula)).toEqual([formula, formula && { ...formula, text: 'A1' }])
  })
  it.each([false, true])('finds parts and namespaces by their identifiers (strict: %s)', async (strict) => {
    const bytes = await workbookOf({
      strict,
      sheet:
        '<sheetData><row r="2"><c r="B2"><v>1.5</v></c><c t="inlineStr"><is><t>a_x0041_</t></is></c></row></sheetData>',
    })
    const [sheet] = readXlsx(bytes, context).value.sheets
    expect(sheet?.rows).toEqual([
      {
        row: 1,
        hidden: false,
        cells: [
          { column: 1, format: 0, value: 1.5 },
          { column: 2, format: 0, value: 'aA' },
        ],
      },
    ])
  })

  it('resolves fonts, fills, borders, colours and number formats', async () => {
    const bytes = await workbookOf({
      sheet: '<sheetData><row><c s="1"><v>1</v></c></row></sheetData>',
      styles: `<numFmts><numFmt numFmtId="164" formatCode="0.0&quot;x&quot;"/></numFmts>
        <fonts><font><sz val="11"/><name val="Calibri"/></font><font><b/><u val="double"/><sz val="20"/><color theme="4" tint="0.5"/><name val="Arial"/></font></fonts>
        <fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="solid"><fgColor indexed="13"/></patternFill></fill></fills>
        <borders><border/><border><left style="thin"><color rgb="FF112233"/></left><bottom style="double"/></border></borders>
        <cellStyleXfs><xf/></cellStyleXfs>
        <cellXfs><xf/><xf numFmtId="164" fontId="1" fillId="1" borderId="1"><alignment horizontal="center" vertical="top" wrapText="1" textRotation="135"/></xf></cellXfs>`,
    })
    expect(readXlsx(bytes, context).value.formats[1]).toMatchObject({
      font: { family: 'Arial', size: 20, bold: true, underline: 'double', color: 'A7C0DE' },
      number: '0.0"x"',
      fill: 'FFFF00',
      borders: {
        left: { line: 'solid', width: 0.75, color: '112233' },
        bottom: { line: 'double', color: '000000' },
      },
      align: { across: 'center', down: 'top', wrap: true, rotation: -45 },
    })
  })

  it.each([
    ['Microsoft Excel', [24.75, 14.25]],
    ['Calc', [24.95, 14.4]],
  ])('reads row heights, which are whole pixels in %s', async (application, heights) => {
    const bytes = await workbookOf({
      application,
      sheet:
        '<sheetFormatPr defaultRowHeight="14.4" baseColWidth="10"/><sheetData><row ht="24.95"><c><v>1</v></c></row></sheetData>',
    })
    const [sheet] = readXlsx(bytes, context).value.sheets
    expect([sheet?.rows[0]?.height, sheet?.defaultHeight]).toEqual(heights)
    expect(sheet?.defaultWidth).toEqual({ digits: 10, padding: 3.75 })
  })

  it('reads fonts by their names, and number formats without a code as General', async () => {
    const bytes = await workbookOf({
      sheet: '<sheetData/>',
      styles: `<numFmts><numFmt numFmtId="0" formatCode=""/></numFmts>
        <fonts><font><name val="Own"/><scheme val="minor"/></font></fonts><cellXfs><xf numFmtId="0"/></cellXfs>`,
    })
    expect(readXlsx(bytes, context).value.formats[0]).toMatchObject({
      font: { family: 'Own' },
      number: 'General',
    })
  })

  it('reads empty text in formulas only, and a formula where the file has no value', async () => {
    const bytes = await workbookOf({
      sheet:
        '<sheetData><row><c t="str"><f>""</f><v></v></c><c t="str"><f>"a"</f></c><c t="inlineStr"><is><t/></is></c></row></sheetData>',
    })
    const [sheet] = readXlsx(bytes, context).value.sheets
    expect(sheet?.rows[0]?.cells.map(({ value, formula }) => formula?.text ?? value)).toEqual([
      '',
      '"a"',
      undefined,
    ])
  })

  it('reads pictures, and the places of other and hidden objects', async () => {
    const corner = (name: string, column: number, row: number) =>
      `<d:${name}><d:col>${column}</d:col><d:colOff>12700</d:colOff><d:row>${row}</d:row><d:rowOff>0</d:rowOff></d:${name}>`
    const between = (content: string) =>
      `<d:twoCellAnchor>${corner('from', 0, 1)}${corner('to', 2, 3)}${content}<d:clientData/></d:twoCellAnchor>`
    const bytes = await workbookOf({
      sheet: '<sheetData/>',
      drawing:
        between(
          '<d:pic><d:nvPicPr><d:cNvPr id="1"/></d:nvPicPr><d:blipFill><a:blip r:embed="p"/><a:srcRect l="25000"/></d:blipFill></d:pic>',
        ) +
        between('<d:sp><d:nvSpPr><d:cNvPr id="2" hidden="1"/></d:nvSpPr></d:sp>') +
        `<d:oneCellAnchor>${corner('from', 4, 4)}<d:ext cx="127000" cy="254000"/><d:contentPart/><d:clientData/></d:oneCellAnchor>`,
    })
    const { value, warnings } = readXlsx(bytes, context)
    const [from, to] = [
      { column: 0, row: 1, x: 1, y: 0 },
      { column: 2, row: 3, x: 1, y: 0 },
    ]
    expect(value.sheets[0]?.drawings).toEqual([
      {
        from,
        to,
        drawing: {
          width: 0,
          height: 0,
          rotation: 0,
          content: {
            kind: 'picture',
            media: 'book/picture.png',
            crop: { left: 0.25, top: 0, right: 0, bottom: 0 },
          },
        },
      },
      { from, to },
      { from: { column: 4, row: 4, x: 1, y: 0 }, to: { width: 10, height: 20 } },
    ])
    expect([...(value.media?.keys() ?? [])]).toEqual(['book/picture.png'])
    expect(warnings.map(({ code }) => code)).toEqual(['read.sheet-drawing'])
  })

  it('reads names of the whole workbook', async () => {
    const bytes = await workbookOf({
      sheet: '<sheetData/>',
      workbook: `<b:definedNames><b:definedName name="Vat">One!$B$2</b:definedName><b:definedName name="Own" localSheetId="0">One!$A$1</b:definedName></b:definedNames>`,
    })
    expect(readXlsx(bytes, context).value.names).toEqual(new Map([['VAT', 'One!$B$2']]))
  })

  it('reads how a sheet is printed', async () => {
    const bytes = await workbookOf({
      sheet: `<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetData/><mergeCells><mergeCell ref="A1:B2"/></mergeCells>
        <printOptions gridLines="1" horizontalCentered="1"/><pageMargins left="1" right="1" top="1" bottom="1" header="0.5" footer="0.5"/>
        <pageSetup paperSize="9" orientation="landscape" fitToHeight="0" pageOrder="overThenDown"/>
        <headerFooter><oddHeader>&amp;LPage &amp;P of &amp;N&amp;R&amp;"Arial,Bold"&amp;14&amp;A</oddHeader></headerFooter>
        <rowBreaks><brk id="5" man="1"/><brk id="9"/></rowBreaks>`,
      workbook: `<b:definedNames><b:definedName name="_xlnm.Print_Area" localSheetId="0">'One, two'!$A$1:$C$9,One!$E$1</b:definedName>
        <b:definedName name="_xlnm.Print_Titles" localSheetId="0">One!$A:$A,One!$1:$2</b:definedName></b:definedNames>`,
    })
    const [sheet] = readXlsx(bytes, context).value.sheets
    expect(sheet?.merges).toEqual([{ top: 0, left: 0, bottom: 1, right: 1 }])
    expect(sheet?.page).toMatchObject({
      areas: [
        { top: 0, left: 0, bottom: 8, right: 2 },
        { top: 0, left: 4, bottom: 0, right: 4 },
      ],
      scale: { pagesWide: 1, pagesTall: 0 },
      order: 'across',
      repeatRows: [0, 1],
      repeatColumns: [0, 0],
      rowBreaks: [5],
      gridLines: true,
      centerAcross: true,
    })
    expect(sheet?.page.width).toBeGreaterThan(sheet?.page.height ?? 0)
    expect(sheet?.page.header?.all.left[0]?.map(({ text }) => text)).toEqual([
      { kind: 'text', text: 'Page ' },
      { kind: 'page', add: 0 },
      { kind: 'text', text: ' of ' },
      { kind: 'pages' },
    ])
    expect(sheet?.page.header?.all.right[0]?.[0]).toMatchObject({
      font: { family: 'Arial', bold: true, size: 14 },
      text: { kind: 'sheet' },
    })
  })

  it.each([
    ['paperSize="16" orientation="landscape"', [1008, 720]],
    ['orientation="landscape"', [792, 612]],
    ['paperSize="0" orientation="landscape"', [612, 792]],
    ['paperSize="119" orientation="landscape"', [612, 792]],
  ])('reads the size of paper: %s', async (attributes, size) => {
    const bytes = await workbookOf({ sheet: `<sheetData/><pageSetup ${attributes}/>` })
    const [sheet] = readXlsx(bytes, context).value.sheets
    expect([sheet?.page.width, sheet?.page.height]).toEqual(size)
  })

  it('reads shared strings and reports what is not drawn', async () => {
    const bytes = await xlsxOf({
      sheets: [
        {
          name: 'One',
          cells: {
            A1: 'plain',
            B1: { rich: '<r><t>a</t></r><r><rPr><b/><rFont val="Arial"/><sz val="9"/></rPr><t>b</t></r>' },
          },
          after:
            '<conditionalFormatting sqref="A1"><cfRule type="odd" priority="1" dxfId="0"/></conditionalFormatting>',
        },
      ],
    })
    const { value, warnings } = readXlsx(bytes, context)
    const [first, second] = value.sheets[0]?.rows[0]?.cells ?? []
    expect(first?.value).toBe('plain')
    expect(second?.value).toMatchObject({
      kind: 'rich',
      runs: [{ text: 'a' }, { text: 'b', font: { bold: true } }],
    })
    expect(warnings.map(({ code }) => code)).toEqual(['read.conditional-format'])
  })

  it('shows in drop-downs what their cells have', async () => {
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
    const list = (all: string) =>
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all}</Relationships>`
    const relationship = (id: string, kind: string, target: string) =>
      `<Relationship Id="${id}" Type="${relations}/${kind}" Target="${target}"/>`
    const bytes = await zipOf({
      '_rels/.rels': list(relationship('r', 'officeDocument', 'main.xml')),
      'main.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="It's" sheetId="1" r:id="s"/></sheets></workbook>`,
      '_rels/main.xml.rels': list(relationship('s', 'worksheet', 'one.xml')),
      'one.xml': `<worksheet xmlns="${main}"><sheetData><row r="2"><c r="B2"><v>7</v></c></row><row r="3"><c r="B3" t="str"><v>chosen</v></c></row></sheetData></worksheet>`,
      '_rels/one.xml.rels': list(relationship('v', 'vmlDrawing', 'controls.vml')),
      'controls.vml': `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shape><x:ClientData ObjectType="Drop"><x:Anchor>0,0,0,0,2,0,1,0</x:Anchor><x:FmlaRange>$B$2:$B$3</x:FmlaRange><x:Sel>2</x:Sel></x:ClientData></v:shape></xml>`,
    })
    const { value, warnings } = readXlsx(bytes, context)
    expect(JSON.stringify(value.sheets[0]?.drawings)).toContain('"text":"chosen"')
    expect(warnings).toEqual([])
  })
  it('draws the notes that a sheet shows all the time', async () => {
    const note = (row: number, style: string, data = ''): string =>
      `<v:shape style="${style}" fillcolor="#ffeedd"><x:ClientData ObjectType="Note">${data}<x:Anchor>1,0,0,0,3,0,2,0</x:Anchor><x:Row>${row}</x:Row><x:Column>0</x:Column></x:ClientData></v:shape>`
    const comment = (cell: string, text: string): string =>
      `<comment ref="${cell}" authorId="0"><text><r><rPr><b/><sz val="9"/><rFont val="Tahoma"/></rPr><t>${text}</t></r></text></comment>`
    const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
    const list = (...all: readonly (readonly [kind: string, target: string])[]) =>
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.map(([kind, target]) => `<Relationship Id="${kind}" Type="${relations}/${kind}" Target="${target}"/>`).join('')}</Relationships>`
    const bytes = await zipOf({
      '_rels/.rels': list(['officeDocument', 'main.xml']),
      'main.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="One" sheetId="1" r:id="worksheet"/></sheets></workbook>`,
      '_rels/main.xml.rels': list(['worksheet', 'one.xml']),
      'one.xml': `<worksheet xmlns="${main}"><sheetData/></worksheet>`,
      '_rels/one.xml.rels': list(['vmlDrawing', 'notes.vml'], ['comments', 'notes.xml']),
      'notes.vml': `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel">${note(0, 'position:absolute;visibility:hidden')}${note(1, 'position:absolute; visibility:visible')}${note(2, 'visibility:hidden', '<x:Visible/>')}</xml>`,
      'notes.xml': `<comments xmlns="${main}"><authors><author/></authors><commentList>${comment('A1', 'hidden')}${comment('A2', 'first\nline')}${comment('A3', 'second')}</commentList></comments>`,
    })
    const { value, warnings } = readXlsx(bytes, context)
    const texts = (value.sheets[0]?.drawings ?? []).map(({ drawing }) =>
      drawing?.content.kind === 'shape'
        ? drawing.content.text?.blocks.map((block) =>
            block.kind === 'paragraph'
              ? block.inlines.map((each) => (each.kind === 'text' ? each.text : ''))
              : [],
          )
        : [],
    )
    expect(texts).toEqual([[['first'], ['line']], [['second']]])
    expect(value.sheets[0]?.drawings?.[0]).toMatchObject({
      from: { row: 0, column: 1 },
      to: { row: 2, column: 3 },
      drawing: { content: { fill: 'FFEEDD' } },
    })
    expect(warnings).toEqual([])
  })
  it('reports controls that are a choice for newer versions of Excel', async () => {
    const controls =
      '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" Requires="x14"><controls><control shapeId="1"/></controls></mc:Choice></mc:AlternateContent>'
    const bytes = await xlsxOf({ sheets: [{ name: 'One', cells: { A1: 'a' }, after: controls }] })
    expect(readXlsx(bytes, context).warnings.map(({ code }) => code)).toEqual(['read.sheet-control'])
  })

  it('reads formulas without a result, also those that cells share, and keeps results', async () => {
    const bytes = await workbookOf({
      sheet:
        '<sheetData><row r="1"><c r="A1"><f>1+1</f></c><c r="B1"><f>1+1</f><v>2</v></c><c r="C1"><f t="shared" si="0" ref="C1:C2">A1*2</f></c></row><row r="2"><c r="C2"><f t="shared" si="0"/></c><c r="D2"><f t="shared" si="7"/></c></row></sheetData>',
    })
    const { value, warnings } = readXlsx(bytes, context)
    const cells = value.sheets[0]?.rows.flatMap((row) => row.cells) ?? []
    expect(cells.map((cell) => cell.value)).toEqual([undefined, 2, undefined, undefined, undefined])
    expect(cells.map((cell) => cell.formula)).toEqual([
      { text: '1+1', down: 0, right: 0 },
      undefined,
      { text: 'A1*2', down: 0, right: 0 },
      { text: 'A1*2', down: 1, right: 0 },
      { text: '', down: 0, right: 0 },
    ])
    expect(warnings).toEqual([])
  })

  it('refuses a file that is not a workbook', async () => {
    const bytes = await zipOf({ 'a.txt': 'a' })
    expect(() => readXlsx(bytes, context)).toThrow(expect.objectContaining({ code: 'convert.document' }))
  })
})

describe('hostile workbooks', () => {
  const read = async (parts: Parts) => readXlsx(await workbookOf(parts), context).value
  const row = (cells: string) => `<sheetData><row r="1">${cells}</row></sheetData>`

  it('have one sheet for each part, however often it is listed', async () => {
    const bytes = await xlsxOf({
      sheets: [{ name: 'One', cells: { A1: 1 } }],
      extra: {
        'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${'<sheet name="One" sheetId="1" r:id="rId1"/>'.repeat(5_000)}</sheets></workbook>`,
      },
    })
    expect(readXlsx(bytes, context).value.sheets).toHaveLength(1)
  })

  it('have columns that do not overlap, and texts of at most 32,767 letters', async () => {
    const wide = '<col min="1" max="16384" width="9"/>'
    const [columns] = (
      await read({ sheet: `<cols>${wide.repeat(3_000)}<col min="2" max="3" width="9"/></cols>${row('')}` })
    ).sheets
    expect(columns?.columns).toHaveLength(1)
    const letters = 'a'.repeat(40_000)
    const runs = '<r><t>ab</t></r>'.repeat(20_000)
    const bold = `<r><rPr><b/></rPr><t>${letters}</t></r>`
    const [sheet] = (
      await read({
        sheet: row(
          `<c t="inlineStr"><is><t>${letters}</t></is></c><c t="str"><v>${letters}</v></c><c t="inlineStr"><is>${runs}${bold}</is></c>`,
        ),
      })
    ).sheets
    const lengths = sheet?.rows[0]?.cells.map(({ value }) =>
      typeof value === 'string' ? value.length : JSON.stringify(value).length,
    )
    expect(Math.max(...(lengths ?? [Infinity]))).toBeLessThanOrEqual(32_767)
  })

  it('link no more cells than they have', async () => {
    const bytes = await xlsxOf({
      sheets: [
        {
          name: 'One',
          cells: { A1: 'a', B2: 'b' },
          after: `<hyperlinks>${'<hyperlink ref="A1:XFD1048576" r:id="r"/>'.repeat(20_000)}</hyperlinks>`,
          relationships: [
            { id: 'r', type: `${relations}/hyperlink`, target: 'https://example.com/" TargetMode="External' },
          ],
        },
      ],
    })
    const [sheet] = readXlsx(bytes, context).value.sheets
    expect(sheet?.rows.flatMap(({ cells }) => cells.map(({ link }) => link))).toEqual([
      'https://example.com/',
      'https://example.com/',
    ])
  })
})

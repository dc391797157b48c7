import type { CellValue, SheetSpec, WorkbookSpec } from '../../helpers/xlsx.ts'

/** Workbooks, data, and what must come out of them. Every output is also checked for structure and opened again. */
export interface XlsxCase {
  readonly name: string
  readonly workbook: WorkbookSpec
  readonly data: unknown
  /** Sheet number -> cells by address: "'text'", '12', '=formula'. */
  readonly cells?: Readonly<Record<number, Readonly<Record<string, string>>>>
  /** Part -> stretches of XML it must hold. */
  readonly holds?: Readonly<Record<string, readonly string[]>>
  readonly lacks?: Readonly<Record<string, readonly string[]>>
  /** Values of the first sheet as LibreOffice works them out: rows of CSV. */
  readonly csv?: readonly string[]
}

type Cells = Readonly<Record<string, CellValue>>
const book = (cells: Cells, more: Partial<SheetSpec> = {}): WorkbookSpec => ({ sheets: [{ name: 'S', cells, ...more }] })

const three = { l: [{ n: 'x', q: 1, p: 2 }, { n: 'y', q: 3, p: 4 }, { n: 'z', q: 5, p: 6 }] }
const none = { l: [] }
const list: Cells = { A1: 'N', B1: 'Q', A2: '{d.l[i].n}', B2: '{d.l[i].q:formatN}', A3: '{d.l[i+1].n}' }
const sheet = 'xl/worksheets/sheet1.xml'
const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const groups = {
  g: [
    { h: 'A', k: [{ v: 1 }, { v: 2 }] },
    { h: 'B', k: [] },
    { h: 'C', k: [{ v: 5 }] },
  ],
}
const grouped: Cells = {
  A1: '{d.g[i].h}', A2: '{d.g[i].k[i].v:formatN}', A3: '{d.g[i].k[i+1].v}', A4: '=SUM(A2:A3)', A5: '{d.g[i+1].h}', A6: '=SUM(A1:A4)',
}

const drawing = (rows: string) =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">${rows}</xdr:wsDr>`
const anchor = (from: number, to: number, id: number) =>
  `<xdr:twoCellAnchor><xdr:from><xdr:col>3</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${from}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>5</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${to}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:sp macro="" textlink=""><xdr:nvSpPr><xdr:cNvPr id="${id}" name="Shape ${id}"/><xdr:cNvSpPr/></xdr:nvSpPr><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr><xdr:txBody><a:bodyPr/><a:p><a:r><a:t>{d.title}</a:t></a:r></a:p></xdr:txBody></xdr:sp><xdr:clientData/></xdr:twoCellAnchor>`
const chart = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:plotArea><c:barChart><c:barDir val="col"/><c:ser><c:idx val="0"/><c:order val="0"/><c:cat><c:strRef><c:f>S!$A$2</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>{d.l[0].n}</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>S!$B$2:$B$3</c:f><c:numCache><c:ptCount val="1"/></c:numCache></c:numRef></c:val></c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling/><c:delete val="0"/><c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling/><c:delete val="0"/><c:axPos val="l"/><c:crossAx val="1"/></c:valAx></c:plotArea></c:chart></c:chartSpace>`
const table = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T" displayName="T" ref="A1:B3" totalsRowShown="0"><autoFilter ref="A1:B3"/><tableColumns count="2"><tableColumn id="1" name="N"/><tableColumn id="2" name="Q"/></tableColumns></table>`
const tableSheet: Partial<SheetSpec> = {
  after: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
  relationships: [{ id: 'rId1', type: 'table', target: '../tables/table1.xml' }],
}
const tableParts = {
  extra: { 'xl/tables/table1.xml': table },
  types: { 'xl/tables/table1.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml' },
}

const note = (row: number, id: number) =>
  `<v:shape id="_x0000_s${id}" type="#_x0000_t202" style="position:absolute;visibility:hidden"><x:ClientData ObjectType="Note"><x:Anchor>1, 15, ${row}, 2, 3, 15, ${row + 3}, 16</x:Anchor><x:Row>${row}</x:Row><x:Column>0</x:Column></x:ClientData></v:shape>`
const vml = (row: number) =>
  `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"/>${note(row, 1025)}</xml>`

const sparkline = (values: string, cell: string) => `<x14:sparkline><xm:f>${values}</xm:f><xm:sqref>${cell}</xm:sqref></x14:sparkline>`
/** Pairs of values and cell. */
function sparklines(...pairs: readonly string[]): string {
  const each = pairs.flatMap((values, at) => (at % 2 === 0 ? [sparkline(`S!${values}`, pairs[at + 1]!)] : []))
  return `<extLst><ext xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main" uri="{05C60535-1F16-4fd2-B633-F4F36F0B64E0}"><x14:sparklineGroups xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:sparklineGroup><x14:sparklines>${each.join('')}</x14:sparklines></x14:sparklineGroup></x14:sparklineGroups></ext></extLst>`
}

/** As Excel keeps a pivot table whose author made it over the rows of the template. */
const pivotBook: WorkbookSpec = (() => {
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
  const declared = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
  const rels = (type: string, target: string) => `${declared}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/${type}" Target="${target}"/></Relationships>`
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  const pattern = (inside: string) => `<format dxfId="0"><pivotArea${inside === '' ? '/>' : `>${inside}</pivotArea>`}</format>`
  return {
    sheets: [
      { name: 'S', cells: list },
      {
        name: 'Pivot',
        cells: { A1: '{d.title}', A3: 'Labels', A4: '{d.l[i].n}', B4: 0, A5: '(blank)' },
        relationships: [{ id: 'rId1', type: 'pivotTable', target: '../pivotTables/pivotTable1.xml' }],
      },
    ],
    extra: {
      'xl/pivotCache/pivotCacheDefinition1.xml': `${declared}<pivotCacheDefinition ${main} xmlns:r="${relation}" r:id="rId1" recordCount="2"><cacheSource type="worksheet"><worksheetSource ref="A1:B3" sheet="S"/></cacheSource><cacheFields count="2"><cacheField name="N" numFmtId="0"><sharedItems containsBlank="1" count="2"><s v="{d.l[i].n}"/><m/></sharedItems></cacheField><cacheField name="Q" numFmtId="0"><sharedItems/></cacheField></cacheFields></pivotCacheDefinition>`,
      'xl/pivotCache/_rels/pivotCacheDefinition1.xml.rels': rels('pivotCacheRecords', 'pivotCacheRecords1.xml'),
      'xl/pivotCache/pivotCacheRecords1.xml': `${declared}<pivotCacheRecords ${main} count="2"><r><x v="0"/><s v="{d.l[i].q:formatN}"/></r><r><x v="1"/><m/></r></pivotCacheRecords>`,
      'xl/pivotTables/_rels/pivotTable1.xml.rels': rels('pivotCacheDefinition', '../pivotCache/pivotCacheDefinition1.xml'),
      'xl/pivotTables/pivotTable1.xml': `${declared}<pivotTableDefinition ${main} name="P" cacheId="1" dataCaption="Values"><location ref="A3:B5" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/><pivotFields count="2"><pivotField axis="axisRow" showAll="0"><items count="3"><item x="0"/><item x="1"/><item t="default"/></items></pivotField><pivotField dataField="1" showAll="0"/></pivotFields><rowFields count="1"><field x="0"/></rowFields><rowItems count="2"><i><x/></i><i><x v="1"/></i></rowItems><pageFields count="1"><pageField fld="1" item="1" hier="-1"/></pageFields><dataFields count="1"><dataField name="Sum of Q" fld="1"/></dataFields><formats count="2">${pattern('')}${pattern('<references count="1"><reference field="0" count="1"><x v="0"/></reference></references>')}</formats></pivotTableDefinition>`,
    },
    types: {
      'xl/pivotCache/pivotCacheDefinition1.xml': `${type}.pivotCacheDefinition+xml`,
      'xl/pivotCache/pivotCacheRecords1.xml': `${type}.pivotCacheRecords+xml`,
      'xl/pivotTables/pivotTable1.xml': `${type}.pivotTable+xml`,
    },
  }
})()

export const xlsxCases: readonly XlsxCase[] = [
  // ----------------------------------------------------------------------------------------------------------- values
  {
    name: 'data that begins as a formula does is text',
    workbook: book({ A1: '{d.l[i]}', B1: '{d.l[i]:formatN}', A2: '{d.l[i+1]}' }),
    data: { l: ['=1+1', '+1+1', '-1+1', '@SUM(1)'] },
    cells: {
      1: {
        A1: "'=1+1'", B1: "'=1+1'",
        A2: "'+1+1'", B2: "'+1+1'",
        A3: "'-1+1'", B3: "'-1+1'",
        A4: "'@SUM(1)'", B4: "'@SUM(1)'",
      },
    },
    lacks: { [sheet]: ['<f>', '<f '] },
    csv: ['=1+1,=1+1', '+1+1,+1+1', '-1+1,-1+1', '@SUM(1),@SUM(1)'],
  },
  {
    name: 'typed cells keep their style and fall back to text',
    workbook: book({
      A1: { style: 1, value: '{d.a:mul(.b):formatN}' }, B1: { style: 1, value: '{d.t:formatN(2)}' }, C1: { style: 1, value: '{d.none:formatN()}' },
      D1: '{d.a:formatN} pcs', E1: '{d.a}', F1: '{d.s:formatN}', G1: '{d.a:add(0)}',
    }),
    data: { a: 3, b: 4.5, t: 'n/a & <b>', s: '12.50' },
    cells: { 1: { A1: '13.5', B1: "'n/a & <b>'", D1: "'3.000 pcs'", E1: "'3'", F1: '12.5', G1: "'3'" } },
    holds: { [sheet]: ['<c r="A1" s="1"><v>13.5</v></c>', '<c r="C1" s="1"></c>'] },
    csv: ['13.50,n/a & <b>,,3.000 pcs,3,12.5,3'],
  },
  {
    name: 'formatted values as text on request',
    workbook: book({ A1: '{o.exportFormattedValuesAsText=true}', B1: '{d.a:formatN(2)}' }),
    data: { a: 1234.5 },
    cells: { 1: { A1: "''", B1: "'1,234.50'" } },
  },
  {
    name: 'cells with line breaks wrap their text, others keep their style',
    workbook: book({ A1: '{d.v:convCRLF}', B1: { style: 1, value: '{d.v:convCRLF}' }, C1: { style: 1, value: '{d.v}' }, A2: { style: 1, value: 'x {d.v:convCRLF}' } }),
    data: { v: 'a\nb' },
    cells: { 1: { A1: "'a\nb'", B1: "'a\nb'", C1: "'a\nb'", A2: "'x a\nb'" } },
    holds: {
      [sheet]: ['<c r="A1" t="inlineStr" s="3">', '<c r="B1" t="inlineStr" s="4">', '<c r="C1" s="1" t="inlineStr">', '<c r="A2" t="inlineStr" s="4">'],
      'xl/styles.xml': ['<cellXfs count="5">', 'numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment wrapText="1"/></xf></cellXfs>'],
    },
  },
  {
    name: 'rich text keeps its runs, readings go',
    workbook: book({ A1: { rich: '<r><rPr><b/></rPr><t>{d.</t></r><r><rPr><i/></rPr><t>a} and more</t></r><rPh sb="0" eb="1"><t>x</t></rPh>' } }),
    data: { a: 'V' },
    cells: { 1: { A1: "'V and more'" } },
    holds: { [sheet]: ['<b/>', '<i/>', '>V</t>'] },
    lacks: { [sheet]: ['rPh'], 'xl/sharedStrings.xml': ['{d.'] },
    csv: ['V and more'],
  },
  {
    name: 'strings without tags stay shared, blanks and control characters are kept or left out',
    workbook: book({ A1: 'plain', B1: '{d.a}', C1: ' x ' }),
    data: { a: ' a\u0001b ' },
    cells: { 1: { A1: "'plain'", B1: "' ab '", C1: "' x '" } },
    holds: { [sheet]: ['<c r="A1" t="s"><v>0</v></c>', 'xml:space="preserve"> ab </t>'] },
  },
  // ------------------------------------------------------------------------------------------------------------- rows
  {
    name: 'formulas inside, below and above the repeated rows',
    workbook: book({ ...list, C2: '=B2*2', D2: '=SUM(B$2:B2)', E2: '=B2/SUM(B$2:B$3)', D1: '=SUM(B2:B3)', A4: 'Sum', B4: '=SUM(B2:B2)', C4: '=SUM(C2:C3)', B6: '=B4*2' }),
    data: three,
    cells: {
      1: {
        A1: "'N'", B1: "'Q'", D1: '=SUM(B2:B4)',
        A2: "'x'", B2: '1', C2: '=B2*2', D2: '=SUM(B$2:B2)', E2: '=B2/SUM(B$2:B$4)',
        A3: "'y'", B3: '3', C3: '=B3*2', D3: '=SUM(B$2:B3)', E3: '=B3/SUM(B$2:B$4)',
        A4: "'z'", B4: '5', C4: '=B4*2', D4: '=SUM(B$2:B4)', E4: '=B4/SUM(B$2:B$4)',
        A5: "'Sum'", B5: '=SUM(B2:B4)', C5: '=SUM(C2:C4)',
        B7: '=B5*2',
      },
    },
    csv: ['N,Q,,9,', 'x,1,2,1,0.111111111111111', 'y,3,6,4,0.333333333333333', 'z,5,10,9,0.555555555555556', 'Sum,9,18,,', ',,,,', ',18,,,'],
  },
  {
    name: 'an empty list leaves a sum of nothing',
    workbook: book({ ...list, B4: '=SUM(B2:B3)', C4: '=B4+1' }),
    data: none,
    cells: { 1: { A1: "'N'", B1: "'Q'", B2: '=SUM($B$65000)', C2: '=B2+1' } },
    csv: ['N,Q,', ',0,1'],
  },
  {
    name: 'a running balance takes the row above',
    workbook: book({ A1: 'Start', B1: 100, A2: '{d.l[i].n}', B2: '=B1+C2', C2: '{d.l[i].q:formatN}', A3: '{d.l[i+1].n}' }),
    data: three,
    cells: { 1: { A1: "'Start'", B1: '100', A2: "'x'", B2: '=B1+C2', C2: '1', A3: "'y'", B3: '=B2+C3', C3: '3', A4: "'z'", B4: '=B3+C4', C4: '5' } },
    csv: ['Start,100,', 'x,101,1', 'y,104,3', 'z,109,5'],
  },
  {
    name: 'an unanchored rate far above stays',
    workbook: book({ B1: 2, A3: 'N', A4: '{d.l[i].n}', B4: '{d.l[i].q:formatN}', C4: '=B4*B1', A5: '{d.l[i+1].n}' }),
    data: three,
    cells: { 1: { B1: '2', A3: "'N'", A4: "'x'", B4: '1', C4: '=B4*B1', A5: "'y'", B5: '3', C5: '=B5*B1', A6: "'z'", B6: '5', C6: '=B6*B1' } },
  },
  {
    name: 'groups with subtotals',
    workbook: book(grouped),
    data: groups,
    cells: {
      1: {
        A1: "'A'", A2: '1', A3: '2', A4: '=SUM(A2:A3)',
        A5: "'B'", A6: '=SUM($A$65000)',
        A7: "'C'", A8: '5', A9: '=SUM(A8:A8)',
        A10: '=SUM(A1:A9)',
      },
    },
    csv: ['A', '1', '2', '3', 'B', '0', 'C', '5', '5', '16'],
  },
  {
    name: 'rows the file does not mention move along, inside a block too',
    workbook: book({ A3: '{d.l[i].n}', A5: '{d.l[i].q:formatN}', A8: '{d.l[i+1].n}', A10: 'end', B10: '=SUM(A3:A7)' }),
    data: { l: [{ n: 'x', q: 1 }, { n: 'y', q: 3 }] },
    cells: { 1: { A3: "'x'", A5: '1', A8: "'y'", A10: '3', A14: "'end'", B14: '=SUM(A3:A12)' } },
    csv: ['', '', 'x', '', '1', '', '', 'y', '', '3', '', '', '', 'end,4'].map((line) => (line.includes(',') ? line : `${line},`)),
  },
  {
    name: 'dropped rows close up',
    workbook: book({ A1: 'a', A2: '{d.no:ifEM:drop(row, 2)}b', A3: 'c', A4: 'd', B4: '=A1&A4', A6: '{d.yes:ifNEM:keep(row)}e' }),
    data: { yes: '' },
    cells: { 1: { A1: "'a'", A2: "'d'", B2: '=A1&A2' } },
    csv: ['a,', 'd,ad'],
  },
  {
    name: 'blocks over rows',
    workbook: book({ A1: 'a{d.no:ifNEM:showBegin}', A2: 'hidden', A4: 'hidden', A5: '{d.no:showEnd}b', A6: '=A5&A1', A7: '{d.yes:ifEQ(1):showBegin}', A8: 'shown', A9: '{d.yes:showEnd}' }),
    data: { yes: 1 },
    cells: { 1: { A1: "'a'", A2: "'b'", A3: '=A2&A1', A4: "''", A5: "'shown'", A6: "''" } },
    csv: ['a', 'b', 'ba', '', 'shown'],
  },
  {
    name: 'hidden blocks leave no empty rows',
    workbook: book({ A1: 'x', B1: '=A5', A2: '{d.no:ifNEM:showBegin}', A3: 'hidden', A4: '{d.no:showEnd}', A5: 'y' }),
    data: {},
    cells: { 1: { A1: "'x'", B1: '=A2', A2: "'y'" } },
    csv: ['x,y', 'y,'],
  },
  {
    name: 'sorted, distinct and filtered rows',
    workbook: book({ A1: '{d.l[k].k}', B1: '{d.l[k].v:aggSum(.k):formatN}', A2: '{d.l[k+1].k}', A3: '{d.l[i, v>1].v:formatN}', A4: '{d.l[i+1, v>1].v}', A5: '=SUM(A3:A4)', B5: '=SUM(B1:B2)' }),
    data: { l: [{ k: 'y', v: 1 }, { k: 'x', v: 2 }, { k: 'y', v: 3 }] },
    csv: ['x,2', 'y,4', '2,', '3,', '5,6'],
  },
  {
    name: 'shared formulas are written out, array formulas keep their area',
    workbook: book({
      ...list, C2: '<f t="shared" ref="C2:C4" si="0">B2*$A$9</f><v>0</v>', C4: '<f t="shared" si="0"/><v>0</v>', D4: '<f t="array" ref="D4">SUM(B2:B3*2)</f><v>0</v>',
    }),
    data: three,
    cells: { 1: { A1: "'N'", B1: "'Q'", A2: "'x'", B2: '1', C2: '=B2*$A$10', A3: "'y'", B3: '3', C3: '=B3*$A$10', A4: "'z'", B4: '5', C4: '=B4*$A$10', C5: '=B5*$A$10', D5: '=SUM(B2:B4*2)' } },
    holds: { [sheet]: ['<f t="array" ref="D5">'] },
  },
  {
    name: 'sums over two loops one after the other',
    workbook: book({ A1: '{d.a[i].v:formatN}', A2: '{d.a[i+1].v}', A3: '=SUM(A1:A2)', A4: '{d.b[i].v:formatN}', A5: '{d.b[i+1].v}', A6: '=SUM(A4:A5)+A3' }),
    data: { a: [{ v: 1 }, { v: 2 }], b: [{ v: 10 }, { v: 20 }, { v: 30 }] },
    csv: ['1', '2', '3', '10', '20', '30', '63'],
  },
  // ------------------------------------------------------------------------------------------------------- the others
  {
    name: 'merged cells, filters, conditional formats, validations, links and breaks follow',
    workbook: book(
      { ...list, A4: 'Sum', B4: '=SUM(B2:B3)' },
      {
        before: '<dimension ref="A1:C4"/><sheetViews><sheetView workbookViewId="0"><selection activeCell="A4" sqref="A4"/></sheetView></sheetViews>',
        after:
          '<autoFilter ref="A1:B3"/><mergeCells count="3"><mergeCell ref="B2:C2"/><mergeCell ref="A4:A5"/><mergeCell ref="E1:E3"/></mergeCells><conditionalFormatting sqref="B2:B3"><cfRule type="expression" dxfId="0" priority="1"><formula>B2&gt;$B$4</formula></cfRule></conditionalFormatting><dataValidations count="2"><dataValidation type="list" sqref="A2" allowBlank="1"><formula1>$A$4:$A$6</formula1></dataValidation><dataValidation type="whole" sqref="A3"><formula1>1</formula1><formula2>2</formula2></dataValidation></dataValidations><hyperlinks><hyperlink ref="A4" location="S!B4"/></hyperlinks><pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/><headerFooter><oddHeader>{d.title}</oddHeader></headerFooter><rowBreaks count="1" manualBreakCount="1"><brk id="4" max="16383" man="1"/></rowBreaks>',
      },
    ),
    data: { ...three, title: 'T & co' },
    holds: {
      [sheet]: [
        '<dimension ref="A1:C5"/>', 'activeCell="A5" sqref="A5"', '<autoFilter ref="A1:B4"/>',
        '<mergeCells count="5"><mergeCell ref="B2:C2"/><mergeCell ref="B3:C3"/><mergeCell ref="B4:C4"/><mergeCell ref="A5:A6"/><mergeCell ref="E1:E4"/></mergeCells>',
        '<conditionalFormatting sqref="B2:B4">', '<formula>B2&gt;$B$5</formula>',
        '<dataValidations count="1"><dataValidation type="list" sqref="A2:A4" allowBlank="1"><formula1>$A$5:$A$7</formula1></dataValidation></dataValidations>',
        '<hyperlink ref="A5" location="S!B5"/>', '<brk id="5"', '<oddHeader>T &amp;&amp; co</oddHeader>',
      ],
    },
  },
  {
    name: 'nothing to merge or to validate leaves no empty list',
    workbook: book(list, { after: '<mergeCells count="1"><mergeCell ref="B2:C2"/></mergeCells><conditionalFormatting sqref="B2"><cfRule type="expression" dxfId="0" priority="1"><formula>B2&gt;1</formula></cfRule></conditionalFormatting><dataValidations count="1"><dataValidation type="list" sqref="A2"><formula1>"a,b"</formula1></dataValidation></dataValidations>' }),
    data: none,
    lacks: { [sheet]: ['mergeCells', 'conditionalFormatting', 'dataValidations'] },
  },
  {
    name: 'names and print areas grow',
    workbook: {
      ...book({ ...list, A4: 'Sum', B4: '=SUM(Q)' }),
      names: '<definedName name="_xlnm.Print_Area" localSheetId="0">S!$A$1:$B$4</definedName><definedName name="_xlnm.Print_Titles" localSheetId="0">S!$1:$1</definedName><definedName name="Q">S!$B$2:$B$3</definedName><definedName name="One">S!$B$2</definedName><definedName name="Total">S!$B$4</definedName>',
    },
    data: three,
    holds: { 'xl/workbook.xml': ['>S!$A$1:$B$5<', '>S!$1:$1<', '>S!$B$2:$B$4<', 'name="One">S!$B$2:$B$4<', 'name="Total">S!$B$5<', 'fullCalcOnLoad="1"'] },
    csv: ['N,Q', 'x,1', 'y,3', 'z,5', 'Sum,9'],
  },
  { name: 'tables grow with their rows', workbook: { ...book(list, tableSheet), ...tableParts }, data: three, holds: { 'xl/tables/table1.xml': ['<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T" displayName="T" ref="A1:B4"', '<autoFilter ref="A1:B4"/>'] } },
  { name: 'tables keep a row when there are none', workbook: { ...book(list, tableSheet), ...tableParts }, data: none, holds: { 'xl/tables/table1.xml': ['displayName="T" ref="A1:B2"'] } },
  {
    name: 'names of a sheet whose name holds tags follow its rows',
    workbook: {
      sheets: [{ name: 'Prices {d.title}', cells: { ...list, A4: 'end' } }],
      names: `<definedName name="_xlnm.Print_Area" localSheetId="0">'Prices {d.title}'!$A$1:$B$4</definedName><definedName name="End">'Prices {d.title}'!$A$4</definedName>`,
    },
    data: { ...three, title: "A'b" },
    holds: {
      'xl/workbook.xml': [
        `<definedName name="_xlnm.Print_Area" localSheetId="0">'Prices A''b'!$A$1:$B$5</definedName><definedName name="End">'Prices A''b'!$A$5</definedName>`,
      ],
    },
  },
  {
    name: 'drawings and charts follow',
    workbook: {
      ...book({ ...list, A4: 'Sum' }, { after: '<drawing r:id="rId1"/>', relationships: [{ id: 'rId1', type: 'drawing', target: '../drawings/drawing1.xml' }] }),
      extra: {
        'xl/drawings/drawing1.xml': drawing(anchor(5, 8, 2) + anchor(0, 5, 3)),
        'xl/drawings/_rels/drawing1.xml.rels': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/chart" Target="../charts/chart1.xml"/></Relationships>`,
        'xl/charts/chart1.xml': chart,
      },
      types: {
        'xl/drawings/drawing1.xml': 'application/vnd.openxmlformats-officedocument.drawing+xml',
        'xl/charts/chart1.xml': 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
      },
    },
    data: { ...three, title: 'Hi' },
    holds: {
      'xl/drawings/drawing1.xml': ['<xdr:row>6</xdr:row>', '<xdr:row>9</xdr:row>', '<xdr:row>0</xdr:row>', '>Hi<'],
      'xl/charts/chart1.xml': ['<c:f>S!$A$2:$A$4</c:f>', '<c:f>S!$B$2:$B$4</c:f>'],
    },
    lacks: { 'xl/charts/chart1.xml': ['Cache'] },
  },
  {
    name: 'other sheets follow too',
    workbook: {
      sheets: [
        { name: 'Total', cells: { A1: "=SUM('My list'!B2:B3)", A2: "='My list'!B5", A3: '=SUM(A1:A2)' } },
        { name: 'My list', cells: { ...list, B5: 7 } },
      ],
      chain: true,
    },
    data: three,
    cells: { 1: { A1: "=SUM('My list'!B2:B4)", A2: "='My list'!B6", A3: '=SUM(A1:A2)' } },
    lacks: { [sheet]: ['<v>'], '[Content_Types].xml': ['calcChain'], 'xl/_rels/workbook.xml.rels': ['calcChain'] },
    csv: ['9', '7', '16'],
  },
  {
    name: 'references to several sheets follow the rows of each',
    workbook: {
      sheets: [
        {
          name: 'Total',
          cells: {
            A1: '=SUM(Jan:Mar!B4)', A2: "=SUM('Jan:Mar'!$B$2:$B$3)", A3: '=SUM(Jan:Mar!D1)', A6: '=SUM(Mar:Jan!B4)', A7: '=AVERAGE(Mar:Mar!B4)',
          },
        },
        { name: 'Jan', cells: { ...list, B4: 7 } },
        { name: 'Feb', cells: { A1: 'plain', B4: 8 } },
        { name: 'Mar', cells: { B2: '{d.m[i].q:formatN}', B3: '{d.m[i+1].q:formatN}', B4: 9 } },
      ],
    },
    data: { ...three, m: [] },
    cells: {
      1: { A1: '=SUM(\'Jan\'!B5,\'Feb\'!B4,\'Mar\'!B2)', A2: '=SUM(\'Jan\'!$B$2:$B$4,\'Feb\'!$B$2:$B$3,\'Mar\'!$B$65000)', A3: '=SUM(Jan:Mar!D1)', A6: '=SUM(\'Jan\'!B5,\'Feb\'!B4,\'Mar\'!B2)', A7: '=AVERAGE(Mar:Mar!B2)' },
    },
  },
  {
    name: 'references to several sheets, some of which repeat, name the first and the last copy',
    workbook: {
      sheets: [
        { name: 'Total', cells: { A1: '{#s1=d.l[i].n}{#s2=d.l[i+1].n}', B1: "=SUM('{$s1}:{$s2}'!B1)", B2: "=SUM('{$s1}:End'!B2)", B3: "=SUM('Start:{$s2}'!B1)" } },
        { name: 'Start', cells: { B1: 1 } },
        { name: '{$s1}', cells: { A1: '{d.l[i].n}', B1: '{d.l[i].q:formatN}', B2: 4 } },
        { name: '{$s2}', cells: { A1: 'marker' } },
        { name: 'End', cells: { B1: 2 } },
      ],
    },
    data: three,
    cells: { 1: { A1: "''", B1: '=SUM(x:z!B1)', B2: '=SUM(x:End!B2)', B3: '=SUM(Start:z!B1)' } },
    csv: [',9', ',12', ',10'],
  },
  {
    name: 'references to copies of sheets whose names need quotes are lists, which all programs read',
    workbook: {
      sheets: [
        { name: 'Total', cells: { A1: '{#s1=d.l[i].n}{#s2=d.l[i+1].n}', B1: "=SUM('{$s1}:{$s2}'!B1)" } },
        { name: '{$s1}', cells: { A1: '{d.l[i].n}', B1: '{d.l[i].q:formatN}' } },
        { name: '{$s2}', cells: { A1: 'marker' } },
      ],
    },
    data: { l: [{ n: 'Q 1', q: 1 }, { n: "it's", q: 3 }] },
    cells: { 1: { A1: "''", B1: "=SUM('Q 1'!B1,'it''s'!B1)" } },
    csv: [',4'],
  },
  {
    name: 'notes of cells and sources of pivot tables follow',
    workbook: {
      ...book(
        { ...list, A4: 'Sum {d.title}' },
        { after: '<legacyDrawing r:id="rId2"/>', relationships: [{ id: 'rId1', type: 'comments', target: '../comments1.xml' }, { id: 'rId2', type: 'vmlDrawing', target: '../drawings/vmlDrawing1.vml' }] },
      ),
      extra: {
        'xl/comments1.xml': '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>a</author></authors><commentList><comment ref="A4" authorId="0"><text><r><t>{d.title}</t></r></text></comment></commentList></comments>',
        'xl/drawings/vmlDrawing1.vml': '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shape id="_x0000_s1025" type="#_x0000_t202" style="visibility:hidden"><v:textbox/><x:ClientData ObjectType="Note"><x:Anchor>1, 15, 3, 2, 3, 15, 7, 4</x:Anchor><x:Row>3</x:Row><x:Column>0</x:Column></x:ClientData></v:shape></xml>',
        'xl/pivotCache/pivotCacheDefinition1.xml': '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<pivotCacheDefinition xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" refreshOnLoad="1"><cacheSource type="worksheet"><worksheetSource ref="A1:B3" sheet="S"/></cacheSource><cacheFields count="0"/></pivotCacheDefinition>',
      },
      types: {
        'xl/comments1.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml',
        'xl/pivotCache/pivotCacheDefinition1.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.pivotCacheDefinition+xml',
      },
    },
    data: { ...three, title: 'T' },
    holds: {
      'xl/comments1.xml': ['<comment ref="A5"', '>T</t>'],
      'xl/drawings/vmlDrawing1.vml': ['<x:Anchor>1, 15, 4, 2, 3, 15, 8, 4</x:Anchor>', '<x:Row>4</x:Row>'],
      'xl/pivotCache/pivotCacheDefinition1.xml': ['ref="A1:B4"'],
    },
  },
  {
    name: 'a picture beside the rows keeps its size, a shape around them grows',
    workbook: {
      ...book({ ...list, A4: 'below' }, { after: '<drawing r:id="rId1"/>', relationships: [{ id: 'rId1', type: 'drawing', target: '../drawings/drawing1.xml' }] }),
      extra: { 'xl/drawings/drawing1.xml': drawing(anchor(0, 3, 2).replace(/<xdr:sp .*<\/xdr:sp>/, '<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="7" name="G"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></xdr:xfrm><a:graphic><a:graphicData uri="urn:x"/></a:graphic></xdr:graphicFrame>') + anchor(0, 3, 3)) },
      types: { 'xl/drawings/drawing1.xml': 'application/vnd.openxmlformats-officedocument.drawing+xml' },
    },
    data: { l: [...three.l, ...three.l] },
    holds: { 'xl/drawings/drawing1.xml': ['<xdr:row>3</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:graphicFrame', '<xdr:row>7</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:sp'] },
  },
  {
    name: 'validated cells, formats and links with tags of their own follow the rows',
    workbook: book({ ...list, A5: 'below' }, {
      after: '<conditionalFormatting sqref="A5"><cfRule type="cellIs" dxfId="0" priority="2" operator="equal"><formula>"{d.say}"</formula></cfRule></conditionalFormatting><conditionalFormatting sqref="B2:B3"><cfRule type="containsText" dxfId="0" priority="1" operator="containsText" text="{d.say}"><formula>NOT(ISERROR(SEARCH("{d.say}",B2)))</formula></cfRule></conditionalFormatting><conditionalFormatting sqref="B2:B3"><cfRule type="dataBar" priority="3"><dataBar><cfvo type="num" val="0"/><cfvo type="formula" val="$B$5"/><color rgb="FF638EC6"/></dataBar></cfRule></conditionalFormatting><dataValidations count="3"><dataValidation type="whole" promptTitle="{d.say}" prompt="{d.long}" sqref="B2:B3"><formula1>1</formula1><formula2>$B$5</formula2></dataValidation><dataValidation type="list" sqref="A5"><formula1>"{d.l[].n:aggStr(\',\')}"</formula1></dataValidation><dataValidation type="list" sqref="A6"><formula1>"{d.none}"</formula1></dataValidation></dataValidations><hyperlinks><hyperlink ref="A5" location="S!A2" tooltip="{d.say}"/></hyperlinks>',
    }),
    data: { ...three, say: 'a "b" & <c>', long: 'x'.repeat(300) },
    holds: {
      [sheet]: [
        '<conditionalFormatting sqref="A6"><cfRule type="cellIs" dxfId="0" priority="2" operator="equal"><formula>"a ""b"" &amp; &lt;c&gt;"</formula>',
        '<conditionalFormatting sqref="B2:B4"><cfRule type="containsText" dxfId="0" priority="1" operator="containsText" text="a &quot;b&quot; &amp; &lt;c&gt;"><formula>NOT(ISERROR(SEARCH("a ""b"" &amp; &lt;c&gt;",B2)))</formula>',
        '<cfvo type="num" val="0"/><cfvo type="formula" val="$B$6"/>',
        `<dataValidations count="2"><dataValidation type="whole" promptTitle="a &quot;b&quot; &amp; &lt;c&gt;" prompt="${'x'.repeat(254)}…" sqref="B2:B4"><formula1>1</formula1><formula2>$B$6</formula2></dataValidation><dataValidation type="list" sqref="A6"><formula1>"x,y,z"</formula1></dataValidation></dataValidations>`,
        '<hyperlink ref="A6" location="S!A2" tooltip="a &quot;b&quot; &amp; &lt;c&gt;"/>',
      ],
    },
  },
  {
    name: 'formulas with values in them follow their row',
    workbook: book({ ...list, C2: '=IF(B2>{d.most},"{d.say}",B2*{d.l[i].q})', C4: '=SUM(C2:C3)*{d.most}' }),
    data: { ...three, most: 2, say: 'a "b"' },
    cells: { 1: { A1: "'N'", B1: "'Q'", A2: "'x'", B2: '1', C2: '=IF(B2>2,"a ""b""",B2*1)', A3: "'y'", B3: '3', C3: '=IF(B3>2,"a ""b""",B3*3)', A4: "'z'", B4: '5', C4: '=IF(B4>2,"a ""b""",B4*5)', C5: '=SUM(C2:C4)*2' } },
    csv: ['N,Q,', 'x,1,1', 'y,3,"a ""b"""', 'z,5,"a ""b"""', ',,2'],
  },
  {
    name: 'merged cells over a list and its marker',
    workbook: book(
      { A1: '{d.g[i].h}', B1: '{d.g[i].k[i].v:formatN}', B2: '{d.g[i].k[i+1].v}', A3: '{d.g[i+1].h}', A5: 'all', B5: '{d.l[i].n}', C5: '{d.l[i].n}', D5: 'x', B6: '{d.l[i+1].n}' },
      { after: '<mergeCells count="4"><mergeCell ref="A1:A2"/><mergeCell ref="A5:A6"/><mergeCell ref="C5:C6"/><mergeCell ref="D5:E5"/></mergeCells>' },
    ),
    data: { ...groups, ...three },
    holds: { [sheet]: ['<mergeCells count="5"><mergeCell ref="A1:A2"/><mergeCell ref="A5:A7"/><mergeCell ref="D5:E5"/><mergeCell ref="D6:E6"/><mergeCell ref="D7:E7"/></mergeCells>'] },
  },
  {
    name: 'merged cells within an item stay with it',
    workbook: book({ A1: 'label', B1: '{d.l[i].n}', B2: 'more', B3: '{d.l[i+1].n}' }, { after: '<mergeCells count="1"><mergeCell ref="A1:A2"/></mergeCells>' }),
    data: three,
    holds: { [sheet]: ['<mergeCell ref="A1:A2"/><mergeCell ref="A3:A4"/><mergeCell ref="A5:A6"/>'] },
  },
  {
    name: 'links with tags in their tooltips',
    workbook: book({ ...list, A5: 'p' }, {
      after: '<hyperlinks><hyperlink ref="A2" r:id="rId1" tooltip="To {d.l[i].n} &amp; {d.say}"/><hyperlink ref="A5" r:id="rId2" tooltip="{d.say}"/></hyperlinks>',
      relationships: [{ id: 'rId1', type: 'hyperlink', target: 'https://x.org/{d.l[i].n}" TargetMode="External' }, { id: 'rId2', type: 'hyperlink', target: 'https://plain.org/" TargetMode="External' }],
    }),
    data: { ...three, say: '"s"' },
    holds: { [sheet]: ['<hyperlink ref="A2" tooltip="To x &amp; &quot;s&quot;" r:id="', '<hyperlink ref="A4" tooltip="To z &amp; &quot;s&quot;" r:id="', '<hyperlink ref="A6" r:id="rId2" tooltip="&quot;s&quot;"/>'], 'xl/worksheets/_rels/sheet1.xml.rels': ['https://x.org/y', 'https://plain.org/'] },
  },
  {
    name: 'a list of a validated cell is no longer than it may be',
    workbook: book({ A1: 'x' }, { after: '<dataValidations count="1"><dataValidation type="list" sqref="A1"><formula1>"{d.l:arrayJoin(\',\')}"</formula1></dataValidation></dataValidations>' }),
    data: { l: Array.from({ length: 40 }, (_, at) => `entry-${at + 10}`) },
    holds: { [sheet]: ['entry-37"</formula1>'] },
  },
  {
    name: 'the only tags of a workbook stand in attributes',
    workbook: book({ A1: 'x' }, { after: '<dataValidations count="1"><dataValidation type="whole" prompt="{d.say}" sqref="A1"><formula1>1</formula1><formula2>2</formula2></dataValidation></dataValidations>' }),
    data: { say: 'hello' },
    holds: { [sheet]: ['prompt="hello"'] },
  },
  {
    name: 'values in page headers are no codes',
    workbook: book({ A1: 'x' }, { after: '<headerFooter><oddHeader>&amp;L{d.a}&amp;C&amp;12{d.n}</oddHeader><oddFooter>&amp;C{d.none}&amp;P</oddFooter></headerFooter>' }),
    data: { a: 'R&D <&A>', n: 5 },
    holds: { [sheet]: ['<oddHeader>&amp;LR&amp;&amp;D &lt;&amp;&amp;A&gt;&amp;C&amp;12 5</oddHeader><oddFooter>&amp;C&amp;P</oddFooter>'] },
  },
  {
    name: 'each copy of a row has its sparkline',
    workbook: book({ ...list, A5: 'below' }, { after: sparklines('C2:D2', 'E2', 'B2:B3', 'B5') }),
    data: three,
    holds: { [sheet]: [`${[2, 3, 4].map((row) => sparkline(`S!C${row}:D${row}`, `E${row}`)).join('')}${sparkline('S!B2:B4', 'B6')}</x14:sparklines>`] },
  },
  {
    name: 'no rows, no sparklines',
    workbook: book(list, { after: sparklines('C2:D2', 'E2') }),
    data: none,
    holds: { [sheet]: ['<extLst></extLst>'] },
  },
  {
    name: 'pivot tables over filled rows read them when the file is opened',
    workbook: pivotBook,
    data: { ...three, title: 'T' },
    cells: { 2: { A1: "'T'", A3: "'Labels'", B4: '0', A5: "'(blank)'" } },
    holds: {
      'xl/pivotCache/pivotCacheDefinition1.xml': ['refreshOnLoad="1" recordCount="0"', 'ref="A1:B4"', '<cacheField name="N" numFmtId="0"><sharedItems/></cacheField>'],
      'xl/pivotCache/pivotCacheRecords1.xml': ['count="0"/>'],
      'xl/pivotTables/pivotTable1.xml': ['<items count="1"><item t="default"/></items>', '<pageField fld="1" hier="-1"/>', '<formats count="1"><format dxfId="0"><pivotArea/></format></formats>'],
    },
    lacks: { 'xl/pivotTables/pivotTable1.xml': ['rowItems', 'item x='], 'xl/worksheets/sheet2.xml': ['{'] },
  },
  {
    name: 'a workbook that looks up, ranks, sums by condition and by name, over groups and over sheets',
    workbook: {
      sheets: [
        {
          name: 'Lines',
          cells: {
            A1: 'Region', B1: 'Item', C1: 'Qty', D1: 'Price', E1: 'Net', F1: 'Share', G1: 'Rank', H1: 'Cum',
            A2: '{d.g[i].name}', C2: '=COUNT(C3:C4)', E2: '=SUM(E3:E4)', F2: '=E2/$E$7',
            A3: '{d.g[i].name}', B3: '{d.g[i].k[i].n}', C3: '{d.g[i].k[i].q:formatN}', D3: '{d.g[i].k[i].p:formatN}', E3: '=C3*D3*VLOOKUP("X",Rates!$A$2:$B$3,2,FALSE)', F3: '=IF($E$7=0,0,E3/$E$7)', G3: '=RANK(C3,C$3:C$4)', H3: '=SUM($C$3:C3)',
            B4: '{d.g[i].k[i+1].n}',
            A5: '{d.g[i+1].name}',
            A7: 'Total', C7: '=SUMIF(B2:B5,"<>",C2:C5)', D7: '=INDEX(C2:C5,2)', E7: '=SUMPRODUCT((B2:B5<>"")*(E2:E5))', F7: '=MAX(Prices)', G7: '=SUMIFS(C2:C5,A2:A5,"East",B2:B5,"<>")', H7: '=AVERAGE(D2:D5)',
            A8: "='Sum up'!B1", B8: '=ROWS(A2:A5)', C8: '=SUM(OFFSET(C2,1,0,ROWS(C2:C5)-1,1))', D8: '=COUNTIF(A2:A5,"East")',
          },
          after: '<mergeCells count="1"><mergeCell ref="A7:B7"/></mergeCells><conditionalFormatting sqref="E2:E5"><cfRule type="expression" dxfId="0" priority="1"><formula>$B2=""</formula></cfRule></conditionalFormatting><dataValidations count="1"><dataValidation type="list" sqref="B3"><formula1>Rates!$A$2:$A$3</formula1></dataValidation></dataValidations>',
        },
        {
          name: 'Rates',
          cells: { A1: 'N', B1: 'Q', A2: '{d.r[i].c}', B2: '{d.r[i].v:formatN}', A3: '{d.r[i+1].c}', B5: '=SUM(B2:B3)', B6: '=SUM(T[Q])' },
          ...tableSheet,
        },
        { name: 'Sum up', cells: { A1: 'Grand', B1: '=Lines!E7', A2: '=SUM(Lines!C2:C5)', A3: '=Lines!D8*2', A4: '{d.cols[i].n}', B4: '{d.cols[i+1].n}', A5: '{d.cols[i].v:formatN}', B5: '{d.cols[i+1].v}', C5: '=SUM(A5:B5)', A6: '=A5*2' } },
      ],
      ...tableParts,
      names: '<definedName name="Prices">Lines!$D$2:$D$5</definedName><definedName name="_xlnm.Print_Area" localSheetId="0">Lines!$A$1:$H$8</definedName><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">Lines!$A$1:$H$5</definedName>',
    },
    data: {
      g: [{ name: 'East', k: [{ n: 'a', q: 2, p: 10 }, { n: 'b', q: 3, p: 5 }] }, { name: 'West', k: [{ n: 'c', q: 1, p: 7 }] }, { name: 'North', k: [] }],
      r: [{ c: 'X', v: 2 }, { c: 'Y', v: 3 }, { c: 'Z', v: 4 }],
      cols: [{ n: 'Q1', v: 1 }, { n: 'Q2', v: 2 }, { n: 'Q3', v: 3 }],
    },
    holds: {
      [sheet]: ['<mergeCell ref="A9:B9"/>', 'sqref="E2:E7"', 'sqref="B3:B4 B6"', '<formula1>Rates!$A$2:$A$4</formula1>'],
      'xl/workbook.xml': ['name="Prices">Lines!$D$2:$D$7<', '>Lines!$A$1:$H$10<', '>Lines!$A$1:$H$7<'],
      'xl/tables/table1.xml': ['ref="A1:B4"'],
      'xl/worksheets/sheet3.xml': ['<f>Lines!E9</f>', '<f>SUM(Lines!C2:C7)</f>', '<f>Lines!D10*2</f>', '<c r="D5"><f>SUM(A5:C5)</f></c>'],
    },
    csv: [
      'Region,Item,Qty,Price,Net,Share,Rank,Cum', 'East,,2,,70,0.833333333333333,,', 'East,a,2,10,40,0.476190476190476,2,2', 'East,b,3,5,30,0.357142857142857,1,5',
      'West,,1,,14,0.166666666666667,,', 'West,c,1,7,14,0.166666666666667,3,7', 'North,,0,,0,0,,', ',,,,,,,', 'Total,,6,2,84,10,5,7.33333333333333', '84,6,7,3,,,,',
    ],
  },
  {
    name: 'whole columns, quoted sheets, strings and functions that look like cells',
    workbook: {
      sheets: [
        { name: "It's", cells: { ...list, C1: '=SUM(B:B)&"B2:B3"', D1: `=SUM('It''s'!B2:B3)+LOG10(B5)`, B4: 1, B5: 100 } },
        { name: 'S2', cells: { A1: "='It''s'!B5", A2: '=SUM(S2!B2:B3)', A3: "=[1]S!B5" } },
      ],
    },
    data: three,
    cells: {
      1: { A1: "'N'", B1: "'Q'", C1: '=SUM(B:B)&"B2:B3"', D1: "=SUM('It''s'!B2:B4)+LOG10(B6)", A2: "'x'", B2: '1', A3: "'y'", B3: '3', A4: "'z'", B4: '5', B5: '1', B6: '100' },
      2: { A1: "='It''s'!B6", A2: '=SUM(S2!B2:B3)', A3: '=[1]S!B5' },
    },
  },
  // ---------------------------------------------------------------------------------------------------------- columns
  {
    name: 'cells repeat sideways, those behind them keep their distance',
    workbook: book(
      { A1: 'x', B1: '{d.c[i].n}', C1: '{d.c[i+1].n}', D1: 'end', F1: '=SUM(B1:C1)', A2: 'y', D2: 'below' },
      { before: '<cols><col min="2" max="2" width="30" customWidth="1"/><col min="4" max="4" width="5" customWidth="1"/></cols>', after: '<mergeCells count="1"><mergeCell ref="D1:E1"/></mergeCells>' },
    ),
    data: { c: [{ n: 'p' }, { n: 'q' }, { n: 'r' }] },
    cells: { 1: { A1: "'x'", B1: "'p'", C1: "'q'", D1: "'r'", E1: "'end'", G1: '=SUM(B1:D1)', A2: "'y'", D2: "'below'" } },
    holds: { [sheet]: ['<cols><col min="2" max="4" width="30" customWidth="1"/><col min="5" max="5" width="5" customWidth="1"/></cols>', '<mergeCell ref="E1:F1"/>'] },
    csv: ['x,p,q,r,end,,0', 'y,,,below,,,'],
  },
  {
    name: 'rows and columns at once',
    workbook: book({
      B1: '{d.cols[i].n}', C1: '{d.cols[i+1].n}', A2: '{d.rows[i].n}', B2: '{d.rows[i].v[i]:formatN}', C2: '{d.rows[i].v[i+1]}', D2: '=SUM(B2:C2)', A3: '{d.rows[i+1].n}', A4: '=SUM(B2:B3)',
    }),
    data: { cols: [{ n: 'Q1' }, { n: 'Q2' }], rows: [{ n: 'a', v: [1, 2] }, { n: 'b', v: [3, 4] }] },
    cells: { 1: { B1: "'Q1'", C1: "'Q2'", A2: "'a'", B2: '1', C2: '2', D2: '=SUM(B2:C2)', A3: "'b'", B3: '3', C3: '4', D3: '=SUM(B3:C3)', A4: '=SUM(B2:C3)' } },
    csv: [',Q1,Q2,', 'a,1,2,3', 'b,3,4,7', '10,,,'],
  },
  {
    name: 'dropped columns close up',
    workbook: book({ A1: 'a', B1: '{d.no:ifEM:drop(col)}b', C1: 'c', A2: 1, C2: 3, D2: '=SUM(A2:C2)', E3: 'e' }),
    data: {},
    cells: { 1: { A1: "'a'", B1: "'c'", A2: '1', B2: '3', C2: '=SUM(A2:B2)', D3: "'e'" } },
    csv: ['a,c,,', '1,3,4,', ',,,e'],
  },
  {
    name: 'merged cells and sums that end with the marker of an inner loop stay with their group',
    workbook: book({ A1: '{d.g[i].h}', B1: '=SUM(B2:B3)', A2: '', B2: '{d.g[i].k[i].v:formatN}', B3: '{d.g[i].k[i+1].v}', A4: '{d.g[i+1].h}', A5: 'end' }, { after: '<mergeCells count="1"><mergeCell ref="A1:A3"/></mergeCells>' }),
    data: groups,
    cells: { 1: { A1: "'A'", B1: '=SUM(B2:B3)', A2: "''", B2: '1', A3: "''", B3: '2', A4: "'B'", B4: '=SUM($B$65000)', A5: "'C'", B5: '=SUM(B6:B6)', A6: "''", B6: '5', A7: "'end'" } },
    holds: { [sheet]: ['<mergeCells count="2"><mergeCell ref="A1:A3"/><mergeCell ref="A5:A6"/></mergeCells>'] },
  },
  // --------------------------------------------------------------------------------------------------- hanging on rows
  {
    name: 'comments, shapes and pictures in repeated rows repeat, with the values of their row; those below follow',
    workbook: {
      sheets: [
        {
          name: 'S',
          cells: { A1: 'N', A2: '{d.l[i].n}', A3: '{d.l[i+1].n}', A4: 'total' },
          after: '<drawing r:id="rId1"/><legacyDrawing r:id="rId2"/>',
          relationships: [
            { id: 'rId1', type: 'drawing', target: '../drawings/drawing1.xml' },
            { id: 'rId2', type: 'vmlDrawing', target: '../drawings/vmlDrawing1.vml' },
            { id: 'rId3', type: 'comments', target: '../comments1.xml' },
          ],
        },
      ],
      extra: {
        'xl/drawings/drawing1.xml': drawing(anchor(1, 2, 2).replace('{d.title}', 'Shape of {d.l[i].n}') + anchor(3, 5, 3)),
        'xl/drawings/vmlDrawing1.vml': vml(1).replace('</xml>', note(0, 1026) + note(3, 1027) + '</xml>'),
        'xl/comments1.xml': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>a</author></authors><commentList><comment ref="A1" authorId="0"><text><t>head</t></text></comment><comment ref="A2" authorId="0"><text><r><t>About {d.l[</t></r><r><t>i].q}</t></r></text></comment><comment ref="A4" authorId="0"><text><t>foot {d.title}</t></text></comment></commentList></comments>`,
      },
      types: {
        'xl/drawings/drawing1.xml': 'application/vnd.openxmlformats-officedocument.drawing+xml',
        'xl/comments1.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml',
      },
    },
    data: { ...three, title: 'T' },
    cells: { 1: { A1: "'N'", A2: "'x'", A3: "'y'", A4: "'z'", A5: "'total'" } },
    holds: {
      'xl/comments1.xml': ['<comment ref="A1" authorId="0"><text><t>head</t>', '<comment ref="A2" authorId="0"><text><r><t xml:space="preserve">About 1</t>', '<comment ref="A3" authorId="0"><text><r><t xml:space="preserve">About 3</t>', '<comment ref="A4" authorId="0"><text><r><t xml:space="preserve">About 5</t>', '<comment ref="A5" authorId="0"><text><t xml:space="preserve">foot T</t>'],
      'xl/drawings/drawing1.xml': ['<xdr:row>1</xdr:row>', '<xdr:row>2</xdr:row>', '<xdr:row>3</xdr:row>', '<xdr:row>4</xdr:row>', '<xdr:row>6</xdr:row>', 'Shape of x', 'Shape of y', 'Shape of z', '<xdr:cNvPr id="2" name', '<xdr:cNvPr id="1000001" name', '<a:t>T</a:t>'],
      'xl/drawings/vmlDrawing1.vml': ['<x:Row>0</x:Row>', '<x:Row>1</x:Row>', '<x:Row>2</x:Row>', '<x:Row>3</x:Row>', '<x:Row>4</x:Row>', '<x:Anchor>1, 15, 3, 2, 3, 15, 6, 16</x:Anchor>', 'id="_x0000_s1027"'],
    },
    csv: ['N', 'x', 'y', 'z', 'total'],
  },
  {
    name: 'what hangs on rows of an empty list goes with them',
    workbook: {
      sheets: [
        {
          name: 'S',
          cells: { A1: 'N', A2: '{d.l[i].n}', A3: '{d.l[i+1].n}', A4: 'total' },
          after: '<drawing r:id="rId1"/>',
          relationships: [
            { id: 'rId1', type: 'drawing', target: '../drawings/drawing1.xml' },
            { id: 'rId3', type: 'comments', target: '../comments1.xml' },
          ],
        },
      ],
      extra: {
        'xl/drawings/drawing1.xml': drawing(anchor(1, 1, 2)),
        'xl/comments1.xml': '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>a</author></authors><commentList><comment ref="A2" authorId="0"><text><t>x</t></text></comment></commentList></comments>',
      },
      types: {
        'xl/drawings/drawing1.xml': 'application/vnd.openxmlformats-officedocument.drawing+xml',
        'xl/comments1.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml',
      },
    },
    data: none,
    holds: { 'xl/comments1.xml': ['<commentList></commentList>'] },
    lacks: { 'xl/drawings/drawing1.xml': ['twoCellAnchor'] },
    csv: ['N', 'total'],
  },
  // ---------------------------------------------------------------------------------------------------- repeated sheets
  {
    name: 'sheets repeat by their names, with rows of their own; formulas, print areas and totals follow',
    workbook: {
      sheets: [
        { name: 'First', cells: { A1: '{#s1=d.g[i].h}{#s2=d.g[i+1].h}', B1: "=SUM('{$s1}'!B2)" } },
        {
          name: '{$s1}',
          cells: { A1: '{d.g[i].h}', B1: 'V', A2: '{d.g[i].k[i].v}', B2: '{d.g[i].k[i].v:formatN}', A3: '{d.g[i].k[i+1].v}', B4: '=SUM(B2:B3)', C4: "='{$s1}'!B4*2" },
          before: '<sheetViews><sheetView tabSelected="1" workbookViewId="0"/></sheetViews>',
        },
        { name: '{$s2}', cells: { A1: 'marker' } },
        { name: 'Last', cells: { A1: 'end' } },
      ],
      names: `<definedName name="_xlnm.Print_Area" localSheetId="1">'{$s1}'!$A$1:$C$4</definedName><definedName name="_xlnm.Print_Area" localSheetId="3">Last!$A$1:$B$2</definedName><definedName name="Total">'{$s1}'!$B$4</definedName>`,
    },
    data: { g: [{ h: 'A', k: [{ v: 1 }, { v: 2 }] }, { h: 'a', k: [] }, { h: 'x/y:z', k: [{ v: 5 }] }] },
    cells: {
      2: { A1: "'A'", B1: "'V'", A2: "'1'", B2: '1', A3: "'2'", B3: '2', B4: '=SUM(B2:B3)', C4: "='A'!B4*2" },
      4: { A1: "'end'" },
      5: { A1: "'a'", B1: "'V'", B2: '=SUM($B$65000)', C2: "='a (2)'!B2*2" },
      6: { A1: "'x/y:z'", B1: "'V'", A2: "'5'", B2: '5', B3: '=SUM(B2:B2)', C3: "='xyz'!B3*2" },
    },
    holds: {
      'xl/workbook.xml': [
        '<sheet name="First" sheetId="1" r:id="rId1"/><sheet name="A" sheetId="2" r:id="rId2"/><sheet name="a (2)" sheetId="10001" r:id="rIdc1"/><sheet name="xyz" sheetId="10002" r:id="rIdc2"/><sheet name="Last" sheetId="4" r:id="rId4"/>',
        `<definedName name="_xlnm.Print_Area" localSheetId="1">'A'!$A$1:$C$4</definedName><definedName name="_xlnm.Print_Area" localSheetId="2">'a (2)'!$A$1:$C$2</definedName><definedName name="_xlnm.Print_Area" localSheetId="3">'xyz'!$A$1:$C$3</definedName><definedName name="_xlnm.Print_Area" localSheetId="4">Last!$A$1:$B$2</definedName><definedName name="Total">'A'!$B$4</definedName>`,
      ],
      [sheet]: ["<f>SUM('A'!B2)</f>"],
    },
    lacks: { 'xl/worksheets/sheet2.xml': ['tabSelected'], '[Content_Types].xml': ['sheet3.xml'], 'xl/_rels/workbook.xml.rels': ['sheet3.xml'] },
  },
  {
    name: 'sheets repeat by their cells, with their tables, comments, drawings and links',
    workbook: {
      sheets: [
        {
          name: 'Data',
          cells: { A1: 'N', B1: 'Q', A2: '{d.g[i].k[i].v}', B2: '{d.g[i].k[i].v:formatN}', A3: '{d.g[i].k[i+1].v}', A5: '{d.g[i].h}', B5: '=SUM(T[Q])' },
          after: '<hyperlinks><hyperlink ref="A5" r:id="rId4"/></hyperlinks><drawing r:id="rId2"/><legacyDrawing r:id="rId5"/><tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
          relationships: [
            { id: 'rId1', type: 'table', target: '../tables/table1.xml' },
            { id: 'rId2', type: 'drawing', target: '../drawings/drawing1.xml' },
            { id: 'rId3', type: 'comments', target: '../comments1.xml' },
            { id: 'rId4', type: 'hyperlink', target: 'http://x/%7Bd.g[i].h%7D" TargetMode="External' },
            { id: 'rId5', type: 'vmlDrawing', target: '../drawings/vmlDrawing1.vml' },
          ],
        },
        { name: 'Marker', cells: { A1: '{d.g[i+1].h}' } },
      ],
      extra: {
        ...tableParts.extra,
        'xl/drawings/drawing1.xml': drawing(anchor(4, 6, 2)),
        'xl/comments1.xml': '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>a</author></authors><commentList><comment ref="A5" authorId="0"><text><t>About {d.g[i].h}</t></text></comment></commentList></comments>',
        'xl/drawings/vmlDrawing1.vml': vml(4),
      },
      types: {
        ...tableParts.types,
        'xl/drawings/drawing1.xml': 'application/vnd.openxmlformats-officedocument.drawing+xml',
        'xl/comments1.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml',
      },
    },
    data: { title: 'T', g: [{ h: 'A', k: [{ v: 1 }, { v: 2 }] }, { h: 'B', k: [{ v: 3 }] }] },
    cells: {
      1: { A1: "'N'", B1: "'Q'", A2: "'1'", B2: '1', A3: "'2'", B3: '2', A5: "'A'", B5: '=SUM(T[Q])' },
      3: { A1: "'N'", B1: "'Q'", A2: "'3'", B2: '3', A4: "'B'", B4: '=SUM(T_2[Q])' },
    },
    holds: {
      'xl/workbook.xml': ['<sheet name="Data" sheetId="1" r:id="rId1"/><sheet name="Data (2)" sheetId="10002" r:id="rIdc1"/></sheets>'],
      'xl/worksheets/_rels/sheet3.xml.rels': ['/xl/tables/table2.xml', '/xl/drawings/drawing2.xml', '/xl/comments2.xml', 'http://x/B'],
      'xl/worksheets/_rels/sheet1.xml.rels': ['http://x/A'],
      'xl/tables/table2.xml': ['name="T_2" displayName="T_2" ref="A1:B2"'],
      'xl/comments2.xml': ['ref="A4"', 'About B'],
      'xl/drawings/drawing2.xml': ['<xdr:row>3</xdr:row>'],
      'xl/drawings/vmlDrawing2.vml': ['<x:Row>3</x:Row>'],
    },
    csv: ['N,Q', '1,1', '2,2', ',', 'A,3'],
  },
  {
    name: 'a workbook that loses all its sheets keeps an empty one',
    workbook: { sheets: [{ name: 'A', cells: { A1: '{d.l[i].n}' } }, { name: 'B', cells: { A1: '{d.l[i+1].n}' } }, { name: 'C', cells: { A1: '{d.l:ifEM:drop(sheet)}x' } }] },
    data: none,
    holds: { 'xl/workbook.xml': ['<sheets><sheet name="Sheet1" sheetId="1" r:id="rIdempty"/></sheets>'], 'xl/worksheets/empty.xml': ['<sheetData/>'] },
  },
  {
    name: 'sheets are dropped and kept, formulas that name them say so',
    workbook: {
      sheets: [
        { name: 'Sum', cells: { A1: '=Gone!B2+Stays!B2', A2: '=Stays!B2' } },
        { name: 'Gone', cells: { A1: '{d.l:len:ifEQ(3):drop(sheet)}x', B2: 1 } },
        { name: 'Stays', cells: { A1: '{d.l:len:ifEQ(3):keep(sheet)}x', B2: 2 } },
      ],
    },
    data: three,
    cells: { 1: { A1: "=$B$1000000+'Stays'!B2", A2: "='Stays'!B2" }, 3: { A1: "'x'", B2: '2' } },
    lacks: { '[Content_Types].xml': ['sheet2.xml'] },
    csv: ['2', '2'],
  },
  // ------------------------------------------------------------------------------------------------------ sheet names
  {
    name: 'sheet names are cleaned, cut and kept apart',
    workbook: {
      sheets: [
        { name: '{d.a}', cells: { A1: "='{d.b} x'!A1" } },
        { name: '{d.b} x', cells: { A1: 4 } },
        { name: '{d.a}', cells: { A1: 'x' } },
        { name: '{d.none}', cells: { A1: 'x' } },
        { name: 'Total', cells: { A1: 'x' } },
        { name: '{d.t}', cells: { A1: 'x' } },
      ],
    },
    data: { a: "A[1]: 'quoted' & a name that is far too long for a sheet", b: "It's", t: 'total' },
    cells: { 1: { A1: "='It''s x'!A1" } },
    holds: { 'xl/workbook.xml': ['name="A1 \'quoted\' &amp; a name that is fa"', 'name="It\'s x"', 'name="A1 \'quoted\' &amp; a name that i (2)"', 'name="Sheet"', 'name="total (2)"'] },
    csv: ['4'],
  },
]

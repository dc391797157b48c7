import { describe, expect, it } from 'vitest'
import { readFods } from '../../../../../plugins/formats/ods/reader/open.ts'
import type { Workbook } from '../../../../../shared/document/sheet.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'

const urn = 'urn:oasis:names:tc:opendocument:xmlns:'
const namespaces = [
  ['office', `${urn}office:1.0`],
  ['style', `${urn}style:1.0`],
  ['text', `${urn}text:1.0`],
  ['table', `${urn}table:1.0`],
  ['draw', `${urn}drawing:1.0`],
  ['fo', `${urn}xsl-fo-compatible:1.0`],
  ['svg', `${urn}svg-compatible:1.0`],
  ['number', `${urn}datastyle:1.0`],
  ['form', `${urn}form:1.0`],
  ['xlink', 'http://www.w3.org/1999/xlink'],
  ['calcext', 'urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0'],
]
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(' ')

interface Parts {
  readonly styles?: string
  readonly masters?: string
  readonly table?: string // attributes of the table
}
function read(content: string, { styles = '', masters = '', table = '' }: Parts = {}) {
  const xml = `<office:document ${namespaces}><office:styles>${styles}</office:styles><office:master-styles>${masters}</office:master-styles><office:body><office:spreadsheet><table:table table:name="One" ${table}>${content}</table:table></office:spreadsheet></office:body></office:document>`
  const { value, warnings } = readFods(new TextEncoder().encode(xml))
  return { value, sheet: value.sheets[0], codes: warnings.map(({ code }) => code) }
}
const cell = (attributes: string, text = ''): string =>
  `<table:table-cell ${attributes}>${text === '' ? '' : `<text:p>${text}</text:p>`}</table:table-cell>`
const row = (cells: string, attributes = ''): string =>
  `<table:table-row ${attributes}>${cells}</table:table-row>`
const cellStyle = (name: string, properties: string, attributes = ''): string =>
  `<style:style style:name="${name}" style:family="table-cell" ${attributes}>${properties}</style:style>`
const formatsOf = ({ formats }: Workbook, index = 1) => formats[index]

describe('the reader of OpenDocument spreadsheets', () => {
  it.each([
    ['left out beside one that is', ['', 'table:print="false"'], [false, true]],
    ['printed where no table is', ['table:print="false"', 'table:print="false"'], [false, false]],
  ])('tables that are not to be printed are %s', (_name, attributes, expected) => {
    const tables = attributes.map(
      (own, at) =>
        `<table:table table:name="T${at}" ${own}>${row(cell('office:value-type="string"', 'text'))}</table:table>`,
    )
    const xml = `<office:document ${namespaces}><office:body><office:spreadsheet>${tables.join('')}</office:spreadsheet></office:body></office:document>`
    const { value } = readFods(new TextEncoder().encode(xml))
    expect(value.sheets.map(({ hidden }) => hidden)).toEqual(expected)
  })
  it('reads values of every type with their dates as serial numbers', () => {
    const { sheet } = read(
      row(
        cell('office:value-type="float" office:value="1.5"', 'one and a half') +
          cell('office:value-type="date" office:date-value="2026-11-26T06:00:00"') +
          cell('office:value-type="time" office:time-value="PT36H00M00S"') +
          cell('office:value-type="boolean" office:boolean-value="true"') +
          cell('office:value-type="string"', 'a<text:s text:c="2"/>b<text:line-break/>c') +
          cell('office:value-type="string" calcext:value-type="error"', '#N/A') +
          cell('office:value-type="string" table:formula="of:=&quot;&quot;"'),
      ),
    )
    expect(sheet?.rows[0]?.cells.map(({ value }) => value)).toEqual([
      1.5,
      46_352.25,
      1.5,
      true,
      'a  b\nc',
      { kind: 'error', text: '#N/A' },
      '',
    ])
  })

  it('prints numbers in the general format as the file shows their type', () => {
    const general =
      '<number:number-style style:name="G" number:language="hu" number:country="HU"><number:number number:min-integer-digits="1"/></number:number-style>'
    const fixed =
      '<number:number-style style:name="F"><number:number number:decimal-places="2" number:min-integer-digits="1"/></number:number-style>'
    const { sheet } = read(
      row(
        cell('office:value-type="percentage" office:value="0.075"', '7.50%') +
          cell('table:style-name="g" office:value-type="date" office:date-value="2011-12-03"', '2011.12.03') +
          cell('table:style-name="f" office:value-type="percentage" office:value="0.075"', '0.08') +
          cell('office:value-type="float" office:value="1.5"', 'one and a half') +
          cell('office:value-type="time" office:time-value="PT1H"') +
          cell('office:value-type="boolean" office:boolean-value="8"', 'TRUE'),
      ),
      {
        styles:
          general +
          fixed +
          cellStyle('g', '', 'style:data-style-name="G"') +
          cellStyle('f', '', 'style:data-style-name="F"'),
      },
    )
    expect(sheet?.rows[0]?.cells.map(({ value, shown }) => shown ?? value)).toEqual([
      '7.50%',
      '2011.12.03',
      0.075,
      1.5,
      1 / 24,
      true,
    ])
  })

  it('reads formulas without a result in A1 notation', () => {
    const { sheet } = read(
      row(
        cell('table:formula="of:=IF([.A1]&gt;1;&quot;a;b&quot;;SUM([$&apos;My sheet&apos;.B1:.B2]))"') +
          cell('table:formula="of:=1+1" office:value-type="float" office:value="2"', '2'),
      ),
    )
    expect(sheet?.rows[0]?.cells.map(({ formula, value }) => [formula?.text, value])).toEqual([
      [`IF(A1>1,"a;b",SUM('My sheet'!B1:B2))`, undefined],
      [undefined, 2],
    ])
  })

  it('reads names of ranges and expressions', () => {
    const names =
      '</table:table><table:named-expressions><table:named-range table:name="Vat" table:cell-range-address="$One.$B$2"/><table:named-expression table:name="Twice" table:expression="of:=[$One.$B$2]*2"/></table:named-expressions><table:table table:name="Two">'
    expect(read(names).value.names).toEqual(
      new Map([
        ['VAT', "'One'!$B$2"],
        ['TWICE', "'One'!$B$2*2"],
      ]),
    )
  })

  it('repeats rows, columns and cells, and merges those that span', () => {
    const { sheet } = read(
      `<table:table-column table:number-columns-repeated="3"/>${row(
        cell('office:value-type="float" office:value="1" table:number-columns-repeated="2"') +
          cell(
            'table:number-columns-spanned="2" table:number-rows-spanned="3" office:value-type="string"',
            'x',
          ),
        'table:number-rows-repeated="2"',
      )}${row('<table:covered-table-cell/>')}${row(cell('office:value-type="float" office:value="9"'))}`,
    )
    expect(
      sheet?.rows.map(({ row: number, cells }) => [number, ...cells.map(({ column }) => column)]),
    ).toEqual([
      [0, 0, 1, 2],
      [1, 0, 1, 2],
      [3, 0],
    ])
    expect(sheet?.merges[0]).toEqual({ top: 0, left: 2, bottom: 2, right: 3 })
  })

  it('resolves styles with their parents, and ends at cycles', () => {
    const { value } = read(row(cell('table:style-name="child" office:value-type="float" office:value="1"')), {
      styles:
        cellStyle(
          'a',
          '<style:text-properties fo:font-weight="bold" fo:color="#112233"/>',
          'style:parent-style-name="child"',
        ) +
        cellStyle(
          'child',
          '<style:table-cell-properties fo:background-color="#aabbcc" fo:border-top="2pt solid #ff0000" fo:wrap-option="wrap" style:rotation-angle="90" style:vertical-align="middle"/><style:paragraph-properties fo:text-align="end" fo:margin-left="5pt"/>',
          'style:parent-style-name="a"',
        ),
    })
    expect(formatsOf(value)).toEqual({
      font: { family: 'Liberation Sans', size: 10, bold: true, color: '112233' },
      number: 'General',
      fill: 'AABBCC',
      borders: { top: { line: 'solid', width: 2, color: 'FF0000' } },
      align: { across: 'right', down: 'center', wrap: true, shrink: false, indent: 5, rotation: 90 },
    })
  })

  it.each([
    [
      '<number:number-style style:name="N"><number:number number:decimal-places="2" number:min-integer-digits="1" number:grouping="true"/></number:number-style>',
      '#,##0.00',
    ],
    [
      '<number:percentage-style style:name="N"><number:number number:decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text></number:percentage-style>',
      '0.0%',
    ],
    [
      '<number:percentage-style style:name="N"><number:text>about </number:text><number:number number:decimal-places="0" number:min-integer-digits="1"/><number:text> %</number:text></number:percentage-style>',
      '"about "0" "%',
    ],
    [
      '<number:number-style style:name="N"><number:number number:decimal-places="1" number:min-integer-digits="1"/><number:text>%</number:text></number:number-style>',
      '0.0"%"',
    ],
    [
      '<number:date-style style:name="N"><number:day number:style="long"/><number:text>.</number:text><number:month number:style="long" number:textual="true"/><number:text>.</number:text><number:year number:style="long"/></number:date-style>',
      'dd"."mmmm"."yyyy',
    ],
    [
      '<number:time-style style:name="N" number:truncate-on-overflow="false"><number:hours number:style="long"/><number:text>:</number:text><number:minutes number:style="long"/></number:time-style>',
      '[hh]":"[mm]',
    ],
    [
      '<number:number-style style:name="N"><number:scientific-number number:decimal-places="2" number:min-integer-digits="1" number:min-exponent-digits="2"/></number:number-style>',
      '0.00E+00',
    ],
    [
      '<number:number-style style:name="N"><number:scientific-number number:decimal-places="1" number:min-integer-digits="1" number:min-exponent-digits="1" number:exponent-interval="3" number:forced-exponent-sign="false"/></number:number-style>',
      '##0.0E-0',
    ],
    [
      '<number:date-style style:name="N" number:automatic-order="true"><number:day number:style="long"/><number:text>.</number:text><number:month number:style="long"/><number:text>.</number:text><number:year number:style="long"/></number:date-style>',
      'mm/dd/yyyy',
    ],
    [
      '<number:date-style style:name="N" number:automatic-order="true"><number:day-of-week/><number:text> </number:text><number:day/><number:text> </number:text><number:month number:style="long" number:textual="true"/><number:text> </number:text><number:year number:style="long"/></number:date-style>',
      'ddd, mmmm d, yyyy',
    ],
    [
      '<number:date-style style:name="N" number:automatic-order="true" number:language="de" number:country="DE"><number:day number:style="long"/><number:text>.</number:text><number:month number:style="long"/><number:text>.</number:text><number:year/></number:date-style>',
      '[$-de-DE]dd"."mm"."yy',
    ],
    [
      '<number:date-style style:name="N" number:automatic-order="true"><number:day/><number:text>.</number:text><number:month/></number:date-style>',
      'd"."m',
    ],
    [
      '<number:date-style style:name="P"><number:year number:style="long"/></number:date-style><number:text-style style:name="N"><number:text-content/><style:map style:condition="value()&lt;=1.7976931348623157E+308" style:apply-style-name="P"/></number:text-style>',
      '[<=1.7976931348623157E+308]yyyy;@',
    ],
    [
      '<number:number-style style:name="N"><number:fraction number:min-integer-digits="0" number:min-numerator-digits="1" number:min-denominator-digits="2"/></number:number-style>',
      '# ?/??',
    ],
    [
      '<number:currency-style style:name="P"><number:currency-symbol>€</number:currency-symbol><number:number number:decimal-places="0" number:min-integer-digits="1"/></number:currency-style><number:currency-style style:name="N"><style:text-properties fo:color="#ff0000"/><number:text>-</number:text><number:currency-symbol>€</number:currency-symbol><number:number number:decimal-places="0" number:min-integer-digits="1"/><style:map style:condition="value()&gt;=0" style:apply-style-name="P"/></number:currency-style>',
      '[$€]0;[Red]"-"[$€]0',
    ],
    ['<number:text-style style:name="N"><number:text-content/></number:text-style>', '@'],
    [
      '<number:number-style style:name="N" number:language="de" number:country="DE"><number:number number:decimal-places="0" number:min-integer-digits="0"/></number:number-style>',
      '[$-de-DE]#',
    ],
  ])('writes the number style %.60s as a code', (styles, code) => {
    const { value } = read(row(cell('table:style-name="c" office:value-type="float" office:value="1"')), {
      styles: styles + cellStyle('c', '', 'style:data-style-name="N"'),
    })
    expect(formatsOf(value)?.number).toBe(code)
  })

  it('reads how a sheet is printed', () => {
    const { sheet } = read(
      `<table:table-header-rows>${row(cell('office:value-type="string"', 'title'))}</table:table-header-rows>${row(cell('office:value-type="float" office:value="1"'), 'table:style-name="broken"')}`,
      {
        table: 'table:style-name="t" table:print-ranges="One.A1:One.B9 $One.$D$1"',
        styles: `<style:style style:name="t" style:family="table" style:master-page-name="m"/><style:style style:name="broken" style:family="table-row"><style:table-row-properties fo:break-before="page" style:row-height="30pt"/></style:style><style:page-layout style:name="l"><style:page-layout-properties fo:page-width="400pt" fo:page-height="300pt" fo:margin="20pt" style:scale-to-pages="2" style:table-centering="horizontal" style:print="grid headers"/><style:header-style><style:header-footer-properties fo:min-height="15pt"/></style:header-style></style:page-layout>`,
        masters:
          '<style:master-page style:name="m" style:page-layout-name="l"><style:header><style:region-left><text:p>Page <text:page-number>1</text:page-number></text:p></style:region-left></style:header><style:footer style:display="false"/></style:master-page>',
      },
    )
    expect(sheet?.page).toMatchObject({
      areas: [
        { top: 0, left: 0, bottom: 8, right: 1 },
        { top: 0, left: 3, bottom: 0, right: 3 },
      ],
      width: 400,
      height: 300,
      margins: { left: 20, top: 35, bottom: 20, header: 20 },
      scale: { pagesAll: 2 },
      repeatRows: [0, 0],
      rowBreaks: [1],
      centerAcross: true,
      gridLines: true,
      headings: true,
      header: {
        all: { left: [[{ text: { kind: 'text', text: 'Page ' } }, { text: { kind: 'page', add: 0 } }]] },
      },
    })
    expect(sheet?.page.footer).toBeUndefined()
    expect(sheet?.rows[1]?.height).toBe(30)
  })

  it('reads the scale to a number of pages with the prefix of extensions, too', () => {
    const { sheet } = read(row(cell('office:value-type="string"', 'a')), {
      table: 'table:style-name="t"',
      styles: `<style:style style:name="t" style:family="table" style:master-page-name="m"/><style:page-layout style:name="l"><style:page-layout-properties xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0" loext:scale-to-X="1" loext:scale-to-Y="2"/></style:page-layout>`,
      masters: '<style:master-page style:name="m" style:page-layout-name="l"/>',
    })
    expect(sheet?.page.scale).toEqual({ pagesWide: 1, pagesTall: 2 })
  })

  it.each([
    ['fo:padding="0.1in"', { left: 7.2, right: 7.2, top: 7.2, bottom: 7.2 }, 25.05],
    [
      'fo:padding="3pt" fo:padding-left="5pt" fo:padding-bottom="0pt"',
      { left: 5, right: 3, top: 3, bottom: 0 },
      13.65,
    ],
    ['fo:padding="0.035cm"', undefined, 12.8],
    ['fo:padding="-1cm"', { left: 0, right: 0, top: 0, bottom: 0 }, 12.8],
  ])('reads the padding %s of a cell, which makes its row higher', (padding, expected, height) => {
    const { value, sheet } = read(row(cell('table:style-name="c" office:value-type="string"', 'a')), {
      styles: cellStyle('c', `<style:table-cell-properties ${padding}/>`),
    })
    expect(formatsOf(value)?.align.padding).toEqual(expected)
    expect(sheet?.rows[0]?.height ?? sheet?.defaultHeight).toBeCloseTo(height, 2)
  })

  it('reads conditional formats', () => {
    const { sheet, codes } = read(
      row(cell('office:value-type="float" office:value="1"')) +
        `<calcext:conditional-formats><calcext:conditional-format calcext:target-range-address="One.A1:One.A9"><calcext:condition calcext:apply-style-name="good" calcext:value="between([.$B$1],SUM([One.C1:.C2];3))"/><calcext:condition calcext:apply-style-name="good" calcext:value="formula-is([.A1]&gt;2)"/></calcext:conditional-format><calcext:conditional-format calcext:target-range-address="One.B1"><calcext:color-scale><calcext:color-scale-entry calcext:value="0" calcext:type="minimum" calcext:color="#ff0000"/><calcext:color-scale-entry calcext:value="90" calcext:type="percentile" calcext:color="#00ff00"/></calcext:color-scale><calcext:strange/></calcext:conditional-format></calcext:conditional-formats>`,
      { styles: cellStyle('good', '<style:table-cell-properties fo:background-color="#00ff00"/>') },
    )
    expect(sheet?.conditions).toEqual([
      {
        areas: [{ top: 0, left: 0, bottom: 8, right: 0 }],
        effect: {
          kind: 'style',
          stops: true,
          style: { fill: '00FF00' },
          when: { kind: 'compare', operator: 'between', operands: ['$B$1', "SUM('One'!C1:C2,3)"] },
        },
      },
      {
        areas: [{ top: 0, left: 0, bottom: 8, right: 0 }],
        effect: {
          kind: 'style',
          stops: true,
          style: { fill: '00FF00' },
          when: { kind: 'formula', formula: 'A1>2' },
        },
      },
      {
        areas: [{ top: 0, left: 1, bottom: 0, right: 1 }],
        effect: {
          kind: 'scale',
          points: [
            { at: { kind: 'min' }, color: 'FF0000' },
            { at: { kind: 'percentile', share: 90 }, color: '00FF00' },
          ],
        },
      },
    ])
    expect(codes).toEqual(['read.conditional-format'])
  })

  it('reads dimension lines as lines, and says so', () => {
    const { sheet, codes } = read(
      row(
        '<table:table-cell><draw:measure svg:x1="0pt" svg:y1="0pt" svg:x2="50pt" svg:y2="0pt"><text:p>5 cm</text:p></draw:measure></table:table-cell>',
      ),
    )
    expect(codes).toEqual(['read.dimension-line'])
    expect(JSON.stringify(sheet?.drawings)).toContain('"text":"5 cm"')
  })

  it('reads notes that are shown, with the line to their cell, and no others', () => {
    const note = (attributes: string): string =>
      `<office:annotation ${attributes} svg:width="100pt" svg:height="50pt" svg:x="80pt" svg:y="20pt" draw:caption-point-x="-50pt" draw:caption-point-y="0pt"><text:p>seen</text:p></office:annotation>`
    const { sheet, codes } = read(
      row(
        `<table:table-cell office:value-type="float" office:value="1"><text:p>1</text:p>${note('office:display="true"')}</table:table-cell><table:table-cell>${note('')}</table:table-cell>`,
      ),
    )
    expect(codes).toEqual([])
    expect(sheet?.drawings).toMatchObject([
      {
        from: { row: 0, column: 0, isFree: true, x: 80, y: 20 },
        to: { width: 100, height: 50 },
        drawing: { content: { kind: 'shape', geometry: { kind: 'path' } } },
      },
    ])
    expect(JSON.stringify(sheet?.drawings)).toContain('"points":[-0.5,0]')
    expect(JSON.stringify(sheet?.drawings)).toContain('"text":"seen"')
    expect(sheet?.rows[0]?.cells.map(({ value }) => value)).toEqual([1])
  })

  it.each([
    ['style:decimal-places="2"', 2],
    ['style:decimal-places="99"', 20],
    ['style:decimal-places="-1"', undefined],
    ['style:decimal-places="many"', undefined],
    ['', undefined],
  ])('limits the decimals of General by the default style of cells with %j', (attributes, expected) => {
    const styles = `<style:default-style style:family="table-cell"><style:table-cell-properties ${attributes}/></style:default-style>`
    expect(
      read(row(cell('office:value-type="float" office:value="1"')), { styles }).value.generalDecimals,
    ).toBe(expected)
  })

  it('lets a drawing start outside of its cell where its end cell comes before it', () => {
    const { sheet } = read(
      row(
        `<table:table-cell/><table:table-cell><draw:rect svg:x="1pt" svg:y="200pt" svg:width="30pt" svg:height="40pt" table:end-cell-address="One.A1"/></table:table-cell>`,
      ),
    )
    expect(sheet?.drawings).toMatchObject([
      { from: { row: 0, column: 1, x: 1, y: 200, isFree: true }, to: { row: 0, column: 0, x: 0, y: 0 } },
    ])
  })

  it('reads pictures in the XML, and reports other drawings', () => {
    const { value, sheet, codes } = read(
      row(
        `<table:table-cell><draw:frame svg:x="1pt" svg:y="2pt" svg:width="30pt" svg:height="40pt"><draw:image><office:binary-data>cGljdHVyZQ==</office:binary-data></draw:image></draw:frame></table:table-cell><table:table-cell><draw:page-thumbnail svg:x="0pt" svg:y="0pt" table:end-cell-address="One.C3"/></table:table-cell>`,
      ),
    )
    expect(sheet?.drawings).toMatchObject([
      {
        from: { row: 0, column: 0, x: 1, y: 2 },
        to: { width: 30, height: 40 },
        drawing: { content: { kind: 'picture', media: 'picture 0' } },
      },
      { from: { row: 0, column: 1 }, to: { row: 2, column: 2 } },
    ])
    expect(new TextDecoder().decode(value.media?.get('picture 0'))).toBe('picture')
    expect(codes).toEqual(['read.sheet-drawing'])
  })

  it('reads controls with their labels, groups by their members, and connectors', () => {
    const forms =
      '<office:forms><form:form><form:button xml:id="b" form:label="Send"/><form:checkbox xml:id="c" form:label="Yes" form:current-state="checked"/></form:form></office:forms>'
    const control = (id: string, x: number): string =>
      `<draw:control draw:control="${id}" svg:x="${x}pt" svg:y="2pt" svg:width="30pt" svg:height="10pt"/>`
    const rectangle = (x: number, y: number): string =>
      `<draw:rect svg:x="${x}pt" svg:y="${y}pt" svg:width="10pt" svg:height="5pt"/>`
    const group = `<draw:g>${rectangle(20, 30)}${rectangle(40, 50)}</draw:g>`
    const connector = '<draw:connector svg:x1="9pt" svg:y1="8pt" svg:x2="5pt" svg:y2="20pt"/>'
    const { sheet, codes } = read(
      `${forms}<table:shapes>${control('b', 1)}${control('c', 50)}${group}${connector}</table:shapes>${row(cell('', 'a'))}`,
    )
    expect(codes).toEqual([])
    const labelled = (text: string) => ({ text: { blocks: [{ inlines: [{ text }] }] } })
    expect(sheet?.drawings).toMatchObject([
      { from: { x: 1, y: 2 }, to: { width: 30, height: 10 }, drawing: { content: labelled('Send') } },
      { from: { x: 50, y: 2 }, drawing: { content: labelled('Yes') } },
      {
        from: { x: 20, y: 30 },
        to: { width: 30, height: 25 },
        drawing: {
          content: {
            kind: 'group',
            children: [
              { x: 0, y: 0 },
              { x: 20, y: 20 },
            ],
          },
        },
      },
      { from: { x: 5, y: 8 }, to: { width: 4, height: 12 } },
    ])
  })

  it('reads shapes and text boxes with the styles of their text, rotated and at their end cell', () => {
    const graphic = (name: string, graphics: string, text = '') =>
      `<style:style style:name="${name}" style:family="graphic"><style:graphic-properties ${graphics}/>${text}</style:style>`
    const { value, sheet, codes } = read(
      row(
        `<table:table-cell><draw:rect draw:style-name="red" svg:x="1pt" svg:y="2pt" svg:width="30pt" svg:height="40pt" table:end-cell-address="One.C3" table:end-x="4pt" table:end-y="5pt"><text:p>plain</text:p><text:p text:style-name="P">styled</text:p></draw:rect><draw:ellipse draw:style-name="red" svg:width="40pt" svg:height="20pt" draw:transform="rotate (1.5707963267949) translate (12pt 60pt)"/><draw:line draw:style-name="red" svg:x1="9pt" svg:y1="8pt" svg:x2="5pt" svg:y2="20pt"/></table:table-cell><table:table-cell><draw:frame svg:x="3pt" svg:y="4pt" svg:width="30pt" svg:height="40pt"><draw:text-box><text:p>box</text:p></draw:text-box></draw:frame></table:table-cell>`,
      ),
      {
        styles:
          graphic(
            'red',
            'draw:fill="solid" draw:fill-color="#ff0000"',
            '<style:text-properties fo:font-size="20pt"/>',
          ) +
          '<style:style style:name="P" style:family="paragraph"><style:text-properties fo:font-size="8pt"/></style:style>',
      },
    )
    expect(sheet?.drawings).toMatchObject([
      {
        from: { row: 0, column: 0, x: 1, y: 2 },
        to: { row: 2, column: 2, x: 4, y: 5 },
        drawing: { content: { kind: 'shape', fill: 'FF0000' }, rotation: 0 },
      },
      { to: { width: 40, height: 20 }, drawing: { content: { geometry: { name: 'ellipse' } } } },
      { from: { x: 5, y: 8 }, to: { width: 4, height: 12 } },
      { from: { row: 0, column: 1, x: 3, y: 4 }, to: { width: 30, height: 40 } },
    ])
    // The ellipse is turned around its top left corner, which the translation then moves: its middle is at (22, 40).
    const [rectangle, ellipse] = sheet?.drawings ?? []
    expect([ellipse!.from.x, ellipse!.from.y, ellipse!.drawing!.rotation].map(Math.round)).toEqual([
      2, 30, -90,
    ])
    const content = rectangle!.drawing!.content
    const paragraphs = content.kind === 'shape' ? (content.text?.blocks ?? []) : []
    expect(paragraphs).toMatchObject([
      { inlines: [{ text: 'plain', run: { size: 20 } }] },
      { inlines: [{ text: 'styled' }], properties: { style: expect.stringContaining('P') } },
    ])
    const style = value.drawingStyles?.styles.get(
      paragraphs[1]?.kind === 'paragraph' ? (paragraphs[1].properties.style ?? '') : '',
    )
    expect(style?.run?.size).toBe(8)
    expect(codes).toEqual([])
  })
})

describe('hostile spreadsheets', () => {
  it('with a value in every cell end at a million', () => {
    const { sheet, codes } = read(
      row(
        cell('office:value-type="float" office:value="1" table:number-columns-repeated="16384"'),
        'table:number-rows-repeated="1048576"',
      ),
    )
    const count = sheet?.rows.reduce((sum, { cells }) => sum + cells.length, 0) ?? 0
    expect(count).toBeGreaterThan(900_000)
    expect(count).toBeLessThanOrEqual(1_000_000)
    expect(codes).toEqual(['read.sheet-cells'])
  })
  it('with a fill everywhere keep what the pages show', () => {
    const { sheet } = read(
      row(
        cell('table:style-name="f" table:number-columns-repeated="20"'),
        'table:number-rows-repeated="1048576"',
      ),
      { styles: cellStyle('f', '<style:table-cell-properties fo:background-color="#ff0000"/>') },
    )
    expect(sheet?.rows).toHaveLength(2_000)
  })
  it('with a million empty rows of another height list some of them', () => {
    const tall =
      '<style:style style:name="tall" style:family="table-row"><style:table-row-properties style:row-height="50pt"/></style:style>'
    const { sheet } = read(
      `${row('', 'table:number-rows-repeated="900000"')}${row('', 'table:number-rows-repeated="148000" table:style-name="tall"')}`,
      { styles: tall },
    )
    expect(sheet?.rows.length).toBeLessThanOrEqual(100_000)
  })
  it('keep their spaces, and the height of the file behind the last value', () => {
    const optimal =
      '<style:style style:name="o" style:family="table-row"><style:table-row-properties style:row-height="50pt" style:use-optimal-row-height="true"/></style:style>'
    const { sheet } = read(
      `${row(cell('office:value-type="string"', 'a  b'), 'table:style-name="o"')}${row('', 'table:style-name="o"')}`,
      { styles: optimal },
    )
    expect(sheet?.rows[0]).toMatchObject({ height: 12.8, storedHeight: 50, cells: [{ value: 'a  b' }] })
    expect(sheet?.defaultHeight === 50 || sheet?.rows[1]?.height === 50).toBe(true)
  })
  it('that are none are refused', () => {
    for (const xml of ['', '<x/>', `<office:document ${namespaces}/>`])
      expect(() => readFods(new TextEncoder().encode(xml))).toThrow(AppError)
  })

  it('reads sparklines of an extension', () => {
    const { sheet } = read(
      row(cell('office:value-type="float" office:value="1"')) +
        `<calcext:sparkline-groups>
          <calcext:sparkline-group calcext:type="column" calcext:line-width="1pt" calcext:high="true" calcext:min-axis-type="custom" calcext:manual-min="-1" calcext:max-axis-type="group" calcext:display-x-axis="true" calcext:display-empty-cells-as="gap" calcext:color-series="#376092" calcext:color-high="#92d050">
            <calcext:sparklines>
              <calcext:sparkline calcext:cell-address="One.A2" calcext:data-range="'My values'.B1:'My values'.M1"/>
              <calcext:sparkline calcext:cell-address="One" calcext:data-range="One.B1:One.M1"/>
            </calcext:sparklines>
          </calcext:sparkline-group>
          <calcext:sparkline-group/>
        </calcext:sparkline-groups>`,
    )
    expect(sheet?.sparklines).toMatchObject([
      {
        kind: 'column',
        lineWidth: 1,
        marked: new Set(['high']),
        hasAxis: true,
        emptyCells: 'gap',
        min: -1,
        max: 'group',
        colors: { series: '376092', high: '92D050', axis: '000000' },
        sparklines: [
          { row: 1, column: 0, data: { sheet: 'My values', top: 0, bottom: 0, left: 1, right: 12 } },
        ],
      },
    ])
  })

  it.each([
    ['of:=#DIV/0!', { kind: 'error', text: '#DIV/0!' }],
    ['of:=#N/A', { kind: 'error', text: '#N/A' }],
    ['of:=[.A1]/0', 0],
  ])('reads the error that a formula is: %s', (formula, expected) => {
    const { sheet } = read(
      row(cell(`office:value-type="float" office:value="0" table:formula="${formula}"`, '0')),
    )
    expect(sheet?.rows[0]?.cells[0]?.value).toEqual(expected)
  })

  it('keeps equal parts of a number style apart', () => {
    const { value } = read(
      row(cell('table:style-name="c" office:value-type="date" office:date-value="2026-11-27"')),
      {
        styles:
          '<number:date-style style:name="d"><number:year number:style="long"/><number:year/><number:month/></number:date-style>' +
          cellStyle('c', '', 'style:data-style-name="d"'),
      },
    )
    expect(formatsOf(value)?.number).toBe('yyyy""yym')
  })

  it.each([
    ['style:print-orientation="landscape"', [792, 612, true]],
    ['style:print-orientation="landscape" fo:page-width="20cm" fo:page-height="10cm"', [567, 283, undefined]],
    ['style:print-orientation="portrait"', [612, 792, undefined]],
  ])('knows whether paper without a size is turned: %s', (attributes, expected) => {
    const { sheet } = read(row(cell('office:value-type="string"', 'text')), {
      styles: `<style:page-layout style:name="p"><style:page-layout-properties ${attributes}/></style:page-layout>`,
      masters: '<style:master-page style:name="Default" style:page-layout-name="p"/>',
    })
    const { width = 0, height = 0, turnsPaper } = sheet?.page ?? {}
    expect([Math.round(width), Math.round(height), turnsPaper]).toEqual(expected)
  })

  it('reads drawings that are links, over the sheet and in a cell', () => {
    const linked =
      '<draw:a xlink:href="https://example.org/"><draw:frame svg:x="1cm" svg:y="1cm" svg:width="3cm" svg:height="1cm"><draw:text-box><text:p>Text box</text:p></draw:text-box></draw:frame></draw:a>'
    const { sheet, codes } = read(
      `<table:shapes>${linked}</table:shapes><table:table-row><table:table-cell/><table:table-cell>${linked}</table:table-cell></table:table-row>`,
    )
    expect(codes).toEqual([])
    expect(
      sheet?.drawings?.map(({ from, drawing }) => [from.column, drawing?.link, drawing?.content.kind]),
    ).toEqual([
      [0, { href: 'https://example.org/' }, 'shape'],
      [1, { href: 'https://example.org/' }, 'shape'],
    ])
  })
})

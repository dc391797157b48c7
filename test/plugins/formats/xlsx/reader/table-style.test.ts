/** Table styles of workbooks: what the cells of a table look like, row by row. Source: what Excel shows, whose tints of a colour are up to one step darker. */
import { describe, expect, it } from 'vitest'
import { readWorkbook } from '../../../../../plugins/formats/xlsx/reader/index.ts'
import type { CellBorders, CellFormat } from '../../../../../shared/document/sheet.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const list = (...all: readonly (readonly [kind: string, target: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.map(([kind, target]) => `<Relationship Id="${kind}" Type="${relations}/${kind}" Target="${target}"/>`).join('')}</Relationships>`

interface Table {
  readonly info: string // attributes of tableStyleInfo
  readonly ref?: string
  readonly attributes?: string
  readonly rows?: string
  readonly styles?: string
}

/** A workbook with one table, whose colours are those of the Office 2007 theme. */
function read({ info, ref = 'B2:C5', attributes = '', rows = '', styles = '' }: Table) {
  const parts: Readonly<Record<string, string>> = {
    '_rels/.rels': list(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="One" sheetId="1" r:id="worksheet"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': list(['worksheet', 'one.xml'], ['styles', 'styles.xml']),
    'xl/one.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
    'xl/_rels/one.xml.rels': list(['table', 'table.xml']),
    'xl/table.xml': `<table xmlns="${main}" ref="${ref}" ${attributes}><tableStyleInfo ${info}/></table>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><fonts><font><color theme="1"/><sz val="11"/><name val="Calibri"/></font><font><color rgb="FFFF0000"/><sz val="11"/><name val="Calibri"/></font></fonts><fills><fill/><fill><patternFill patternType="solid"><fgColor rgb="FF00FF00"/></patternFill></fill></fills><borders><border/></borders><cellXfs><xf/><xf fontId="1" fillId="1"/></cellXfs>${styles}</styleSheet>`,
  }
  const { value, warnings } = readWorkbook((name) =>
    parts[name] === undefined ? undefined : new TextEncoder().encode(parts[name]),
  )
  const [sheet] = value.sheets
  const at = (row: number, column: number): CellFormat | undefined => {
    const cell = sheet?.rows.find((one) => one.row === row)?.cells.find((one) => one.column === column)
    return cell && value.formats[cell.format]
  }
  return { at, sheet, formats: value.formats, codes: warnings.map(({ code }) => code) }
}

const fills = ({ at }: ReturnType<typeof read>, column = 1): (string | undefined)[] =>
  [1, 2, 3, 4].map((row) => at(row, column)?.fill)
const sidesOf = (borders: CellBorders | undefined): string[] =>
  Object.entries(borders ?? {})
    .map(([name, { line, width, color }]) => `${name} ${line} ${width} ${color}`)
    .sort()

describe('built-in table styles', () => {
  it.each([
    ['TableStyleMedium2', ['4F81BD', 'DCE6F2', undefined, 'DCE6F2']],
    ['TableStyleMedium9', ['4F81BD', 'B9CDE5', 'DCE6F2', 'B9CDE5']],
    ['TableStyleLight1', [undefined, 'D9D9D9', undefined, 'D9D9D9']],
    ['TableStyleLight9', ['4F81BD', undefined, undefined, undefined]],
    ['TableStyleMedium15', ['000000', 'D9D9D9', undefined, 'D9D9D9']],
    ['TableStyleDark2', ['000000', '376092', '4F81BD', '376092']],
    ['TableStyleDark9', ['C0504D', 'B9CDE5', 'DCE6F2', 'B9CDE5']],
    ['TableStyleMedium29', [undefined, undefined, undefined, undefined]],
    ['None', [undefined, undefined, undefined, undefined]],
  ])('%s fills the header and every other row', (name, expected) => {
    expect(fills(read({ info: `name="${name}" showRowStripes="1"` }))).toEqual(expected)
  })
  it('sets letters of the header bold in the light colour, and lines between rows', () => {
    const table = read({ info: 'name="TableStyleMedium2"', rows: '<row r="2"><c r="B2"><v>1</v></c></row>' })
    expect(table.at(1, 1)?.font).toMatchObject({ bold: true, color: 'FFFFFF' })
    expect(table.at(2, 1)?.font.bold).toBeUndefined()
    expect(sidesOf(table.at(2, 1)?.borders)).toEqual([
      'bottom solid 0.75 95B3D7',
      'left solid 0.75 95B3D7',
      'top solid 0.75 95B3D7',
    ])
    expect(table.at(1, 1)?.font.family).toBe('Calibri')
  })
  it('a total row, the first and the last column, and no header row', () => {
    const info = 'name="TableStyleMedium9" showFirstColumn="1" showLastColumn="1"'
    const table = read({ info, ref: 'B2:D5', attributes: 'headerRowCount="0" totalsRowCount="1"' })
    expect(fills(table, 1)).toEqual(['4F81BD', '4F81BD', '4F81BD', '4F81BD'])
    expect(fills(table, 2)).toEqual(['DCE6F2', 'DCE6F2', 'DCE6F2', '4F81BD'])
    expect(sidesOf(table.at(4, 2)?.borders)).toContain('top solid 2.5 FFFFFF')
  })
  it('stripes of columns', () => {
    const table = read({ info: 'name="TableStyleMedium9" showColumnStripes="1"', ref: 'B2:D5' })
    expect([1, 2, 3].map((column) => table.at(2, column)?.fill)).toEqual(['B9CDE5', 'DCE6F2', 'B9CDE5'])
  })
})

it('what a cell sets itself is kept', () => {
  const table = read({
    info: 'name="TableStyleMedium2"',
    rows: '<row r="2"><c r="B2" s="1"><v>1</v></c></row>',
  })
  expect(table.at(1, 1)).toMatchObject({ fill: '00FF00', font: { color: 'FF0000', bold: true } })
})

it('hidden rows are not counted by stripes', () => {
  const rows = '<row r="3" hidden="1"><c r="B3"><v>1</v></c></row>'
  expect(fills(read({ info: 'name="TableStyleMedium2" showRowStripes="1"', rows }))).toEqual([
    '4F81BD',
    undefined,
    'DCE6F2',
    undefined,
  ])
})

it('a style of the workbook has its elements, its sizes of stripes and its lines between cells', () => {
  const styles = `<dxfs><dxf><fill><patternFill><bgColor rgb="FFABCDEF"/></patternFill></fill></dxf><dxf><border><left style="thin"/><vertical style="dotted"/></border></dxf></dxfs>
    <tableStyles><tableStyle name="Own"><tableStyleElement type="firstRowStripe" size="2" dxfId="0"/><tableStyleElement type="wholeTable" dxfId="1"/></tableStyle></tableStyles>`
  const table = read({ info: 'name="Own" showRowStripes="1"', attributes: 'headerRowCount="0"', styles })
  expect(fills(table)).toEqual(['ABCDEF', 'ABCDEF', undefined, 'ABCDEF'])
  expect(sidesOf(table.at(1, 1)?.borders)).toEqual(['left solid 0.75 000000', 'right dotted 0.75 000000'])
})

it('a table as large as a sheet is styled up to a limit, with a warning', () => {
  const table = read({ info: 'name="TableStyleMedium2" showRowStripes="1"', ref: 'A1:XFD1048576' })
  expect(table.codes).toEqual(['read.table-style'])
  expect(table.sheet?.rows.flatMap(({ cells }) => cells).length).toBeLessThanOrEqual(200_000)
  expect(table.formats.length).toBeLessThan(70_000)
})

import { describe, expect, it } from 'vitest'
import { readWorksheet } from '../../../../../plugins/formats/xlsx/reader/worksheet.ts'
import type { Cell, CellValue } from '../../../../../shared/document/sheet.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const strings: readonly CellValue[] = ['zero', { kind: 'rich', runs: [{ text: 'one' }] }, '']

function cellsOf(cells: string, { prefix = '', limit = 100, before = '' } = {}): readonly Cell[] {
  const declaration = prefix === '' ? `xmlns="${main}"` : `xmlns:${prefix.slice(0, -1)}="${main}" xmlns=""`
  const sheet = readWorksheet(
    `<${prefix}worksheet ${declaration}>${before}<${prefix}sheetData><${prefix}row>${cells}</${prefix}row></${prefix}sheetData></${prefix}worksheet>`,
    { name: 'One', hidden: false, names: {}, drawings: [], hasControls: false, links: new Map() },
    {
      strings,
      palette: { theme: [], indexed: [] } as never, // of texts with colours, which these cells do not have
      differentials: [],
      defaultFont: { family: 'Calibri', size: 11 },
      date1904: false,
      isOfExcel: false,
      budget: { cells: limit, merges: 0 },
      formulas: { cells: [], changeWithTime: false },
      warn: () => undefined,
    },
  )
  return sheet?.rows.flatMap((row) => row.cells) ?? []
}

/** The same cells with two spaces in each tag, so that they are read element by element. */
const slowly = (cells: string): string => cells.replace(/<c([ >])/g, '<c $1').replace(/<c {1,2}/g, '<c  ')

/** Cells as programs write them, and as they may be written. */
const markups = [
  '<c><v>1</v></c>',
  '<c r="C5"><v>12.5</v></c><c><v>-0.125</v></c>',
  '<c r="AB5" s="3"><v>123456789012345</v></c>',
  '<c s="3" r="XFD5"><v>1</v></c>',
  '<c r="XFE5"><v>1</v></c><c><v>2</v></c>',
  '<c><v>1234567890123456789</v></c><c><v>0.30000000000000004</v></c><c><v>1E-7</v></c><c><v>1e400</v></c>',
  '<c><v>-0</v></c><c><v>.5</v></c><c><v>5.</v></c><c><v>+5</v></c><c><v>1.2.3</v></c><c><v>-</v></c><c><v> 7 </v></c>',
  '<c><v>0x1F</v></c><c><v>&#49;</v></c><c><v></v></c><c><v/></c><c/><c s="2"/><c></c>',
  '<c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>9</v></c><c t="s"><v>x</v></c>',
  '<c t="inlineStr"><is><t>plain</t></is></c><c t="inlineStr"><is><t xml:space="preserve"> spaced </t></is></c>',
  '<c t="inlineStr"><is><t>a &amp; b</t></is></c><c t="inlineStr"><is><t>_x0041_</t></is></c><c t="inlineStr"><is><t/></is></c>',
  '<c t="inlineStr"><is><t>line\r\nend</t></is></c><c t="inlineStr"><is><t>two </t><t>parts</t></is></c>',
  '<c t="inlineStr"><is><r><t>run</t></r></is></c><c t="inlineStr"><is><t></t></is></c>',
  '<c t="str"><f>A1</f><v>text</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="d"><v>2024-01-01</v></c>',
  '<c><f>A1+1</f><v>3</v></c><c><f>A1+1</f></c><c><f t="shared" si="0">B1</f><v>4</v></c><c><f>A1&amp;B1</f><v>5</v></c>',
  '<c><v>1</v></c><!-- between --><c><v>2</v></c> <c><v>3</v></c><other/><c><v>4</v></c>',
  '<c r=\'D5\'><v>1</v></c><c r="d5"><v>2</v></c><c r="5"><v>3</v></c><c cm="1"><v>4</v></c>',
  '<c r="B5"><v>1</v></c><c r="A5"><v>2</v></c>',
]

describe('cells that are read straight from the text', () => {
  it.each(markups)('are those that are read element by element: %s', (markup) => {
    const cells = cellsOf(markup)
    expect(cells).toEqual(cellsOf(slowly(markup)))
    expect(slowly(markup)).not.toBe(markup)
  })
  it('have their values', () => {
    expect(
      cellsOf('<c r="C1" s="4"><v>-12.5</v></c><c t="s"><v>0</v></c><c t="inlineStr"><is><t>x</t></is></c>'),
    ).toEqual([
      { column: 2, format: 4, value: -12.5 },
      { column: 3, format: 0, value: 'zero' },
      { column: 4, format: 0, value: 'x' },
    ])
  })
  it('are not the elements of another namespace', () => {
    expect(cellsOf('<c><v>1</v></c><x:c><x:v>2</x:v></x:c>', { prefix: 'x:' })).toEqual([
      { column: 0, format: 0, value: 2 },
    ])
  })
  it('end at the limit', () => {
    expect(cellsOf('<c><v>1</v></c><c><v>2</v></c><c><v>3</v></c>', { limit: 2 })).toHaveLength(2)
  })
  it.each(['<c><v>1', '<c r="', '<c', '<c t="inlineStr"><is><t>x', '<c><f>A1</f><v>'])(
    'may be cut off: %s',
    (markup) => {
      expect(() => cellsOf(`<c><v>1</v></c>${markup}`)).not.toThrow(TypeError)
    },
  )
})

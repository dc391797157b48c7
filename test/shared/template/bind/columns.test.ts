/** Columns that go: beside lists, under cells that cover several, in head and body. Source: template language 12.5. */
import { describe, expect, it } from 'vitest'
import { bodyOf, docxOf, entryText, odtOf, paragraph } from '../../../helpers/docx.ts'
import { check, mergeBytes } from '../../../helpers/merge.ts'
import { odsGrid, odsOf, odsRow, odsTable } from '../../../helpers/ods.ts'
import { pptxOf } from '../../../helpers/pptx.ts'
import { problemsOf } from '../../../helpers/structure.ts'
import { readCells, xlsxOf } from '../../../helpers/xlsx.ts'

const list = {
  l: [
    { n: 'x', q: 1 },
    { n: 'y', q: 2 },
  ],
  no: '',
  yes: 'Y',
}
const gone = '{d.no:ifEM:drop(col)}'
const stays = '{d.yes:ifEM:drop(col)}'

const rows = (...cells: readonly (readonly string[])[]) =>
  cells
    .map(
      (row) => `<tr>${row.map((cell) => (cell.startsWith('<') ? cell : `<td>${cell}</td>`)).join('')}</tr>`,
    )
    .join('')
const page = (...cells: readonly (readonly string[])[]) => `<table>${rows(...cells)}</table>`

const inHtml: readonly (readonly [name: string, template: string, expected: string])[] = [
  [
    'a list under the tag',
    page(['N', `Q${gone}`], ['{d.l[i].n}', '{d.l[i].q}'], ['{d.l[i+1].n}', '']),
    page(['N'], ['x'], ['y']),
  ],
  [
    'one that stays',
    page(['N', `Q${stays}`], ['{d.l[i].n}', '{d.l[i].q}'], ['{d.l[i+1].n}', '']),
    page(['N', 'Q'], ['x', '1'], ['y', '2']),
  ],
  [
    'a tag in the row that repeats',
    page(['{d.l[i].n}', `{d.l[i].q}${gone}`, '{d.l[i].n}'], ['{d.l[i+1].n}', '', '']),
    page(['x', 'x'], ['y', 'y']),
  ],
  [
    'a tag about the items of the list',
    page(['{d.l[i].n}', '{d.l[i].q}{d.l[i].q:ifEQ(2):drop(col)}'], ['{d.l[i+1].n}', '']),
    page(['x'], ['y']),
  ],
  [
    'a list about whose items the tag says no',
    page(['{d.l[i].n}', '{d.l[i].q}{d.l[i].q:ifEQ(9):drop(col)}'], ['{d.l[i+1].n}', '']),
    page(['x', '1'], ['y', '2']),
  ],
  [
    'headings and groups of rows',
    `<table><thead><tr><th>N</th><th>Q${gone}</th></tr></thead><tbody>${rows(['{d.l[i].n}', '{d.l[i].q}'], ['{d.l[i+1].n}', ''])}</tbody><tfoot>${rows(['a', 'b'])}</tfoot></table>`,
    `<table><thead><tr><th>N</th></tr></thead><tbody>${rows(['x'], ['y'])}</tbody><tfoot>${rows(['a'])}</tfoot></table>`,
  ],
  [
    'cells over several columns',
    page(
      ['<th colspan="3">T</th>'],
      ['a', `b${gone}`, 'c'],
      ['1', '<td colspan=2>23</td>'],
      ['<td colspan="2">12</td>', '3'],
    ),
    page(
      ['<th colspan="2">T</th>'],
      ['a', 'c'],
      ['1', '<td colspan=1>23</td>'],
      ['<td colspan="1">12</td>', '3'],
    ),
  ],
  [
    'all columns of a cell',
    page(['a', '<td colspan="2">bc</td>', 'd'], ['1', `2${gone}`, `3${gone}`, '4']),
    page(['a', 'd'], ['1', '4']),
  ],
  [
    'two of three',
    page(['<td colspan="3">abc</td>'], [`1${gone}`, `2${stays}`, `3${gone}`]),
    page(['<td colspan="1">abc</td>'], ['2']),
  ],
  [
    'a tag in a cell over two columns',
    page(['a', `<td colspan="2">bc${gone}</td>`], ['1', '2', '3']),
    page(['a'], ['1']),
  ],
  [
    'the first of two columns that repeat',
    page([`{d.l[i].n}${gone}`, '{d.l[i].q}', '{d.l[i+1].n}', 'z'], ['{d.l[i].n}', 'a', '{d.l[i+1].n}', 'z']),
    page(['1', '2', 'z'], ['a', 'a', 'z']),
  ],
  [
    'the first of two columns that repeat, which stays',
    page([`{d.l[i].n}${stays}`, '{d.l[i].q}', '{d.l[i+1].n}', 'z']),
    page(['x', '1', 'y', '2', 'z']),
  ],
  [
    'each copy of a table is judged on its own',
    `<div><p>{d.l[i].n}</p>${page(['a', 'b{d.l[i].q:ifEQ(1):drop(col)}'], ['1', '2'])}</div><div>{d.l[i+1].n}</div>`,
    `<div><p>x</p>${page(['a'], ['1'])}</div><div><p>y</p>${page(['a', 'b'], ['1', '2'])}</div>`,
  ],
]

const many = {
  cols: [{ h: 1 }, { h: 2 }, { h: 3 }],
  none: [],
  rows: [{ c: [1, 2, 3] }, { c: [4, 5, 6] }],
  no: '',
}
const heads = ['n', '{d.cols[i].h}', '{d.cols[i+1].h}']

const wider: readonly (readonly [name: string, template: string, expected: string])[] = [
  [
    'a title over all, in a head',
    `<table><thead><tr><th colspan="3">T</th></tr>${rows(heads)}</thead></table>`,
    `<table><thead><tr><th colspan="4">T</th></tr>${rows(['n', '1', '2', '3'])}</thead></table>`,
  ],
  [
    'cells over some of them',
    page(heads, ['<td colspan="2">ab</td>', 'c'], ['a', '<td colspan="2">bc</td>'], ['a', 'b', 'c']),
    page(
      ['n', '1', '2', '3'],
      ['<td colspan="3">ab</td>', 'c'],
      ['a', '<td colspan="3">bc</td>'],
      ['a', 'b', 'c'],
    ),
  ],
  [
    'beside others',
    page(['<td colspan="4">T</td>'], [...heads, 'sum']),
    page(['<td colspan="5">T</td>'], ['n', '1', '2', '3', 'sum']),
  ],
  [
    'rows and columns at once',
    page(
      ['<td colspan="3">T</td>'],
      heads,
      ['{d.rows[i].c[0]}', '{d.rows[i].c[i]}', '{d.rows[i].c[i+1]}'],
      ['{d.rows[i+1]}', '', ''],
    ),
    page(['<td colspan="4">T</td>'], ['n', '1', '2', '3'], ['1', '1', '2', '3'], ['4', '4', '5', '6']),
  ],
  [
    'none',
    page(['<td colspan="3">T</td>'], ['n', '{d.none[i].h}', '{d.none[i+1].h}']),
    page(['<td colspan="1">T</td>'], ['n']),
  ],
  [
    'others go',
    page(['<td colspan="4">T</td>'], [...heads, `x${gone}`]),
    page(['<td colspan="4">T</td>'], ['n', '1', '2', '3']),
  ],
]

describe('columns that repeat', () => {
  it.each(wider)('widen the cells that cover them: %s', async (_, template, expected) => {
    await check(template, many, expected, { format: 'html' })
  })

  it('in Writer: covered cells and columns follow', async () => {
    const cell = (text: string, attributes = '') =>
      `<table:table-cell${attributes}><text:p>${text}</text:p></table:table-cell>`
    const { value } = await mergeBytes(
      await odtOf(
        `<table:table table:name="T"><table:table-column table:number-columns-repeated="3"/><table:table-row>${cell('T', ' table:number-columns-spanned="3"')}<table:covered-table-cell table:number-columns-repeated="2"/></table:table-row><table:table-row>${heads.map((text) => cell(text)).join('')}</table:table-row></table:table>`,
      ),
      'odt',
      many,
    )
    const body = await bodyOf(new Uint8Array(await value.document.arrayBuffer()))
    expect(body.split('<table:table-column').length - 1).toBe(4)
    expect(body).toContain('table:number-columns-spanned="4"')
    expect(body.split('<table:covered-table-cell').length - 1).toBe(3)
  })
})

describe('columns that go', () => {
  it.each(inHtml)('%s', async (_, template, expected) => {
    await check(template, list, expected, { format: 'html' })
  })

  it('in Word: narrower cells and a shorter grid, rows that begin later', async () => {
    const cell = (text: string, span = 1) =>
      `<w:tc><w:tcPr>${span > 1 ? `<w:gridSpan w:val="${span}"/>` : ''}</w:tcPr>${paragraph(text)}</w:tc>`
    const row = (...cells: readonly string[]) => `<w:tr>${cells.join('')}</w:tr>`
    const late = `<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell('2')}${cell('3')}</w:tr>`
    const grid = (columns: number) => `<w:tblGrid>${'<w:gridCol w:w="9"/>'.repeat(columns)}</w:tblGrid>`
    const { value } = await mergeBytes(
      await docxOf(
        `<w:tbl><w:tblPr/>${grid(3)}${row(cell('T', 3))}${row(cell('a'), cell(`b${gone}`), cell('c'))}${row(cell('{d.l[i].n}'), cell('{d.l[i].q}', 2))}${row(cell('{d.l[i+1].n}'), cell('', 2))}${late}</w:tbl>`,
      ),
      'docx',
      list,
    )
    const bytes = new Uint8Array(await value.document.arrayBuffer())
    expect(await problemsOf(bytes)).toEqual([])
    const body = await bodyOf(bytes)
    expect(body).toContain(`${grid(2)}`)
    expect([...body.matchAll(/gridSpan w:val="(\d)"/g)].map(([, span]) => span)).toEqual(['2', '1', '1'])
    expect([...body.matchAll(/<w:t(?: [^>]*)?>([^<]*)</g)].map(([, text]) => text).join(' ')).toBe(
      'T a c x 1 y 2 3',
    )
  })

  it('in Writer: columns that stand for several, head rows, covered cells', async () => {
    const cell = (text: string, attributes = '') =>
      `<table:table-cell${attributes}><text:p>${text}</text:p></table:table-cell>`
    const row = (...cells: readonly string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
    const wide = `${cell('T', ' table:number-columns-spanned="3"')}<table:covered-table-cell table:number-columns-repeated="2"/>`
    const { value } = await mergeBytes(
      await odtOf(
        `<table:table table:name="T"><table:table-column table:number-columns-repeated="3"/><table:table-header-rows>${row(wide)}</table:table-header-rows>${row(cell('a'), cell(`b${gone}`), cell('c'))}${row(cell('{d.l[i].n}'), cell('{d.l[i].q}'), cell(''))}${row(cell('{d.l[i+1].n}'), cell(''), cell(''))}</table:table>`,
      ),
      'odt',
      list,
    )
    const body = await bodyOf(new Uint8Array(await value.document.arrayBuffer()))
    expect(body).toContain(
      `<table:table-column/><table:table-column/><table:table-header-rows>${row(`${cell('T', ' table:number-columns-spanned="2"')}<table:covered-table-cell/>`)}`,
    )
    expect(body.split('<table:table-cell').length - 1).toBe(7)
  })

  it('in PowerPoint: merged cells are listed', async () => {
    const text = (words: string) =>
      `<a:txBody><a:bodyPr/><a:p><a:r><a:t>${words}</a:t></a:r></a:p></a:txBody><a:tcPr/>`
    const cell = (words: string, attributes = '') => `<a:tc${attributes}>${text(words)}</a:tc>`
    const row = (...cells: readonly string[]) => `<a:tr h="1">${cells.join('')}</a:tr>`
    const frame = `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="T"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl><a:tblGrid><a:gridCol w="1"/><a:gridCol w="2"/><a:gridCol w="3"/></a:tblGrid>${row(cell('T', ' gridSpan="3"'), cell('', ' hMerge="1"'), cell('', ' hMerge="1"'))}${row(cell(`a${gone}`), cell('b'), cell('c'))}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
    const { value } = await mergeBytes(await pptxOf([frame]), 'pptx', list)
    const bytes = new Uint8Array(await value.document.arrayBuffer())
    expect(await problemsOf(bytes)).toEqual([])
    const slide = await entryText(bytes, 'ppt/slides/slide1.xml')
    expect(slide).toContain('<a:gridCol w="2"/><a:gridCol w="3"/></a:tblGrid>')
    expect(slide.match(/gridSpan="2"|hMerge="1"/g)).toEqual(['gridSpan="2"', 'hMerge="1"'])
  })

  it('in sheets, with formulas beside the list', async () => {
    const cells = {
      A1: 'N',
      B1: `Q${gone}`,
      C1: 'S',
      A2: '{d.l[i].n}',
      B2: 'b',
      C2: '{d.l[i].q:formatN}',
      A3: '{d.l[i+1].n}',
      A4: 'sum',
      C4: '=SUM(C2:C3)',
    }
    const book = await mergeBytes(await xlsxOf({ sheets: [{ name: 'S', cells }] }), 'xlsx', list)
    const bytes = new Uint8Array(await book.value.document.arrayBuffer())
    expect(await problemsOf(bytes)).toEqual([])
    expect(await readCells(bytes)).toEqual({
      A1: "'N'",
      B1: "'S'",
      A2: "'x'",
      B2: '1',
      A3: "'y'",
      B3: '2',
      A4: "'sum'",
      B4: '=SUM(B2:B3)',
    })
    const sheet = await mergeBytes(
      await odsOf(
        odsTable(
          'S',
          odsRow(['N', `Q${gone}`, 'S']),
          odsRow(['{d.l[i].n}', 'b', '{d.l[i].q:formatN}']),
          odsRow(['{d.l[i+1].n}', '', '']),
          odsRow(['sum', '', 'of:=SUM([.C2:.C3])']),
        ),
      ),
      'ods',
      list,
    )
    expect(await odsGrid(new Uint8Array(await sheet.value.document.arrayBuffer()))).toEqual({
      S: [
        ["'N'", "'S'"],
        ["'x'", '1'],
        ["'y'", '2'],
        ["'sum'", 'of:=SUM([.B2:.B3])'],
      ],
    })
  })
})

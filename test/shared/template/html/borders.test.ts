import { describe, expect, it } from 'vitest'
import { linesOfCell } from '../../../../shared/template/html/borders.ts'
import type { HtmlBorder, HtmlSides, HtmlTable } from '../../../../shared/template/html/model.ts'
import { readHtml } from '../../../../shared/template/html/read.ts'

const tableOf = (html: string): HtmlTable => {
  const table = readHtml(html).find((block) => block.kind === 'table')
  if (table === undefined) throw new Error('no table')
  return table
}

const letters = { solid: '', double: 'D', dashed: '-', dotted: '.' } as const
const line = (border: HtmlBorder | undefined) =>
  border === undefined
    ? '0'
    : `${letters[border.style]}${border.width}${border.color === undefined ? '' : `#${border.color}`}`

/** Top, right, bottom and left of a cell; one value where all are equal. */
function shown({ top, right, bottom, left }: HtmlSides<HtmlBorder>): string {
  const sides = [top, right, bottom, left].map(line)
  return new Set(sides).size === 1 ? (sides[0] ?? '') : sides.join(' ')
}

/** The lines around each cell that is not covered, rows apart. */
function lines(html: string): string {
  const table = tableOf(html)
  return table.rows
    .map((cells, row) =>
      cells
        .flatMap(({ covered, rowspan, colspan }, column) =>
          covered ? [] : [shown(linesOfCell(table, { row, column }, { rows: rowspan, columns: colspan }))],
        )
        .join(', '),
    )
    .join(' | ')
}

describe('lines of tables', () => {
  it.each<[what: string, html: string, expected: string]>([
    ['none unless they are asked for', '<table><tr><th>a<tr><td>b</table>', '0 | 0'],
    ['the attribute border', '<table border=1><tr><td>a<td>b</table>', '1#808080, 1#808080'],
    ['the attribute border without a value', '<table border><tr><td>a</table>', '1#808080'],
    ['border="0"', '<table border=0><tr><td>a</table>', '0'],
    [
      'a thick frame around thin cells',
      '<table border=3><tr><td>a<td>b</table>',
      '3#808080 1#808080 3#808080 3#808080, 3#808080 3#808080 3#808080 1#808080',
    ],
    [
      'cells take the colour of the table',
      '<table border=1 style="border-color:#ced4d9"><tr><td>a</table>',
      '1#CED4D9',
    ],
    ['bordercolor', '<table border=1 bordercolor=red><tr><td>a</table>', '1#FF0000'],
    [
      'a frame alone',
      '<table style="border:2px solid #000"><tr><td>a<td>b</table>',
      '2#000000 0 2#000000 2#000000, 2#000000 2#000000 2#000000 0',
    ],
    ['the style is needed', '<table><tr><td style="border:1px #000">a</table>', '0'],
    ['a width is medium', '<table><tr><td style="border:dashed rgb(1, 2, 3)">a</table>', '-3#010203'],
    [
      'longhands',
      '<table><tr><td style="border-style:solid none;border-width:1px 2px;border-color:red">a</table>',
      '1#FF0000 0 1#FF0000 0',
    ],
    [
      'the last declaration counts',
      '<table><tr><td style="border:1px solid red;border-left:none">a</table>',
      '1#FF0000 1#FF0000 1#FF0000 0',
    ],
    ['the colour of text', '<table><tr><td style="border:solid windowtext 1.0pt">a</table>', `${96 / 72}`],
    [
      'the wider one of two neighbours',
      '<table><tr><td style="border:1px solid red">a<td style="border:2px dotted blue">b</table>',
      '1#FF0000 .2#0000FF 1#FF0000 1#FF0000, .2#0000FF',
    ],
    [
      'of equal widths the stronger style',
      '<table><tr><td style="border:1px dotted red">a<td style="border:1px solid blue">b</table>',
      '.1#FF0000 1#0000FF .1#FF0000 .1#FF0000, 1#0000FF',
    ],
    [
      'hidden takes a line away',
      '<table border=1><tr><td style="border-right:hidden">a<td>b</table>',
      '1#808080 0 1#808080 1#808080, 1#808080 1#808080 1#808080 0',
    ],
    [
      'rows',
      '<table><tr style="border-bottom:1px solid red"><td>a<td>b<tr><td>c<td>d</table>',
      '0 0 1#FF0000 0, 0 0 1#FF0000 0 | 1#FF0000 0 0 0, 1#FF0000 0 0 0',
    ],
    [
      'a cell over two rows',
      '<table><tr><td rowspan=2 style="border:1px solid red">a<td>b<tr><td>c</table>',
      '1#FF0000, 0 0 0 1#FF0000 | 0 0 0 1#FF0000',
    ],
    [
      'a cell over two columns',
      '<table><tr><td colspan=2 style="border:1px solid red">a<tr><td>b<td>c</table>',
      '1#FF0000 | 1#FF0000 0 0 0, 1#FF0000 0 0 0',
    ],
    ['a width without end', '<table><tr><td style="border:9999px solid red">a</table>', '16#FF0000'],
    [
      'sides are those of the page',
      '<table dir=rtl><tr><td style="border-right:1px solid red">a<td style="border-left:1px solid blue">b</table>',
      '0 1#FF0000 0 0, 0 0 0 1#0000FF',
    ],
    [
      'nonsense',
      '<table border=x><tr><td style="border:12q very green;border-top:;border-left-style:odd">a</table>',
      '1#808080',
    ],
  ])('%s', (_, html, expected) => {
    expect(lines(html)).toBe(expected)
  })

  it('both neighbours of a line hold the same', () => {
    const { rows } = tableOf(
      '<table><tr><td style="border-right:2px solid red">a<td style="border-left:1px solid blue">b</table>',
    )
    expect(rows[0]?.[0]?.borders.right).toEqual(rows[0]?.[1]?.borders.left)
  })
})

describe('boxes of tables', () => {
  const box = (html: string) => {
    const { width, align, widths, headerRows } = tableOf(html)
    return {
      width: width && `${width.value}${width.unit}`,
      align,
      widths: widths?.map((share) => Math.round(share * 100)),
      headerRows,
    }
  }
  it.each<[string, string, Partial<ReturnType<typeof box>>]>([
    ['percent', '<table width="50%"><tr><td>a</table>', { width: '50percent' }],
    ['px', '<table style="width:300px"><tr><td>a</table>', { width: '300px' }],
    [
      'the sum of all columns',
      '<table><tr><td width=200>a<td width=100>b</table>',
      { width: '300px', widths: [67, 33] },
    ],
    [
      'shares of the declared width',
      '<table width=400><tr><td width=100>a<td>b</table>',
      { width: '400px', widths: [25, 75] },
    ],
    ['in the middle', '<table style="margin:0 auto"><tr><td>a</table>', { align: 'center' }],
    ['at the right', '<table style="margin-left:auto"><tr><td>a</table>', { align: 'right' }],
    ['align', '<table align=center><tr><td>a</table>', { align: 'center' }],
    ['a head of two rows', '<table><thead><tr><td>a<tr><td>b</thead><tr><td>c</table>', { headerRows: 2 }],
    ['a first row of header cells', '<table><tr><th>a<tr><td>b</table>', { headerRows: 1 }],
    ['no row but the head', '<table><thead><tr><td>a</table>', { headerRows: 0 }],
    [
      'a head that reaches below',
      '<table><thead><tr><th rowspan=2>a<th>b</thead><tr><td>c</table>',
      { headerRows: 0 },
    ],
    [
      'a header cell that reaches below',
      '<table><tr><th rowspan=2>a<th>b<tr><td>c</table>',
      { headerRows: 0 },
    ],
  ])('%s', (_, html, expected) => {
    expect(box(html)).toMatchObject(expected)
  })

  it('padding, place and colours come from the cell, its row, the part of the table and the table', () => {
    const { rows } = tableOf(
      '<table cellpadding=4 bgcolor=#eeeeee><thead style="background:#000;color:#fff"><tr><th style="padding:1px 2px;vertical-align:bottom">a</thead><tbody><tr valign=middle><td>b</table>',
    )
    expect(rows[0]?.[0]).toMatchObject({
      background: '000000',
      padding: { top: 1, right: 2, bottom: 1, left: 2 },
      verticalAlign: 'bottom',
    })
    expect(rows[0]?.[0]?.blocks).toMatchObject([{ inlines: [{ style: { bold: true, color: 'FFFFFF' } }] }])
    expect(rows[1]?.[0]).toMatchObject({
      background: 'EEEEEE',
      padding: { top: 4, left: 4 },
      verticalAlign: 'middle',
    })
    expect(rows[1]?.[0]?.blocks).toMatchObject([{ inlines: [{ style: {} }] }])
  })
})

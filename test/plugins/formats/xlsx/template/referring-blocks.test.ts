import { describe, expect, test } from 'vitest'
import { followNow } from '../../../../../plugins/formats/xlsx/template/referring-blocks.ts'
import { SheetLayout, type SheetModel, sheetKeys } from '../../../../../shared/office/sheet/layout.ts'
import { RenderScope } from '../../../../../shared/template/scope.ts'

/** A sheet whose second row is there three times. */
function following() {
  const lines = [
    { first: 1, count: 1 },
    { first: 2, count: 1 },
    { first: 3, count: 1 },
  ]
  const model: SheetModel = { name: 'S', moves: true, lines, cells: new Map(), keys: sheetKeys('S') }
  const scope = new RenderScope()
  const layout = new SheetLayout(model)
  scope.set(model.keys.layout, layout)
  layout.rows.step(0)
  for (let item = 0; item < 3; item += 1) {
    layout.rows.enter(1)
    layout.rows.step(1)
    layout.rows.leave()
  }
  layout.rows.step(2)
  return { model, sheets: new Map([['s', model]]), scope }
}

const now = (name: string, markup: string) => followNow(name, markup, following())

describe('a block around the cells follows the rows', () => {
  test('limits of a data bar are formulas in attributes', () =>
    expect(
      now(
        'conditionalFormatting',
        '<conditionalFormatting sqref="B2"><cfRule type="dataBar"><dataBar><cfvo type="formula" val="COUNTIF($A$2,&quot;x&quot;)&gt;A3"/></dataBar></cfRule></conditionalFormatting>',
      ),
    ).toBe(
      '<conditionalFormatting sqref="B2:B4"><cfRule type="dataBar"><dataBar><cfvo type="formula" val="COUNTIF($A$2,&quot;x&quot;)&gt;A5"/></dataBar></cfRule></conditionalFormatting>',
    ))
  test('merged cells, one for each copy; one that is a single cell goes', () =>
    expect(
      now(
        'mergeCells',
        '<mergeCells count="2"><mergeCell ref="A2:B2"/><mergeCell ref="A3:A3"></mergeCell></mergeCells>',
      ),
    ).toBe(
      '<mergeCells count="3"><mergeCell ref="A2:B2"/><mergeCell ref="A3:B3"/><mergeCell ref="A4:B4"/></mergeCells>',
    ))
  test('breaks, counted', () =>
    expect(
      now('rowBreaks', '<rowBreaks count="1" manualBreakCount="1"><brk id="2" max="16383"/></rowBreaks>'),
    ).toBe(
      '<rowBreaks count="3" manualBreakCount="3"><brk id="2" max="16383"/><brk id="3" max="16383"/><brk id="4" max="16383"/></rowBreaks>',
    ))
  test('filters with their sorting', () =>
    expect(
      now(
        'autoFilter',
        '<autoFilter ref="A1:B3"><sortState ref="A2:B3"><sortCondition ref="A2:A3"/></sortState></autoFilter>',
      ),
    ).toBe(
      '<autoFilter ref="A1:B5"><sortState ref="A2:B5"><sortCondition ref="A2:A5"/></sortState></autoFilter>',
    ))
  test('links within the workbook, with a greater-than sign in a tooltip', () =>
    expect(
      now('hyperlinks', '<hyperlinks><hyperlink ref="A3" location="S!A3" tooltip="a > b"/></hyperlinks>'),
    ).toBe('<hyperlinks><hyperlink ref="A5" location="S!A5" tooltip="a > b"/></hyperlinks>'))
  test('a group of sparklines keeps the declarations of its elements', () =>
    expect(
      now(
        'extLst',
        '<extLst><ext uri="u"><x14:sparklineGroups><x14:sparklineGroup><x14:sparklines><x14:sparkline><xm:f xmlns:xm="m">S!A2:B2</xm:f><xm:sqref xmlns:xm="m">C2</xm:sqref></x14:sparkline></x14:sparklines></x14:sparklineGroup></x14:sparklineGroups></ext></extLst>',
      ).match(/<x14:sparkline>.*?<\/x14:sparkline>/g),
    ).toEqual(
      [2, 3, 4].map(
        (row) =>
          `<x14:sparkline><xm:f xmlns:xm="m">S!A${row}:B${row}</xm:f><xm:sqref xmlns:xm="m">C${row}</xm:sqref></x14:sparkline>`,
      ),
    ))
})

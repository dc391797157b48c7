import { describe, expect, test } from 'vitest'
import { a1 } from '../../../../shared/office/sheet/formula.ts'
import {
  SheetLayout,
  type SheetModel,
  sheetKeys,
  writeFormula,
} from '../../../../shared/office/sheet/layout.ts'
import { RenderScope } from '../../../../shared/template/scope.ts'

/** The formula in a sheet whose second row is gone, behind so many other rows. */
function behind(rows: number, formula: string): string {
  const lines = [
    { first: 1, count: 1 },
    { first: 2, count: 1 },
    { first: 3, count: rows },
  ]
  const model: SheetModel = { name: 'S', moves: true, lines, cells: new Map(), keys: sheetKeys('S') }
  const scope = new RenderScope()
  const layout = new SheetLayout(model)
  scope.set(model.keys.layout, layout)
  layout.rows.step(0)
  layout.rows.step(2)
  const place = { model, event: undefined }
  return writeFormula(a1.parse(formula), a1, place, new Map([['s', model]]), scope)
}

describe('a reference of which nothing is left', () => {
  test('becomes an empty cell that is not the last one, so that rows can be inserted', () =>
    expect(behind(1, 'SUM(B2:C2)+A2')).toBe('SUM($B$65000)+$A$65000'))
  test('is behind all rows of a large sheet', () => {
    expect(behind(65_000, 'SUM(B2)')).toBe('SUM($B$1000000)')
    expect(behind(1_048_575, 'SUM(B2)')).toBe('SUM($B$1048576)')
  })
  test('leaves the others as they are', () => expect(behind(1, 'A2*A3+B1')).toBe('$A$65000*A2+B1'))
})

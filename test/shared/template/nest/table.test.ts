import { describe, expect, it } from 'vitest'
import { cellsOf, columnEntries, rowsOf, spanOf, tableOf } from '../../../../shared/template/nest/table.ts'
import { contextOf, plainRules } from '../../../helpers/compile.ts'

const grid = plainRules.grid!
const cells = (part: string, rules = plainRules) => {
  const context = contextOf(part, rules)
  return rowsOf(context, 0, rules.grid!).map((row) =>
    cellsOf(context, row, rules.grid!).map(
      ({ from, span, covered }) => `${from}+${span}${covered ? ' covered' : ''}`,
    ),
  )
}

describe('tables', () => {
  it('cells count the columns before them', () =>
    expect(cells('<t><r><c span="2"/><c/></r><r><c/><c/><c/></r></t>')).toEqual([
      ['0+2', '2+1'],
      ['0+1', '1+1', '2+1'],
    ]))

  it('covered cells are elements where the format lists them', () => {
    const rules = { ...plainRules, grid: { ...grid, span: { attribute: 'span', listed: true as const } } }
    expect(cells('<t><r><c span="2"/><c/><c/></r></t>', rules)).toEqual([['0+2', '1+1 covered', '2+1']])
  })

  it('rows may stand in groups, and a row may begin later', () => {
    const rules = { ...plainRules, grid: { ...grid, groups: ['g'], before: { attribute: 'skip' } } }
    expect(cells('<t><g><r skip="1"><c/></r></g><r><c/></r></t>', rules)).toEqual([['1+1'], ['0+1']])
  })

  it('a span written in a child of the cell is found there', () => {
    const rules = { ...plainRules, grid: { ...grid, span: { attribute: 'val', inside: ['cp', 'span'] } } }
    const context = contextOf('<t><r><c><cp><span val="3"/></cp></c></r></t>', rules)
    expect(spanOf(context, 2)).toMatchObject({ at: 4, value: 3 })
  })

  it('knows the table of a cell and its list of columns', () => {
    const context = contextOf('<t><grid><col/><col/></grid><r><c/></r></t>')
    expect([tableOf(context, 6), columnEntries(context, 0, grid)]).toEqual([0, [2, 3]])
  })
})

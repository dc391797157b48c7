import { describe, expect, it } from 'vitest'
import { withResults } from '../../../../../../plugins/engines/instant/layout/sheet/calculate.ts'
import type { Cell, CellValue, Workbook } from '../../../../../../shared/document/sheet.ts'
import { workbookOf } from '../../../../../helpers/sheet-layout.ts'

/** Rows of cells; a text that begins with '=' is a formula without a result, and 'right=' one that is shared with the cell before. */
function workbook(...rows: readonly (readonly (CellValue | undefined)[])[]): Workbook {
  const made = workbookOf({
    cells: rows.flatMap((cells, row) => cells.map((value, column) => [row, column, value] as const)),
  })
  const formula = (cell: Cell): Cell => {
    const { value, ...others } = cell
    const match = typeof value === 'string' ? /^(right)?=(.*)$/.exec(value) : null
    if (match === null) return cell
    return { ...others, formula: { text: match[2] ?? '', down: 0, right: match[1] === undefined ? 0 : 1 } }
  }
  return {
    ...made,
    sheets: made.sheets.map((sheet) => ({
      ...sheet,
      rows: sheet.rows.map((row) => ({ ...row, cells: row.cells.map(formula) })),
    })),
  }
}

const named = (given: Workbook): Workbook => ({
  ...given,
  names: new Map([
    ['VAT', '$A$1'],
    ['PRICES', "'One'!$A$1:$A$9"],
    ['TITLE', '"Hello"'],
    ['SUM', '$A$1'],
    ['MOVING', 'A1'],
    ['OTHER', 'Vat'],
    ['CIRCLE', 'circle'],
  ]),
})

function calculated(given: Workbook): { readonly rows: unknown[][]; readonly codes: string[] } {
  const codes: string[] = []
  const { sheets } = withResults(given, {
    now: Date.UTC(2026, 10, 26, 12),
    budget: { check: () => {}, pages: 1 },
    warn: ({ code }) => void codes.push(code),
  })
  const rows = sheets[0]?.rows.map(({ cells }) => cells.map(({ value }) => value)) ?? []
  return { rows, codes }
}
const lost = 'read.formula-without-value'

describe('formulas without a stored result', () => {
  it.each<[string, Workbook, unknown[][], string[]]>([
    ['arithmetic over values', workbook([1, 2, '=A1+B1*3']), [[1, 2, 7]], []],
    [
      'texts, truth and empty cells',
      workbook(['a', '=A1&"b"', '=A1="A"', '=Z9']),
      [['a', 'ab', true, 0]],
      [],
    ],
    [
      'a result of another formula, before it and behind it',
      workbook(['=B1+1', '=C1+1', 1, '=A1*2']),
      [[3, 2, 1, 6]],
      [],
    ],
    [
      'totals above and below',
      workbook(['=SUM(A2:A4)'], [1], ['=A2*2'], [3], ['=SUM(A2:A4)']),
      [[6], [1], [2], [3], [6]],
      [],
    ],
    ['a formula that cells share', workbook([1, 5, '=A1*2', 'right=A1*2']), [[1, 5, 2, 10]], []],
    ['the day', workbook(['=TODAY()']), [[46_352]], []],
    ['another sheet by its name', workbook([4, "='One'!A1+1"]), [[4, 5]], []],
    ['a name', named(workbook([3, '=A1*(1+Vat)', '=SUM(prices)', '=title&"!"'])), [[3, 12, 3, 'Hello!']], []],
    [
      'a name that is a function, moves with the cell, stands for another name or for nothing',
      named(workbook([2, '=SUM(A1)', '=moving+1', '=other', '=absent', '=circle'])),
      [[2, 2, undefined, undefined, undefined, undefined]],
      [lost],
    ],
    ['a circle', workbook(['=B1', '=A1', '=1+1']), [[undefined, undefined, 2]], [lost]],
    [
      'a function that is not known',
      workbook(['=XIRR(1)', '=A1+1', '=IF(FALSE,A1,2)']),
      [[undefined, undefined, 2]],
      [lost],
    ],
    ['an error', workbook(['=1/0', '=IFERROR(1/0,"none")']), [[undefined, 'none']], [lost]],
    ['what is no formula', workbook(['=((', 1]), [[undefined, 1]], [lost]],
    ['stored values alone', workbook([1, 'a']), [[1, 'a']], []],
  ])('%s', (_, given, rows, codes) => {
    expect(calculated(given)).toEqual({ rows, codes })
  })

  it('chains of any length, in both directions, take no stack', () => {
    const down = workbook([1], ...Array.from({ length: 20_000 }, (_, at) => [`=A${at + 1}+1`]))
    expect(calculated(down).rows.at(-1)).toEqual([20_001])
    const up = workbook(...Array.from({ length: 20_000 }, (_, at) => [`=A${at + 2}+1`]), [1])
    expect(calculated(up).rows[0]).toEqual([20_001])
  })

  it('sums of sums stop at a number of cells, with a warning', () => {
    const rows = Array.from({ length: 6_000 }, (_, at) => [1, `=SUM(A$1:A${at + 1})`])
    const { rows: found, codes } = calculated(workbook(...rows))
    expect([found[0], found.at(-1), codes]).toEqual([[1, 1], [1, undefined], [lost]])
  })

  /** Cells with a stored result, which 'stored' gives, and a formula. */
  const stored = (given: Workbook, results: readonly (CellValue | undefined)[]): Workbook => ({
    ...given,
    sheets: given.sheets.map((sheet) => ({
      ...sheet,
      rows: sheet.rows.map((row) => ({
        ...row,
        cells: row.cells.map((cell) => {
          const value = cell.formula === undefined ? undefined : results[cell.column]
          return value === undefined ? cell : { ...cell, value }
        }),
      })),
    })),
  })

  it.each<[string, Workbook, unknown[], string[]]>([
    ['of the day', stored(workbook(['=TODAY()', 1]), [40_000]), [46_352, 1], []],
    [
      'that depend on the day, over others and ranges',
      stored(workbook(['=TODAY()', '=A1+1', '=B1*2', '=SUM(A1:C1)']), [40_000, 40_001, 80_002, 5]),
      [46_352, 46_353, 92_706, 185_411],
      [],
    ],
    [
      'that do not depend on it',
      stored(workbook(['=TODAY()', 3, '=B1*2']), [40_000, undefined, 7]),
      [46_352, 3, 7],
      [],
    ],
    [
      'that depend on it by a formula that cells share',
      stored(workbook(['=TODAY()', '=A1+1', 'right=A1+1']), [40_000, 40_001, 40_002]),
      [46_352, 46_353, 46_354],
      [],
    ],
    [
      'that depend on it by a name',
      named(stored(workbook(['=TODAY()', '=vat+1']), [40_000, 40_001])),
      [46_352, 46_353],
      [],
    ],
    [
      'whose function is not evaluated, which stay',
      stored(workbook(['=TODAY()', '=NETWORKDAYS.INTL(A1,A1)']), [40_000, 1]),
      [46_352, 1],
      [],
    ],
    ['without any that changes', stored(workbook(['=1+1', '=A1']), [5, 6]), [5, 6], []],
  ])(
    'computes stored results again where they change with the time: those %s',
    (_name, given, row, codes) => {
      expect(calculated(given)).toEqual({ rows: [row], codes })
    },
  )
})

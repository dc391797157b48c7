import { describe, expect, it } from 'vitest'
import type { Frame, Page } from '../../../../../../plugins/engines/instant/layout/frame.ts'
import type { CellValue } from '../../../../../../shared/document/sheet.ts'
import type { SparklineGroup } from '../../../../../../shared/document/sparkline.ts'
import { defaultColors } from '../../../../../../shared/office/sheet/sparkline.ts'
import { lay, workbookOf } from '../../../../../helpers/sheet-layout.ts'

const group = (change: Partial<SparklineGroup>, sparklines = 1): SparklineGroup => ({
  kind: 'line',
  lineWidth: 1,
  colors: { ...defaultColors, series: '0000FF', negative: 'FF0000', high: '00FF00', axis: '888888' },
  marked: new Set(),
  hasAxis: false,
  emptyCells: 'gap',
  includesHidden: false,
  rightToLeft: false,
  min: 'individual',
  max: 'individual',
  sparklines: Array.from({ length: sparklines }, (_, row) => ({
    row,
    column: 0,
    data: { sheet: 'one', top: row, bottom: row, left: 1, right: 9 },
  })),
  ...change,
})

/** The shapes of a page in points from the top left of the first cell: the fills as boxes, lines by their corners. */
function shapesOf({ frame }: Page): string[] {
  const round = (value: number): number => Math.round(value * 10) / 10
  const visit = (inner: Frame, dx: number, dy: number): string[] =>
    inner.items.flatMap(({ x, y, item }) => {
      if (item.kind === 'group') return visit(item.frame, dx + x, dy + y)
      if (item.kind !== 'shape') return []
      const { commands, fill, stroke } = item.path
      const colour = (fill?.kind === 'solid' ? fill.colour : (stroke?.colour ?? 0))
        .toString(16)
        .padStart(6, '0')
      const points = commands.map(([, ...numbers]) => {
        const [left = 0, top = 0, ...size] = numbers as number[]
        return [round(dx + x + left - 10), round(dy + y + top - 10), ...size.map(round)].join(' ')
      })
      return [`${colour} ${points.join(', ')}`]
    })
  return visit(frame, 0, 0)
}

/** What is drawn of rows of values behind an empty cell of 50 x 20 pt. */
function drawn(rows: readonly (readonly (CellValue | undefined)[])[], change: Partial<SparklineGroup>) {
  const cells = rows.flatMap((values, row) => values.map((value, at) => [row, at + 1, value] as const))
  // The values have a narrow column each, and 9 of them are listed.
  const columns = [{ first: 1, last: 9, width: { points: 1 }, hidden: false }]
  const data = (row: number) => ({
    row,
    column: 0,
    data: { sheet: 'One', top: row, bottom: row, left: 1, right: rows[row]?.length ?? 1 },
  })
  const [first] = lay(
    workbookOf({
      cells,
      columns,
      sparklines: [group({ sparklines: rows.map((_, row) => data(row)), ...change })],
    }),
  )
  return first === undefined ? [] : shapesOf(first)
}

describe('sparklines', () => {
  it.each<[string, readonly (readonly (CellValue | undefined)[])[], Partial<SparklineGroup>, string[]]>([
    ['a line from the smallest value to the largest', [[1, 3, 2]], {}, ['0000ff 0 20, 25 0, 50 10']],
    [
      'a line with gaps, whose single points have only marks',
      [[1, undefined, 3, undefined, 2, 1]],
      { marked: new Set(['markers']) },
      [
        '0000ff 40 10, 50 20',
        'd00000 -1.5 18.5 3 3',
        'd00000 18.5 -1.5 3 3',
        'd00000 38.5 8.5 3 3',
        'd00000 48.5 18.5 3 3',
      ],
    ],
    ['a line over gaps', [[1, undefined, 3]], { emptyCells: 'span' }, ['0000ff 0 20, 50 0']],
    ['empty cells as 0', [[1, undefined, 2]], { emptyCells: 'zero' }, ['0000ff 0 10, 25 20, 50 0']],
    ['equal values in the middle', [[4, 4]], {}, ['0000ff 0 10, 50 10']],
    ['from right to left', [[1, 3, 2]], { rightToLeft: true }, ['0000ff 50 20, 25 0, 0 10']],
    [
      'columns up and down with an axis and colours',
      [[2, -1, 0, 1, 2]],
      { kind: 'column', hasAxis: true, marked: new Set(['negative', 'high']) },
      [
        '888888 0 13.3, 50 13.3',
        '00ff00 0 0 7 13.3',
        'ff0000 10 13.3 7 6.7',
        '0000ff 30 6.7 7 6.7',
        '00ff00 40 0 7 13.3',
      ],
    ],
    [
      'columns of positive values, the smallest of which remains visible',
      [[2, 4]],
      { kind: 'column' },
      ['0000ff 0 19.3 17.5 0.8', '0000ff 25 0 17.5 20'],
    ],
    [
      'columns of negative values, which hang from 0',
      [[-1, -2]],
      { kind: 'column' },
      ['0000ff 0 0 17.5 10', '0000ff 25 0 17.5 20'],
    ],
    [
      'gains and losses of one height',
      [[5, -1, 0, 0.1]],
      { kind: 'win-loss', marked: new Set(['negative']) },
      ['0000ff 0 0 8.8 10', 'ff0000 12.5 10 8.8 10', '0000ff 37.5 0 8.8 10'],
    ],
    [
      'an axis that ends at given numbers',
      [[5, 20]],
      { kind: 'column', min: 0, max: 10 },
      ['0000ff 0 10 17.5 10', '0000ff 25 0 17.5 20'],
    ],
    [
      'an axis of all lines of a group',
      [
        [0, 10],
        [5, 5],
      ],
      { min: 'group', max: 'group' },
      ['0000ff 0 20, 50 0', '0000ff 0 30, 50 30'],
    ],
    ['no values, texts and errors', [['a', { kind: 'error', text: '#N/A' }]], {}, []],
    [
      'distances by dates',
      [
        [1, 2, 3],
        [10, 11, 20],
      ],
      {
        sparklines: [{ row: 0, column: 0, data: { sheet: 'One', top: 0, bottom: 0, left: 1, right: 3 } }],
        dates: { sheet: 'One', top: 1, bottom: 1, left: 1, right: 3 },
      },
      ['0000ff 0 20, 5 10, 50 0'],
    ],
    [
      'cells of a sheet that does not exist',
      [[1]],
      { sparklines: [{ row: 0, column: 0, data: { sheet: 'Two', top: 0, bottom: 0, left: 1, right: 3 } }] },
      [],
    ],
  ])('draw %s', (_name, rows, change, expected) => {
    expect(drawn(rows, change)).toEqual(expected)
  })

  it('are printed where their cell is the last one of the sheet, and fill merged cells', () => {
    const [first, ...others] = lay(
      workbookOf({
        cells: [
          [0, 0, 1],
          [0, 1, 2],
        ],
        merges: [{ top: 2, left: 1, bottom: 3, right: 2 }],
        sparklines: [
          group({
            sparklines: [{ row: 2, column: 1, data: { sheet: 'One', top: 0, bottom: 0, left: 0, right: 1 } }],
          }),
        ],
      }),
    )
    expect(others).toEqual([])
    expect(first && shapesOf(first)).toEqual(['0000ff 50 80, 150 40'])
  })

  it('omit values of hidden rows and columns unless they are to be shown', () => {
    const workbook = (includesHidden: boolean) =>
      workbookOf({
        cells: [
          [0, 1, 1],
          [0, 2, 9],
          [0, 3, 2],
        ],
        columns: [
          { first: 1, last: 1, hidden: false },
          { first: 2, last: 2, hidden: true },
        ],
        sparklines: [
          group({
            includesHidden,
            sparklines: [{ row: 1, column: 0, data: { sheet: 'One', top: 0, bottom: 0, left: 1, right: 3 } }],
          }),
        ],
      })
    expect(lay(workbook(false)).flatMap(shapesOf)).toEqual(['0000ff 0 40, 50 20'])
    expect(lay(workbook(true)).flatMap(shapesOf)).toEqual(['0000ff 0 40, 25 20, 50 37.5'])
  })
})

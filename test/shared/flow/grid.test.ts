import { describe, expect, it } from 'vitest'
import type { FlowCell } from '../../../shared/flow/flow.ts'
import { gridOf } from '../../../shared/flow/grid.ts'

const cell = (columns = 1, rows = 1): FlowCell => ({ blocks: [], columns, rows })
const shape = (rows: readonly (readonly FlowCell[])[], columns = 0) =>
  gridOf(
    rows.map((cells) => ({ cells })),
    columns,
  ).map((row) => row.map((one) => (typeof one === 'string' ? one[0] : 'X')).join(''))

describe('the places of cells', () => {
  it.each([
    ['spans over columns and rows', [[cell(2, 2), cell()], [cell()]], ['XcX', 'ccX']],
    ['a span beyond the last row', [[cell(1, 9), cell()], [cell()]], ['XX', 'cX']],
    ['short rows are filled up', [[cell(), cell(), cell()], [cell()]], ['XXX', 'Xee']],
    ['nothing', [[], []], ['', '']],
  ] as const)('%s', (_, rows, expected) => {
    expect(shape(rows)).toEqual(expected)
  })

  it.each([
    ['cells that each cover a thousand rows', 60_000, () => [cell(1, 1000)]],
    ['cells that cover everything', 60_000, () => [cell(1000, 1e9)]],
    ['one long row over many short ones', 60_000, (y: number) => Array(y === 0 ? 1000 : 1).fill(cell())],
    ['spans without end', 3, () => [cell(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)]],
  ] as const)('%s: no more places than a table has cells and a million', (_, count, row) => {
    const rows = Array.from({ length: count }, (_, y) => row(y))
    const cells = rows.reduce((sum, { length }) => sum + length, 0)
    const places = shape(rows).reduce((sum, { length }) => sum + length, 0)
    expect(places).toBeGreaterThanOrEqual(Math.min(cells, count))
    expect(places).toBeLessThan(cells + 1_010_000)
  })
})

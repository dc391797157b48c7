import { expect, it } from 'vitest'
import type { LayoutContext } from '../../../../../../plugins/engines/instant/layout/context.ts'
import { measureRows } from '../../../../../../plugins/engines/instant/layout/table/measure-rows.ts'
import type {
  PreparedCell,
  PreparedTable,
} from '../../../../../../plugins/engines/instant/layout/table/types.ts'

const context = { budget: { check: () => {}, pages: 1 } } as unknown as LayoutContext

/** The heights of rows with a declared and a needed height each, in a table of this height. */
function heightsIn(frameHeight: number | undefined, rows: readonly (readonly [number, number])[]): number[] {
  const prepared = rows.map(([declared, needed], row) => ({
    cells: [
      { row, rows: 1, top: 0, bottom: 0, direction: 'horizontal', content: { height: needed } },
    ] as unknown as PreparedCell[],
    height: { rule: 'at-least', value: declared } as const,
    cantSplit: false,
    keepNext: false,
    topBorder: 0,
    measured: undefined as number | undefined,
  }))
  const properties = frameHeight === undefined ? {} : { frameHeight }
  measureRows(context, { rows: prepared, properties } as unknown as PreparedTable)
  return prepared.map(({ measured = 0 }) => Math.round(measured * 10) / 10)
}

it.each([
  [
    'a row that grows makes the table taller',
    undefined,
    [
      [10, 30],
      [40, 10],
    ],
    [30, 40],
  ],
  [
    'the others give way to it in a frame',
    50,
    [
      [10, 30],
      [40, 10],
    ],
    [30, 20],
  ],
  [
    'in proportion to their heights',
    60,
    [
      [10, 30],
      [10, 5],
      [40, 5],
    ],
    [30, 6, 24],
  ],
  [
    'as far as their text allows, the rest is taken from others',
    60,
    [
      [10, 30],
      [20, 18],
      [30, 5],
    ],
    [30, 18, 12],
  ],
  [
    'and not further',
    20,
    [
      [10, 30],
      [40, 10],
    ],
    [30, 10],
  ],
  [
    'a frame that is tall enough changes nothing',
    100,
    [
      [10, 30],
      [40, 10],
    ],
    [30, 40],
  ],
] as const)('%s', (_, frame, rows, expected) => {
  expect(heightsIn(frame, rows)).toEqual(expected)
})

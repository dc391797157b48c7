import { describe, expect, it } from 'vitest'
import { createMerges } from '../../../../../../plugins/engines/instant/layout/sheet/merges.ts'
import type { CellArea } from '../../../../../../shared/document/sheet.ts'

const area = (top: number, left: number, bottom: number, right: number): CellArea => ({
  top,
  left,
  bottom,
  right,
})

/** The index of these areas, and the steps that it has taken. */
function indexOf(merges: readonly CellArea[]) {
  let steps = 0
  const check = (done = 1): void => void (steps += done)
  return { merges: createMerges({ merges }, { check, pages: 1 }), steps: () => steps }
}

describe('merged areas', () => {
  it.each([
    ['of a few cells', area(2, 1, 3, 4)],
    ['over buckets', area(60, 10, 70, 40)],
    ['over all columns', area(5, 0, 6, 16_383)],
    ['over all rows', area(0, 3, 1_048_575, 4)],
    ['over the whole sheet', area(0, 0, 1_048_575, 16_383)],
  ])('%s are found at their corners and not beside them', (_, one) => {
    const { merges } = indexOf([one])
    const { top, left, bottom, right } = one
    for (const [row, column] of [
      [top, left],
      [top, right],
      [bottom, left],
      [bottom, right],
    ] as const)
      expect(merges.at(row, column)).toBe(one)
    for (const [row, column] of [
      [top - 1, left],
      [bottom + 1, left],
      [top, left - 1],
      [top, right + 1],
    ] as const)
      if (row >= 0 && column >= 0) expect(merges.at(row, column)).toBeUndefined()
    expect(merges.touching(area(bottom, right, bottom + 5, right + 5))).toEqual([one])
    expect(merges.touching(area(bottom + 1, right + 1, bottom + 5, right + 5))).toEqual([])
    expect(merges.touching(area(0, 0, 1_048_575, 16_383))).toEqual([one])
  })

  it('of one cell, and those that overlap earlier ones, do not count', () => {
    const first = area(0, 0, 1, 1)
    const { merges } = indexOf([area(5, 5, 5, 5), first, area(1, 1, 2, 2), area(0, 0, 1_048_575, 16_383)])
    expect(merges.at(5, 5)).toBeUndefined()
    expect(merges.at(2, 2)).toBeUndefined()
    expect(merges.touching(area(0, 0, 1_048_575, 16_383))).toEqual([first])
  })
})

describe('many merged areas', () => {
  const many = 100_000
  it.each([
    ['the same one again and again', Array.from({ length: many }, () => area(0, 0, 9, 9)), 4],
    ['the whole sheet again and again', Array.from({ length: many }, () => area(0, 0, 1_048_575, 16_383)), 4],
    ['below each other', Array.from({ length: many }, (_, row) => area(row, 0, row, 1)), 80],
    [
      'in one block',
      Array.from({ length: many }, (_, at) =>
        area(at % 64, 2 * Math.floor(at / 64), at % 64, 2 * Math.floor(at / 64) + 1),
      ),
      800,
    ],
    [
      'as tall as the sheet, side by side',
      Array.from({ length: 8_192 }, (_, at) => area(0, 2 * at, 1_048_575, 2 * at + 1)),
      1_500,
    ],
  ])('%s take a bounded number of steps each', (_, merges, most) => {
    const { steps } = indexOf(merges)
    expect(steps() / merges.length).toBeLessThan(most)
  })
})

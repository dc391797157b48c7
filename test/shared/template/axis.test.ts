import { describe, expect, it } from 'vitest'
import { TableAxis } from '../../../shared/template/axis.ts'

/**
 * Rows 1-2 stand before; 3 begins a group, 4 is its detail, 5 its sum; 6-8 are not mentioned; 9 is the end. Three
 * groups of 2, 0 and 1 details.
 */
function groups(): TableAxis {
  const axis = new TableAxis(
    [
      { first: 1, count: 2 },
      { first: 3, count: 1 },
      { first: 4, count: 1 },
      { first: 5, count: 1 },
      { first: 6, count: 3 },
      { first: 9, count: 1 },
    ],
    100,
    'rows',
  )
  axis.step(0)
  for (const details of [2, 0, 1]) {
    axis.enter(1)
    axis.step(1)
    for (let n = 0; n < details; n += 1) {
      axis.enter(2)
      axis.step(2)
      axis.leave()
    }
    axis.step(3)
    axis.leave()
  }
  axis.step(4)
  axis.step(5)
  return axis
}
// Output: 1-2 | 3 group, 4 5 details, 6 sum | 7 group, 8 sum | 9 group, 10 detail, 11 sum | 12-14 | 15
const sums = [4, 6, 9] // events of the three sums

describe('an axis', () => {
  it.each([
    ['all details', 4, 4, undefined, { from: 4, to: 10 }],
    ['all groups', 3, 5, undefined, { from: 3, to: 11 }],
    ['part of the gap', 7, 7, undefined, { from: 13, to: 13 }],
    ['over everything', 1, 9, undefined, { from: 1, to: 15 }],
    ['behind the end', 12, 20, undefined, { from: 18, to: 26 }],
    ['to the last row', 9, 100, undefined, { from: 15, to: 100 }],
    ['details of the first group', 4, 4, sums[0], { from: 4, to: 5 }],
    ['details of the second', 4, 4, sums[1], undefined],
    ['details of the third', 4, 4, sums[2], { from: 10, to: 10 }],
    ['a group from its sum', 3, 4, sums[2], { from: 9, to: 10 }],
    ['what stands before, from inside', 1, 1, sums[1], { from: 1, to: 1 }],
    ['across the edge of the block', 2, 4, sums[1], { from: 2, to: 10 }],
  ] as const)('%s', (_, from, to, event, expected) => {
    expect(groups().resolve(from, to, event)).toEqual(expected)
  })
  it('returns the runs of lines that are not adjacent', () => {
    expect(groups().runs(4, 4)).toEqual([
      { from: 4, to: 5 },
      { from: 10, to: 10 },
    ])
    expect(groups().runs(3, 5)).toEqual([{ from: 3, to: 11 }])
    expect(groups().runs(8, 12)).toEqual([{ from: 14, to: 18 }])
  })
  it('gives one span for each copy of the innermost block', () => {
    expect(groups().copies(3, 5)).toEqual([
      { from: 3, to: 6 },
      { from: 7, to: 8 },
      { from: 9, to: 11 },
    ])
    expect(groups().copies(4, 4)).toEqual([
      { from: 4, to: 4 },
      { from: 5, to: 5 },
      { from: 10, to: 10 },
    ])
    expect(groups().copies(1, 4)).toEqual([{ from: 1, to: 10 }])
    expect(groups().copies(7, 7)).toEqual([{ from: 13, to: 13 }])
  })
  it('uses the line above a block from the previous copy', () => {
    const axis = groups()
    expect(axis.resolveOne(2, sums[0])).toEqual({ from: 2, to: 2 })
    expect(axis.resolveOne(2, sums[1])).toEqual({ from: 6, to: 6 })
    expect(axis.resolveOne(2, sums[2])).toEqual({ from: 8, to: 8 })
  })
  it('agrees with a search over all events for any range', () => {
    const axis = groups()
    const places: (readonly [line: number, at: number])[] = [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [4, 5],
      [5, 6],
      [3, 7],
      [5, 8],
      [3, 9],
      [4, 10],
      [5, 11],
      [6, 12],
      [7, 13],
      [8, 14],
      [9, 15],
    ]
    for (let from = 1; from <= 9; from += 1) {
      for (let to = from; to <= 9; to += 1) {
        const hit = places.filter(([line]) => line >= from && line <= to).map(([, at]) => at)
        expect(axis.resolve(from, to, undefined)).toEqual({ from: Math.min(...hit), to: Math.max(...hit) })
      }
    }
  })
})

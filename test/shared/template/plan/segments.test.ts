import { describe, expect, it } from 'vitest'
import { SegmentTable } from '../../../../shared/template/plan/segments.ts'

describe('static segments', () => {
  it('share a number when they are equal, but not in loops', () => {
    const table = new SegmentTable()
    expect([
      table.add('a', false),
      table.add('a', false),
      table.add('a', true),
      table.add('a', true),
    ]).toEqual([0, 0, 1, 2])
  })
  it('share their numbers in loops too once there are many', () => {
    const table = new SegmentTable()
    for (let n = 0; n < 4_000; n += 1) table.add(`${n}`, true)
    expect([table.add('x', true), table.add('x', true), table.add('x', false)]).toEqual([4_000, 4_000, 4_000])
  })
  it('become one table of bytes', () => {
    const table = new SegmentTable()
    table.add('<a>', false)
    table.add('é', false)
    const { bytes, start } = table.table()
    expect([new TextDecoder().decode(bytes), [...start]]).toEqual(['<a>é', [0, 3, 5]])
  })
})

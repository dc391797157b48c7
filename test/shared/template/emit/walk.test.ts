import { describe, expect, it } from 'vitest'
import { itemsOf, property, walk } from '../../../../shared/template/emit/walk.ts'

describe('steps through the data', () => {
  it('see own properties only', () => {
    expect(walk({ a: { b: 1 } }, ['a', 'b'])).toBe(1)
    expect(walk({ a: null }, ['a', 'b'])).toBeUndefined()
    for (const name of ['toString', '__proto__', 'constructor']) expect(property({}, name)).toBeUndefined()
    expect(property('text', 'length')).toBeUndefined()
  })
  it('go through arrays as they are and through objects by pairs', () => {
    expect(itemsOf([1, 2])).toEqual([1, 2])
    expect(itemsOf({ a: 1 })).toEqual([{ att: 'a', val: 1 }])
    expect([itemsOf('text'), itemsOf(null), itemsOf(undefined)]).toEqual([[], [], []])
  })
})

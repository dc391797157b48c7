import { describe, expect, it } from 'vitest'
import { splitBatch } from '../../../../shared/render/batch/split.ts'
import type { Services } from '../../../../shared/services/services.ts'

const split = (data: string | undefined, array?: string, maxBatchReports?: number) => {
  const settings = { maxBatchReports } as Services['settings']
  const batch = {
    ...(data !== undefined && { data: new TextEncoder().encode(data) }),
    ...(array !== undefined && { array }),
    output: 'zip',
    onError: 'fail',
  } as const
  return splitBatch({ settings }, batch)
}

describe('splitBatch', () => {
  it('takes the items of an array as they stand', () => {
    const { count, sizes, item } = split('[{"a":1}, {"a": 2}]')
    expect([count, sizes]).toEqual([2, [7, 8]])
    expect(item(1)).toEqual({ data: { text: '{"a": 2}' }, shape: {} })
  })
  it('keeps the members beside a named array for each item', () => {
    const { item } = split('{"at":"é","list":[{"a":1}],"by":[2]}', 'list')
    expect(item(0)).toEqual({
      data: { text: '{"a":1}' },
      shape: { array: 'list', rest: { text: '{"at":"é","by":[2]}' } },
    })
  })
  it('has no other members where the array is alone', () => {
    expect(split('{"list":[{"a":1}]}', 'list').item(0).shape).toEqual({ array: 'list' })
  })
  const refused = [
    ['no data', undefined, undefined, 'api.body.invalid'],
    ['an object where an array is split', '{}', undefined, 'api.body.invalid'],
    ['an array that is not there', '{"a":1}', 'list', 'api.body.invalid'],
    ['no items', '[]', undefined, 'api.body.invalid'],
    ['an item that is no object', '[{},1]', undefined, 'api.body.invalid'],
    ['more items than the server takes', '[{},{},{}]', undefined, 'api.batch.many'],
  ] as const
  for (const [title, data, array, code] of refused)
    it(`refuses ${title}`, () =>
      expect(() => split(data, array, 2)).toThrowError(expect.objectContaining({ code })))
  it('refuses every batch where the operator wants none', () =>
    expect(() => split('[{}]', undefined, 0)).toThrowError(
      expect.objectContaining({ code: 'api.render.batch-off' }),
    ))
})

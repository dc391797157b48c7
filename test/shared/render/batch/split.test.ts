import { describe, expect, it } from 'vitest'
import type { JsonInput } from '../../../../shared/ports/index.ts'
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

const textOf = (input: JsonInput | undefined) =>
  input !== undefined && 'text' in input ? new TextDecoder().decode(input.text as Uint8Array) : input

describe('splitBatch', () => {
  it('returns the items of an array unchanged', async () => {
    const { count, sizes, item } = await split('[{"a":1}, {"a": 2}]')
    expect([count, sizes]).toEqual([2, [7, 8]])
    expect([textOf(item(1).data), item(1).shape]).toEqual(['{"a": 2}', {}])
  })
  it('keeps what holds a named array for each item, without the array', async () => {
    const { item } = await split('{"at":"é","list":[{"a":1}],"by":[2]}', 'list')
    const { data, shape } = item(0)
    expect([textOf(data), shape.array, textOf(shape.rest)]).toEqual([
      '{"a":1}',
      'list',
      '{"at":"é","list":null,"by":[2]}',
    ])
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
    it(`refuses ${title}`, () => expect(split(data, array, 2)).rejects.toMatchObject({ code }))
  it('refuses every batch where the operator wants none', () =>
    expect(split('[{}]', undefined, 0)).rejects.toMatchObject({ code: 'api.render.batch-off' }))
})

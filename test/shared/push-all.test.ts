import { expect, it } from 'vitest'
import { pushAll } from '../../shared/push-all.ts'

it('appends more items than a call may have arguments, in their order', () => {
  const items = Array.from({ length: 1_000_000 }, (_, index) => index)
  const list = [-1]
  pushAll(list, items)
  pushAll(list, new Set(['end'].map((text) => text.length)))
  expect([list.length, list[0], list[1], list[1_000_000], list.at(-1)]).toEqual([
    1_000_002, -1, 0, 999_999, 3,
  ])
})

import { expect, it } from 'vitest'
import { binaryText } from '../../shared/bytes.ts'
import { maxOf, minOf } from '../../shared/extremes.ts'
import { assignAll, pushAll, spliceAll } from '../../shared/push-all.ts'

const items = Array.from({ length: 1_000_000 }, (_, index) => index)

it('appends more items than a call may have arguments, in their order', () => {
  const list = [-1]
  pushAll(list, items)
  pushAll(list, new Set(['end'].map((text) => text.length)))
  expect([list.length, list[0], list[1], list[1_000_000], list.at(-1)]).toEqual([
    1_000_002, -1, 0, 999_999, 3,
  ])
})

it.each([
  [0, 0, ['new', 'a', 'b', 'c', 'd']],
  [1, 2, ['a', 'new', 'd']],
  [4, 0, ['a', 'b', 'c', 'd', 'new']],
  [-1, 1, ['a', 'b', 'c', 'new']],
  [2, 9, ['a', 'b', 'new']],
])('replaces items from %i, %i of them, as splice does', (at, removed, expected) => {
  const list = ['a', 'b', 'c', 'd']
  spliceAll(list, at, removed, ['new'])
  expect(list).toEqual(expected)
  expect(['a', 'b', 'c', 'd'].toSpliced(at, removed, 'new')).toEqual(expected)
})

it('replaces one item by more items than a call may have arguments', () => {
  const list = [-1, -2, -3]
  spliceAll(list, 1, 1, items)
  expect([list.length, list[0], list[1], list.at(-2), list.at(-1)]).toEqual([1_000_002, -1, 0, 999_999, -3])
})

it('finds the largest and the smallest of more values than a call may have arguments', () => {
  expect([maxOf(items), minOf(items)]).toEqual([999_999, 0])
  expect([maxOf([]), minOf([]), maxOf([1, Number.NaN, 3])]).toEqual([
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NaN,
  ])
})

it('merges more layers than a call may have arguments, later ones over earlier ones', () => {
  const layers = items.map((index) => (index % 2 === 0 ? { even: index } : undefined))
  expect(assignAll({ even: -1, other: true }, layers)).toEqual({ even: 999_998, other: true })
})

it('makes one character of each of many bytes', () => {
  const text = binaryText(new Uint8Array(1_000_000).fill(0xe9, 500_000))
  expect([text.length, text[0], text.at(-1)]).toEqual([1_000_000, '\0', 'é'])
})

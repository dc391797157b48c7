import { expect, it } from 'vitest'
import { mergeText } from '../../../helpers/merge.ts'

/** Loops as lists of what they write, by the words behind the iterator. */
const written = (sort: string, items: readonly unknown[]) =>
  mergeText(`<x>{d.l[${sort}].n},{d.l[${sort.replaceAll(/(\w+)/g, '$1+1')}].n}</x>`, { l: items })

const row = (n: string, k?: unknown, m?: unknown) => ({
  n,
  ...(k !== undefined && { k }),
  ...(m !== undefined && { m }),
})

/** Sorted by one or two keys, or one of each key. Source: template language 11.8. */
const cases: readonly [name: string, sort: string, items: readonly unknown[], expected: string][] = [
  ['numbers by size', 'k', [row('a', 10), row('b', 9), row('c', 100)], 'b,a,c,'],
  ['texts by code unit', 'k', [row('a', 'b'), row('b', 'B'), row('c', 'a')], 'b,c,a,'],
  ['null counts as 0', 'k', [row('a', 1), row('b', null), row('c', -1)], 'c,b,a,'],
  ['what has no key comes last', 'k', [row('a'), row('b', 2), row('c', 1)], 'c,b,a,'],
  ['one of each key', 'k', [row('a', 2), row('b', 1), row('c', 2)], 'b,a,'],
  ['all of each key, in the order of the data', 'k, i', [row('a', 2), row('b', 1), row('c', 2)], 'b,a,c,'],
  ['two keys', 'k, m', [row('a', 1, 2), row('b', 0, 9), row('c', 1, 1)], 'b,c,a,'],
]

it.each(cases)('%s', async (_name, sort, items, expected) => {
  expect(await written(sort, items)).toBe(`<x>${expected}</x>`)
})

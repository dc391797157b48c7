import { expect, test } from 'vitest'
import { partitionKey, reducers } from '../../../../shared/template/formatters/aggregate.ts'
import { DateValue } from '../../../../shared/template/formatters/formatter.ts'

type Row = readonly [value: unknown, key?: string]

/** The results of an aggregate over values, each optionally with its partition: ['value', 'key']. */
function check(name: string, rows: readonly Row[], argument?: unknown) {
  const reducer = reducers.get(name)!
  const items = rows.map(([value, key = '']) => ({ value, key }))
  const reduced = reducer.reduce(items, argument as never)
  return Array.isArray(reduced) ? reduced : Object.fromEntries(reduced)
}

const cities: Row[] = [['Oslo'], ['Rome'], ['Oslo']]
const amounts: Row[] = [
  [2, 'Oslo'],
  [5, 'Rome'],
  [1, 'Oslo'],
]

test.each<[name: string, rows: readonly Row[], expected: unknown]>([
  ['aggSum', amounts, { Oslo: 3, Rome: 5 }],
  ['aggSum', [[2], ['5.5kg'], [null], ['none'], [undefined]], { '': 7.5 }],
  ['aggAvg', [[2], [4], [null]], { '': 2 }],
  ['aggAvg', [['none'], [4]], { '': 4 }],
  ['aggAvg', [['none']], { '': '' }],
  ['aggMin', [[3], ['1'], [null], ['x']], { '': 1 }],
  ['aggMax', [[-3], ['-1'], [null]], { '': -1 }],
  ['aggMax', [[null]], { '': '' }],
  ['aggMax', [[new DateValue(5)], [new DateValue(9)]], { '': new DateValue(9) }],
  ['aggCount', [[null], [1], ['a', 'k']], { '': 2, k: 1 }],
  ['aggCountD', [[5], ['5'], [null], ['b']], { '': 2 }],
  ['aggStr', cities, { '': 'Oslo, Rome, Oslo' }],
  ['aggStrD', cities, { '': 'Oslo, Rome' }],
  ['cumSum', amounts, [2, 5, 3]],
  ['cumCount', amounts, [1, 1, 2]],
  ['cumCountD', cities, [1, 2, 2]],
  ['count', cities, [1, 2, 3]],
])('%s of %j', (name, rows, expected) => {
  expect(check(name, rows)).toEqual(expected)
})

test('separator and first number are arguments', () => {
  expect(check('aggStrD', cities, ' + ')).toEqual({ '': 'Oslo + Rome' })
  expect(check('count', cities, 10)).toEqual([10, 11, 12])
})

test('a hostile separator ends in a typed error', () => {
  const rows = Array.from({ length: 2000 }, (_, i) => [i] as Row)
  expect(() => check('aggStr', rows, 'x'.repeat(10_000))).toThrow(/text of more than/)
})

test('partition keys are unambiguous', () => {
  expect(partitionKey(['a', 'b,c'])).not.toBe(partitionKey(['a,b', 'c']))
  expect(partitionKey([5])).toBe(partitionKey(['5']))
})

import { joinTexts } from './budget.ts'
import { isMissing, toNumber } from './coerce.ts'
import { aggregate, optional, rest } from './define.ts'
import { DateValue } from './formatter.ts'
import { printed } from './printed.ts'

/**
 * Aggregates read all items of an array. The emitter collects one `AggregateItem` for each visited item, with the key
 * of its partition, and calls the reducer of the formatter. Group reducers return one result for each key. Running
 * totals are computed row by row in `emit/value.ts`; their reducers here return one result for each item, in order.
 */
export interface AggregateItem {
  readonly value: unknown
  readonly key: string
}

/** Reduces the values of a loop to one value for each group. */
export type Reducer =
  | {
      readonly running: false
      /** The result without any items. */
      readonly empty: unknown
      reduce(items: readonly AggregateItem[], separator?: string): Map<string, unknown>
    }
  | {
      readonly running: true
      readonly empty: unknown
      /** `start` is the first number of `count(start)`. */
      reduce(items: readonly AggregateItem[], start?: number): unknown[]
    }

const partition = rest(
  'partition',
  'any',
  'paths from the item: one result for each set of equal values; a constant makes one group of all',
)
const separator = optional('separator', 'text', 'text between the items, ", " when left out')

/** The sum. Missing values count as 0, and text that is not a number is ignored. */
export const aggSum = aggregate('aggSum', [partition])

/** The mean. Missing values count as 0, and text that is not a number is ignored. Empty over no items. */
export const aggAvg = aggregate('aggAvg', [partition])

/** The smallest number. Missing values are left out. Empty over no items. */
export const aggMin = aggregate('aggMin', [partition])

/** The largest number. Missing values are left out. Empty over no items. */
export const aggMax = aggregate('aggMax', [partition])

/** The number of items, missing values included. */
export const aggCount = aggregate('aggCount', [partition])

/** The number of distinct values, missing values left out. */
export const aggCountD = aggregate('aggCountD', [partition])

/** The texts of all items joined. Missing values are left out. */
export const aggStr = aggregate('aggStr', [separator, partition])

/** The distinct texts joined, in the order of their first appearance. Missing values are left out. */
export const aggStrD = aggregate('aggStrD', [separator, partition])

/** The running sum up to this row. */
export const cumSum = aggregate('cumSum', [partition])

/** The running number of the row, from 1. */
export const cumCount = aggregate('cumCount', [partition])

/** The running number of distinct values seen so far. */
export const cumCountD = aggregate('cumCountD', [partition])

/** The running number of the printed row. It runs through nested loops and never restarts. */
export const count = aggregate('count', [optional('start', 'integer', 'the first number, 1 when left out')])

/** Sum for each key. */
export const sumOf = (items: readonly AggregateItem[]): Map<string, number> =>
  fold(items, 0, (sum, item) => sum + addend(item.value))

/** Mean for each key; '' where every item was left out. */
export function averageOf(items: readonly AggregateItem[]): Map<string, number | ''> {
  const totals = fold(items, { sum: 0, count: 0 }, (total, { value }) => {
    const number = isMissing(value) ? 0 : toNumber(value)
    return Number.isNaN(number) ? total : { sum: total.sum + number, count: total.count + 1 }
  })
  return map(totals, ({ sum, count }) => (count === 0 ? '' : sum / count))
}

/** Smallest value for each key, a number or a date; '' where there is none. */
export const minimumOf = (items: readonly AggregateItem[]): Map<string, unknown> =>
  extreme(items, (candidate, best) => candidate < best)

/** Largest value for each key, a number or a date; '' where there is none. */
export const maximumOf = (items: readonly AggregateItem[]): Map<string, unknown> =>
  extreme(items, (candidate, best) => candidate > best)

/** Number of items for each key. */
export const countOf = (items: readonly AggregateItem[]): Map<string, number> =>
  fold(items, 0, (count) => count + 1)

/** Number of distinct values for each key. */
export const distinctCountOf = (items: readonly AggregateItem[]): Map<string, number> =>
  map(distinct(items), (texts) => texts.size)

/** Joined texts for each key. */
export const joinedOf = (items: readonly AggregateItem[], between = ', '): Map<string, string> => {
  const texts = group(
    items,
    () => [] as string[],
    (list, text) => list.push(text),
  )
  return map(texts, (list) => joinTexts('aggStr', list, between))
}

/** Joined distinct texts for each key. */
export const distinctJoinedOf = (items: readonly AggregateItem[], between = ', '): Map<string, string> =>
  map(distinct(items), (texts) => joinTexts('aggStrD', [...texts], between))

/** Running sum at each item. */
export function runningSum(items: readonly AggregateItem[]): number[] {
  const sums = new Map<string, number>()
  return items.map(({ value, key }) => {
    const sum = (sums.get(key) ?? 0) + addend(value)
    sums.set(key, sum)
    return sum
  })
}

/** Running number of each item, beginning with `start` for every key. */
export function runningCount(items: readonly AggregateItem[], start = 1): number[] {
  const counts = new Map<string, number>()
  return items.map(({ key }) => {
    const count = (counts.get(key) ?? start - 1) + 1
    counts.set(key, count)
    return count
  })
}

/** Number of distinct values seen up to each item. */
export function runningDistinctCount(items: readonly AggregateItem[]): number[] {
  const distinct = new Map<string, Set<string>>()
  return items.map(({ value, key }) => {
    const texts = getOrMake(distinct, key, () => new Set<string>())
    if (!isMissing(value)) texts.add(identity(value))
    return texts.size
  })
}

/** The reducer of each aggregate by its formatter name. For aggStr and aggStrD the first argument is the separator. */
export const reducers: ReadonlyMap<string, Reducer> = new Map<string, Reducer>([
  ['aggSum', { running: false, empty: 0, reduce: sumOf }],
  ['aggAvg', { running: false, empty: '', reduce: averageOf }],
  ['aggMin', { running: false, empty: '', reduce: minimumOf }],
  ['aggMax', { running: false, empty: '', reduce: maximumOf }],
  ['aggCount', { running: false, empty: 0, reduce: countOf }],
  ['aggCountD', { running: false, empty: 0, reduce: distinctCountOf }],
  ['aggStr', { running: false, empty: '', reduce: joinedOf }],
  ['aggStrD', { running: false, empty: '', reduce: distinctJoinedOf }],
  ['cumSum', { running: true, empty: 0, reduce: runningSum }],
  ['cumCount', { running: true, empty: 0, reduce: runningCount }],
  ['cumCountD', { running: true, empty: 0, reduce: runningDistinctCount }],
  ['count', { running: true, empty: 0, reduce: runningCount }],
])

/** Combines several values into one unambiguous partition key. */
export const partitionKey = (values: readonly unknown[]): string =>
  values.length === 1 ? identity(values[0]) : JSON.stringify(values.map(identity))

/** Numbers and their texts are the same value: 5 and '5' are one group. */
const identity = (value: unknown): string => printed(value)

function addend(value: unknown): number {
  const number = toNumber(value)
  return Number.isNaN(number) ? 0 : number
}

function extreme(items: readonly AggregateItem[], wins: (candidate: number, best: number) => boolean) {
  return fold<unknown>(items, '', (best, { value }) => {
    if (isMissing(value)) return best
    const candidate = value instanceof DateValue ? value.epochMs : toNumber(value)
    if (Number.isNaN(candidate)) return best
    const bestNumber = best instanceof DateValue ? best.epochMs : best
    if (bestNumber !== '' && !wins(candidate, bestNumber as number)) return best
    return value instanceof DateValue ? value : candidate
  })
}

function distinct(items: readonly AggregateItem[]): Map<string, Set<string>> {
  return group(
    items,
    () => new Set<string>(),
    (set, text) => set.add(text),
  )
}

/** One collection for each key, filled with the texts of the values that are there. */
function group<Collection>(
  items: readonly AggregateItem[],
  make: () => Collection,
  add: (collection: Collection, text: string) => void,
): Map<string, Collection> {
  const groups = new Map<string, Collection>()
  for (const { value, key } of items) {
    const collection = getOrMake(groups, key, make)
    if (!isMissing(value)) add(collection, printed(value))
  }
  return groups
}

function fold<Total>(
  items: readonly AggregateItem[],
  initial: Total,
  step: (total: Total, item: AggregateItem) => Total,
): Map<string, Total> {
  const totals = new Map<string, Total>()
  for (const item of items) {
    const total = totals.get(item.key)
    totals.set(item.key, step(total === undefined ? initial : total, item))
  }
  return totals
}

function map<From, To>(groups: ReadonlyMap<string, From>, change: (from: From) => To): Map<string, To> {
  const changed = new Map<string, To>()
  for (const [key, from] of groups) changed.set(key, change(from))
  return changed
}

function getOrMake<Group>(groups: Map<string, Group>, key: string, make: () => Group): Group {
  let group = groups.get(key)
  if (group === undefined) {
    group = make()
    groups.set(key, group)
  }
  return group
}

import { describe, expect, it } from 'vitest'
import { mergeText } from '../../helpers/merge.ts'

/**
 * Random tags over random data, against an interpreter in plain JavaScript: chains of conditions, searches, aggregates
 * over levels, filters and partitions, running totals, flattened and grouped loops, stored values.
 */
interface Leaf {
  readonly v: number
  readonly w: number
}
interface Item {
  readonly a: number
  readonly b: number
  readonly s: string
  readonly k: readonly Leaf[]
}
interface Data {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly l: readonly Item[]
}
type Random = (below: number) => number
/** A piece of a template and its expected output. */
type Maker = (random: Random, data: Data) => readonly [template: string, result: string]

function generator(seed: number): Random {
  let state = seed * 362437 + 521288629
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function dataOf(random: Random): Data {
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: random(most) }, make)
  return {
    x: random(4),
    y: random(4),
    z: random(4),
    l: some(6, () => ({
      a: random(4),
      b: random(3),
      s: ['p', 'q', 'r'][random(3)]!,
      k: some(4, () => ({ v: random(5), w: random(2) })),
    })),
  }
}

const text = (value: unknown): string => (value === undefined || value === null ? '' : String(value))
const tests = {
  ifEQ: (a: number, b: number) => a === b,
  ifNE: (a: number, b: number) => a !== b,
  ifGT: (a: number, b: number) => a > b,
  ifGTE: (a: number, b: number) => a >= b,
  ifLT: (a: number, b: number) => a < b,
  ifLTE: (a: number, b: number) => a <= b,
} as const
const operators = {
  '=': 'ifEQ',
  '!=': 'ifNE',
  '&gt;': 'ifGT',
  '&lt;': 'ifLT',
  '&gt;=': 'ifGTE',
  '&lt;=': 'ifLTE',
} as const
const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!
const names = ['x', 'y', 'z'] as const

/** A test after another, joined from left to right; the operator stays until another one is named. */
const condition: Maker = (random, data) => {
  let value: unknown = data.x
  let template = '{d.x'
  let state: boolean | undefined
  let isAnd = false
  let decided = false
  for (let left = 1 + random(5); left > 0; left -= 1) {
    const kind = random(5)
    if (kind === 0) {
      const other = pick(random, names)
      const and = random(2) === 0
      template += `:${and ? 'and' : 'or'}(.${other})`
      if (!decided) {
        isAnd = and
        value = data[other]
      }
    } else if (kind === 1) {
      const onTrue = random(2) === 0
      const shown = `S${random(9)}`
      template += `:${onTrue ? 'show' : 'elseShow'}(${shown})`
      const holds = state ?? Boolean(value)
      if (!decided && holds === onTrue) {
        value = shown
        decided = true
      }
    } else {
      const name = pick(random, Object.keys(tests) as (keyof typeof tests)[])
      const than = random(4)
      template += `:${name}(${than})`
      if (!decided) {
        const result = tests[name](value as number, than)
        state = state === undefined ? result : isAnd ? state && result : state || result
      }
    }
  }
  return [`${template}}`, text(value)]
}

interface Filter {
  readonly text: string
  readonly passes: (item: Item, at: number, all: readonly Item[]) => boolean
}
function filterOf(random: Random, data: Data): Filter {
  const operator = pick(random, Object.keys(operators) as (keyof typeof operators)[])
  const compare = tests[operators[operator]]
  const than = random(4)
  switch (random(4)) {
    case 0:
      return { text: `i${operator}${than}`, passes: (_, at) => compare(at, than) }
    case 1:
      return { text: `a${operator}.b`, passes: ({ a, b }) => compare(a, b) }
    case 2:
      return { text: `a${operator}d.y`, passes: ({ a }) => compare(a, data.y) }
    default:
      return { text: `b${operator}${than}`, passes: ({ b }) => compare(b, than) }
  }
}
function filtersOf(
  random: Random,
  data: Data,
): { text: string; of: (list: readonly Item[]) => readonly Item[] } {
  const filters = Array.from({ length: 1 + random(2) }, () => filterOf(random, data))
  return {
    text: filters.map((filter) => filter.text).join(', '),
    of: (list) => list.filter((item, at) => filters.every(({ passes }) => passes(item, at, list))),
  }
}

const search: Maker = (random, data) => {
  const filters = filtersOf(random, data)
  return [`{d.l[${filters.text}].s}`, text(filters.of(data.l)[0]?.s)]
}

const sum = (list: readonly number[]) => list.reduce((total, value) => total + value, 0)
const reductions = {
  aggSum: sum,
  aggCount: (list: readonly number[]) => list.length,
  aggAvg: (list: readonly number[]) => (list.length === 0 ? '' : sum(list) / list.length),
  aggMin: (list: readonly number[]) => (list.length === 0 ? '' : Math.min(...list)),
  aggMax: (list: readonly number[]) => (list.length === 0 ? '' : Math.max(...list)),
  aggCountD: (list: readonly number[]) => new Set(list).size,
  aggStr: (list: readonly number[]) => list.join(', '),
  aggStrD: (list: readonly number[]) => [...new Set(list)].join(', '),
} as const
const reduction = (random: Random) => pick(random, Object.keys(reductions) as (keyof typeof reductions)[])

const aggregate: Maker = (random, data) => {
  const name = reduction(random)
  const filters = filtersOf(random, data)
  const items = random(2) === 0 ? data.l : filters.of(data.l)
  const brackets = items === data.l ? '' : filters.text
  if (random(2) === 0)
    return [`{d.l[${brackets}].a:mul(.b):${name}}`, text(reductions[name](items.map(({ a, b }) => a * b)))]
  return [
    `{d.l[${brackets}].k[].v:${name}}`,
    text(reductions[name](items.flatMap(({ k }) => k.map(({ v }) => v)))),
  ]
}

/** Rows: aggregates over all, by partition, of what is inside the row, and running ones. */
const rows: Maker = (random, data) => {
  const name = reduction(random)
  const by = name.startsWith('aggStr') ? `', ', .s` : '.s'
  const cells = [
    `{d.l[i].a:${name}}`,
    `{d.l[i].a:${name}(${by})}`,
    `{d.l[i].k[].v:${name}}`,
    '{d.l[i].a:cumSum}',
    '{d.l[i].a:cumSum(.s)}',
    '{d.l[i].a:cumCount(.s)}',
    '{d.l[i].a:cumCountD}',
    '{d.l[i].a:count(5)}',
    '{d.l[i].a:print(.i)}',
    '{d.l[i].a:ifGT(.b):show(big):elseShow(small)}',
  ]
  const result = data.l.map((item, at) => {
    const before = data.l.slice(0, at + 1)
    const like = (list: readonly Item[]) => list.filter(({ s }) => s === item.s)
    const of = (list: readonly Item[]) => list.map(({ a }) => a)
    return [
      reductions[name](of(data.l)),
      reductions[name](of(like(data.l))),
      reductions[name](item.k.map(({ v }) => v)),
      sum(of(before)),
      sum(of(like(before))),
      like(before).length,
      new Set(of(before)).size,
      at + 5,
      at,
      item.a > item.b ? 'big' : 'small',
    ]
      .map(text)
      .join('|')
  })
  return [`<r>${cells.join('|')}</r><r>{d.l[i+1]}</r>`, result.map((row) => `<r>${row}</r>`).join('')]
}

/** Running numbers count what is printed. */
const filtered: Maker = (random, data) => {
  const filters = filtersOf(random, data)
  const items = filters.of(data.l)
  return [
    `<r>{d.l[i, ${filters.text}].a}:{d.l[i, ${filters.text}].a:cumSum}:{d.l[i, ${filters.text}].a:count}</r><r>{d.l[i+1, ${filters.text}].a}</r>`,
    items
      .map(({ a }, at) => `<r>${a}:${sum(items.slice(0, at + 1).map((item) => item.a))}:${at + 1}</r>`)
      .join(''),
  ]
}

const flattened: Maker = (_random, data) => [
  '<r>{d.l[i].s}{d.l[i].k[i].v}{d.l[i].k[i].v:cumCount}</r><r>{d.l[i+1].s}{d.l[i+1].k[i+1].v}</r>',
  data.l
    .flatMap(({ s, k }) => k.map(({ v }) => `${s}${v}`))
    .map((row, at) => `<r>${row}${at + 1}</r>`)
    .join(''),
]

const grouped: Maker = (_random, data) => {
  const keys = [...new Set(data.l.map(({ s }) => s))].sort()
  const of = (key: string) => data.l.filter(({ s }) => s === key)
  return [
    '<r>{d.l[s].s}{d.l[s].a}{d.l[s].a:aggSum(.s)}</r><r>{d.l[s+1].s}</r>',
    keys.map((key) => `<r>${key}${of(key)[0]!.a}${sum(of(key).map(({ a }) => a))}</r>`).join(''),
  ]
}

const stored: Maker = (random, data) => {
  const at = random(6)
  const groups = [...new Set(data.l.map(({ s }) => s))]
  const of = (key: string) => data.l.filter(({ s }) => s === key)
  return [
    `{d.l[].a:mul(2):set(.twice)}{d.l[].a:aggSum:set(c.total)}{d.l[]:set(c.g[key=.s].items[])}{c.total},{d.l[${at}].twice},<r>{c.g[i].key}{c.g[i].items:len}{c.g[i].items[].a:aggSum}</r><r>{c.g[i+1].key}</r>`,
    `${sum(data.l.map(({ a }) => a))},${text(data.l[at] && data.l[at].a * 2)},${groups.map((key) => `<r>${key}${of(key).length}${sum(of(key).map(({ a }) => a))}</r>`).join('')}`,
  ]
}

const makers: readonly Maker[] = [
  condition,
  condition,
  search,
  aggregate,
  aggregate,
  rows,
  filtered,
  flattened,
  grouped,
]

describe('random tags', () => {
  for (let seed = 1; seed <= 250; seed += 1) {
    it(`seed ${seed}`, async () => {
      const random = generator(seed)
      const data = dataOf(random)
      const made = [...Array.from({ length: 4 }, () => pick(random, makers)), stored].map((maker) =>
        maker(random, data),
      )
      const wrapped = (index: 0 | 1) => `<x>${made.map((each) => `<p>${each[index]}</p>`).join('')}</x>`
      const template = wrapped(0)
      expect(await mergeText(template, data), `${template} of ${JSON.stringify(data)}`).toBe(wrapped(1))
    })
  }
})

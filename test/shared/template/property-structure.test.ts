import { describe, expect, it } from 'vitest'
import { mergeText } from '../../helpers/merge.ts'

/**
 * Random nested templates with filters, sorting, distinct values, repetition and dropped elements over random data,
 * against an interpreter that walks the tree the template was written from and knows nothing of plans.
 */
type Item = { readonly [name: string]: unknown }
type Random = (below: number) => number
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly name: string }
  /** Dropped, or kept, by a value of the item it stands in. */
  | { readonly kind: 'box'; readonly name: string; readonly keep: boolean; readonly body: readonly Node[] }
  /** Dropped, or kept, by the values of a list inside of it. */
  | { readonly kind: 'judged'; readonly array: string; readonly name: string; readonly keep: boolean }
  | {
      readonly kind: 'loop'
      readonly array: string
      readonly filter: number | undefined // b > filter
      readonly order: 'data' | 'sorted' | 'distinct'
      readonly times: boolean
      readonly body: readonly Node[]
    }

function generator(seed: number): Random {
  let state = seed * 747796405 + 2891336453
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const arrays = ['l', 'k', 'm']
const names = ['a', 'b']

function makeNodes(random: Random, depth: number, used: readonly string[]): Node[] {
  return Array.from({ length: 1 + random(3) }, () => makeNode(random, depth, used))
}

function makeNode(random: Random, depth: number, used: readonly string[]): Node {
  const free = arrays.filter((name) => !used.includes(name))
  const kind = depth > 0 ? random(6) : random(2)
  if (kind === 0) return { kind: 'text', text: ['x', ' & ', 'long words'][random(3)]! }
  if (kind === 1) return { kind: 'value', name: names[random(2)]! }
  if (kind === 2) {
    const body = makeNodes(random, depth - 1, used)
    return { kind: 'box', name: names[random(2)]!, keep: random(2) === 0, body }
  }
  const array = free[random(free.length)]
  if (array === undefined) return { kind: 'value', name: 'a' }
  if (kind === 3) return { kind: 'judged', array, name: names[random(2)]!, keep: random(2) === 0 }
  return {
    kind: 'loop',
    array,
    filter: random(3) === 0 ? random(3) : undefined,
    order: (['data', 'data', 'sorted', 'distinct'] as const)[random(4)]!,
    times: random(5) === 0,
    body: makeNodes(random, depth - 1, [...used, array]),
  }
}

function makeItem(random: Random, depth: number): Item {
  const item: Record<string, unknown> = { a: random(3), b: random(4), t: random(3) }
  if (depth > 0)
    for (const name of arrays)
      if (random(6) > 0) item[name] = Array.from({ length: random(4) }, () => makeItem(random, depth - 1))
  return item
}

const action = (keep: boolean) => (keep ? 'keep' : 'drop')

function write(nodes: readonly Node[], path: string): string {
  return nodes
    .map((node): string => {
      switch (node.kind) {
        case 'text':
          return node.text.replaceAll('&', '&amp;')
        case 'value':
          return `{${path}.${node.name}}`
        case 'box':
          return `<div>{${path}.${node.name}:ifEQ(1):${action(node.keep)}(div)}${write(node.body, path)}</div>`
        case 'judged': {
          const list = `${path}.${node.array}`
          return `<div>[<p>{${list}[i].a}{${list}[i].${node.name}:ifEQ(1):${action(node.keep)}(div)}</p><p>{${list}[i+1].a}</p>]</div>`
        }
        case 'loop': {
          const list = `${path}.${node.array}`
          const begin = { data: 'i', sorted: 'b,i', distinct: 'b' }[node.order]
          const times = node.times ? '*t' : ''
          const end = { data: `i+1${times}`, sorted: `b+1,i+1${times}`, distinct: `b+1${times}` }[node.order]
          const filter = node.filter === undefined ? '' : `,b&gt;${node.filter}`
          // The first tag says how the loop runs; the others need not say it again.
          return `<section>{${list}[${begin}].a}${write(node.body, `${list}[i]`)}</section><section>{${list}[${end}${filter}].a}</section>`
        }
        default:
          return node satisfies never
      }
    })
    .join('')
}

const listOf = (item: Item, array: string): readonly Item[] => (item[array] ?? []) as readonly Item[]

function interpret(nodes: readonly Node[], item: Item): string {
  return nodes
    .map((node): string => {
      switch (node.kind) {
        case 'text':
          return node.text.replaceAll('&', '&amp;')
        case 'value':
          return String(item[node.name])
        case 'box':
          return (item[node.name] === 1) === node.keep ? `<div>${interpret(node.body, item)}</div>` : ''
        case 'judged': {
          const items = listOf(item, node.array)
          if (items.some((each) => (each[node.name] === 1) !== node.keep)) return ''
          return `<div>[${items.map((each) => `<p>${String(each['a'])}</p>`).join('')}]</div>`
        }
        case 'loop': {
          const { filter, order } = node
          let items = listOf(item, node.array).filter(({ b }) => filter === undefined || Number(b) > filter)
          if (order !== 'data') items = items.toSorted((x, y) => Number(x['b']) - Number(y['b']))
          if (order === 'distinct')
            items = items.filter((each, at) => items.findIndex(({ b }) => b === each['b']) === at)
          return items
            .flatMap((each) => Array.from({ length: node.times ? Number(each['t']) : 1 }, () => each))
            .map((each) => `<section>${String(each['a'])}${interpret(node.body, each)}</section>`)
            .join('')
        }
        default:
          return node satisfies never
      }
    })
    .join('')
}

describe('random templates with conditions on elements', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    it(`seed ${seed}`, async () => {
      const random = generator(seed)
      const nodes = makeNodes(random, 5, [])
      const data = makeItem(random, 4)
      const template = `<main>${write(nodes, 'd')}</main>`
      expect(await mergeText(template, data, { format: 'html' }), template).toBe(
        `<main>${interpret(nodes, data)}</main>`,
      )
    })
  }
})

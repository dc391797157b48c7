import { describe, expect, it } from 'vitest'
import { mergeText } from '../../helpers/merge.ts'

/**
 * Random templates of nested loops, blocks and values over random data, against an interpreter that knows nothing of
 * regions, plans or slots: it walks the tree the template was written from.
 */
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'outer'; readonly name: string } // of the root, from anywhere
  | { readonly kind: 'index' }
  | { readonly kind: 'element'; readonly name: string; readonly body: readonly Node[] }
  | { readonly kind: 'loop'; readonly array: string; readonly tag: string; readonly body: readonly Node[] }
  | {
      readonly kind: 'block'
      readonly name: string
      readonly equals: number
      readonly hide: boolean
      readonly body: readonly Node[]
    }

type Item = { readonly [name: string]: unknown }
type Random = (below: number) => number

function generator(seed: number): Random {
  let state = seed * 2654435761
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const arrays = ['l', 'k', 'm']
const names = ['a', 'b', 'c']
const texts = ['x', ' & ', '"', 'é', 'long words here', ' ']

function makeNodes(random: Random, depth: number, used: readonly string[]): Node[] {
  const nodes: Node[] = []
  for (let left = 1 + random(4); left > 0; left -= 1) nodes.push(makeNode(random, depth, used))
  return nodes
}

function makeNode(random: Random, depth: number, used: readonly string[]): Node {
  const kind = depth > 0 ? random(8) : random(3)
  const free = arrays.filter((name) => !used.includes(name))
  if (kind === 0) return { kind: 'text', text: texts[random(texts.length)]! }
  if (kind === 1) return { kind: 'outer', name: names[random(3)]! }
  if (kind === 2) return { kind: 'value', name: names[random(3)]! }
  if (kind === 3) return { kind: 'element', name: `e${random(4)}`, body: makeNodes(random, depth - 1, used) }
  if (kind === 4) {
    return {
      kind: 'block',
      name: names[random(3)]!,
      equals: random(3),
      hide: random(2) === 0,
      body: [{ kind: 'element', name: 'q', body: makeNodes(random, depth - 1, used) }],
    }
  }
  if (free.length === 0) return { kind: 'value', name: 'a' }
  const array = free[random(free.length)]!
  const body: Node[] = [
    { kind: 'value', name: 'a' },
    ...(random(3) === 0 ? ([{ kind: 'index' }] as const) : []),
    ...makeNodes(random, depth - 1, [...used, array]),
  ]
  return { kind: 'loop', array, tag: `r${random(3)}`, body }
}

function makeItem(random: Random, depth: number): Item {
  const item: Record<string, unknown> = {}
  for (const name of names) if (random(6) > 0) item[name] = random(3) === 0 ? `<${random(9)}>` : random(3)
  if (depth > 0)
    for (const name of arrays)
      if (random(5) > 0) item[name] = Array.from({ length: random(4) }, () => makeItem(random, depth - 1))
  return item
}

/** The template that says what the nodes mean. `path` is the path to the current item. */
function write(nodes: readonly Node[], path: string): string {
  return nodes
    .map((node): string => {
      switch (node.kind) {
        case 'text':
          return escaped(node.text)
        case 'outer':
          return `{d.${node.name}}`
        case 'value':
          return `{${path}.${node.name}}`
        case 'index':
          return `{${path}.a:print(.i)}`
        case 'element':
          return `<${node.name}>${write(node.body, path)}</${node.name}>`
        case 'block': {
          const kind = node.hide ? 'hide' : 'show'
          return `{${path}.${node.name}:ifEQ(${node.equals}):${kind}Begin}${write(node.body, path)}{${path}.${node.name}:${kind}End}`
        }
        case 'loop':
          return `<${node.tag}>${write(node.body, `${path}.${node.array}[i]`)}</${node.tag}><${node.tag}>{${path}.${node.array}[i+1]}</${node.tag}>`
        default:
          return node satisfies never
      }
    })
    .join('')
}

function interpret(nodes: readonly Node[], scopes: readonly { item: Item; index: number }[]): string {
  const { item } = scopes.at(-1)!
  return nodes
    .map((node): string => {
      switch (node.kind) {
        case 'text':
          return escaped(node.text)
        case 'outer':
          return show(scopes[0]!.item[node.name])
        case 'value':
          return show(item[node.name])
        case 'index': {
          // One loop: itself. Several: the one just outside the innermost.
          const loops = scopes.slice(1)
          return String((loops.length === 1 ? loops[0]! : loops.at(-2)!).index)
        }
        case 'element':
          return `<${node.name}>${interpret(node.body, scopes)}</${node.name}>`
        case 'block': {
          const value = item[node.name]
          const holds = (value === undefined ? 'undefined' : String(value)) === String(node.equals)
          return holds !== node.hide ? interpret(node.body, scopes) : ''
        }
        case 'loop': {
          const items = (item[node.array] ?? []) as readonly Item[]
          return items
            .map(
              (each, index) =>
                `<${node.tag}>${interpret(node.body, [...scopes, { item: each, index }])}</${node.tag}>`,
            )
            .join('')
        }
        default:
          return node satisfies never
      }
    })
    .join('')
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const show = (value: unknown) => (value === undefined ? '' : escaped(String(value)))

describe('random templates', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    it(`seed ${seed}`, async () => {
      const random = generator(seed)
      const nodes = makeNodes(random, 5, [])
      const data = makeItem(random, 4)
      const template = `<x>${write(nodes, 'd')}</x>`
      expect(await mergeText(template, data), template).toBe(
        `<x>${interpret(nodes, [{ item: data, index: 0 }])}</x>`,
      )
    })
  }
})

/** Style sheets as rules. Source: CSS Syntax Level 3; what is not understood is passed over to its end, as that says. */
import { type Declaration, declarationsOf } from './declarations.ts'
import { type Selector, selectorsOf } from './selector.ts'

export interface Rule {
  readonly selector: Selector
  readonly declarations: readonly Declaration[]
  readonly order: number
}

export interface Sheet {
  readonly rules: readonly Rule[]
  /** Of `@page` without a selector, else of the only one with a name. */
  readonly page: readonly Declaration[]
}

/** What `@media` conditions are asked about: the paper that all is written for. */
const paperPixels = 720
const mostRules = 20_000
const deepestBlocks = 10

export function readSheet(text: string): Sheet {
  const rules: Rule[] = []
  const page: Declaration[] = []
  const namedPages = new Map<string, Declaration[]>()
  const read = (source: string, depth: number) => {
    for (const { prelude, body } of blocksOf(source)) {
      if (rules.length >= mostRules) return
      const at = /^@([\w-]+)\s*([\s\S]*)$/.exec(prelude)
      if (at === null) {
        const declarations = declarationsOf(body)
        if (declarations.length === 0) continue
        for (const selector of selectorsOf(prelude))
          rules.push({ selector, declarations, order: rules.length })
        continue
      }
      const [, name = '', condition = ''] = at
      const inside =
        (name === 'media' && forPaper(condition)) ||
        name === 'supports' ||
        name === 'layer' ||
        name === 'scope'
      if (inside && depth < deepestBlocks) read(body, depth + 1)
      // Boxes in the margin of a page are blocks of their own.
      else if (name === 'page' && !condition.includes(':')) {
        const said = declarationsOf(body.replace(/@[\w-]+\s*\{[^}]*\}/g, ''))
        const named = condition.trim()
        if (named === '') page.push(...said)
        else namedPages.set(named, [...(namedPages.get(named) ?? []), ...said])
      }
    }
  }
  read(text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ').replace(/<!--|-->/g, ' '), 0)
  // A document has one paper: the only one that has a name is it.
  const [only] = namedPages.values()
  return { rules, page: page.length === 0 && namedPages.size === 1 && only !== undefined ? only : page }
}

interface Block {
  readonly prelude: string
  readonly body: string
}

/** The blocks at the top of a text; statements without a block (`@import`, `@charset`) are left out. */
function* blocksOf(text: string): Generator<Block> {
  let from = 0
  let at = 0
  while (at < text.length) {
    const sign = text[at]
    if (sign === '"' || sign === "'") at = endOfString(text, at)
    else if (sign === ';') from = at + 1
    else if (sign === '{') {
      const end = endOfBlock(text, at)
      yield { prelude: text.slice(from, at).trim(), body: text.slice(at + 1, end) }
      at = end
      from = end + 1
    } else if (sign === '}') from = at + 1
    at++
  }
}

function endOfBlock(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"' || sign === "'") at = endOfString(text, at)
    else if (sign === '{') depth++
    else if (sign === '}' && --depth === 0) return at
  }
  return text.length
}

/** Of the quote that closes, or of the end of the line that nobody closed. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === text[open] || text[at] === '\n') return at
  }
  return text.length
}

/** Source: Media Queries Level 4. Features that are not known are not there. */
function forPaper(condition: string): boolean {
  return condition
    .toLowerCase()
    .split(',')
    .some((query) => {
      const not = /^\s*not\s/.test(query)
      const type = /^\s*(?:only\s+|not\s+)?([a-z]+)/.exec(query.replace(/\(/g, ' ('))?.[1]
      const rightType = type === undefined || ['print', 'all', 'and'].includes(type)
      const features = [...query.matchAll(/\(([^()]*)\)/g)].every(([, feature = '']) =>
        hasFeature(feature.trim()),
      )
      return (rightType && features) !== not
    })
}

function hasFeature(feature: string): boolean {
  const [name = '', value = ''] = feature.split(':').map((part) => part.trim())
  const pixels = Number.parseFloat(value) * (value.endsWith('em') ? 16 : 1)
  if (name === 'min-width') return pixels <= paperPixels
  if (name === 'max-width') return pixels >= paperPixels
  if (name === 'orientation') return value === 'portrait'
  return name === 'color' || (name === 'prefers-color-scheme' && value === 'light')
}

/**
 * Parses style sheets into rules. What is not supported is skipped to its end, as the standard requires.
 * Source: CSS Syntax Level 3.
 */
import { pushAll } from '../push-all.ts'
import { type Declaration, declarationsOf } from './declarations.ts'
import { type Selector, selectorsOf, splitOutside } from './selector.ts'

export interface CssRule {
  readonly selector: Selector
  readonly declarations: readonly Declaration[]
  readonly order: number
}

export interface Stylesheet {
  readonly rules: readonly CssRule[]
  /** The declarations of the `@page` rule without a name, otherwise of the only named one. */
  readonly page: readonly Declaration[]
  /** The declarations of the margin boxes of that rule, by the names of the boxes. */
  readonly marginBoxes: ReadonlyMap<string, readonly Declaration[]>
  /** The declarations of each `@font-face` rule. */
  readonly fontFaces: readonly (readonly Declaration[])[]
  /** The sheet has more rules than are read. */
  readonly isCut: boolean
}

/** The medium that conditions of `@media` are evaluated for: paper. */
const paperPixels = 720
const maxRules = 20_000
const maxBlockDepth = 10

export function readSheet(text: string): Stylesheet {
  const rules: CssRule[] = []
  const page: Declaration[] = []
  const marginBoxes = new Map<string, readonly Declaration[]>()
  const fontFaces: (readonly Declaration[])[] = []
  let isCut = false
  const namedPages = new Map<string, Declaration[]>()
  /** `within`: the selectors of the enclosing rule, for nested rules. */
  const read = (source: string, depth: number, within?: string) => {
    for (const { prelude, body } of blocksOf(source)) {
      if (rules.length >= maxRules) {
        isCut = true
        return
      }
      const at = /^@([\w-]+)\s*([\s\S]*)$/.exec(prelude)
      if (at === null) {
        const selector = within === undefined ? prelude : nestedSelector(prelude, within)
        addRules(selector, body)
        if (depth < maxBlockDepth && body.includes('{')) read(body, depth + 1, selector)
        continue
      }
      const [, name = '', condition = ''] = at
      const inside =
        (name === 'media' && forPaper(condition)) ||
        (name === 'supports' && !/^not\b/.test(condition)) ||
        name === 'layer' ||
        name === 'scope'
      if (inside) {
        if (within !== undefined) addRules(within, body)
        if (depth < maxBlockDepth) read(body, depth + 1, within)
      } else if (name === 'font-face') fontFaces.push(declarationsOf(body))
      // Margin boxes of a page are nested blocks.
      else if (name === 'page' && !condition.includes(':')) {
        const declared = declarationsOf(body.replace(/@[\w-]+\s*\{[^}]*\}/g, ''))
        const named = condition.trim()
        if (named === '')
          for (const [, box = '', inner = ''] of body.matchAll(/@([\w-]+)\s*\{([^}]*)\}/g))
            marginBoxes.set(box, [...(marginBoxes.get(box) ?? []), ...declarationsOf(inner)])
        if (named === '') pushAll(page, declared)
        else namedPages.set(named, [...(namedPages.get(named) ?? []), ...declared])
      }
    }
  }
  const addRules = (selectors: string, body: string) => {
    const declarations = declarationsOf(body.includes('{') ? withoutBlocks(body) : body)
    if (declarations.length === 0) return
    for (const selector of selectorsOf(selectors)) rules.push({ selector, declarations, order: rules.length })
  }
  read(text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ').replace(/<!--|-->/g, ' '), 0)
  // A document has one page size. A named `@page` rule applies only when there is exactly one.
  const [only] = namedPages.values()
  return {
    rules,
    marginBoxes,
    fontFaces,
    isCut,
    page: page.length === 0 && namedPages.size === 1 && only !== undefined ? only : page,
  }
}

/** Longer selector lists are ignored, so that nested rules do not multiply them without bound. */
const maxSelectors = 5000

/** The selectors of a nested rule. Source: CSS Nesting 1, 3. */
function nestedSelector(prelude: string, within: string): string {
  const parent = within.includes(',') ? `:is(${within})` : within
  const made = splitOutside(prelude, ',').map((part) =>
    part.includes('&') ? part.trim().replaceAll('&', () => parent) : `${parent} ${part.trim()}`,
  )
  const selector = made.join(', ')
  return selector.length > maxSelectors ? '' : selector
}

/** The declarations of a rule without its nested rules. */
function withoutBlocks(body: string): string {
  let text = ''
  let from = 0
  for (const { start, end } of blocksOf(body)) {
    text += `${body.slice(from, start)};`
    from = end
  }
  return text + body.slice(from)
}

interface CssBlock {
  /** The offsets of its beginning and its end in the source. */
  readonly start: number
  readonly end: number
  readonly prelude: string
  readonly body: string
}

/** The top-level blocks of a sheet. Statements without a block (`@import`, `@charset`) are skipped. */
function* blocksOf(text: string): Generator<CssBlock> {
  let from = 0
  let at = 0
  while (at < text.length) {
    const sign = text[at]
    if (sign === '"' || sign === "'") at = endOfString(text, at)
    else if (sign === ';') from = at + 1
    else if (sign === '{') {
      const end = endOfBlock(text, at)
      yield { start: from, end: end + 1, prelude: text.slice(from, at).trim(), body: text.slice(at + 1, end) }
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

/** The offset of the closing quote, or of the end of the line when the quote is not closed. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === text[open] || text[at] === '\n') return at
  }
  return text.length
}

/** Whether a media query matches paper. Unknown features do not match. Source: Media Queries Level 4. */
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
  const range = /^width\s*([<>])=?\s*([\d.]+)(px|r?em)$/.exec(feature)
  if (range !== null) {
    const limit = Number(range[2]) * (range[3] === 'px' ? 1 : 16)
    return range[1] === '<' ? paperPixels <= limit : paperPixels >= limit
  }
  const [name = '', value = ''] = feature.split(':').map((part) => part.trim())
  const pixels = Number.parseFloat(value) * (value.endsWith('em') ? 16 : 1)
  if (name === 'min-width') return pixels <= paperPixels
  if (name === 'max-width') return pixels >= paperPixels
  if (name === 'orientation') return value === 'portrait'
  return name === 'color' || (name === 'prefers-color-scheme' && value === 'light')
}

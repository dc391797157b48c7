/**
 * Parses style sheets into rules. What is not supported is skipped to its end, as the standard requires.
 * Source: CSS Syntax Level 3.
 */
import { entryOf } from '../entry-of.ts'
import { pushAll } from '../push-all.ts'
import { type Declaration, declarationsOf } from './declarations.ts'
import { type Selector, selectorsOf, splitOutside } from './selector.ts'

export interface CssRule {
  readonly selector: Selector
  readonly declarations: readonly Declaration[]
  readonly order: number
  /** The position of its cascade layer among all layers; undefined for rules outside of layers, which take precedence. */
  readonly layer?: number
}

/** The pages that `@page` can select by a pseudo-class. The first page is also a right one (CSS Paged Media 3, 3.4). */
export type PageKind = 'first' | 'left' | 'right'

/** What the `@page` rules for one kind of page add to those for all pages. */
export interface PageRule {
  readonly declarations: readonly Declaration[]
  /** The declarations of the margin boxes, by the names of the boxes. */
  readonly marginBoxes: ReadonlyMap<string, readonly Declaration[]>
}

export interface Stylesheet {
  readonly rules: readonly CssRule[]
  /** The declarations of the `@page` rule without a name, otherwise of the only named one. */
  readonly page: readonly Declaration[]
  /** The names of `@page` rules, in lower case, and the one whose rule is `page`. */
  readonly pageNames: ReadonlySet<string>
  readonly pageName: string | undefined
  /** The declarations of the margin boxes of that rule, by the names of the boxes. */
  readonly marginBoxes: ReadonlyMap<string, readonly Declaration[]>
  readonly pageKinds: ReadonlyMap<PageKind, PageRule>
  /** The declarations of each `@font-face` rule. */
  readonly fontFaces: readonly (readonly Declaration[])[]
  /** The sheet has more rules than are read. */
  readonly isCut: boolean
  /** What was skipped though browsers read it: names of at-rules (`@container`) and pseudo-classes and -elements (`:lang`). */
  readonly skipped: ReadonlySet<string>
}

/** The width in CSS pixels of the paper that conditions of `@media` are evaluated for. */
const paperPixels = 720
const maxRules = 20_000
/** Maximum nesting of blocks; those below are omitted. */
const maxBlockDepth = 10

/** Reads a style sheet for printed pages: rules of other media and unsupported at-rules are omitted. Never fails. */
export function readSheet(text: string): Stylesheet {
  const reader = new SheetReader()
  const withoutComments = text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ').replace(/<!--|-->/g, ' ')
  reader.nameLayers(withoutComments)
  reader.read(withoutComments, 0, undefined)
  return reader.result(/(?:^|[;}\s])@import\b/i.test(withoutComments))
}

/** Collects what the blocks of a sheet declare, in their order. */
class SheetReader {
  readonly #rules: CssRule[] = []
  readonly #page = emptyPageRule()
  readonly #namedPages = new Map<string, Declaration[]>()
  readonly #pageKinds = new Map<PageKind, ReturnType<typeof emptyPageRule>>()
  readonly #fontFaces: (readonly Declaration[])[] = []
  readonly #skipped = new Set<string>()
  readonly #layers = new Map<string, number>()
  #layer: number | undefined
  #isCut = false

  /** Cascade layers rank in the order in which their names first appear (CSS Cascade 5, 6.4.3). */
  nameLayers(text: string): void {
    for (const [, names = ''] of text.matchAll(/@layer\s+([^;{}@]+)[;{]/g))
      for (const name of names.split(',').slice(0, maxLayers)) this.#layerOf(name.trim())
  }

  #layerOf(name: string): number {
    const index = this.#layers.get(name) ?? this.#layers.size
    if (this.#layers.size < maxLayers) this.#layers.set(name, index)
    return index
  }

  result(hasImports: boolean): Stylesheet {
    if (hasImports) this.#skipped.add('@import')
    // A document has one page size. A named `@page` rule applies only when there is exactly one.
    const [[onlyName, firstNamed] = []] = this.#namedPages
    const { declarations, marginBoxes } = this.#page
    const usesNamed = declarations.length === 0 && this.#namedPages.size === 1 && firstNamed !== undefined
    return {
      rules: this.#rules,
      page: usesNamed ? firstNamed : declarations,
      pageNames: new Set(this.#namedPages.keys()),
      pageName: usesNamed ? onlyName : undefined,
      marginBoxes,
      pageKinds: this.#pageKinds,
      fontFaces: this.#fontFaces,
      isCut: this.#isCut,
      skipped: this.#skipped,
    }
  }

  /** Reads the blocks of a text. `parent` is the selector of the enclosing rule, for nested rules. */
  read(source: string, depth: number, parent: string | undefined): void {
    for (const { prelude, body } of blocksOf(source)) {
      if (this.#rules.length >= maxRules) {
        this.#isCut = true
        return
      }
      const [, name, condition = ''] = /^@([\w-]+)\s*([\s\S]*)$/.exec(prelude) ?? []
      if (name === undefined) this.#readStyleRule(prelude, body, depth, parent)
      else if (name === 'layer') this.#readLayer(condition, body, depth, parent)
      else if (isGroup(name)) {
        if (this.#applies(name, condition)) this.#readGroup(body, depth, parent)
      } else if (name === 'font-face') this.#fontFaces.push(declarationsOf(body))
      else if (name === 'page')
        for (const selector of condition.split(',').slice(0, maxPageSelectors))
          this.#readPage(selector.trim().toLowerCase(), body)
      else if (knownAtRules.test(name)) this.#skipped.add(`@${name}`)
    }
  }

  #readLayer(name: string, body: string, depth: number, parent: string | undefined): void {
    const outer = this.#layer
    // The layers in a layer rank below its rules, which one number for each layer cannot express.
    if (outer !== undefined || name.includes('.')) this.#skipped.add('@layer')
    this.#layer = this.#layerOf(name === '' ? `of rule ${this.#rules.length}` : name.trim())
    this.#readGroup(body, depth, parent)
    this.#layer = outer
  }

  /** Whether the rules of a group apply. Everything is taken for inside of every scope. */
  #applies(name: GroupName, condition: string): boolean {
    if (name === 'media') return matchesPaper(condition)
    if (name === 'scope') this.#skipped.add('@scope')
    return name !== 'supports' || isSupported(condition, this.#skipped)
  }

  #readStyleRule(prelude: string, body: string, depth: number, parent: string | undefined): void {
    const selector = parent === undefined ? prelude : nestedSelector(prelude, parent)
    this.#addRules(selector, body)
    if (depth < maxBlockDepth && body.includes('{')) this.read(body, depth + 1, selector)
  }

  /** Reads the content of a conditional group rule. Inside a style rule, its declarations are those of that rule. */
  #readGroup(body: string, depth: number, parent: string | undefined): void {
    if (parent !== undefined) this.#addRules(parent, body)
    if (depth < maxBlockDepth) this.read(body, depth + 1, parent)
  }

  /**
   * Reads `@page` for one selector. Its margin boxes are nested blocks; those of named pages are omitted, like blank pages
   * and kinds of named pages.
   */
  #readPage(selector: string, body: string): void {
    const declarations = declarationsOf(body.replace(/@[\w-]+\s*\{[^}]*\}/g, ''))
    const kind = pageKinds.get(selector)
    if (kind === undefined && selector !== '') {
      if (selector.includes(':')) return
      this.#namedPages.set(selector, [...(this.#namedPages.get(selector) ?? []), ...declarations])
      return
    }
    const rule = kind === undefined ? this.#page : (this.#pageKinds.get(kind) ?? emptyPageRule())
    if (kind !== undefined) this.#pageKinds.set(kind, rule)
    for (const [, box = '', content = ''] of body.matchAll(/@([\w-]+)\s*\{([^}]*)\}/g))
      rule.marginBoxes.set(box, [...(rule.marginBoxes.get(box) ?? []), ...declarationsOf(content)])
    pushAll(rule.declarations, declarations)
  }

  #addRules(selectors: string, body: string): void {
    const rules = this.#rules
    const declarations = declarationsOf(body.includes('{') ? withoutBlocks(body) : body)
    if (declarations.length === 0) return
    const skipped = new Set<string>()
    const read = selectorsOf(selectors, 0, skipped)
    for (const name of skipped) {
      if (selectorsWithoutEffect.test(name)) continue
      // One selector that browsers do not know makes the whole rule invalid (CSS Syntax 3, 2.2).
      if (!knownSelectors.test(name)) return
      this.#skipped.add(name)
    }
    const layer = this.#layer
    for (const selector of read)
      rules.push({ selector, declarations, order: rules.length, ...(layer !== undefined && { layer }) })
  }
}

/** At-rules that browsers know and that change a page on paper. */
const knownAtRules =
  /^(?:container|counter-style|property|font-feature-values|position-try|function|apply|mixin)$/
/** Pseudo-classes and -elements that browsers know and that change a page on paper, where they are not read here. */
const knownSelectors =
  /^(?:::?(?:first-line|marker|placeholder|file-selector-button|details-content|column|-webkit-input-placeholder|in-range|out-of-range|valid|invalid|default|indeterminate|placeholder-shown|read-only|read-write|open|dir|defined|state|-webkit-any|not|is|where|has|nth-child|nth-last-child|nth-of-type|nth-last-of-type)|selectors)$/
/** Those that browsers know and that are not on paper. */
const selectorsWithoutEffect =
  /^::?(?:selection|backdrop|cue|highlight|view-transition.*|target-text|spelling-error|grammar-error|part|slotted|host(?:-context)?|-webkit-.*|scroll-.*|search-text|picker.*|checkmark|current|past|future|xr-overlay|active-view-transition.*|window-inactive|interest-.*|target-.*)$/

const pageKinds: ReadonlyMap<string, PageKind> = new Map([
  [':first', 'first'],
  [':left', 'left'],
  [':right', 'right'],
])
/** Selectors of one `@page` rule; those that follow are omitted. */
const maxPageSelectors = 100

const emptyPageRule = () => ({
  declarations: [] as Declaration[],
  marginBoxes: new Map<string, readonly Declaration[]>(),
})

/** At-rules that contain rules (CSS Conditional Rules 3, CSS Cascade 6). */
type GroupName = 'media' | 'supports' | 'scope'
const isGroup = (name: string): name is GroupName => /^(?:media|supports|scope)$/.test(name)
const maxLayers = 1000

/**
 * Evaluates a condition of `@supports`. Every declaration is taken for supported, unless it is one of other browsers; the names
 * of properties are added to `skipped` as `@supports name`. Source: CSS Conditional Rules 3, 6.1.
 */
function isSupported(condition: string, skipped: Set<string>, depth = 0): boolean {
  const text = condition.trim()
  if (depth > maxBlockDepth) return false
  const not = /^not\b([\s\S]*)$/i.exec(text)
  if (not !== null) return !isSupported(not[1] ?? '', skipped, depth + 1)
  for (const operator of ['or', 'and'] as const) {
    const parts = wordsOutside(text, operator)
    if (parts.length < 2) continue
    const results = parts.map((part) => isSupported(part, skipped, depth + 1))
    return operator === 'or' ? results.includes(true) : !results.includes(false)
  }
  const inside = /^\(([\s\S]*)\)$/.exec(text)?.[1]
  if (inside === undefined) return !/^selector\([\s\S]*:-(?:moz|ms)-/i.test(text)
  const declaration = /^\s*([\w-]+)\s*:/.exec(inside)
  if (declaration === null) return isSupported(inside, skipped, depth + 1)
  const [, name = ''] = declaration
  if (!name.startsWith('--')) skipped.add(`@supports ${name.toLowerCase()}`)
  return declarationsOf(inside).length > 0 && !/^-(?:moz|ms|o)-/i.test(name)
}

/** Splits a condition at a word outside of brackets. */
function wordsOutside(text: string, word: string): string[] {
  const parts: string[] = []
  let current = ''
  for (const part of splitOutside(text.replace(/\s+/g, ' '), ' ')) {
    if (part.toLowerCase() === word) {
      parts.push(current)
      current = ''
    } else current += ` ${part}`
  }
  return [...parts, current]
}

/** Longer selector lists are ignored, so that nested rules do not multiply them without bound. */
const maxSelectors = 5000

/** The selectors of a nested rule. Source: CSS Nesting 1, 3. */
function nestedSelector(prelude: string, parent: string): string {
  const ampersand = parent.includes(',') ? `:is(${parent})` : parent
  const selectors = splitOutside(prelude, ',').map((part) =>
    part.includes('&') ? part.trim().replaceAll('&', () => ampersand) : `${ampersand} ${part.trim()}`,
  )
  const selector = selectors.join(', ')
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
function matchesPaper(condition: string): boolean {
  return condition
    .toLowerCase()
    .split(',')
    .some((query) => {
      const not = /^\s*not\s/.test(query)
      const type = /^\s*(?:only\s+|not\s+)?([a-z]+)/.exec(query.replace(/\(/g, ' ('))?.[1]
      const rightType = type === undefined || ['print', 'all', 'and', 'not', 'or'].includes(type)
      const features = [...query.matchAll(/\(([^()]*)\)/g)].map(([, feature = '']) =>
        hasFeature(feature.trim()),
      )
      const has = /\)\s*or\s*\(/.test(query) ? features.includes(true) : !features.includes(false)
      return (rightType && has) !== not
    })
}

/** What paper is for conditions of `@media` (observed in Chromium). */
const paper: Readonly<Record<string, string>> = {
  orientation: 'portrait',
  'prefers-color-scheme': 'light',
  'prefers-reduced-motion': 'no-preference',
  hover: 'none',
  'any-hover': 'none',
  pointer: 'none',
  'any-pointer': 'none',
  update: 'none',
  'overflow-block': 'paged',
  'color-gamut': 'srgb',
  'forced-colors': 'none',
  'display-mode': 'browser',
  'dynamic-range': 'standard',
  grid: '0',
}
/** Lengths in CSS pixels and resolutions in dots per pixel. */
const paperSizes: Readonly<Record<string, number>> = {
  width: paperPixels,
  height: 1047,
  'device-width': paperPixels,
  'device-height': 1047,
  resolution: 300 / 96,
  color: 8,
}

/** A length in CSS pixels, a resolution in dots per pixel, or a number. */
function quantity(text: string): number {
  const [, number = '', unit = ''] = /^\s*([\d.]+)\s*([a-z]*)\s*$/.exec(text) ?? []
  const units: Readonly<Record<string, number>> = {
    em: 16,
    rem: 16,
    dpi: 1 / 96,
    dpcm: 2.54 / 96,
    cm: 96 / 2.54,
    mm: 9.6 / 2.54,
    in: 96,
    pt: 4 / 3,
  }
  return number === '' ? Number.NaN : Number(number) * (entryOf(units, unit) ?? 1)
}

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
  '=': (a, b) => a === b,
}

function hasFeature(feature: string): boolean {
  const parts = feature.split(/([<>]=?|=)/).map((part) => part.trim())
  if (parts.length > 1) {
    const values = parts.map((part) => entryOf(paperSizes, part) ?? quantity(part))
    return parts.every((sign, index) => {
      const compare = index % 2 === 1 ? entryOf(comparisons, sign) : undefined
      return index % 2 === 0 || compare?.(values[index - 1] ?? 0, values[index + 1] ?? 0) === true
    })
  }
  const [written = '', value] = feature.split(':').map((part) => part.trim())
  const [, bound, name = ''] =
    /^(?:-webkit-)?(?:(min|max)-)?(.*)$/.exec(written.replace('device-pixel-ratio', 'resolution')) ?? []
  const size = entryOf(paperSizes, name)
  if (size === undefined) return value !== undefined && entryOf(paper, written) === value
  if (value === undefined) return true
  const limit = quantity(value)
  return bound === 'min' ? size >= limit : bound === 'max' ? size <= limit : size === limit
}

/**
 * The cascade: computes the style of every element of a page. Source: CSS Cascading and Inheritance Level 4.
 */
import { hintsOf } from './attributes.ts'
import { type Declaration, declarationsOf, longhands } from './declarations.ts'
import {
  attributeOf,
  classesOf,
  type ElementPosition,
  matches,
  type PseudoElement,
  splitOutside,
} from './selector.ts'
import { type CssRule, type PageKind, type PageRule, readSheet } from './sheet.ts'
import { ComputedStyle, type Viewport } from './style.ts'
import { quirkStyles, userAgentStyles } from './user-agent.ts'

/** An element with its style, in a tree with references to the parents. */
export interface StyledElement extends ElementPosition {
  readonly parent: StyledElement | undefined
  readonly style: ComputedStyle
  /** The element stands for the generated content before or after its parent. */
  readonly isGenerated?: boolean
}

/**
 * Maximum number of comparisons of elements with selectors. When it is reached the sheets are ignored, so
 * that a page cannot take minutes.
 */
const maxComparisons = 20_000_000
const maxShared = 1000
const maxVariableDepth = 20
const maxSubstitutions = 1000
const maxValueLength = 2000
const maxContentLength = 10_000
const unknownContent = /(?:^|\s)(?:leader|target-(?:counters?|text)|element|string|content)\(/i

/** The position of the layer of a rule. */
const layerOf = ({ layer = Number.MAX_SAFE_INTEGER }: CssRule): number => layer

/** The longhand properties of a declaration without variables. */
const expandedOf = (declaration: Declaration): ReturnType<typeof longhands> =>
  (declaration.expanded ??= longhands(declaration.name, declaration.value))

/** Indexes rules by a property of the element itself, so that most rules are never compared with it. */
class RuleIndex {
  readonly #byKey = new Map<string, CssRule[]>()

  constructor(rules: readonly CssRule[]) {
    for (const rule of rules) {
      const { id, classes, tag } = rule.selector.last
      const key = id !== undefined ? `#${id}` : classes[0] !== undefined ? `.${classes[0]}` : (tag ?? '*')
      const list = this.#byKey.get(key)
      if (list === undefined) this.#byKey.set(key, [rule])
      else list.push(rule)
    }
  }

  some(fits: (rule: CssRule) => boolean): boolean {
    for (const rules of this.#byKey.values()) if (rules.some(fits)) return true
    return false
  }

  *candidates({ element }: ElementPosition): Generator<CssRule> {
    const { id } = element.properties
    yield* this.#byKey.get('*') ?? []
    yield* this.#byKey.get(element.tagName) ?? []
    for (const name of classesOf(element)) yield* this.#byKey.get(`.${name}`) ?? []
    if (typeof id === 'string') yield* this.#byKey.get(`#${id}`) ?? []
  }
}

/** The texts of the counters of a page at the current position of the cascade. */
export interface CounterTexts {
  /** Applies the counter properties of an element's or generated content's style. */
  apply(style: ComputedStyle): void
  text(name: string, type: string): string
  texts(name: string, between: string, type: string): string
}

export type { RuleIndex }

/** The rules of the user agent, and those that a kind of output adds. `quirks`: for pages without a document type. */
export function userAgentRules(added: string, quirks: boolean): RuleIndex {
  return new RuleIndex(readSheet(userAgentStyles + added + (quirks ? quirkStyles : '')).rules)
}

const userAgent = userAgentRules('', false)
const userAgentInQuirks = userAgentRules('', true)

export class Cascade {
  readonly page: readonly Declaration[]
  readonly marginBoxes: ReadonlyMap<string, readonly Declaration[]>
  readonly pageKinds: ReadonlyMap<PageKind, PageRule>
  /** As those of `Stylesheet`. */
  readonly pageNames: ReadonlySet<string>
  readonly pageName: string | undefined
  /** As that of `Stylesheet`. */
  readonly skipped: ReadonlySet<string>
  /** The declarations of each `@font-face` rule. */
  readonly fontFaces: readonly (readonly Declaration[])[]
  /** What `vw` and `vh` refer to. It is set before the first element gets its style. */
  viewport: Viewport | undefined
  readonly #author: RuleIndex
  /** Number of compound selectors that have been compared with elements. */
  readonly #effort = { left: maxComparisons }
  readonly #shared = new WeakMap<object, Map<string, ComputedStyle>>()
  readonly #top = {}
  readonly #rules: boolean
  readonly #stylesFirstLetters: boolean
  readonly #isCut: boolean

  readonly #userAgent: RuleIndex
  /** The names of properties to which the page gives, somewhere, values that `isDrawn` does not accept. */
  readonly undrawn = new Set<string>()
  readonly #isDrawn: ((name: string, value: string) => boolean) | undefined
  /** The declarations of the page that have been judged. */
  readonly #judged = new Set<Declaration>()
  /** The declarations of `style` attributes by their texts. */
  readonly #inline = new Map<string, readonly Declaration[]>()

  /**
   * `quirks`: the page has no document type. `defaults`: the rules of the user agent. `isDrawn` judges each declaration of the
   * page that applies to an element.
   */
  constructor(
    sheet: string,
    quirks: boolean,
    defaults = quirks ? userAgentInQuirks : userAgent,
    isDrawn?: (name: string, value: string) => boolean,
  ) {
    this.#userAgent = defaults
    this.#isDrawn = isDrawn
    const { rules, page, pageNames, pageName, marginBoxes, pageKinds, fontFaces, isCut, skipped } =
      readSheet(sheet)
    this.skipped = skipped
    this.#isCut = isCut
    this.fontFaces = fontFaces
    this.page = page
    this.marginBoxes = marginBoxes
    this.pageKinds = pageKinds
    this.pageNames = pageNames
    this.pageName = pageName
    this.#rules = rules.length > 0
    this.#stylesFirstLetters = rules.some(({ selector }) => selector.pseudo === 'first-letter')
    this.#author = new RuleIndex(rules)
  }

  /** Whether a rule of the page has a property with such a name. */
  declares(isNamed: (name: string) => boolean): boolean {
    return this.#author.some(({ declarations }) => declarations.some(({ name }) => isNamed(name)))
  }

  /** Whether rules were ignored because there are too many or they need too many comparisons. */
  get gaveUp(): boolean {
    return this.#isCut || this.#isExhausted
  }

  get #isExhausted(): boolean {
    return this.#effort.left <= 0
  }

  styled(position: ElementPosition, parent: StyledElement | undefined): StyledElement {
    return { ...position, parent, style: this.#styleOf(position, parent?.style, undefined) }
  }

  /**
   * The generated text before or after the content of an element, with its style. Without `counters`, counters are
   * omitted from it. `picture`: the data address of a picture in the place of text.
   */
  generated(
    of: StyledElement,
    pseudo: 'before' | 'after',
    counters?: CounterTexts,
  ): { readonly text: string; readonly picture?: string; readonly style: ComputedStyle } | undefined {
    if (!this.#rules && of.element.tagName !== 'q' && of.element.tagName !== 'rt') return undefined
    const style = this.#styleOf(of, of.style, pseudo)
    const content = style.declared('content')
    if (content === undefined || content === 'none' || content === 'normal') return undefined
    // Functions that browsers do not know make the declaration invalid.
    if (unknownContent.test(content)) return undefined
    counters?.apply(style)
    const picture = /^url\(\s*["']?(data:image\/[^"')]+)["']?\s*\)$/i.exec(content.trim())?.[1]
    if (picture !== undefined) return { text: '', picture, style }
    let text = ''
    for (const [, quoted, attribute, call, inside = ''] of content.matchAll(
      /("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')|attr\(\s*([\w-]+)\s*\)|(counters?)\(([^()]*)\)/g,
    )) {
      if (text.length > maxContentLength) break
      if (quoted !== undefined) text += unescaped(quoted.slice(1, -1))
      else if (attribute !== undefined) text += attributeOf(of.element, attribute.toLowerCase()) ?? ''
      else if (counters !== undefined) {
        const [name = '', ...rest] = splitOutside(inside, ',').map((part) => part.trim())
        const type = (call === 'counter' ? rest[0] : rest[1])?.toLowerCase() ?? 'decimal'
        const between = unescaped((rest[0] ?? '').replace(/^(["'])([\s\S]*)\1$/, '$2'))
        text += call === 'counter' ? counters.text(name, type) : counters.texts(name, between, type)
      }
    }
    return { text, style }
  }

  /**
   * The style of the first letter of a block, whose text stands in an element with the style `parent`; undefined if no rule
   * has one for it.
   */
  firstLetter(block: StyledElement, parent: ComputedStyle): ComputedStyle | undefined {
    if (!this.#stylesFirstLetters || this.#matching(this.#author, block, 'first-letter').length === 0)
      return undefined
    return this.#styleOf(block, parent, 'first-letter')
  }

  /** Siblings that match the same rules share one style. */
  #styleOf(
    position: ElementPosition,
    parent: ComputedStyle | undefined,
    pseudo: PseudoElement | undefined,
  ): ComputedStyle {
    const userAgentRules = this.#matching(this.#userAgent, position, pseudo)
    const author = this.#matching(this.#author, position, pseudo)
    const inline = pseudo === undefined ? String(position.element.properties['style'] ?? '') : ''
    const hints = pseudo === undefined ? hintsOf(position) : []
    const orders = (rules: readonly CssRule[]) => rules.map((rule) => rule.order).join(' ')
    const key = `${orders(userAgentRules)}|${orders(author)}|${hints.join(';')}|${inline}`
    const inherited = parent ?? this.#top
    let byKey = this.#shared.get(inherited)
    if (byKey === undefined) this.#shared.set(inherited, (byKey = new Map()))
    const shared = byKey.get(key)
    if (shared !== undefined) return shared
    const computed = this.#compute([userAgentRules, author], hints, this.#inlineOf(inline), parent)
    if (byKey.size < maxShared) byKey.set(key, computed)
    return computed
  }

  #inlineOf(text: string): readonly Declaration[] {
    if (text === '') return []
    const cached = this.#inline.get(text)
    if (cached !== undefined) return cached
    const declarations = declarationsOf(text)
    if (this.#inline.size < maxShared) this.#inline.set(text, declarations)
    return declarations
  }

  #compute(
    [defaultRules, author]: readonly [readonly CssRule[], readonly CssRule[]],
    hints: readonly (readonly [string, string])[],
    inline: readonly Declaration[],
    parent: ComputedStyle | undefined,
  ): ComputedStyle {
    const declared = author.flatMap((rule) => rule.declarations)
    // What is important takes precedence in the reverse order of layers (CSS Cascade 5, 6.1).
    const ranked = author.some(({ layer }) => layer !== undefined)
      ? author.toSorted((a, b) => layerOf(b) - layerOf(a)).flatMap((rule) => rule.declarations)
      : declared
    const unjudged = [
      ...defaultRules.flatMap((rule) => rule.declarations),
      ...hints.map(([name, value]) => ({ name, value, important: false })),
    ]
    const declarations = [
      ...unjudged,
      ...declared.filter((declaration) => !declaration.important),
      ...inline.filter((declaration) => !declaration.important),
      ...ranked.filter((declaration) => declaration.important),
      ...inline.filter((declaration) => declaration.important),
    ]
    const customProperties = declarations.filter((declaration) => declaration.name.startsWith('--'))
    const above = parent?.variables ?? new Map()
    const variables =
      customProperties.length === 0
        ? above
        : new Map([...above, ...customProperties.map(({ name, value }) => [name, value] as const)])
    const values = new Map<string, string>()
    const direction = declarations.findLast(({ name }) => name === 'direction')?.value.toLowerCase()
    const rightToLeft = (direction ?? parent?.word('direction')) === 'rtl'
    let index = -1
    for (const declaration of declarations) {
      index++
      const { name, value } = declaration
      if (name.startsWith('--')) continue
      const resolved = value.includes('var(') ? substituted(value, variables) : value
      if (resolved === undefined) continue
      const expanded =
        resolved === value && !rightToLeft ? expandedOf(declaration) : longhands(name, resolved, rightToLeft)
      for (const [longhand, longhandValue] of expanded) values.set(longhand, longhandValue)
      if (index >= unjudged.length) this.#judge(declaration, expanded)
    }
    return new ComputedStyle(values, variables, parent, this.viewport)
  }

  #judge(declaration: Declaration, expanded: ReturnType<typeof longhands>): void {
    if (this.#isDrawn === undefined || this.#judged.has(declaration)) return
    // A value with variables may be another one for each element.
    if (!declaration.value.includes('var(')) this.#judged.add(declaration)
    for (const [name, value] of expanded)
      if (!this.undrawn.has(name) && !this.#isDrawn(name, value)) this.undrawn.add(name)
  }

  #matching(
    index: RuleIndex,
    position: ElementPosition,
    pseudo: PseudoElement | undefined,
  ): readonly CssRule[] {
    if (this.#isExhausted && index !== this.#userAgent) return []
    const matching: CssRule[] = []
    for (const rule of index.candidates(position))
      if (rule.selector.pseudo === pseudo && matches(rule.selector, position, this.#effort))
        matching.push(rule)
    if (matching.length < 2) return matching
    return matching.sort(
      (a, b) => layerOf(a) - layerOf(b) || a.selector.weight - b.selector.weight || a.order - b.order,
    )
  }
}

/**
 * Replaces `var()`. Returns undefined when the value becomes invalid, or longer than a value may be. Source: CSS Custom
 * Properties Level 1.
 */
function substituted(
  value: string,
  variables: ReadonlyMap<string, string>,
  depth = 0,
  /** Number of substitutions that may still be made, because each may contain many others. */
  effort = { left: maxSubstitutions },
): string | undefined {
  if (depth > maxVariableDepth) return undefined
  let text = ''
  let from = 0
  for (let at = value.indexOf('var('); at >= 0; at = value.indexOf('var(', from)) {
    const end = endOfBracket(value, at + 3)
    const [name = '', ...fallback] = splitOutside(value.slice(at + 4, end), ',')
    const declared = variables.get(name.trim())
    const instead = declared === undefined && fallback.length > 0 ? fallback.join(',').trim() : undefined
    const match = declared ?? instead
    const resolved = match?.includes('var(') ? substituted(match, variables, depth + 1, effort) : match
    if (resolved === undefined || --effort.left <= 0) return undefined
    text += value.slice(from, at) + resolved
    from = end + 1
    if (text.length > maxValueLength) return undefined
  }
  return text + value.slice(from)
}

/** The offset of the bracket that closes the one at an offset. */
function endOfBracket(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at
  }
  return text.length
}

function unescaped(text: string): string {
  return text.replace(/\\(?:([\da-fA-F]{1,6})\s?|([\s\S]))/g, (_, hex, sign) => {
    if (hex === undefined) return String(sign)
    const code = Number.parseInt(String(hex), 16)
    return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
  })
}

/** The cascade: what every element of a page looks like. Source: CSS Cascading and Inheritance Level 4. */
import { hintsOf } from './attributes.ts'
import { type Declaration, declarationsOf, longhands } from './declarations.ts'
import { attributeOf, classesOf, matches, type Place } from './selector.ts'
import { type Rule, readSheet } from './sheet.ts'
import { Style } from './style.ts'
import { quirkStyles, usualStyles } from './usual.ts'

/** Elements with their looks, in a tree that knows its parents. */
export interface Styled extends Place {
  readonly parent: Styled | undefined
  readonly style: Style
}

/** Beyond this many comparisons sheets are passed over: a page must not take minutes. */
const mostComparisons = 20_000_000
const mostShared = 1000
const deepestVariables = 8
const longestValue = 2000

/** Rules by what the element itself must be, so that most are never looked at. */
class Index {
  readonly #byKey = new Map<string, Rule[]>()

  constructor(rules: readonly Rule[]) {
    for (const rule of rules) {
      const { id, classes, tag } = rule.selector.last
      const key = id !== undefined ? `#${id}` : classes[0] !== undefined ? `.${classes[0]}` : (tag ?? '*')
      const list = this.#byKey.get(key)
      if (list === undefined) this.#byKey.set(key, [rule])
      else list.push(rule)
    }
  }

  *candidates({ element }: Place): Generator<Rule> {
    const { id } = element.properties
    yield* this.#byKey.get('*') ?? []
    yield* this.#byKey.get(element.tagName) ?? []
    for (const name of classesOf(element)) yield* this.#byKey.get(`.${name}`) ?? []
    if (typeof id === 'string') yield* this.#byKey.get(`#${id}`) ?? []
  }
}

const usual = new Index(readSheet(usualStyles).rules)
const usualInQuirks = new Index(readSheet(usualStyles + quirkStyles).rules)

export class Cascade {
  readonly page: readonly Declaration[]
  readonly #author: Index
  /** Compounds that were compared with elements. */
  readonly #effort = { left: mostComparisons }
  readonly #shared = new WeakMap<object, Map<string, Style>>()
  readonly #top = {}
  readonly #rules: boolean

  readonly #usual: Index

  /** `quirks`: of a page without a document type. */
  constructor(sheet: string, quirks: boolean) {
    this.#usual = quirks ? usualInQuirks : usual
    const { rules, page } = readSheet(sheet)
    this.page = page
    this.#rules = rules.length > 0
    this.#author = new Index(rules)
  }

  /** Whether sheets were left out because they ask for too much. */
  get gaveUp(): boolean {
    return this.#effort.left <= 0
  }

  styled(place: Place, parent: Styled | undefined): Styled {
    return { ...place, parent, style: this.#styleOf(place, parent?.style, undefined) }
  }

  /** The text that stands before or after what an element holds, and its look. */
  generated(
    of: Styled,
    pseudo: 'before' | 'after',
  ): { readonly text: string; readonly style: Style } | undefined {
    if (!this.#rules && of.element.tagName !== 'q' && of.element.tagName !== 'rt') return undefined
    const style = this.#styleOf(of, of.style, pseudo)
    const content = style.own('content')
    if (content === undefined || content === 'none' || content === 'normal') return undefined
    let text = ''
    for (const [, quoted, name] of content.matchAll(
      /("(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')|attr\(\s*([\w-]+)\s*\)/g,
    ))
      text +=
        quoted === undefined
          ? (attributeOf(of.element, (name ?? '').toLowerCase()) ?? '')
          : unescaped(quoted.slice(1, -1))
    return { text, style }
  }

  /** Elements beside each other that the same rules are about share one look. */
  #styleOf(place: Place, parent: Style | undefined, pseudo: 'before' | 'after' | undefined): Style {
    const usualRules = this.#matching(this.#usual, place, pseudo)
    const author = this.#matching(this.#author, place, pseudo)
    const inline = pseudo === undefined ? String(place.element.properties['style'] ?? '') : ''
    const hints = pseudo === undefined ? hintsOf(place) : []
    const orders = (rules: readonly Rule[]) => rules.map((rule) => rule.order).join(' ')
    const key = `${orders(usualRules)}|${orders(author)}|${hints.join(';')}|${inline}`
    const around = parent ?? this.#top
    let known = this.#shared.get(around)
    if (known === undefined) this.#shared.set(around, (known = new Map()))
    const shared = known.get(key)
    if (shared !== undefined) return shared
    const made = this.#made([usualRules, author], hints, declarationsOf(inline), parent)
    if (known.size < mostShared) known.set(key, made)
    return made
  }

  #made(
    [usualRules, author]: readonly [readonly Rule[], readonly Rule[]],
    hints: readonly (readonly [string, string])[],
    inline: readonly Declaration[],
    parent: Style | undefined,
  ): Style {
    const said = author.flatMap((rule) => rule.declarations)
    const declarations = [
      ...usualRules.flatMap((rule) => rule.declarations),
      ...hints.map(([name, value]) => ({ name, value, important: false })),
      ...said.filter((one) => !one.important),
      ...inline.filter((one) => !one.important),
      ...said.filter((one) => one.important),
      ...inline.filter((one) => one.important),
    ]
    const own = declarations.filter((one) => one.name.startsWith('--'))
    const above = parent?.variables ?? new Map()
    const variables =
      own.length === 0 ? above : new Map([...above, ...own.map(({ name, value }) => [name, value] as const)])
    const values = new Map<string, string>()
    for (const { name, value } of declarations) {
      if (name.startsWith('--')) continue
      const plain = value.includes('var(') ? substituted(value, variables, 0) : value
      if (plain === undefined) continue
      for (const [longhand, one] of longhands(name, plain)) values.set(longhand, one)
    }
    return new Style(values, variables, parent)
  }

  #matching(index: Index, place: Place, pseudo: 'before' | 'after' | undefined): readonly Rule[] {
    if (this.gaveUp && index !== this.#usual) return []
    const found: Rule[] = []
    for (const rule of index.candidates(place))
      if (rule.selector.pseudo === pseudo && matches(rule.selector, place, this.#effort)) found.push(rule)
    if (found.length < 2) return found
    return found.sort((a, b) => a.selector.weight - b.selector.weight || a.order - b.order)
  }
}

/** Source: CSS Custom Properties Level 1. Undefined: the value is no value. */
function substituted(
  value: string,
  variables: ReadonlyMap<string, string>,
  depth: number,
): string | undefined {
  if (depth > deepestVariables || value.length > longestValue) return undefined
  let failed = false
  const text = value.replace(
    /var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\((?:[^()]|\([^()]*\))*\))*))?\)/g,
    (_, name, instead) => {
      const found =
        variables.get(String(name)) ?? (instead === undefined ? undefined : String(instead).trim())
      if (found === undefined) failed = true
      return found ?? ''
    },
  )
  if (failed) return undefined
  return text.includes('var(') ? substituted(text, variables, depth + 1) : text
}

function unescaped(text: string): string {
  return text.replace(/\\(?:([\da-fA-F]{1,6})\s?|([\s\S]))/g, (_, hex, sign) => {
    if (hex === undefined) return String(sign)
    const code = Number.parseInt(String(hex), 16)
    return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
  })
}

/** Selectors: elements, ids, classes, attributes, the structural pseudo-classes, and all four combinators. */
import type { Element } from 'hast'

/** An element with its position in the tree. */
export interface ElementPosition {
  readonly element: Element
  readonly parent: ElementPosition | undefined
  /** The siblings of the element, which is at `index` itself. */
  readonly siblings: readonly Element[]
  readonly index: number
}

export interface Selector {
  readonly last: Compound
  /** The conditions on preceding or enclosing elements, nearest first. */
  readonly before: readonly { readonly combinator: Combinator; readonly compound: Compound }[]
  readonly weight: number
  readonly pseudo?: 'before' | 'after'
}
type Combinator = ' ' | '>' | '+' | '~'
type Test = (place: ElementPosition, effort: { left: number }) => boolean
export interface Compound {
  readonly tag?: string
  readonly id?: string
  readonly classes: readonly string[]
  readonly tests: readonly Test[]
}

const longest = 1000
const maxDepth = 5

/** Parses a list of selectors. Those that are not supported are dropped. */
export function selectorsOf(text: string, depth = 0): readonly Selector[] {
  if (text.length > longest * 10) return []
  return splitOutside(text, ',').flatMap((one) => selectorOf(one.trim(), depth) ?? [])
}

/**
 * Whether an element matches. `effort.left` is the number of comparisons that may still be made; at 0 nothing
 * matches.
 */
export function matches(
  { last, before }: Selector,
  place: ElementPosition,
  effort: { left: number },
): boolean {
  return fits(last, place, effort) && precedes(before, 0, place, effort)
}

function precedes(
  before: Selector['before'],
  at: number,
  place: ElementPosition,
  effort: { left: number },
): boolean {
  const step = before[at]
  if (step === undefined) return true
  const { combinator, compound } = step
  const near = combinator === '>' || combinator === '+'
  const up = combinator === ' ' || combinator === '>'
  for (
    let one = up ? place.parent : previous(place);
    one !== undefined;
    one = up ? one.parent : previous(one)
  ) {
    if (fits(compound, one, effort) && precedes(before, at + 1, one, effort)) return true
    if (near || effort.left <= 0) return false
  }
  return false
}

function fits(
  { tag, id, classes, tests }: Compound,
  place: ElementPosition,
  effort: { left: number },
): boolean {
  if (--effort.left <= 0) return false
  const { tagName, properties } = place.element
  if (tag !== undefined && tag !== tagName) return false
  if (id !== undefined && properties['id'] !== id) return false
  if (classes.length > 0) {
    const own = classesOf(place.element)
    if (!classes.every((name) => own.includes(name))) return false
  }
  return tests.every((test) => test(place, effort))
}

export function classesOf({ properties }: Element): readonly unknown[] {
  const names = properties['className']
  return Array.isArray(names) ? names : []
}

function previous({ siblings, index, parent }: ElementPosition): ElementPosition | undefined {
  const element = siblings[index - 1]
  return element && { element, parent, siblings, index: index - 1 }
}

function selectorOf(text: string, depth: number): Selector | undefined {
  if (text === '' || text.length > longest || depth > maxDepth) return undefined
  const steps: { combinator: Combinator; text: string }[] = []
  let combinator: Combinator = ' '
  for (const part of partsOf(text)) {
    if (/^[>+~\s]+$/.test(part)) combinator = (part.trim()[0] ?? ' ') as Combinator
    else {
      steps.push({ combinator, text: part })
      combinator = ' '
    }
  }
  let weight = 0
  let pseudo: Selector['pseudo']
  const compounds: { combinator: Combinator; compound: Compound }[] = []
  for (const step of steps) {
    const made = compoundOf(step.text, depth)
    if (made === undefined) return undefined
    weight += made.weight
    pseudo = made.pseudo
    compounds.push({ combinator: step.combinator, compound: made.compound })
  }
  const last = compounds.pop()
  if (last === undefined) return undefined
  // Each compound has the combinator that precedes the compound after it.
  const before: Selector['before'][number][] = []
  let between = last.combinator
  for (const { combinator: own, compound } of compounds.toReversed()) {
    before.push({ combinator: between, compound })
    between = own
  }
  return { last: last.compound, before, weight, ...(pseudo && { pseudo }) }
}

/** Splits a selector into compounds and combinators. */
function partsOf(text: string): string[] {
  return (
    text.match(/(?:\[(?:"[^"]*"|'[^']*'|[^\]])*\]|\((?:[^()]|\([^()]*\))*\)|\\.|[^\s>+~[(])+|[\s>+~]+/g) ?? []
  )
}

const piece =
  /^(?:(\*|[a-zA-Z_][\w-]*)|([.#])((?:[\w-]|[^\0-\x7f]|\\.)+)|\[((?:"[^"]*"|'[^']*'|[^\]])*)\]|(::?)([\w-]+)(?:\(((?:[^()]|\([^()]*\))*)\))?)/

function compoundOf(
  text: string,
  depth: number,
): { compound: Compound; weight: number; pseudo?: 'before' | 'after' } | undefined {
  let tag: string | undefined
  let id: string | undefined
  let pseudo: 'before' | 'after' | undefined
  const classes: string[] = []
  const tests: Test[] = []
  let weight = 0
  for (let rest = text; rest !== ''; ) {
    const found = piece.exec(rest)
    if (found === null) return undefined
    const [whole, name, sign, word = '', attribute, , call, inside = ''] = found
    rest = rest.slice(whole.length)
    if (name !== undefined) {
      if (name === '*') continue
      tag = name.toLowerCase()
      weight += 1
    } else if (sign === '#') {
      id = word.replace(/\\/g, '')
      weight += 10_000
    } else if (sign === '.') {
      classes.push(word.replace(/\\/g, ''))
      weight += 100
    } else if (attribute !== undefined) {
      const test = attributeTest(attribute)
      if (test === undefined) return undefined
      tests.push(test)
      weight += 100
    } else if (call === 'before' || call === 'after') pseudo = call
    else {
      const made = pseudoClass(call ?? '', inside, depth)
      if (made === undefined) return undefined
      tests.push(made.test)
      weight += made.weight
    }
  }
  return {
    compound: { ...(tag && { tag }), ...(id && { id }), classes, tests },
    weight,
    ...(pseudo && { pseudo }),
  }
}

function attributeTest(text: string): Test | undefined {
  const found = /^\s*([\w-]+)\s*(?:([~|^$*]?=)\s*("[^"]*"|'[^']*'|[^\s"']+)\s*([iI])?)?\s*$/.exec(text)
  if (found === null) return undefined
  const [, name = '', operator, quoted = '', loose] = found
  const fold = (value: string) => (loose === undefined ? value : value.toLowerCase())
  const wanted = fold(quoted.replace(/^["']|["']$/g, ''))
  return ({ element }) => {
    const value = attributeOf(element, name.toLowerCase())
    if (value === undefined || operator === undefined) return value !== undefined
    const own = fold(value)
    if (operator === '=') return own === wanted
    if (operator === '~=') return own.split(/\s+/).includes(wanted)
    if (operator === '|=') return own === wanted || own.startsWith(`${wanted}-`)
    if (wanted === '') return false
    if (operator === '^=') return own.startsWith(wanted)
    return operator === '$=' ? own.endsWith(wanted) : own.includes(wanted)
  }
}

/** The value of an attribute by its name in the markup; undefined when it is missing. */
export function attributeOf({ properties }: Element, name: string): string | undefined {
  const known = renamed[name]
  const property = known ?? (/^(?:data|aria)-/.test(name) ? camel(name) : undefined)
  let value = property === undefined ? properties[name] : properties[property]
  if (value === undefined && property === undefined && !plainNames.has(name)) {
    const found = Object.keys(properties).find((key) => key.toLowerCase() === name.replaceAll('-', ''))
    value = found === undefined ? undefined : properties[found]
  }
  if (value === undefined || value === null || value === false) return undefined
  if (value === true) return ''
  return Array.isArray(value) ? value.join(' ') : String(value)
}
const renamed: Readonly<Record<string, string>> = {
  class: 'className',
  for: 'htmlFor',
  bgcolor: 'bgColor',
  cellpadding: 'cellPadding',
  cellspacing: 'cellSpacing',
  valign: 'vAlign',
  colspan: 'colSpan',
  rowspan: 'rowSpan',
  'data-page-header': 'dataPageHeader',
  'data-page-footer': 'dataPageFooter',
}
/** Attributes whose name in the tree is the one in the markup. */
const plainNames = new Set(
  'id width height align border rules dir type start value size color face text clear name src alt title span lang'.split(
    ' ',
  ),
)
const camel = (name: string) => name.replace(/-([a-z\d])/g, (_, letter: string) => letter.toUpperCase())

function pseudoClass(
  name: string,
  inside: string,
  depth: number,
): { test: Test; weight: number } | undefined {
  const plain = (test: Test) => ({ test, weight: 100 })
  const only: Test = ({ siblings }) => siblings.length === 1
  const typed = (place: ElementPosition) => ofType(place.siblings, place.element.tagName)
  switch (name.toLowerCase()) {
    case 'root':
      return plain(({ parent }) => parent === undefined)
    case 'first-child':
      return plain(({ index }) => index === 0)
    case 'last-child':
      return plain(({ siblings, index }) => index === siblings.length - 1)
    case 'only-child':
      return plain(only)
    case 'first-of-type':
      return plain((place) => typed(place)[0] === place.element)
    case 'last-of-type':
      return plain((place) => typed(place).at(-1) === place.element)
    case 'only-of-type':
      return plain((place) => typed(place).length === 1)
    case 'nth-child':
      return counted(inside, ({ index }) => index + 1)
    case 'nth-last-child':
      return counted(inside, ({ siblings, index }) => siblings.length - index)
    case 'nth-of-type':
      return counted(inside, (place) => typed(place).indexOf(place.element) + 1)
    case 'nth-last-of-type':
      return counted(inside, (place) => typed(place).length - typed(place).indexOf(place.element))
    case 'empty':
      return plain(({ element }) => element.children.every((child) => child.type === 'comment'))
    case 'link':
    case 'any-link':
      return plain(({ element }) => element.tagName === 'a' && element.properties['href'] !== undefined)
    case 'checked':
      return plain(
        ({ element }) => element.properties['checked'] === true || element.properties['selected'] === true,
      )
    case 'disabled':
      return plain(({ element }) => element.properties['disabled'] === true)
    case 'not':
    case 'is':
    case 'where':
    case 'matches': {
      const inner = selectorsOf(inside, depth + 1)
      if (inner.length === 0) return undefined
      const not = name === 'not'
      const weight = name === 'where' ? 0 : Math.max(...inner.map((one) => one.weight))
      return { test: (place, effort) => inner.some((one) => matches(one, place, effort)) !== not, weight }
    }
    default:
      return undefined
  }
}

const types = new WeakMap<readonly Element[], Map<string, readonly Element[]>>()

/** The siblings that have the same name. */
function ofType(siblings: readonly Element[], name: string): readonly Element[] {
  let known = types.get(siblings)
  if (known === undefined) {
    known = Map.groupBy(siblings, (one) => one.tagName)
    types.set(siblings, known)
  }
  return known.get(name) ?? []
}

/** Parses An+B. Source: CSS Syntax Level 3, 6. */
function counted(
  text: string,
  place: (place: ElementPosition) => number,
): { test: Test; weight: number } | undefined {
  const plain = text.toLowerCase().replace(/\s+/g, '')
  const words: Readonly<Record<string, readonly [number, number]>> = { odd: [2, 1], even: [2, 0] }
  const found = /^([+-]?\d*)n([+-]\d+)?$/.exec(plain)
  const single = /^[+-]?\d+$/.test(plain) ? ([0, Number(plain)] as const) : undefined
  const step = found?.[1]
  const formula =
    words[plain] ??
    single ??
    (found &&
      ([step === '' || step === '+' ? 1 : step === '-' ? -1 : Number(step), Number(found[2] ?? 0)] as const))
  if (!formula) return undefined
  const [a, b] = formula
  const test: Test = (one) => {
    const away = place(one) - b
    return a === 0 ? away === 0 : away % a === 0 && away / a >= 0
  }
  return { test, weight: 100 }
}

/** Splits a text at a character outside of brackets and quotes. */
export function splitOutside(text: string, sign: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const one = text[at] as string
    if (one === '\\') at++
    else if (quote !== '') quote = one === quote ? '' : quote
    else if (one === '"' || one === "'") quote = one
    else if (one === '(' || one === '[') depth++
    else if (one === ')' || one === ']') depth = Math.max(0, depth - 1)
    else if (one === sign && depth === 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

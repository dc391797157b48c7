/** Selectors: elements, ids, classes, attributes, the structural pseudo-classes, and all four combinators. */

import type { Element } from 'hast'
import { entryOf } from '../entry-of.ts'
import { maxOf } from '../extremes.ts'

/** An element with its position in the tree. */
export interface ElementPosition {
  readonly element: Element
  readonly parent: ElementPosition | undefined
  /** The siblings of the element, including itself at `index`. */
  readonly siblings: readonly Element[]
  readonly index: number
}

export interface Selector {
  readonly last: Compound
  /** The conditions on preceding or enclosing elements, nearest first. */
  readonly before: readonly { readonly combinator: Combinator; readonly compound: Compound }[]
  readonly weight: number
  readonly pseudo?: PseudoElement
}
/** The pseudo-elements that rules can style (CSS Pseudo-Elements 4). */
export type PseudoElement = 'before' | 'after' | 'first-letter'
type Combinator = ' ' | '>' | '+' | '~'
type Test = (position: ElementPosition, effort: { left: number }) => boolean
export interface Compound {
  readonly tag?: string
  readonly id?: string
  readonly classes: readonly string[]
  readonly tests: readonly Test[]
}

const maxLength = 1000
const maxDepth = 5

/**
 * Parses a list of selectors. Those that are not supported are dropped, and the names of what makes them so are added to
 * `skipped`, such as `:lang`.
 */
export function selectorsOf(text: string, depth = 0, skipped?: Set<string>): readonly Selector[] {
  if (text.length > maxLength * 10) {
    skipped?.add('selectors')
    return []
  }
  return splitOutside(text, ',').flatMap((part) => selectorOf(part.trim(), depth, skipped) ?? [])
}

/**
 * Whether an element matches. `effort.left` is the number of comparisons that may still be made; at 0 nothing
 * matches.
 */
export function matches(
  { last, before }: Selector,
  position: ElementPosition,
  effort: { left: number },
): boolean {
  return fits(last, position, effort) && precedes(before, 0, position, effort)
}

function precedes(
  before: Selector['before'],
  at: number,
  position: ElementPosition,
  effort: { left: number },
): boolean {
  const step = before[at]
  if (step === undefined) return true
  const { combinator, compound } = step
  const isDirect = combinator === '>' || combinator === '+'
  const up = combinator === ' ' || combinator === '>'
  for (
    let candidate = up ? position.parent : previous(position);
    candidate !== undefined;
    candidate = up ? candidate.parent : previous(candidate)
  ) {
    if (fits(compound, candidate, effort) && precedes(before, at + 1, candidate, effort)) return true
    if (isDirect || effort.left <= 0) return false
  }
  return false
}

/** The cost of an attribute or a pseudo-class test, in comparisons of names. */
const testEffort = 8

function fits(
  { tag, id, classes, tests }: Compound,
  position: ElementPosition,
  effort: { left: number },
): boolean {
  if (--effort.left <= 0) return false
  const { tagName, properties } = position.element
  if (tag !== undefined && tag !== tagName) return false
  if (id !== undefined && properties['id'] !== id) return false
  if (classes.length > 0) {
    const elementClasses = classesOf(position.element)
    if (!classes.every((name) => elementClasses.includes(name))) return false
  }
  return tests.every((test) => {
    effort.left -= testEffort
    return test(position, effort)
  })
}

export function classesOf({ properties }: Element): readonly unknown[] {
  const names = properties['className']
  return Array.isArray(names) ? names : []
}

function previous({ siblings, index, parent }: ElementPosition): ElementPosition | undefined {
  const element = siblings[index - 1]
  return element && { element, parent, siblings, index: index - 1 }
}

function selectorOf(text: string, depth: number, skipped?: Set<string>): Selector | undefined {
  if (text.length > maxLength || depth > maxDepth) skipped?.add('selectors')
  if (text === '' || text.length > maxLength || depth > maxDepth) return undefined
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
    const parsed = compoundOf(step.text, depth, skipped)
    if (parsed === undefined) return undefined
    weight += parsed.weight
    pseudo = parsed.pseudo
    compounds.push({ combinator: step.combinator, compound: parsed.compound })
  }
  const last = compounds.pop()
  if (last === undefined) return undefined
  // Each compound is stored with the combinator that precedes the next compound.
  const before: Selector['before'][number][] = []
  let between = last.combinator
  for (const { combinator: following, compound } of compounds.toReversed()) {
    before.push({ combinator: between, compound })
    between = following
  }
  return { last: last.compound, before, weight, ...(pseudo && { pseudo }) }
}

/** Splits a selector into compounds and combinators. */
function partsOf(text: string): string[] {
  return (
    text.match(
      /(?:\[(?:"[^"]*"|'[^']*'|[^\]])*\]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\\.|[^\s>+~[(])+|[\s>+~]+/g,
    ) ?? []
  )
}

const simpleSelector =
  /^(?:(\*|[a-zA-Z_][\w-]*)|([.#])((?:[\w-]|[^\0-\x7f]|\\.)+)|\[((?:"[^"]*"|'[^']*'|[^\]])*)\]|(::?)([\w-]+)(?:\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\))?)/

function compoundOf(
  text: string,
  depth: number,
  skipped?: Set<string>,
): { compound: Compound; weight: number; pseudo?: PseudoElement } | undefined {
  let tag: string | undefined
  let id: string | undefined
  let pseudo: PseudoElement | undefined
  const classes: string[] = []
  const tests: Test[] = []
  let weight = 0
  for (let rest = text; rest !== ''; ) {
    const match = simpleSelector.exec(rest)
    if (match === null) {
      skipped?.add('selectors')
      return undefined
    }
    const [markup, name, sign, word = '', attribute, colons, call, inside = ''] = match
    rest = rest.slice(markup.length)
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
      if (test === undefined) {
        skipped?.add('selectors')
        return undefined
      }
      tests.push(test)
      weight += 100
    } else if (call === 'before' || call === 'after' || call === 'first-letter') pseudo = call
    else {
      const parsed = pseudoClass(call ?? '', inside, depth)
      if (parsed === undefined) {
        skipped?.add(`${colons}${call?.toLowerCase()}`)
        return undefined
      }
      tests.push(parsed.test)
      weight += parsed.weight
    }
  }
  return {
    compound: { ...(tag && { tag }), ...(id && { id }), classes, tests },
    weight,
    ...(pseudo && { pseudo }),
  }
}

function attributeTest(text: string): Test | undefined {
  const match = /^\s*([\w-]+)\s*(?:([~|^$*]?=)\s*("[^"]*"|'[^']*'|[^\s"']+)\s*([iI])?)?\s*$/.exec(text)
  if (match === null) return undefined
  const [, name = '', operator, quoted = '', loose] = match
  const fold = (value: string) => (loose === undefined ? value : value.toLowerCase())
  const expected = fold(quoted.replace(/^["']|["']$/g, ''))
  return ({ element }) => {
    const value = attributeOf(element, name.toLowerCase())
    if (value === undefined || operator === undefined) return value !== undefined
    const actual = fold(value)
    if (operator === '=') return actual === expected
    if (operator === '~=') return actual.split(/\s+/).includes(expected)
    if (operator === '|=') return actual === expected || actual.startsWith(`${expected}-`)
    if (expected === '') return false
    if (operator === '^=') return actual.startsWith(expected)
    return operator === '$=' ? actual.endsWith(expected) : actual.includes(expected)
  }
}

/** The value of an attribute by its name in the markup; undefined when it is missing. */
export function attributeOf({ properties }: Element, name: string): string | undefined {
  const knownProperty = entryOf(renamed, name)
  const property = knownProperty ?? (/^(?:data|aria)-/.test(name) ? camel(name) : undefined)
  let value = property === undefined ? entryOf(properties, name) : entryOf(properties, property)
  if (value === undefined && property === undefined && !unchangedNames.has(name)) {
    const key = Object.keys(properties).find((key) => key.toLowerCase() === name.replaceAll('-', ''))
    value = key === undefined ? undefined : entryOf(properties, key)
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
/** Attributes whose name in the tree equals that in the markup. */
const unchangedNames = new Set(
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
  const pseudoTest = (test: Test) => ({ test, weight: 100 })
  const only: Test = ({ siblings }) => siblings.length === 1
  const typed = (position: ElementPosition) => ofType(position.siblings, position.element.tagName)
  switch (name.toLowerCase()) {
    case 'root':
      return pseudoTest(({ parent }) => parent === undefined)
    case 'first-child':
      return pseudoTest(({ index }) => index === 0)
    case 'last-child':
      return pseudoTest(({ siblings, index }) => index === siblings.length - 1)
    case 'only-child':
      return pseudoTest(only)
    case 'first-of-type':
      return pseudoTest((position) => typed(position)[0] === position.element)
    case 'last-of-type':
      return pseudoTest((position) => typed(position).at(-1) === position.element)
    case 'only-of-type':
      return pseudoTest((position) => typed(position).length === 1)
    case 'nth-child':
    case 'nth-last-child':
      return countedAmong(inside, name.toLowerCase() === 'nth-last-child', depth)
    case 'nth-of-type':
      return counted(inside, (position) => typed(position).indexOf(position.element) + 1)
    case 'nth-last-of-type':
      return counted(inside, (position) => typed(position).length - typed(position).indexOf(position.element))
    case 'empty':
      return pseudoTest(({ element }) => element.children.every((child) => child.type === 'comment'))
    case 'link':
    case 'any-link':
      return pseudoTest(({ element }) => element.tagName === 'a' && element.properties['href'] !== undefined)
    case 'checked':
      return pseudoTest(
        ({ element }) => element.properties['checked'] === true || element.properties['selected'] === true,
      )
    case 'disabled':
      return pseudoTest(({ element }) => isField(element) && element.properties['disabled'] === true)
    case 'enabled':
      return pseudoTest(({ element }) => isField(element) && element.properties['disabled'] !== true)
    case 'required':
      return pseudoTest(({ element }) => isField(element) && element.properties['required'] === true)
    case 'optional':
      return pseudoTest(({ element }) => isField(element) && element.properties['required'] !== true)
    case 'scope':
      return pseudoTest(({ parent }) => parent === undefined)
    case 'lang':
      return languageTest(inside)
    case 'has':
      return holds(inside, depth)
    case 'not':
    case 'is':
    case 'where':
    case 'matches': {
      const inner = selectorsOf(inside, depth + 1)
      if (inner.length === 0) return undefined
      const not = name === 'not'
      const weight = name === 'where' ? 0 : maxOf(inner.map((selector) => selector.weight))
      return {
        test: (position, effort) => inner.some((selector) => matches(selector, position, effort)) !== not,
        weight,
      }
    }
    default:
      return neverOnPaper.has(name.toLowerCase()) ? pseudoTest(() => false) : undefined
  }
}

/** States that come from the pointer, the keyboard or the address of the page, none of which a print has. */
const neverOnPaper = new Set(
  'hover active focus focus-visible focus-within visited target target-within fullscreen playing paused autofill user-valid user-invalid picture-in-picture modal popover-open'.split(
    ' ',
  ),
)
const fields = new Set('input select textarea button option optgroup fieldset'.split(' '))
const isField = ({ tagName }: Element): boolean => fields.has(tagName)

/** Compares the language of an element, which it takes from those around it. Source: Selectors 4, 7.2. */
function languageTest(inside: string): { test: Test; weight: number } {
  const ranges = splitOutside(inside, ',').map((range) =>
    range
      .trim()
      .replace(/^["']|["']$/g, '')
      .toLowerCase(),
  )
  const test: Test = (position, effort) => {
    for (let at: ElementPosition | undefined = position; at !== undefined; at = at.parent) {
      effort.left -= testEffort
      if (effort.left <= 0) return false
      const language = attributeOf(at.element, 'lang')?.toLowerCase()
      if (language !== undefined)
        return ranges.some((range) => language === range || language.startsWith(`${range}-`))
    }
    return false
  }
  return { test, weight: 100 }
}

/** Counts an element among its siblings, or among those that match the selectors after `of`. Source: Selectors 4, 13.3. */
function countedAmong(
  inside: string,
  fromEnd: boolean,
  depth: number,
): { test: Test; weight: number } | undefined {
  const [, formula = '', of] = /^([\s\S]*?)(?:\sof\s([\s\S]*))?$/i.exec(inside) ?? []
  if (of === undefined)
    return counted(formula, ({ siblings, index }) => (fromEnd ? siblings.length - index : index + 1))
  const among = selectorsOf(of, depth + 1)
  if (among.length === 0) return undefined
  const fitsOne = (position: ElementPosition, effort: { left: number }): boolean =>
    among.some((selector) => matches(selector, position, effort))
  let effort = { left: 0 }
  const counts = counted(formula, ({ siblings, index, parent }) => {
    let count = 0
    const step = fromEnd ? 1 : -1
    for (let at = index; at >= 0 && at < siblings.length && effort.left > 0; at += step) {
      const element = siblings[at]
      if (element !== undefined && fitsOne({ element, parent, siblings, index: at }, effort)) count++
    }
    return count
  })
  if (counts === undefined) return undefined
  return {
    test: (position, budget) => {
      effort = budget
      return fitsOne(position, budget) && counts.test(position, budget)
    },
    weight: counts.weight + maxOf(among.map((selector) => selector.weight)),
  }
}

/** Tests for a descendant or a following sibling (`:has()`). Source: Selectors 4, 4.5. */
function holds(inside: string, depth: number): { test: Test; weight: number } | undefined {
  if (depth > 0) return undefined
  const options = splitOutside(inside, ',').map((option) => {
    const [, combinator = ' ', rest = ''] = /^\s*([>+~]?)\s*([\s\S]*)$/.exec(option) ?? []
    return { combinator, selectors: selectorsOf(rest, depth + 1) }
  })
  if (options.some(({ selectors }) => selectors.length === 0)) return undefined
  const weight = maxOf(options.flatMap(({ selectors }) => selectors.map((selector) => selector.weight)))
  return {
    weight,
    test: (position, effort) =>
      options.some(({ combinator, selectors }) =>
        someBeside(position, combinator, effort, (candidate) =>
          selectors.some((selector) => matches(selector, candidate, effort)),
        ),
      ),
  }
}

/** Whether a test matches an element that a combinator reaches. */
function someBeside(
  position: ElementPosition,
  combinator: string,
  effort: { left: number },
  test: (elementPosition: ElementPosition) => boolean,
): boolean {
  if (combinator === '+' || combinator === '~') {
    const { siblings, parent } = position
    const end = combinator === '+' ? position.index + 2 : siblings.length
    for (let index = position.index + 1; index < end && effort.left > 0; index++) {
      const element = siblings[index]
      if (element !== undefined && test({ element, parent, siblings, index })) return true
    }
    return false
  }
  const siblings = position.element.children.filter((child): child is Element => child.type === 'element')
  return siblings.some((element, index) => {
    effort.left -= 1
    if (effort.left <= 0) return false
    const sibling = { element, parent: position, siblings, index }
    return test(sibling) || (combinator !== '>' && someBeside(sibling, combinator, effort, test))
  })
}

const types = new WeakMap<readonly Element[], Map<string, readonly Element[]>>()

/** The siblings that have the same name. */
function ofType(siblings: readonly Element[], name: string): readonly Element[] {
  let byType = types.get(siblings)
  if (byType === undefined) {
    byType = Map.groupBy(siblings, (sibling) => sibling.tagName)
    types.set(siblings, byType)
  }
  return byType.get(name) ?? []
}

/** Parses An+B. Source: CSS Syntax Level 3, 6. */
function counted(
  text: string,
  position: (position: ElementPosition) => number,
): { test: Test; weight: number } | undefined {
  const compact = text.toLowerCase().replace(/\s+/g, '')
  const keywords: Readonly<Record<string, readonly [number, number]>> = { odd: [2, 1], even: [2, 0] }
  const match = /^([+-]?\d*)n([+-]\d+)?$/.exec(compact)
  const single = /^[+-]?\d+$/.test(compact) ? ([0, Number(compact)] as const) : undefined
  const step = match?.[1]
  const formula =
    entryOf(keywords, compact) ??
    single ??
    (match &&
      ([step === '' || step === '+' ? 1 : step === '-' ? -1 : Number(step), Number(match[2] ?? 0)] as const))
  if (!formula) return undefined
  const [a, b] = formula
  const test: Test = (element) => {
    const offset = position(element) - b
    return a === 0 ? offset === 0 : offset % a === 0 && offset / a >= 0
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
    const character = text[at] as string
    if (character === '\\') at++
    else if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '(' || character === '[') depth++
    else if (character === ')' || character === ']') depth = Math.max(0, depth - 1)
    else if (character === sign && depth === 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

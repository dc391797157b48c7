/**
 * Colours from data, for every format: which tags colour which elements, and how their values reach properties that are
 * written before the tag. A tag is moved to the beginning of the element that it colours, and stores its value in the render
 * scope. Source: template language 22.4.
 */

import { entryOf } from '../../entry-of.ts'
import { pushAll } from '../../push-all.ts'
import { withoutAttribute } from '../../xml/elements.ts'
import { ColorValue } from '../formatters/formatter.ts'
import { nest } from '../nest/tree.ts'
import type { ElementToken, TagToken, Token } from '../scan/tokens.ts'
import { type RenderScope, type ScopeKey, scopeKey } from '../scope.ts'

/** The element that a `:color` tag applies to. */
export type ColorTarget = 'p' | 'cell' | 'row' | 'shape' | 'part' | 'page'
/** Which colour of its target a `:color` tag sets. */
export type ColorType = 'text' | 'background' | 'highlight' | 'border'

/** A tag that sets a colour, and the key under which the colour is stored. */
export interface ColorSource {
  readonly target: ColorTarget
  readonly type: ColorType
  /** The element that is coloured: the indexes of its opening and closing token. */
  readonly open: number
  readonly close: number
  readonly key: ScopeKey<string>
}

const call = /:color(?:\(([^()]*)\))?$/
const targets: Readonly<Record<string, ColorTarget>> = {
  p: 'p',
  paragraph: 'p',
  cell: 'cell',
  row: 'row',
  shape: 'shape',
  part: 'part',
  page: 'page',
}
const types: readonly string[] = ['text', 'background', 'highlight', 'border'] satisfies readonly ColorType[]
const order: readonly ColorTarget[] = ['part', 'p', 'shape', 'cell', 'row', 'page']

/** The maximum number of tags that colour one element. Further tags have no effect. */
const maxTags = 64

export interface ColorBindings {
  readonly sources: readonly ColorSource[]
  readonly match: Int32Array
  readonly parent: Int32Array
  /** The keys of the sources whose element is token `at` or contains it, the nearest target first. */
  enclosing(at: number, matches: (source: ColorSource) => boolean): readonly ScopeKey<string>[]
  /** Removes and returns the tags of the element at `at`, to be written before its opening tag, which depends on them. */
  lead(at: number): readonly Token[]
  /** Inserts all tags that `lead` did not return after the opening tags of their elements. */
  settle(): void
}

/**
 * Finds the colour tags of a part. `elements` names the elements that each target means; a target without such an element around
 * the tag colours nothing. `edits` takes the tags out of the text; `lead` or `settle` put them where they belong.
 *
 * measured    the values are needed before anything is written
 * before      an element before which its tags are put, because its content decides what it is
 * boundaries  elements whose content only shapes around them may colour: a text box is not part of the paragraph it is anchored in
 */
export function findColors(
  tokens: readonly Token[],
  elements: Readonly<Record<ColorTarget, readonly string[]>>,
  edits: Edits,
  { measured = false, before = '', boundaries = [] as readonly string[] } = {},
): ColorBindings | undefined {
  if (!tokens.some((token) => token.kind === 'tag' && call.test(token.text))) return undefined
  const { match, parent } = nest(tokens)
  const sources: ColorSource[] = []
  const leads = new Map<number, Token[]>()
  const byHolder = new Map<number, ColorSource[]>() // target element -> the tags for it
  tokens.forEach((token, index) => {
    if (token.kind !== 'tag') return
    const callMatch = call.exec(token.text)
    if (callMatch === null) return
    const [target = '', type = ''] = (callMatch[1] ?? '')
      .split(',')
      .map((arg) => arg.replace(/^\s*'?|'?\s*$/g, ''))
    const targetElement = entryOf(targets, target) ?? 'p'
    const holder = ancestor(tokens, parent, index, elements[targetElement])
    const holderSources = byHolder.get(holder) ?? []
    if (holder < 0 || holderSources.length >= maxTags) return
    let open = holder
    // In a loop inside one paragraph, the item from here on is coloured, and not the paragraph around all items.
    const end = targetElement === 'p' ? loopEnd(tokens, index, match[open] ?? 0) : -1
    if (end >= 0) open = ancestor(tokens, parent, index, elements.part)
    if (open < 0) return
    edits.replace(index, index + 1, [])
    const key = scopeKey<string>('colour')
    const source: ColorSource = {
      target: targetElement,
      type: (types.includes(type) ? type : 'text') as ColorType,
      open,
      close: end >= 0 ? end : (match[open] ?? 0),
      key,
    }
    sources.push(source)
    holderSources.push(source)
    byHolder.set(holder, holderSources)
    const slotTokens = slot(token, key, measured)
    if ((tokens[open] as ElementToken).name === before) edits.insert(open, slotTokens)
    else leads.set(open, [...(leads.get(open) ?? []), ...slotTokens])
  })
  const enclosing: ColorBindings['enclosing'] = (index, matches) => {
    const reaching: ColorSource[] = []
    let isOutside = false
    for (let holder = index; holder >= 0; holder = parent[holder] ?? 0) {
      for (const source of byHolder.get(holder) ?? []) {
        const reaches = !isOutside || source.target === 'shape'
        if (reaches && source.open <= index && index <= source.close && matches(source)) reaching.push(source)
      }
      isOutside ||= boundaries.length > 0 && boundaries.includes((tokens[holder] as ElementToken).name)
    }
    return reaching
      .sort((a, b) => order.indexOf(a.target) - order.indexOf(b.target) || b.open - a.open)
      .map(({ key }) => key)
  }
  const lead = (index: number) => {
    const leadTokens = leads.get(index) ?? []
    leads.delete(index)
    return leadTokens
  }
  const settle = () => {
    for (const [open, leadTokens] of leads) edits.insert(endOfStart(tokens, open), leadTokens)
    leads.clear()
  }
  return { sources, match, parent, enclosing, lead, settle }
}

function ancestor(
  tokens: readonly Token[],
  parent: Int32Array,
  index: number,
  names: readonly string[],
): number {
  let open = parent[index] ?? 0
  while (open >= 0 && !names.includes((tokens[open] as ElementToken).name)) open = parent[open] ?? 0
  return open
}

/** The next tag that ends a loop, before `close`; -1 when there is none. */
function loopEnd(tokens: readonly Token[], start: number, close: number): number {
  for (let n = start; n < close; n += 1) {
    const token = tokens[n]
    if (token === undefined) break
    if (token.kind === 'tag' && /\[[^\]]*\bi\s*\+\s*1/.test(token.text)) return n
  }
  return -1
}

/** The index after the opening tag that begins at a token. It consists of several tokens if its attributes contain tags. */
export function endOfStart(tokens: readonly Token[], start: number): number {
  const open = tokens[start] as ElementToken
  if (open.raw.endsWith('>')) return start + 1
  for (let n = start + 1; n < tokens.length; n += 1) {
    const token = tokens[n]
    if (token === undefined) break
    if (token.kind === 'text' && token.raw.endsWith('>')) return n + 1
    if (token.kind !== 'text' && token.kind !== 'tag' && token.kind !== 'computed') return n
  }
  return start + 1
}

function slot(tag: TagToken, key: ScopeKey<string>, measured: boolean): Token[] {
  // A tag that is excluded by its own filter sets no colour. Delete that of the previous copy, so that it is not used again.
  const forget = (scope: RenderScope) => void scope.delete(key)
  return [
    {
      kind: 'computed',
      offset: tag.offset,
      hidden: true,
      compute: (scope) => {
        forget(scope)
        return ''
      },
      ...(measured ? { measure: forget } : {}),
    },
    {
      ...tag,
      hidden: true,
      ...(measured ? { measured: true } : {}),
      output: (value, _text, scope) => {
        if (value instanceof ColorValue) scope.set(key, value.hex)
        return ''
      },
    },
  ]
}

/** The colour that applies, as six upper-case digits: that of the nearest target that has one. */
export function chosen(scope: RenderScope, keys: readonly ScopeKey<string>[]): string | undefined {
  for (const key of keys) {
    const hex = scope.get(key)
    if (hex !== undefined) return hex
  }
  return undefined
}

/** Collects changes to a list of tokens, by the indexes that the tokens have before any change. */
export class Edits {
  readonly #inserted = new Map<number, Token[]>()
  readonly #replaced = new Map<number, { readonly stop: number; readonly tokens: readonly Token[] }>()

  /** Inserts tokens before the token at `index`, after those that were inserted there earlier. */
  insert(index: number, tokens: readonly Token[]): void {
    const inserted = this.#inserted.get(index)
    if (inserted === undefined) this.#inserted.set(index, [...tokens])
    else pushAll(inserted, tokens)
  }

  replace(start: number, stop: number, tokens: readonly Token[]): void {
    this.#replaced.set(start, { stop, tokens })
  }

  isReplaced(index: number): boolean {
    return this.#replaced.has(index)
  }

  apply(tokens: readonly Token[]): readonly Token[] {
    if (this.#inserted.size === 0 && this.#replaced.size === 0) return tokens
    const result: Token[] = []
    for (let index = 0; index <= tokens.length; ) {
      pushAll(result, this.#inserted.get(index) ?? [])
      const replaced = this.#replaced.get(index)
      if (replaced !== undefined) {
        pushAll(result, replaced.tokens)
        index = replaced.stop
        continue
      }
      if (index < tokens.length) result.push(tokens[index]!)
      index += 1
    }
    return result
  }
}

/** An attribute computed while rendering. `write` returns it with a leading blank, or an empty text to omit it. */
export interface ComputedAttribute {
  readonly attribute: string
  /** `before` is the current value of the attribute. */
  readonly write: (scope: RenderScope, before: string | undefined) => string
  readonly measure?: (scope: RenderScope) => void
}

/** The tokens of an opening tag with computed attributes. The `lead` tokens come before these, inside the opening tag. */
export function withAttributes(
  token: ElementToken,
  lead: readonly Token[],
  attributes: readonly ComputedAttribute[],
): Token[] {
  const { name, offset } = token
  let raw = token.raw
  const computed = attributes.map(({ attribute, write, measure }): Token => {
    const match = new RegExp(`\\s${attribute}\\s*=\\s*("[^"]*"|'[^']*')`).exec(raw)
    const before = match === null ? undefined : (match[1] ?? '').slice(1, -1)
    if (match !== null) raw = raw.slice(0, match.index) + raw.slice(match.index + match[0].length)
    const compute = (scope: RenderScope) => write(scope, before)
    return { kind: 'computed', offset, hidden: true, compute, ...(measure === undefined ? {} : { measure }) }
  })
  const end = /\s*\/?>$/.exec(raw)
  if (end === null) {
    // An attribute with tags follows, so the new attributes are inserted before all others.
    const head = `<${name}`
    return [
      { kind: 'open', name, raw: head, offset },
      ...lead,
      ...computed,
      { kind: 'text', raw: raw.slice(head.length), offset, markup: true },
    ]
  }
  const open: Token = { kind: 'open', name, raw: raw.slice(0, end.index), offset }
  const close: Token =
    token.kind === 'void'
      ? { kind: 'close', name, raw: '/>', offset }
      : { kind: 'text', raw: '>', offset, markup: true }
  return [open, ...lead, ...computed, close]
}

/**
 * Attributes that are marked first and replaced later. In between, other code splits the elements, and the marks move
 * with their markup.
 */
export class MarkerTexts {
  readonly #writes: ((scope: RenderScope) => string)[] = []
  readonly #measures: ((scope: RenderScope) => void)[] = []

  /** Returns an element's opening tag with a marker as the value of an attribute; `write` returns the entire attribute. */
  set(
    token: ElementToken,
    attribute: string,
    write: (scope: RenderScope) => string,
    measure?: (scope: RenderScope) => void,
  ): Token {
    const index = this.#writes.push(write) - 1
    this.#measures[index] = measure ?? (() => undefined)
    const rawWithout = withoutAttribute(token.raw, attribute)
    const head = `<${token.name}`
    return { ...token, raw: `${head} ${attribute}="\u0001${index}\u0001"${rawWithout.slice(head.length)}` }
  }

  fill(tokens: readonly Token[]): readonly Token[] {
    if (this.#writes.length === 0) return tokens
    return tokens.flatMap((token) =>
      'raw' in token && token.raw.includes('\u0001') ? this.#split(token) : [token],
    )
  }

  #split(token: Exclude<Token, { kind: 'tag' | 'computed' }>): Token[] {
    const { raw, offset } = token
    const marker = raw.indexOf('\u0001')
    const markerEnd = raw.indexOf('\u0001', marker + 1)
    const index = Number(raw.slice(marker + 1, markerEnd))
    const computed: Token = {
      kind: 'computed',
      offset,
      hidden: true,
      compute: this.#writes[index]!,
      measure: this.#measures[index]!,
    }
    // `set` writes a space before the attribute, and a quote after the marker.
    const head = raw.slice(0, raw.lastIndexOf(' ', marker))
    const following = raw.slice(markerEnd + 2)
    if (token.kind === 'text') return [{ ...token, raw: head }, computed, { ...token, raw: following }]
    const open: Token = { ...token, kind: 'open', raw: head }
    if (token.kind !== 'void') return [open, computed, { kind: 'text', raw: following, offset, markup: true }]
    return [
      open,
      computed,
      { kind: 'text', raw: following.replace(/\/>$/, ''), offset, markup: true },
      { kind: 'close', name: token.name, raw: '/>', offset },
    ]
  }
}

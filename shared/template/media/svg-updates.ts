/**
 * Attributes of SVG shapes that are set by tags in comments. The tags run in the measuring pass, because a shape may precede
 * the tag that changes it. Source: template language 22.9.
 */

import { pushAll } from '../../push-all.ts'
import { attributeOf } from '../../xml/elements.ts'
import { escapeFor } from '../emit/escape.ts'
import { SvgUpdate } from '../formatters/formatter.ts'
import { nest } from '../nest/tree.ts'
import type { ElementToken, TagToken, Token } from '../scan/tokens.ts'
import { type RenderScope, type ScopeKey, scopeKey } from '../scope.ts'

const call = /:svg(?:Selective)?Update\(/
const shapes = new Set(['rect', 'circle', 'line', 'ellipse', 'polygon', 'polyline', 'path'])

/** The maximum number of attributes that may be set for one id. */
const maxUpdates = 100

/** Id of an element -> the attributes that tags set on it or on the shapes inside it. */
type Updates = Map<string, SvgUpdate[]>

/** Binds tags that change parts of an SVG picture by a selector. Returns the same tokens if there are none. */
export function bindSvgUpdates(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some((token) => token.kind === 'tag' && call.test(token.text))) return tokens
  const key = scopeKey<Updates>('attributes of shapes')
  /** Set once the part is being written: the tags have run in the measuring pass and must not run again. */
  const isComplete = scopeKey<true>('attributes of shapes are complete')
  const result: Token[] = [
    {
      kind: 'computed',
      offset: 0,
      hidden: true,
      measure: (scope) => scope.set(key, new Map()),
      compute: (scope) => {
        scope.set(isComplete, true)
        return ''
      },
    },
  ]
  const store: NonNullable<TagToken['output']> = (value, _text, scope) => {
    if (!(value instanceof SvgUpdate) || scope.has(isComplete)) return ''
    const updates = scope.require(key)
    const existing = updates.get(value.selector)
    if (existing === undefined) updates.set(value.selector, [value])
    else {
      const earlier = existing.findIndex(
        ({ attribute, type }) => attribute === value.attribute && type === value.type,
      )
      if (earlier >= 0) existing.splice(earlier, 1)
      if (existing.length < maxUpdates) existing.push(value)
    }
    return ''
  }
  const { parent } = nest(tokens)
  const ids = tokens.map((token) => idOf(token))
  tokens.forEach((token, index) => {
    if (token.kind === 'tag' && call.test(token.text))
      pushAll(result, everyItem({ ...token, hidden: true, measured: true, output: store }))
    else if (
      (token.kind === 'open' || token.kind === 'void') &&
      shapes.has(localName(token)) &&
      /\/?>$/.test(token.raw)
    )
      pushAll(result, shape(token, chain(ids, parent, index), key))
    else result.push(token)
  })
  return result
}

const localName = ({ name }: ElementToken): string => name.slice(name.indexOf(':') + 1)
const idOf = (token: Token): string | undefined =>
  token.kind === 'open' || token.kind === 'void' ? attributeOf(token.raw, 'id') : undefined

/** The ids of an element and of those around it, the nearest first; undefined for an element without any. */
function chain(
  ids: readonly (string | undefined)[],
  parent: Int32Array,
  index: number,
): (string | undefined)[] {
  const chainIds: (string | undefined)[] = []
  for (let n = index; n >= 0; n = parent[n] ?? 0) chainIds.push(ids[n])
  return chainIds
}

function selects(type: string, distance: number): boolean {
  const typeName = type.replace(/\s+/g, ' ').trim()
  if (typeName === 'id') return distance === 0
  if (typeName === 'id > *' || typeName === 'id>*') return distance === 1
  return typeName === 'id *' || typeName === 'id*' ? distance > 0 : true
}

function shape(token: ElementToken, ids: readonly (string | undefined)[], key: ScopeKey<Updates>): Token[] {
  const compute = (scope: RenderScope): string => {
    const updates = scope.require(key)
    let { raw } = token
    // Updates are applied from the outside in, so that one that names the shape itself takes precedence.
    for (let distance = ids.length - 1; distance >= 0; distance -= 1) {
      const id = ids[distance]
      for (const update of id === undefined ? [] : (updates.get(id) ?? []))
        if (selects(update.type, distance)) raw = withAttribute(raw, update)
    }
    return raw
  }
  const { name, offset } = token
  const computed: Token = { kind: 'computed', offset, compute }
  return token.kind === 'void' ? [computed] : [{ kind: 'open', name, raw: '', offset }, computed]
}

/**
 * Sets an attribute and removes the property from the style, which would take precedence. Attributes that run scripts or link
 * are not set.
 */
function withAttribute(raw: string, { attribute, value }: SvgUpdate): string {
  if (!/^[a-z_][\w:.-]*$/i.test(attribute) || /^on/i.test(attribute) || /href$/i.test(attribute)) return raw
  const styled = raw.replace(
    /(\sstyle\s*=\s*)(["'])([^"']*)\2/,
    (_, head: string, quote: string, style: string) => {
      const otherRules = style.split(';').filter((rule) => rule.replace(/:.*/s, '').trim() !== attribute)
      return `${head}${quote}${otherRules.join(';')}${quote}`
    },
  )
  const newAttribute = ` ${attribute}="${escapeFor('attribute', value)}"`
  const pattern = new RegExp(`\\s${attribute.replace(/[.]/g, '\\.')}\\s*=\\s*("[^"]*"|'[^']*')`)
  if (pattern.test(styled)) return styled.replace(pattern, () => newAttribute)
  return styled.replace(/\s*(\/?>)$/, (_, end: string) => newAttribute + end)
}

const selector = /\[([^\]]*)\]/g
const isEvery = (inside: string): boolean =>
  !/^\s*-?\d+\s*$/.test(inside) && !/\b[iI]\s*(?:[,+\]]|$)/.test(inside)

/** A tag whose path covers all items of a list becomes a loop, so that it runs once for each item. */
function everyItem(tag: TagToken): Token[] {
  const end = tag.text.search(call)
  const path = tag.text.slice(0, end)
  if (![...path.matchAll(selector)].some(([, inside = '']) => isEvery(inside))) return [tag]
  const formatterChain = tag.text.slice(end)
  const begin = path.replace(selector, (brackets, inside: string) => {
    if (!isEvery(inside)) return brackets
    return inside.trim() === '' ? '[i]' : `[i,${inside}]`
  })
  const marker = path.replace(selector, (brackets, inside: string) => (isEvery(inside) ? '[i+1]' : brackets))
  const { offset } = tag
  const inElement = (text: string): Token[] => [
    { kind: 'open', name: 'update', raw: '', offset },
    { ...tag, text: text + formatterChain },
    { kind: 'close', name: 'update', raw: '', offset },
  ]
  return [...inElement(begin), ...inElement(marker)]
}

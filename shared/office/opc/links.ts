/**
 * Links with tags: their address stands in a relationship, which is written once, while the link may repeat. The
 * address is moved into the attribute that named the relationship; there the compiler finds its tags, and each written
 * copy takes a relationship of its own. Source: template language 22.6; ECMA-376-2, clause 6.5.
 */
import { tokensOfLink } from '../../template/media/tokens.ts'
import type { TemplatePart } from '../../template/package.ts'
import type { Token } from '../../template/scan/tokens.ts'
import type { Additions } from './additions.ts'
import { relationsOf } from './names.ts'

/** Attributes that name a relationship, whatever their prefix: as `FormatRules.addresses` takes them. */
const relationAttribute = /^\w+:(?:id|link|pict)$/

export interface MovedLinks {
  readonly parts: readonly TemplatePart[]
  readonly rewritten: ReadonlyMap<string, string>
}

const relationship = /<(?:\w+:)?Relationship\b(?:[^>"']|"[^"]*"|'[^']*')*>/g
const value = (element: string, name: string): string =>
  new RegExp(`\\s${name}=(["'])(.*?)\\1`, 's').exec(element)?.[2] ?? ''

export function moveLinks(parts: readonly TemplatePart[]): MovedLinks {
  const byName = new Map(parts.map((part) => [part.name, part]))
  const rewritten = new Map<string, string>()
  for (const owner of parts) {
    const path = relationsOf(owner.name)
    const relations = byName.get(path)
    if (relations === undefined) continue
    const targets = new Map<string, string>()
    const left = relations.text.replace(relationship, (element) => {
      const target = value(element, 'Target')
      if (value(element, 'TargetMode') !== 'External' || !/\{|%7b/i.test(target)) return element
      if (!value(element, 'Type').endsWith('/hyperlink')) return element
      targets.set(value(element, 'Id'), target.replaceAll('"', '&quot;'))
      return ''
    })
    if (targets.size === 0) continue
    rewritten.set(path, left)
    byName.set(path, { ...relations, text: left })
    const text = owner.text.replace(
      /(\s\w+:(?:id|link|pict)=)(["'])([^"']*)\2/g,
      (whole, head, _quote, id) => (targets.has(id) ? `${head}"${targets.get(id)}"` : whole),
    )
    byName.set(owner.name, { ...owner, text })
  }
  return { parts: parts.map(({ name }) => byName.get(name)!), rewritten }
}

/** Gives each written copy of a link with tags its relationship; a link without a usable address loses it. */
export function relateLinks(part: string, tokens: readonly Token[], additions: Additions): readonly Token[] {
  const out: Token[] = []
  let changed = false
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]!
    const found = tokensOfLink(tokens, at, relationAttribute, (address, name, scope) => {
      if (address !== undefined) return ` ${name}="${additions.link(scope, part, address)}"`
      // A click on a shape must name a relationship; an empty one leads nowhere.
      return 'name' in token && token.name.endsWith(':hyperlink') ? '' : ` ${name}=""`
    })
    if (found === undefined) {
      out.push(token)
      at += 1
    } else {
      out.push(...found.tokens)
      at = found.next
      changed = true
    }
  }
  return changed ? out : tokens
}

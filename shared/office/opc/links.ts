/**
 * Links with tags. Their address is in a relationship, which is written once, while the link may repeat. The address
 * is therefore moved into the attribute that referred to the relationship: there the compiler finds its tags, and
 * each copy of the link gets a relationship of its own. Source: template language 22.6; ECMA-376-2, clause 6.5.
 */

import { pushAll } from '../../push-all.ts'
import { tokensOfLink } from '../../template/media/tokens.ts'
import type { Token } from '../../template/scan/tokens.ts'
import type { TemplatePart } from '../../template/template-part.ts'
import { escapeAttribute } from '../../xml/markup.ts'
import type { Additions } from './additions.ts'
import { relationsOf } from './names.ts'
import { withoutRelationships } from './relationships.ts'

/** Attributes that refer to a relationship, with any prefix, in the form of `FormatRules.addresses`. */
const relationAttribute = /^\w+:(?:id|link|pict)$/

/** The parts after their links were moved, and the relationships that changed, by name. */
export interface MovedLinks {
  readonly parts: readonly TemplatePart[]
  readonly rewritten: ReadonlyMap<string, string>
}

/**
 * Moves addresses with tags from the relationships into the parts that use them, where their tags are inside the
 * loops around the link.
 */
export function moveLinks(parts: readonly TemplatePart[]): MovedLinks {
  const byName = new Map(parts.map((part) => [part.name, part]))
  const rewritten = new Map<string, string>()
  for (const owner of parts) {
    const path = relationsOf(owner.name)
    const relations = byName.get(path)
    if (relations === undefined) continue
    const targets = new Map<string, string>()
    const remaining = withoutRelationships(relations.text, ({ id, type, target, isExternal }) => {
      if (!isExternal || !/\{|%7b/i.test(target) || !type.endsWith('/hyperlink')) return false
      targets.set(id, escapeAttribute(target))
      return true
    })
    if (targets.size === 0) continue
    rewritten.set(path, remaining)
    byName.set(path, { ...relations, text: remaining })
    const text = owner.text.replace(
      /(\s\w+:(?:id|link|pict)=)(["'])([^"']*)\2/g,
      (attribute, head, _quote, id) => (targets.has(id) ? `${head}"${targets.get(id)}"` : attribute),
    )
    byName.set(owner.name, { ...owner, text })
  }
  return { parts: parts.map(({ name }) => byName.get(name)!), rewritten }
}

/** Creates a relationship for each written copy of a link with tags; a link without a usable address is removed. */
export function relateLinks(part: string, tokens: readonly Token[], additions: Additions): readonly Token[] {
  const result: Token[] = []
  let changed = false
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index]
    if (token === undefined) break
    const link = tokensOfLink(tokens, index, relationAttribute, (address, name, scope) => {
      if (address !== undefined) return ` ${name}="${additions.link(scope, part, address)}"`
      // The click action of a shape must refer to a relationship; an empty one has no target.
      return 'name' in token && token.name.endsWith(':hyperlink') ? '' : ` ${name}=""`
    })
    if (link === undefined) {
      result.push(token)
      index += 1
    } else {
      pushAll(result, link.tokens)
      index = link.next
      changed = true
    }
  }
  return changed ? result : tokens
}

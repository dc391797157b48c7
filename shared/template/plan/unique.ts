/** Attributes of repeated elements that must not repeat, such as ids, become nodes that give each copy a number of its own. */

import { findAttribute, withoutAttributes } from '../../xml/elements.ts'
import type { FormatRules } from '../rules.ts'
import type { ElementToken, TextToken } from '../scan/tokens.ts'
import type { PlanNode } from './plan.ts'

/**
 * Splits the markup of a token at attributes that must differ in each copy. A token without any is returned as one
 * text.
 */
export function splitUnique(token: ElementToken | TextToken, rules: FormatRules): (string | PlanNode)[] {
  if (token.kind === 'text') return [token.raw]
  const { transient } = rules
  const raw = transient === undefined ? token.raw : withoutAttributes(token.raw, transient)
  const values = (rules.unique ?? []).flatMap(({ elements, attribute, space, takes, kind }) => {
    const attributeAt = elements.includes(token.name) ? findAttribute(raw, attribute) : undefined
    if (attributeAt === undefined) return []
    const { valueStart: start, valueEnd: end } = attributeAt
    const original = raw.slice(start, end)
    const node: PlanNode = { kind: 'unique', space, takes, name: kind === 'name', original }
    return [{ start, end, node }]
  })
  const parts: (string | PlanNode)[] = []
  let from = 0
  for (const { start, end, node } of values.sort((a, b) => a.start - b.start)) {
    parts.push(raw.slice(from, start), node)
    from = end
  }
  return [...parts, raw.slice(from)]
}

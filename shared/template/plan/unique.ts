/** Attributes of repeated elements that must not repeat, such as ids, become nodes that give each copy a number of its own. */

import type { FormatRules } from '../rules.ts'
import type { ElementToken, TextToken } from '../scan/tokens.ts'
import type { PlanNode } from './plan.ts'

export function splitUnique(token: ElementToken | TextToken, rules: FormatRules): (string | PlanNode)[] {
  if (token.kind === 'text') return [token.raw]
  const raw = rules.transient === undefined ? token.raw : token.raw.replace(rules.transient, '')
  const unique = rules.unique?.filter(({ elements }) => elements.includes(token.name)) ?? []
  let parts: (string | PlanNode)[] = [raw]
  for (const { attribute, space, takes, kind } of unique) {
    parts = parts.flatMap((part): (string | PlanNode)[] => {
      if (typeof part !== 'string') return [part]
      const found = new RegExp(`\\s${attribute}=(["'])([^"']*)\\1`).exec(part)
      if (found === null) return [part]
      const original = found[2]!
      const from = found.index + found[0].length - 1 - original.length
      const node: PlanNode = { kind: 'unique', space, takes, name: kind === 'name', original }
      return [part.slice(0, from), node, part.slice(from + original.length)]
    })
  }
  return parts
}

/**
 * Check boxes of OpenDocument forms whose tag stands in their name. Source: template language 22.7; ODF 1.3 part 3,
 * 13.5.18 and 19.269.
 */

import { tickSlot } from '../template/media/checkboxes.ts'
import { isValueTag } from '../template/media/tokens.ts'
import type { Token } from '../template/scan/tokens.ts'

export function bindCheckBoxes(tokens: readonly Token[]): readonly Token[] {
  const out: Token[] = []
  let number = 0
  let changed = false
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!
    const tag = tokens[at + 1]
    const rest = tokens[at + 2]
    const head =
      token.kind === 'open' && token.name === 'form:checkbox' ? /\sform:name="$/.exec(token.raw) : null
    const fits =
      tag?.kind === 'tag' &&
      isValueTag(tag) &&
      rest !== undefined &&
      'raw' in rest &&
      rest.raw.startsWith('"')
    if (head === null || !fits || token.kind !== 'open') {
      out.push(token)
      continue
    }
    const slot = tickSlot(tag)
    const states = /\sform:(?:current-state|state)="[^"]*"/g
    const { offset } = token
    number += 1
    // The tag was the name; controls want one.
    const name = `CheckBox${number}`
    out.push(
      { ...token, raw: token.raw.slice(0, head.index).replace(states, '') },
      ...slot.lead,
      {
        kind: 'computed',
        offset,
        compute: (scope) => {
          const state = slot.ticked(scope) ? 'checked' : 'unchecked'
          return ` form:name="${name}" form:state="${state}" form:current-state="${state}"`
        },
      },
      { ...rest, raw: rest.raw.slice(1).replace(states, '') },
    )
    at += 2
    changed = true
  }
  return changed ? out : tokens
}

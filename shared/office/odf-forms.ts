/**
 * Check boxes of OpenDocument forms that have a template tag as their name. Source: template language 22.7; ODF 1.3 part 3,
 * 13.5.18 and 19.269.
 */

import { pushAll } from '../push-all.ts'
import { tickSlot } from '../template/media/checkboxes.ts'
import { isValueTag } from '../template/media/tokens.ts'
import type { Token } from '../template/scan/tokens.ts'
import { cutOffAttribute, withoutAttributes } from '../xml/elements.ts'

const isState = (attribute: string): boolean =>
  attribute === 'form:state' || attribute === 'form:current-state'

/**
 * Binds check boxes whose name is a tag: the value decides whether they are ticked. Returns the same tokens when there
 * are none.
 */
export function bindCheckBoxes(tokens: readonly Token[]): readonly Token[] {
  const result: Token[] = []
  let number = 0
  let changed = false
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token === undefined) break
    const tag = tokens[index + 1]
    const remainder = tokens[index + 2]
    const cut =
      token.kind === 'open' && token.name === 'form:checkbox' ? cutOffAttribute(token.raw) : undefined
    const isNamed = cut?.name === 'form:name' && token.kind === 'open' && cut.valueStart === token.raw.length
    const isCompleteName =
      tag?.kind === 'tag' &&
      isValueTag(tag) &&
      remainder !== undefined &&
      'raw' in remainder &&
      remainder.raw.startsWith('"')
    if (!isNamed || !isCompleteName) {
      result.push(token)
      continue
    }
    const slot = tickSlot(tag)
    const { offset } = token
    number += 1
    // A tag was the name of the control. A control must have a name, so it gets a number.
    const name = `CheckBox${number}`
    pushAll(result, [
      { ...token, raw: withoutAttributes(token.raw.slice(0, cut.start), isState) },
      ...slot.lead,
      {
        kind: 'computed',
        offset,
        compute: (scope) => {
          const state = slot.ticked(scope) ? 'checked' : 'unchecked'
          return ` form:name="${name}" form:state="${state}" form:current-state="${state}"`
        },
      },
      { ...remainder, raw: withoutAttributes(remainder.raw.slice(1), isState) },
    ])
    index += 2
    changed = true
  }
  return changed ? result : tokens
}

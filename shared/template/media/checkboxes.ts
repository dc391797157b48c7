/** Check boxes of forms: which values tick one, and the tokens that store the value. Source: template language 22.7. */

import type { TagToken, Token } from '../scan/tokens.ts'
import { type RenderScope, scopeKey } from '../scope.ts'

/** Whether a value ticks a box: true, non-empty text, a number other than zero, a list or an object. */
function isTicked(value: unknown): boolean {
  if (typeof value === 'string') return value !== ''
  if (typeof value === 'number') return value !== 0 && !Number.isNaN(value)
  return value === true || (typeof value === 'object' && value !== null)
}

/** A tag that decides whether a check box is ticked. */
export interface TickSlot {
  /** Tokens to write before anything that depends on the tick. */
  readonly lead: readonly Token[]
  readonly ticked: (scope: RenderScope) => boolean
}

/** Creates a slot for a tag. Its value is stored when the tag is written, and read by the tokens that draw the tick. */
export function tickSlot(tag: TagToken): TickSlot {
  const key = scopeKey<boolean>('check box')
  return {
    lead: [
      {
        kind: 'computed',
        offset: tag.offset,
        hidden: true,
        compute: (scope) => {
          scope.set(key, false)
          return ''
        },
      },
      {
        ...tag,
        hidden: true,
        output: (value, _text, scope) => {
          scope.set(key, isTicked(value))
          return ''
        },
      },
    ],
    ticked: (scope) => scope.get(key) === true,
  }
}

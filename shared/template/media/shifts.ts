/**
 * Shapes and pictures whose position depends on data. As with colours, the tag is moved to the beginning of its element and
 * stores its value in the render scope. Source: template language 22.8.
 */

import { ShiftValue } from '../formatters/formatter.ts'
import { nest } from '../nest/tree.ts'
import type { ElementToken, Token } from '../scan/tokens.ts'
import { type RenderScope, type ScopeKey, scopeKey } from '../scope.ts'
import { Edits, endOfStart } from './colors.ts'

/** Inches to the right and down. */
export interface Shift {
  readonly x: number
  readonly y: number
}
/** An element that `:transform` tags move: the indexes of its opening and closing token. */
export interface MovedElement {
  readonly open: number
  readonly close: number
  /** The tags, to be written before anything that depends on them. */
  readonly lead: readonly Token[]
  readonly shift: (scope: RenderScope) => Shift
}

const call = /:transform\([^()]*\)$/
const noShift: Shift = { x: 0, y: 0 }

/**
 * Moves the elements of `names` that contain a `:transform` tag. `move` edits the tokens of one element and returns
 * whether it has inserted the `lead` itself.
 */
export function bindShifts(
  tokens: readonly Token[],
  names: readonly string[],
  move: (element: MovedElement, edits: Edits) => boolean,
): readonly Token[] {
  if (!tokens.some((token) => token.kind === 'tag' && call.test(token.text))) return tokens
  const { match, parent } = nest(tokens)
  const edits = new Edits()
  const byElement = new Map<number, { key: ScopeKey<Shift>; lead: Token[] }>()
  tokens.forEach((token, index) => {
    if (token.kind !== 'tag' || !call.test(token.text)) return
    let open = parent[index] ?? 0
    while (open >= 0 && !names.includes((tokens[open] as ElementToken).name)) open = parent[open] ?? 0
    if (open < 0) return
    edits.replace(index, index + 1, [])
    let slot = byElement.get(open)
    if (slot === undefined) {
      const key = scopeKey<Shift>('shift of an element')
      const reset = (scope: RenderScope) => {
        scope.set(key, noShift)
        return ''
      }
      byElement.set(
        open,
        (slot = { key, lead: [{ kind: 'computed', offset: token.offset, hidden: true, compute: reset }] }),
      )
    }
    const { key } = slot
    slot.lead.push({
      ...token,
      hidden: true,
      output: (value, _text, scope) => {
        const { x, y } = scope.require(key)
        if (value instanceof ShiftValue)
          scope.set(key, value.axis === 'x' ? { x: x + value.inches, y } : { x, y: y + value.inches })
        return ''
      },
    })
  })
  for (const [open, { key, lead }] of byElement) {
    const shift = (scope: RenderScope) => scope.require(key)
    const placed = move({ open, close: match[open] ?? 0, lead, shift }, edits)
    if (!placed) edits.insert(endOfStart(tokens, open), lead)
  }
  return edits.apply(tokens)
}

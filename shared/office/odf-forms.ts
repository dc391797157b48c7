/**
 * Check boxes of OpenDocument forms whose tag stands in their name. Source: template language 22.7; ODF 1.3 part 3,
 * 13.5.18 and 19.269.
 */
import { isValueTag } from '../template/media/pieces.ts'
import { tickSlot } from '../template/media/ticks.ts'
import type { Piece } from '../template/scan/pieces.ts'

export function bindCheckBoxes(pieces: readonly Piece[]): readonly Piece[] {
  const out: Piece[] = []
  let number = 0
  let changed = false
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at]!
    const tag = pieces[at + 1]
    const rest = pieces[at + 2]
    const head =
      piece.kind === 'open' && piece.name === 'form:checkbox' ? /\sform:name="$/.exec(piece.raw) : null
    const fits =
      tag?.kind === 'tag' &&
      isValueTag(tag) &&
      rest !== undefined &&
      'raw' in rest &&
      rest.raw.startsWith('"')
    if (head === null || !fits || piece.kind !== 'open') {
      out.push(piece)
      continue
    }
    const slot = tickSlot(tag)
    const states = /\sform:(?:current-state|state)="[^"]*"/g
    const { offset } = piece
    number += 1
    // The tag was the name; controls want one.
    const name = `CheckBox${number}`
    out.push(
      { ...piece, raw: piece.raw.slice(0, head.index).replace(states, '') },
      ...slot.lead,
      {
        kind: 'computed',
        offset,
        compute: (notes) => {
          const state = slot.ticked(notes) ? 'checked' : 'unchecked'
          return ` form:name="${name}" form:state="${state}" form:current-state="${state}"`
        },
      },
      { ...rest, raw: rest.raw.slice(1).replace(states, '') },
    )
    at += 2
    changed = true
  }
  return changed ? out : pieces
}

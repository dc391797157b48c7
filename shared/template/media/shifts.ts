/**
 * Shapes and pictures moved by data: which tags move what. As with colours the tag goes to the beginning of its element
 * and leaves its value with the render. Source: template language 22.8.
 */
import { linkPieces } from '../analyze/part.ts'
import { ShiftValue } from '../formatters/formatter.ts'
import type { MarkupPiece, Notes, Piece } from '../scan/pieces.ts'
import { Edits, endOfStart } from './colors.ts'

/** Inches to the right and down. */
export interface Shift {
  readonly x: number
  readonly y: number
}
export interface MovedElement {
  readonly open: number
  readonly close: number
  /** The tags, to be written before anything that depends on them. */
  readonly lead: readonly Piece[]
  readonly shift: (notes: Notes) => Shift
}

const call = /:transform\([^()]*\)$/
const still: Shift = { x: 0, y: 0 }

/**
 * Moves the elements of `names` that hold a tag for it; `move` says how by edits and whether it put the `lead` itself.
 */
export function bindShifts(
  pieces: readonly Piece[],
  names: readonly string[],
  move: (element: MovedElement, edits: Edits) => boolean,
): readonly Piece[] {
  if (!pieces.some((piece) => piece.kind === 'tag' && call.test(piece.text))) return pieces
  const { match, parent } = linkPieces(pieces)
  const edits = new Edits()
  const byElement = new Map<number, { key: object; lead: Piece[] }>()
  pieces.forEach((piece, at) => {
    if (piece.kind !== 'tag' || !call.test(piece.text)) return
    let open = parent[at]!
    while (open >= 0 && !names.includes((pieces[open] as MarkupPiece).name)) open = parent[open]!
    if (open < 0) return
    edits.replace(at, at + 1, [])
    let found = byElement.get(open)
    if (found === undefined) {
      const key = {}
      const reset = (notes: Notes) => {
        notes.set(key, still)
        return ''
      }
      byElement.set(
        open,
        (found = { key, lead: [{ kind: 'computed', offset: piece.offset, hidden: true, compute: reset }] }),
      )
    }
    const { key } = found
    found.lead.push({
      ...piece,
      hidden: true,
      output: (value, _text, notes) => {
        const { x, y } = notes.get(key) as Shift
        if (value instanceof ShiftValue)
          notes.set(key, value.axis === 'x' ? { x: x + value.inches, y } : { x, y: y + value.inches })
        return ''
      },
    })
  })
  for (const [open, { key, lead }] of byElement) {
    const shift = (notes: Notes) => notes.get(key) as Shift
    const placed = move({ open, close: match[open]!, lead, shift }, edits)
    if (!placed) edits.insert(endOfStart(pieces, open), lead)
  }
  return edits.apply(pieces)
}

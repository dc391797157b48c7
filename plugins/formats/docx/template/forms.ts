/**
 * Check boxes of Word forms whose tag stands in their title, their tag or their help text: content controls and the
 * form fields of older documents. Source: template language 22.7; ECMA-376-1, 17.5.2 and 17.16.5; [MS-DOCX] 2.6.1.
 */
import { closeOf, isValueTag } from '../../../../shared/template/media/pieces.ts'
import { type TickSlot, tickSlot } from '../../../../shared/template/media/ticks.ts'
import type { MarkupPiece, Piece, TagPiece } from '../../../../shared/template/scan/pieces.ts'

export function bindCheckBoxes(pieces: readonly Piece[]): readonly Piece[] {
  const out: Piece[] = []
  let changed = false
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at]!
    const bind = piece.kind === 'open' && Object.hasOwn(binders, piece.name) ? binders[piece.name] : undefined
    const close = bind === undefined ? at : closeOf(pieces, at)
    const bound = bind?.(pieces.slice(at, close + 1))
    if (bound === undefined) out.push(piece)
    else {
      out.push(...bound)
      at = close
      changed = true
    }
  }
  return changed ? out : pieces
}

const binders: Readonly<Record<string, (element: readonly Piece[]) => Piece[] | undefined>> = {
  'w:sdt': bindControl,
  'w:ffData': bindField,
}

const named = (piece: Piece | undefined, name: string): piece is MarkupPiece =>
  piece !== undefined && (piece.kind === 'open' || piece.kind === 'void') && piece.name === name

/** The first tag in an attribute of one of these elements. */
function tagIn(element: readonly Piece[], names: readonly string[]): TagPiece | undefined {
  for (let at = 0; at < element.length; at += 1) {
    if (!names.some((name) => named(element[at], name))) continue
    for (let n = at + 1; element[n]?.kind === 'tag' || element[n]?.kind === 'text'; n += 1) {
      const piece = element[n]!
      if (piece.kind === 'tag' && isValueTag(piece)) return piece
    }
  }
  return undefined
}

/** The character that a state of a control shows. */
function stateOf(element: readonly Piece[], name: string, otherwise: number): string {
  const state = element.find((piece) => named(piece, name)) as MarkupPiece | undefined
  const code = Number.parseInt(/\sw14:val="([\da-fA-F]+)"/.exec(state?.raw ?? '')?.[1] ?? '', 16)
  return String.fromCodePoint(Number.isNaN(code) ? otherwise : code)
}

function bindControl(element: readonly Piece[]): Piece[] | undefined {
  const content = element.findIndex((piece) => named(piece, 'w:sdtContent'))
  const properties = element.slice(0, content < 0 ? element.length : content)
  if (!properties.some((piece) => named(piece, 'w14:checkbox'))) return undefined
  const tag = tagIn(properties, ['w:alias', 'w:tag'])
  if (tag === undefined) return undefined
  const slot = tickSlot(tag)
  const checked = stateOf(properties, 'w14:checkedState', 0x2612)
  const unchecked = stateOf(properties, 'w14:uncheckedState', 0x2610)
  const out: Piece[] = [element[0]!, ...slot.lead]
  let shown = false
  let inText = false
  for (let at = 1; at < element.length; at += 1) {
    const piece = element[at]!
    if (piece === tag) continue
    if (named(piece, 'w14:checked')) out.push(state(piece, slot))
    else if (inText && at > content && piece.kind === 'text') {
      // The box is the first text; a document that has more in there gets no second one.
      const { offset } = piece
      if (!shown)
        out.push({ kind: 'computed', offset, compute: (notes) => (slot.ticked(notes) ? checked : unchecked) })
      shown = true
    } else out.push(piece)
    inText = named(piece, 'w:t')
  }
  return out
}

const state = ({ offset }: MarkupPiece, slot: TickSlot): Piece => ({
  kind: 'computed',
  offset,
  compute: (notes) => `<w14:checked w14:val="${slot.ticked(notes) ? 1 : 0}"/>`,
})

function bindField(element: readonly Piece[]): Piece[] | undefined {
  const box = element.findIndex((piece) => named(piece, 'w:checkBox'))
  const tag = box < 0 ? undefined : tagIn(element, ['w:name', 'w:helpText', 'w:statusText'])
  if (tag === undefined || element[box]!.kind !== 'open') return undefined
  const slot = tickSlot(tag)
  const end = closeOf(element, box)
  const { offset } = element[0]!
  const out: Piece[] = [element[0]!, ...slot.lead]
  element.forEach((piece, at) => {
    if (at === 0 || piece === tag || (at > box && named(piece, 'w:checked'))) return
    if (at === end)
      out.push({
        kind: 'computed',
        offset,
        compute: (notes) => `<w:checked w:val="${slot.ticked(notes) ? 1 : 0}"/>`,
      })
    out.push(piece)
  })
  return out
}

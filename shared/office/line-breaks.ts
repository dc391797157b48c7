/**
 * The markup of a line break where a tag stands: runs and paragraphs are closed and opened again as they were. Where no
 * element can stand, in properties of the document or in names, a break is a line feed.
 */
import type { LineBreak } from '../template/rules.ts'
import type { Piece } from '../template/scan/pieces.ts'

export const lineFeed: LineBreak = ['\n']

/** Around `at`, from the inside out: the index of the first element of that name; -1 without one. */
export function around(
  pieces: readonly Piece[],
  parent: Int32Array,
  at: number,
  names: readonly string[],
): number {
  for (let open = parent[at]!; open >= 0; open = parent[open]!) {
    const piece = pieces[open]!
    if (piece.kind === 'open' && names.includes(piece.name)) return open
  }
  return -1
}

/** In text of DrawingML: a break between two runs of the same looks. Undefined elsewhere. Source: ECMA-376-1, 21.1.2.2.1. */
export function drawingBreak(
  pieces: readonly Piece[],
  parent: Int32Array,
  at: number,
): LineBreak | undefined {
  const text = around(pieces, parent, at, ['a:t'])
  if (text < 0) return undefined
  const run = parent[text]!
  const holder = pieces[run]
  // A field stands for one text: it cannot be cut.
  if (holder?.kind !== 'open' || holder.name !== 'a:r') return lineFeed
  const looks: LineBreak[number][] = []
  for (let n = run + 1; n < text; n += 1) {
    const piece = pieces[n]!
    if (piece.kind === 'computed') looks.push(piece.compute)
    else if (piece.kind !== 'tag') looks.push(piece.raw)
  }
  return ['</a:t></a:r><a:br>', ...looks, '</a:br><a:r>', ...looks, '<a:t>']
}

/** Ends the paragraph of OpenDocument and begins one like it: a cell of Calc knows no other break. */
export function paragraphBreak(pieces: readonly Piece[], parent: Int32Array, at: number): LineBreak {
  const paragraph = around(pieces, parent, at, ['text:p', 'text:h'])
  if (paragraph < 0) return lineFeed
  let closing = ''
  let opening = ''
  for (let open = parent[at]!; ; open = parent[open]!) {
    const piece = pieces[open]!
    if (piece.kind !== 'open') continue
    closing += `</${piece.name}>`
    opening =
      (piece.raw.endsWith('>') ? piece.raw.replace(/ xml:id="[^"]*"/, '') : `<${piece.name}>`) + opening
    if (open === paragraph) return [closing + opening]
  }
}

/** What the sheets of both office families share while their pieces are prepared. */

import type { ComputedPiece, MarkupPiece, Notes, Piece, Recorder } from '../../template/scan/pieces.ts'
import { decodeEntities } from '../../template/scan/xml.ts'
import type { Notation } from './formula.ts'
import { layoutOf, type Place, refersToMoving, type SheetModel, type Sheets, writeFormula } from './layout.ts'

/** Tags that may repeat or remove what they stand in. */
export const structuralTag = /\[|\$|:(?:drop|keep)\(|:(?:show|hide)Begin/
/** Tags that may do so with cells of their row alone. */
export const cellTag = /\+1|\$|:(?:drop|keep)\(col|:(?:show|hide)(?:Begin|End)/
/** Tags that do so with a cell of every row. */
export const columnTag = /:(?:drop|keep)\(col/

export function hasTagIn(pieces: readonly Piece[], start: number, stop: number, wanted: RegExp): boolean {
  for (let at = start; at < stop; at += 1) {
    const piece = pieces[at]!
    if (piece.kind === 'tag' && wanted.test(piece.text)) return true
  }
  return false
}

export const isElement = (piece: Piece, name: string): piece is MarkupPiece =>
  (piece.kind === 'open' || piece.kind === 'void') && piece.name === name

export const rowRecorder = (model: SheetModel): Recorder => ({
  enter: (notes, loop) => layoutOf(model, notes)?.rows.enter(loop),
  leave: (notes) => layoutOf(model, notes)?.rows.leave(),
})

export const cellRecorder = (model: SheetModel): Recorder => ({
  enter: (notes, loop) => layoutOf(model, notes)?.cells?.enter(loop),
  leave: (notes) => layoutOf(model, notes)?.cells?.leave(),
})

/** Where the writing stands. */
export function placeNow(model: SheetModel, notes: Notes): Place {
  const layout = model.moves ? layoutOf(model, notes) : undefined
  if (layout === undefined || layout.event < 0) return { model, event: undefined }
  return { model, event: layout.event, columnEvent: layout.columnEvent, line: layout.line }
}

export interface FormulaOf {
  readonly model: SheetModel
  readonly sheets: Sheets
  readonly notation: Notation
  readonly escape: (formula: string) => string
}

/** A formula in markup as it reads where it is written; undefined when it never changes. */
export function followedFormula(
  raw: string,
  offset: number,
  { model, sheets, notation, escape: escaped }: FormulaOf,
): ComputedPiece | undefined {
  const tokens = notation.parse(decodeEntities(raw))
  if (!refersToMoving(tokens, model, sheets)) return undefined
  const compute = (notes: Notes) =>
    escaped(writeFormula(tokens, notation, placeNow(model, notes), sheets, notes))
  return { kind: 'computed', offset, compute }
}

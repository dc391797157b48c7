/** What preparing the tokens of a sheet shares between both office families. */

import type { ComputedToken, ElementToken, Recorder, Token } from '../../template/scan/tokens.ts'
import { decodeEntities } from '../../template/scan/xml.ts'
import type { RenderScope } from '../../template/scope.ts'
import type { Notation } from './formula.ts'
import { layoutOf, type Place, refersToMoving, type SheetModel, type Sheets, writeFormula } from './layout.ts'

/** Tags that may repeat or remove what they stand in. */
export const structuralTag = /\[|\$|:(?:drop|keep)\(|:(?:show|hide)Begin/
/** Tags that may do so with cells of their row alone. */
export const cellTag = /\+1|\$|:(?:drop|keep)\(col|:(?:show|hide)(?:Begin|End)/
/** Tags that do so with a cell of every row. */
export const columnTag = /:(?:drop|keep)\(col/

export function hasTagIn(tokens: readonly Token[], start: number, stop: number, wanted: RegExp): boolean {
  for (let at = start; at < stop; at += 1) {
    const token = tokens[at]!
    if (token.kind === 'tag' && wanted.test(token.text)) return true
  }
  return false
}

export const isElement = (token: Token, name: string): token is ElementToken =>
  (token.kind === 'open' || token.kind === 'void') && token.name === name

export const rowRecorder = (model: SheetModel): Recorder => ({
  enter: (scope, loop) => layoutOf(model, scope)?.rows.enter(loop),
  leave: (scope) => layoutOf(model, scope)?.rows.leave(),
})

export const cellRecorder = (model: SheetModel): Recorder => ({
  enter: (scope, loop) => layoutOf(model, scope)?.cells?.enter(loop),
  leave: (scope) => layoutOf(model, scope)?.cells?.leave(),
})

/** Where the writing stands. */
export function placeNow(model: SheetModel, scope: RenderScope): Place {
  const layout = model.moves ? layoutOf(model, scope) : undefined
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
): ComputedToken | undefined {
  const formulaTokens = notation.parse(decodeEntities(raw))
  if (!refersToMoving(formulaTokens, model, sheets)) return undefined
  const compute = (scope: RenderScope) =>
    escaped(writeFormula(formulaTokens, notation, placeNow(model, scope), sheets, scope))
  return { kind: 'computed', offset, compute }
}

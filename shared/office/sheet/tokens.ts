/**
 * The shared preparation of the tokens of a sheet, for XLSX and ODS. The patterns match the text of tags, not markup.
 */

import type { ComputedToken, ElementToken, Recorder, Token } from '../../template/scan/tokens.ts'
import type { RenderScope } from '../../template/scope.ts'
import { decodeEntities } from '../../xml/scan.ts'
import type { FormulaNotation } from './formula.ts'
import {
  layoutOf,
  refersToMoving,
  type SheetModel,
  type SheetPosition,
  type Sheets,
  writeFormula,
} from './layout.ts'

/** Tags that may repeat or remove the rows or cells around them. */
export const structuralTag = /\[|\$|:(?:drop|keep)\(|:(?:show|hide)Begin/
/** Tags that may repeat or remove only cells of their row. */
export const cellTag = /\+1|\$|:(?:drop|keep)\(col|:(?:show|hide)(?:Begin|End)/
/** Tags that end the sample of a loop. */
export const markerTag = /\[[^[\]]*\+1/
/** Tags that remove a cell of every row. */
export const columnTag = /:(?:drop|keep)\(col/

/** Whether a tag among the tokens from `start` to `stop` matches. */
export function hasTagIn(tokens: readonly Token[], start: number, stop: number, pattern: RegExp): boolean {
  for (let index = start; index < stop; index += 1) {
    const token = tokens[index]
    if (token === undefined) break
    if (token.kind === 'tag' && pattern.test(token.text)) return true
  }
  return false
}

export const isElement = (token: Token, name: string): token is ElementToken =>
  (token.kind === 'open' || token.kind === 'void') && token.name === name

/** Records in the measuring pass which iterations the rows belong to. */
export const rowRecorder = (model: SheetModel): Recorder => ({
  enter: (scope, loop) => layoutOf(model, scope)?.rows.enter(loop),
  leave: (scope) => layoutOf(model, scope)?.rows.leave(),
})

/** The same for the cells of a row. */
export const cellRecorder = (model: SheetModel): Recorder => ({
  enter: (scope, loop) => layoutOf(model, scope)?.cells?.enter(loop),
  leave: (scope) => layoutOf(model, scope)?.cells?.leave(),
})

/** The position of the writer, for a formula that is written there. */
export function positionNow(model: SheetModel, scope: RenderScope): SheetPosition {
  const layout = model.moves ? layoutOf(model, scope) : undefined
  if (layout === undefined || layout.event < 0) return { model, event: undefined }
  return { model, event: layout.event, columnEvent: layout.columnEvent, line: layout.line }
}

/** The context in which a formula is adjusted to moved rows. */
export interface FormulaOf {
  readonly model: SheetModel
  readonly sheets: Sheets
  readonly notation: FormulaNotation
  readonly escape: (formula: string) => string
}

/** Returns a formula in markup as written at its position in the output; undefined when it never changes. */
export function followedFormula(
  raw: string,
  offset: number,
  { model, sheets, notation, escape: escaped }: FormulaOf,
): ComputedToken | undefined {
  const formulaTokens = notation.parse(decodeEntities(raw))
  if (!refersToMoving(formulaTokens, model, sheets)) return undefined
  const compute = (scope: RenderScope) =>
    escaped(writeFormula(formulaTokens, notation, positionNow(model, scope), sheets, scope))
  return { kind: 'computed', offset, compute }
}

/**
 * Formulas cut into the text that stays and the references that follow the rows. Two notations: A1 of SpreadsheetML,
 * and the bracketed one of OpenFormula (ODF 1.3 part 4, 5.8).
 */
import { type Corner, formatCorner, parseCorner, parseRange, type Range } from './reference.ts'

export interface Reference {
  readonly sheet: string | undefined // undefined: the sheet of the formula
  /** The sheet as it was written, with what divides it from the address. */
  readonly prefix: string
  readonly range: Range
  /** The only argument of a function that reduces many cells: one cell stands for all its copies. */
  readonly alone: boolean
}
export type FormulaToken = string | Reference

/** How one notation is read and written. */
export interface Notation {
  parse(formula: string): readonly FormulaToken[]
  write(reference: Reference, range: Range): string
}

const reducing =
  /\b(?:(?:SUM|AVERAGE|COUNT|COUNTA|MIN|MAX|PRODUCT|MEDIAN|STDEV|VAR)\(|(?:SUBTOTAL|AGGREGATE)\([^()]*[,;])\s*$/i
/** Far enough back to see the name of a function. */
const isAlone = (before: string, behind: string): boolean =>
  reducing.test(before.slice(-40)) && /^\s*\)/.test(behind)

const word =
  /[\p{L}_\\][\p{L}\p{N}_.:\\]{0,70}!|[$\p{L}_\\][$\p{L}\p{N}_.\\]*(?::[$\p{L}\p{N}_]+)?|\$?\d+:\$?\d+|[\d.]+(?:[eE][+-]?\d+)?/uy

/** A1 notation. Strings, names, functions, structured and external references are text. */
export const a1: Notation = {
  parse(formula) {
    const tokens: FormulaToken[] = []
    let text = ''
    let at = 0
    while (at < formula.length) {
      const character = formula[at]!
      let prefix = ''
      if (character === '"' || character === "'") {
        const end = endOfString(formula, at)
        if (character === '"' || formula[end] !== '!') {
          text += formula.slice(at, end)
          at = end
          continue
        }
        prefix = formula.slice(at, end + 1)
      } else if (character === '[') {
        const end = pastExternal(formula, endOfBrackets(formula, at))
        text += formula.slice(at, end)
        at = end
        continue
      }
      word.lastIndex = at
      const found = prefix === '' ? word.exec(formula)?.[0] : prefix
      if (found === undefined) {
        text += character
        at += 1
        continue
      }
      if (found.endsWith('!')) prefix = found
      const start = at + prefix.length
      const written = prefix === '' ? found : addressAt(formula, start)
      const { address, range } = readAddress(formula, start, written)
      const end = start + address.length
      if (range === undefined) {
        const next = Math.max(end, at + found.length)
        text += formula.slice(at, next)
        at = next
        continue
      }
      if (text !== '') tokens.push(text)
      const alone = isAlone(text, formula.slice(end, end + 8))
      tokens.push({ sheet: prefix === '' ? undefined : sheetName(prefix.slice(0, -1)), prefix, range, alone })
      text = ''
      at = end
    }
    if (text !== '') tokens.push(text)
    return tokens
  },
  write: ({ prefix }, { from, to }) =>
    prefix + formatCorner(from) + (to === undefined ? '' : `:${formatCorner(to)}`),
}

/** A range, or the cell it begins with when something else ends it: `A1:INDEX(…)`. */
function readAddress(
  formula: string,
  start: number,
  written: string,
): { address: string; range: Range | undefined } {
  const whole = parseRange(written)
  const colon = written.indexOf(':')
  const address = whole === undefined && colon > 0 ? written.slice(0, colon) : written
  const behind = formula[start + address.length]
  const isName = behind === '(' || behind === '!' || behind === '['
  return { address, range: isName ? undefined : (whole ?? parseRange(address)) }
}

/** What follows the brackets of another workbook, `[1]Data!A1`, belongs to it. */
function pastExternal(formula: string, at: number): number {
  word.lastIndex = at
  const sheet = word.exec(formula)?.[0]
  if (sheet?.endsWith('!') !== true) return at
  return at + sheet.length + addressAt(formula, at + sheet.length).length
}

const cells = /\$?[A-Za-z]{0,3}\$?\d*(?::\$?[A-Za-z]{0,3}\$?\d*)?/y
function addressAt(formula: string, at: number): string {
  cells.lastIndex = at
  return cells.exec(formula)?.[0] ?? ''
}

/** `'It''s'` -> `It's`. */
function sheetName(written: string): string {
  return written.startsWith("'") ? written.slice(1, -1).replaceAll("''", "'") : written
}

function endOfString(formula: string, at: number): number {
  const quote = formula[at]!
  let end = formula.indexOf(quote, at + 1)
  while (end >= 0 && formula[end + 1] === quote) end = formula.indexOf(quote, end + 2)
  return end < 0 ? formula.length : end + 1
}

function endOfBrackets(formula: string, at: number): number {
  let depth = 0
  for (let n = at; n < formula.length; n += 1) {
    if (formula[n] === '[') depth += 1
    else if (formula[n] === ']' && --depth === 0) return n + 1
  }
  return formula.length
}

/** Characters between brackets: two sheet names and two cells. */
const addressAtMost = 600
const bracketed =
  /^(\$?(?:'(?:[^']|'')*'|[^'.\]]*))\.(\$?[A-Za-z]{0,3}\$?\d*)(?::(\$?(?:'(?:[^']|'')*'|[^'.\]]*))?\.(\$?[A-Za-z]{0,3}\$?\d*))?$/

/** OpenFormula: references stand in brackets, `[.B2:.B9]` and `[$Data.A1]`. */
export const openFormula: Notation = {
  parse(formula) {
    const tokens: FormulaToken[] = []
    let text = ''
    for (let at = 0; at < formula.length; ) {
      if (formula[at] === '"') {
        const end = endOfString(formula, at)
        text += formula.slice(at, end)
        at = end
        continue
      }
      const inside = formula[at] === '[' ? formula.slice(at + 1, at + addressAtMost) : ''
      const length = inside.indexOf(']')
      const close = at + 1 + length
      const reference = length < 0 ? undefined : parseOpenAddress(inside.slice(0, length))
      if (reference === undefined) {
        text += formula[at]!
        at += 1
        continue
      }
      if (text !== '') tokens.push(text)
      const alone = isAlone(text, formula.slice(close + 1, close + 9))
      tokens.push({ ...reference, alone })
      text = ''
      at = close + 1
    }
    if (text !== '') tokens.push(text)
    return tokens
  },
  write: ({ prefix }, { from, to }) =>
    `[${prefix}.${formatCorner(from)}${to === undefined ? '' : `:.${formatCorner(to)}`}]`,
}

/** An address without its brackets, `$Data.$A$1:.B9` or `Data.A1:Data.B9`. */
export function parseOpenAddress(inside: string): Omit<Reference, 'alone'> | undefined {
  const found = bracketed.exec(inside)
  if (found === null) return undefined
  const [, prefix = '', first = '', other, second] = found
  if (other !== undefined && other !== '' && other !== prefix) return undefined
  const from = parseCorner(first)
  const to: Corner | undefined = second === undefined ? undefined : parseCorner(second)
  if (from === undefined || (second !== undefined && to === undefined)) return undefined
  if (to === undefined && (from.column === undefined || from.row === undefined)) return undefined
  const sheet = prefix === '' ? undefined : sheetName(prefix.replace(/^\$/, ''))
  return { sheet, prefix, range: { from, to } }
}

/**
 * Splits formulas into literal text and references, which are adjusted to moved rows. There are two notations: A1 of
 * SpreadsheetML (ECMA-376-1, 18.17.2.3), and the bracketed one of OpenFormula (ODF 1.3 part 4, 5.8).
 */
import type { SheetArea } from '../../document/chart.ts'
import { type CellRange, type Corner, formatCorner, parseCorner, parseRange } from './reference.ts'

/** A cell or an area in a formula. */
export interface FormulaReference {
  /** Undefined for the sheet of the formula. `Jan:Mar` for a reference to several sheets; see `sheetSpan`. */
  readonly sheet: string | undefined
  /** The sheet as written, with quotes and the exclamation mark; without the dot in OpenFormula. */
  readonly prefix: string
  /** OpenFormula: the last sheet as written, in a reference to several sheets: `$Mar` of `[$Jan.B4:$Mar.B4]`. */
  readonly lastPrefix?: string
  readonly range: CellRange
  /**
   * Whether it is the only argument of a function like `SUM`, where one cell of the template refers to all its
   * copies.
   */
  readonly onlyArgument: boolean
}
/** The cells of a reference to a sheet, where it has both ends; undefined for entire rows and columns. */
export function sheetArea(
  reference: Pick<FormulaReference, 'sheet' | 'range'> | undefined,
): SheetArea | undefined {
  if (reference?.sheet === undefined) return undefined
  const { from, to = from } = reference.range
  if (from.row === undefined || to.row === undefined) return undefined
  if (from.column === undefined || to.column === undefined) return undefined
  const [top, bottom] = [Math.min(from.row, to.row) - 1, Math.max(from.row, to.row) - 1]
  const [left, right] = [Math.min(from.column, to.column) - 1, Math.max(from.column, to.column) - 1]
  return { sheet: reference.sheet, top, left, bottom, right }
}

/** Literal text, or a reference. */
export type FormulaToken = string | FormulaReference

/** Reads and writes one notation. */
export interface FormulaNotation {
  parse(formula: string): readonly FormulaToken[]
  write(reference: FormulaReference, range: CellRange): string
  /** The same reference to other sheets, by their names: from the first to the last one, which may be the same. */
  onSheets(reference: FormulaReference, first: string, last: string): FormulaReference
  /**
   * Whether all programs read a reference to several sheets with these names. LibreOffice reads none in A1 notation whose
   * names need quotes (observed in 7.4).
   */
  canSpan(first: string, last: string): boolean
  /** What stands between the arguments of a function. */
  readonly separator: string
}

/**
 * The names of the first and the last sheet of a reference to several sheets, `Jan:Mar!B4` (ECMA-376-1, 18.17.2.3; ODF
 * 1.3 part 4, 5.8); undefined for one sheet. Names contain no colon, but a tag in a name may.
 */
export function sheetSpan(sheet: string | undefined): readonly [string, string] | undefined {
  const match = /^((?:[^:{}]|\{[^{}]*\})+):((?:[^:{}]|\{[^{}]*\})+)$/.exec(sheet ?? '')
  return match === null ? undefined : [match[1]!, match[2]!]
}

/** A name of a sheet that needs no quotes: it has letters, digits, underscores and dots, and is no address such as `Q1` or `R1C1`. */
const plainName = /^(?![A-Za-z]{1,3}\d+$|[Rr]?\d*[Cc]?\d*$)[\p{L}_][\p{L}\p{N}_.]*$/u

const quoted = (name: string): string => name.replaceAll("'", "''")

/** The end of a text after which a reference is the only argument, or the last one of `SUBTOTAL` and `AGGREGATE`. */
const reducing =
  /\b(?:(?:SUM|AVERAGE|COUNT|COUNTA|MIN|MAX|PRODUCT|MEDIAN|STDEV|VAR)\(|(?:SUBTOTAL|AGGREGATE)\([^()]*[,;])\s*$/i
/**
 * `before` is shortened so that a long formula takes linear time; 40 characters are enough for the name of any
 * function.
 */
const isAlone = (before: string, following: string): boolean =>
  reducing.test(before.slice(-40)) && /^\s*\)/.test(following)

/** A sheet with its exclamation mark, a word that may be an address, whole rows, or a number. */
const word =
  /[\p{L}_\\][\p{L}\p{N}_.:\\]{0,70}!|[$\p{L}_\\][$\p{L}\p{N}_.\\]*(?::[$\p{L}\p{N}_]+)?|\$?\d+:\$?\d+|[\d.]+(?:[eE][+-]?\d+)?/uy

/**
 * A1 notation. Quoted texts, names, functions, structured references and references to other workbooks are literal
 * text.
 */
export const a1: FormulaNotation = {
  parse(formula) {
    const tokens: FormulaToken[] = []
    let text = ''
    let position = 0
    while (position < formula.length) {
      const character = formula[position]
      if (character === undefined) break
      let prefix = ''
      if (character === '"' || character === "'") {
        const end = endOfString(formula, position)
        if (character === '"' || formula[end] !== '!') {
          text += formula.slice(position, end)
          position = end
          continue
        }
        prefix = formula.slice(position, end + 1)
      } else if (character === '[') {
        const end = pastExternal(formula, endOfBrackets(formula, position))
        text += formula.slice(position, end)
        position = end
        continue
      }
      word.lastIndex = position
      const token = prefix === '' ? word.exec(formula)?.[0] : prefix
      if (token === undefined) {
        text += character
        position += 1
        continue
      }
      if (token.endsWith('!')) prefix = token
      const start = position + prefix.length
      const addressText = prefix === '' ? token : addressAt(formula, start)
      const { address, range } = readAddress(formula, start, addressText)
      const end = start + address.length
      if (range === undefined) {
        const textEnd = Math.max(end, position + token.length)
        text += formula.slice(position, textEnd)
        position = textEnd
        continue
      }
      if (text !== '') tokens.push(text)
      const onlyArgument = isAlone(text, formula.slice(end, end + 8))
      tokens.push({
        sheet: prefix === '' ? undefined : sheetName(prefix.slice(0, -1)),
        prefix,
        range,
        onlyArgument,
      })
      text = ''
      position = end
    }
    if (text !== '') tokens.push(text)
    return tokens
  },
  write: ({ prefix }, { from, to }) =>
    prefix + formatCorner(from) + (to === undefined ? '' : `:${formatCorner(to)}`),
  onSheets(reference, first, last) {
    const sheet = first === last ? first : `${first}:${last}`
    const isPlain = first !== last && a1.canSpan(first, last)
    return { ...reference, sheet, prefix: isPlain ? `${sheet}!` : `'${quoted(sheet)}'!` }
  },
  canSpan: (first, last) => plainName.test(first) && plainName.test(last),
  separator: ',',
}

/** Reads a range, or only its first cell when the range ends with another expression: `A1:INDEX(…)`. */
function readAddress(
  formula: string,
  start: number,
  addressText: string,
): { address: string; range: CellRange | undefined } {
  const range = parseRange(addressText)
  const colon = addressText.indexOf(':')
  const address = range === undefined && colon > 0 ? addressText.slice(0, colon) : addressText
  const following = formula[start + address.length]
  const isName = following === '(' || following === '!' || following === '['
  return { address, range: isName ? undefined : (range ?? parseRange(address)) }
}

/** The index after a reference into another workbook, `[1]Data!A1`. `start` is the index after its brackets. */
function pastExternal(formula: string, start: number): number {
  word.lastIndex = start
  const sheet = word.exec(formula)?.[0]
  if (sheet?.endsWith('!') !== true) return start
  return start + sheet.length + addressAt(formula, start + sheet.length).length
}

const cells = /\$?[A-Za-z]{0,3}\$?\d*(?::\$?[A-Za-z]{0,3}\$?\d*)?/y
function addressAt(formula: string, start: number): string {
  cells.lastIndex = start
  return cells.exec(formula)?.[0] ?? ''
}

/** `'It''s'` -> `It's`. */
function sheetName(prefix: string): string {
  return prefix.startsWith("'") ? prefix.slice(1, -1).replaceAll("''", "'") : prefix
}

/** The index after a quoted text or name, which may contain doubled quotes. */
function endOfString(formula: string, start: number): number {
  const quote = formula[start]!
  let end = formula.indexOf(quote, start + 1)
  while (end >= 0 && formula[end + 1] === quote) end = formula.indexOf(quote, end + 2)
  return end < 0 ? formula.length : end + 1
}

function endOfBrackets(formula: string, start: number): number {
  let depth = 0
  for (let n = start; n < formula.length; n += 1) {
    if (formula[n] === '[') depth += 1
    else if (formula[n] === ']' && --depth === 0) return n + 1
  }
  return formula.length
}

/** Maximum number of characters in brackets: two names of sheets and two cells. */
const maxAddress = 600
const bracketed =
  /^(\$?(?:'(?:[^']|'')*'|[^'.\]]*))\.(\$?[A-Za-z]{0,3}\$?\d*)(?::(\$?(?:'(?:[^']|'')*'|[^'.\]]*))?\.(\$?[A-Za-z]{0,3}\$?\d*))?$/

/** OpenFormula: references are in brackets, `[.B2:.B9]` and `[$Data.A1]`. */
export const openFormula: FormulaNotation = {
  parse(formula) {
    const tokens: FormulaToken[] = []
    let text = ''
    for (let position = 0; position < formula.length; ) {
      if (formula[position] === '"') {
        const end = endOfString(formula, position)
        text += formula.slice(position, end)
        position = end
        continue
      }
      const bracketText = formula[position] === '[' ? formula.slice(position + 1, position + maxAddress) : ''
      const length = bracketText.indexOf(']')
      const close = position + 1 + length
      const reference = length < 0 ? undefined : parseOpenAddress(bracketText.slice(0, length))
      if (reference === undefined) {
        text += formula[position]!
        position += 1
        continue
      }
      if (text !== '') tokens.push(text)
      const onlyArgument = isAlone(text, formula.slice(close + 1, close + 9))
      tokens.push({ ...reference, onlyArgument })
      text = ''
      position = close + 1
    }
    if (text !== '') tokens.push(text)
    return tokens
  },
  write({ prefix, lastPrefix }, { from, to }) {
    const last = to ?? (lastPrefix === undefined ? undefined : from)
    return `[${prefix}.${formatCorner(from)}${last === undefined ? '' : `:${lastPrefix ?? ''}.${formatCorner(last)}`}]`
  },
  onSheets({ lastPrefix: _, ...reference }, first, last) {
    const prefix = (name: string) => `$'${quoted(name)}'`
    if (first === last) return { ...reference, sheet: first, prefix: prefix(first) }
    return { ...reference, sheet: `${first}:${last}`, prefix: prefix(first), lastPrefix: prefix(last) }
  },
  canSpan: () => true,
  separator: ';',
}

/** An address without its brackets, `$Data.$A$1:.B9` or `Data.A1:Data.B9`. */
export function parseOpenAddress(bracketText: string): Omit<FormulaReference, 'onlyArgument'> | undefined {
  const match = bracketed.exec(bracketText)
  if (match === null) return undefined
  const [, prefix = '', first = '', secondPrefix, second] = match
  const from = parseCorner(first)
  const to: Corner | undefined = second === undefined ? undefined : parseCorner(second)
  if (from === undefined || (second !== undefined && to === undefined)) return undefined
  if (to === undefined && (from.column === undefined || from.row === undefined)) return undefined
  const sheet = prefix === '' ? undefined : sheetName(prefix.replace(/^\$/, ''))
  if (secondPrefix === undefined || secondPrefix === '' || secondPrefix === prefix)
    return { sheet, prefix, range: { from, to } }
  if (sheet === undefined || to === undefined) return undefined
  const last = sheetName(secondPrefix.replace(/^\$/, ''))
  if (last.toLowerCase() === sheet.toLowerCase()) return { sheet, prefix, range: { from, to } }
  const single = isSameCorner(from, to)
  return {
    sheet: `${sheet}:${last}`,
    prefix,
    lastPrefix: secondPrefix,
    range: { from, to: single ? undefined : to },
  }
}

const isSameCorner = (a: Corner, b: Corner): boolean =>
  a.row === b.row &&
  a.column === b.column &&
  a.fixedRow === b.fixedRow &&
  a.fixedColumn === b.fixedColumn &&
  a.row !== undefined &&
  a.column !== undefined

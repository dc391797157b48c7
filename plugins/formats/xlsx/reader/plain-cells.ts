import type { CellValue } from '../../../../shared/document/sheet.ts'
import { columnNumber } from '../../../../shared/office/sheet/reference.ts'
import { maxLetters } from './strings.ts'

/** Receives cells in the order of the part. */
export interface PlainCellSink {
  /** Whether formulas with a stored result are read as their result. */
  readonly skipsFormulas: boolean
  /** The column of a cell without an address, from 0. */
  next(): number
  /** Takes a cell; false where it has to be read in the usual way. */
  add(column: number, format: number, value: CellValue): boolean
}

const [quote, ampersand, less, equals, greater, underscore] = [34, 38, 60, 61, 62, 95]
const [minus, point, zero, nine, space, carriageReturn] = [45, 46, 48, 57, 32, 13]
const [letterA, letterZ] = [65, 90]

/** More digits than this may not be exact in a double. */
const maxDigits = 15
const powers = Array.from({ length: maxDigits + 1 }, (_, digits) => 10 ** digits)

const inlineStart = '<is><t>'
const spacedStart = '<is><t xml:space="preserve">'
const inlineEnd = '</t></is></c>'

/**
 * A reader of the cells that nearly all sheets consist of: a number, a shared string or an inline text as programs write them,
 * without escapes. A sheet has a million of them, and reading them straight from the text takes a quarter of the time of a
 * cursor that looks at each element and attribute. It returns the position after the cells that it has read, in front of the
 * first child of the row that is written in another way; CT_Cell (18.3.1.4).
 */
export function plainCells(
  { strings }: { readonly strings: readonly CellValue[] },
  sink: PlainCellSink,
): (text: string, at: number) => number {
  // The attributes of the cell that was read last.
  let column = 0
  let format = 0
  let type = ''
  /** Reads the attributes after '<c'. Returns the position after '>', or -1. */
  const readTag = (text: string, from: number): number => {
    let at = from
    column = sink.next()
    format = 0
    type = ''
    while (text.charCodeAt(at) === space) {
      const name = text.charCodeAt(at + 1)
      if (text.charCodeAt(at + 2) !== equals || text.charCodeAt(at + 3) !== quote) return -1
      const start = at + 4
      const end = text.indexOf('"', start)
      if (end < 0) return -1
      if (name === 114 /* r */) column = columnOf(text, start, end)
      else if (name === 115 /* s */) format = naturalNumber(text, start, end)
      else if (name === 116 /* t */) type = text.slice(start, end)
      else return -1
      if (column < 0 || format < 0) return -1
      at = end + 1
    }
    return text.charCodeAt(at) === greater ? at + 1 : -1
  }
  /** Reads the cell at '<c'. Returns the position after it, or -1. */
  const readCell = (text: string, from: number): number => {
    const at = readTag(text, from + 2)
    if (at < 0) return -1
    if (type === 'inlineStr') return readInline(text, at)
    if (type !== '' && type !== 'n' && type !== 's') return -1
    const start = valueStart(text, at, sink.skipsFormulas)
    if (start < 0) return -1
    const end = text.indexOf('<', start)
    if (end < 0 || !text.startsWith('</v></c>', end)) return -1
    const value = type === 's' ? strings[naturalNumber(text, start, end)] : decimalNumber(text, start, end)
    // An empty text makes no value, unless there is a formula.
    if (value === undefined || value === '' || !sink.add(column, format, value)) return -1
    return end + 8
  }
  const readInline = (text: string, at: number): number => {
    const opening = text.startsWith(inlineStart, at)
      ? inlineStart
      : text.startsWith(spacedStart, at)
        ? spacedStart
        : ''
    if (opening === '') return -1
    const start = at + opening.length
    const end = text.indexOf('<', start)
    for (let index = start; index < end; index++) {
      const code = text.charCodeAt(index)
      if (code === ampersand || code === carriageReturn || code === underscore) return -1
    }
    if (end <= start || end - start > maxLetters || !text.startsWith(inlineEnd, end)) return -1
    return sink.add(column, format, text.slice(start, end)) ? end + inlineEnd.length : -1
  }
  return (text, from) => {
    let at = from
    while (text.charCodeAt(at) === less && text.charCodeAt(at + 1) === 99 /* c */) {
      const end = readCell(text, at)
      if (end < 0) break
      at = end
    }
    return at
  }
}

/** The position after '<v>' of the cell whose content begins at `at`, or -1. */
function valueStart(text: string, at: number, skipsFormulas: boolean): number {
  if (text.startsWith('<v>', at)) return at + 3
  if (!skipsFormulas || !text.startsWith('<f>', at)) return -1
  const end = text.indexOf('<', at + 3)
  return end >= 0 && text.startsWith('</f><v>', end) ? end + 7 : -1
}

/** The column of an address in capitals, from 0; -1 for others. */
function columnOf(text: string, start: number, end: number): number {
  let at = start
  for (let code = text.charCodeAt(at); at < end && code >= letterA && code <= letterZ; )
    code = text.charCodeAt(++at)
  const letters = at - start
  if (letters === 1) return text.charCodeAt(start) - letterA
  return letters === 0 || letters > 3 ? -1 : columnNumber(text.slice(start, at)) - 1
}

/** A number of at most nine digits; -1 for others. */
function naturalNumber(text: string, start: number, end: number): number {
  if (end === start || end - start > 9) return -1
  let value = 0
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code < zero || code > nine) return -1
    value = 10 * value + code - zero
  }
  return value
}

/**
 * The number that a text writes; undefined if it is none. Both parts of a quotient of up to fifteen digits and a power of ten
 * are exact, so that the quotient is the double nearest to the number, as `Number` gives it.
 */
function decimalNumber(text: string, start: number, end: number): number | undefined {
  let digits = 0
  let decimals = -1
  let count = 0
  const isNegative = text.charCodeAt(start) === minus
  for (let at = isNegative ? start + 1 : start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code >= zero && code <= nine) {
      digits = 10 * digits + code - zero
      count++
      if (decimals >= 0) decimals++
    } else if (code === point && decimals < 0 && count > 0) decimals = 0
    else return anyNumber(text.slice(start, end))
  }
  if (count === 0 || count > maxDigits || decimals === 0) return anyNumber(text.slice(start, end))
  const value = decimals < 0 ? digits : digits / (powers[decimals] ?? 1)
  return isNegative ? -value : value
}

function anyNumber(text: string): number | undefined {
  const number = Number(text)
  return text.includes('&') || text.trim() === '' || !Number.isFinite(number) ? undefined : number
}

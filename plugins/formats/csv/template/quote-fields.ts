import { concatBytes } from '../../../../shared/bytes.ts'
import { firstMark, specials } from '../../../../shared/template/csv-marks.ts'
import { separatorOf } from '../separator.ts'

const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d]
/** The first two bytes of a marker in UTF-8. The third byte is `firstThird` plus the number of the marker. */
const [markLead, markSecond, firstThird] = [0xef, 0xb7, 0x80 | (firstMark & 0x3f)]
const codes = Uint8Array.from(specials, (character) => character.charCodeAt(0))
/** How much of the text is searched for its separator. */
const maxFirstLine = 65_536

/**
 * Restores the special characters of values, and quotes fields that combine text of the template with values containing a
 * separator, a quote or a line break (RFC 4180, 2.6).
 */
export function quoteFields(output: Uint8Array): Uint8Array {
  if (markAt(output, 0) < 0) return output
  const separator = separatorOf(new TextDecoder().decode(output.subarray(0, maxFirstLine))).charCodeAt(0)
  const chunks: Uint8Array[] = []
  let copied = 0 // the number of bytes already in `chunks`
  let start = 0 // the start of the current field
  let isQuoted = false
  let mark = markAt(output, 0)
  for (let at = 0; at <= output.length && mark >= 0; at += 1) {
    const byte = output[at]
    if (byte === quote) isQuoted = !isQuoted
    const ends = byte === undefined || byte === lineFeed || byte === carriageReturn || byte === separator
    // A line break in quotes belongs to the field.
    if (!ends || (isQuoted && byte !== undefined)) continue
    if (mark < at) {
      chunks.push(output.subarray(copied, start), withoutMarks(output.subarray(start, at), separator))
      copied = at
      mark = markAt(output, at)
    }
    start = at + 1
  }
  chunks.push(output.subarray(copied))
  return concatBytes(
    chunks,
    chunks.reduce((sum, { length }) => sum + length, 0),
  )
}

/** The position of the first marker from here on, or -1. */
function markAt(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(markLead, from)
  while (at >= 0 && codeOf(bytes, at) === undefined) at = bytes.indexOf(markLead, at + 1)
  return at
}

const codeOf = (bytes: Uint8Array, at: number): number | undefined =>
  bytes[at] === markLead && bytes[at + 1] === markSecond
    ? codes[(bytes[at + 2] ?? 0) - firstThird]
    : undefined

/** Restores the characters of a field, and quotes it if one of them requires that. */
function withoutMarks(field: Uint8Array, separator: number): Uint8Array {
  const unquoted = new Uint8Array(field.length)
  let length = 0
  let quotes = 0
  let needsQuotes = false
  for (let at = 0; at < field.length; at += 1) {
    const code = codeOf(field, at)
    const byte = code ?? field[at]!
    unquoted[length++] = byte
    if (byte === quote) quotes += 1
    if (code === undefined) continue
    at += 2
    needsQuotes ||= code === separator || code === quote || code === lineFeed || code === carriageReturn
  }
  // A field that is quoted in the template keeps its quotes.
  if (!needsQuotes || field[0] === quote) return unquoted.subarray(0, length)
  const quoted = new Uint8Array(length + quotes + 2)
  let at = 0
  quoted[at++] = quote
  for (const byte of unquoted.subarray(0, length)) {
    if (byte === quote) quoted[at++] = quote
    quoted[at++] = byte
  }
  quoted[at] = quote
  return quoted
}

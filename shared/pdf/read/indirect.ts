import { BrokenPdf } from '../model/limits.ts'
import { PdfDict, PdfStream, type PdfValue } from '../model/values.ts'
import { isSpace, Parser } from './parser.ts'

const endStream = 'endstream'

/**
 * Reads `12 0 obj ... endobj` at an offset. If the declared length of a stream is wrong, the stream ends at the next
 * `endstream`. `resolve` follows a reference, since the length may be an indirect object. Throws BrokenPdf.
 */
export function readIndirect(
  bytes: Uint8Array,
  at: number,
  depth: number,
  resolve: (value: PdfValue) => PdfValue,
): { readonly id: number; readonly value: PdfValue; readonly end: number } {
  const parser = new Parser(bytes, at, depth)
  const id = parser.integer()
  const generation = parser.integer()
  if (id === undefined || generation === undefined || !parser.word('obj')) {
    throw new BrokenPdf('an object is not at its declared position')
  }
  if (parser.word('endobj')) return { id, value: null, end: parser.at }
  const value = parser.value()
  if (!(value instanceof PdfDict) || !parser.word('stream')) return { id, value, end: parser.at }
  const start = afterLineEnd(bytes, parser.at)
  const length = resolve(value.get('Length'))
  const end = streamEnd(bytes, start, typeof length === 'number' ? length : -1)
  return { id, value: new PdfStream(value, bytes.subarray(start, end)), end }
}

function afterLineEnd(bytes: Uint8Array, at: number): number {
  while (bytes[at] === 32) at++
  if (bytes[at] === 13) at++
  return bytes[at] === 10 ? at + 1 : at
}

/**
 * Returns the end of the stream whose dictionary `parser` has just read, if its length is a direct number and correct.
 * Returns undefined otherwise, and if no stream follows.
 */
export function declaredStreamEnd(bytes: Uint8Array, parser: Parser, length: PdfValue): number | undefined {
  if (typeof length !== 'number' || !parser.word('stream')) return undefined
  return rightEnd(bytes, afterLineEnd(bytes, parser.at), length)
}

/** The end according to a length, if `endstream` follows there. */
function rightEnd(bytes: Uint8Array, start: number, length: number): number | undefined {
  const end = start + length
  if (length < 0 || end > bytes.length) return undefined
  let at = end
  while (isSpace(bytes[at])) at++
  return isTextAt(bytes, at, endStream) ? end : undefined
}

function streamEnd(bytes: Uint8Array, start: number, length: number): number {
  const declared = rightEnd(bytes, start, length)
  if (declared !== undefined) return declared
  for (let at = start; at < bytes.length; at++) {
    at = bytes.indexOf(101, at)
    if (at < 0) break
    if (!isTextAt(bytes, at, endStream)) continue
    if (bytes[at - 1] === 10 && at - 1 >= start) at--
    if (bytes[at - 1] === 13 && at - 1 >= start) at--
    return at
  }
  throw new BrokenPdf('a stream is cut off')
}

export function isTextAt(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false
  }
  return true
}

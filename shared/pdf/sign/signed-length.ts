/** How much of a PDF its signatures cover. Whether they are valid is not checked. ISO 32000-2, 12.8.1. */
import { pushAll } from '../../push-all.ts'
import type { PdfDocument } from '../model/document.ts'
import { tooLarge } from '../model/limits.ts'
import { PdfDict, type PdfValue } from '../model/values.ts'

const maxFields = 20_000

/**
 * The number of bytes from the beginning of `file`, of which `document` was read, that one signature covers apart from itself: the
 * most of all its signatures, 0 without any. Throws 'pdf.too-large'.
 */
export function signedLength(document: PdfDocument, file: Uint8Array): number {
  const form = document.dictAt(document.catalog, 'AcroForm')
  const waiting: PdfValue[] = form === undefined ? [] : [form.get('Fields')]
  const seen = new Set<PdfDict>()
  let longest = 0
  while (waiting.length > 0) {
    const value = document.resolve(waiting.pop() ?? null)
    if (Array.isArray(value)) pushAll(waiting, value)
    if (!(value instanceof PdfDict) || seen.has(value)) continue
    seen.add(value)
    if (seen.size > maxFields) throw tooLarge('form fields', maxFields)
    waiting.push(value.get('Kids'))
    const signature = document.dictAt(value, 'V')
    if (signature !== undefined) longest = Math.max(longest, coveredBy(document, signature, file))
  }
  return longest
}

/** A signature covers all bytes up to the end of its second range, if nothing but its own digits lies between the two. */
function coveredBy(document: PdfDocument, signature: PdfDict, file: Uint8Array): number {
  const ranges = document.resolve(signature.get('ByteRange'))
  if (!Array.isArray(ranges) || ranges.length !== 4) return 0
  const [start, gap, next, length] = ranges.map((number) => document.resolve(number))
  if (start !== 0 || typeof gap !== 'number' || typeof next !== 'number' || typeof length !== 'number')
    return 0
  const isInside = [gap, next, length].every(Number.isSafeInteger) && gap >= 0 && gap < next && length >= 0
  if (!isInside || next + length > file.length) return 0
  const between = new TextDecoder('latin1').decode(file.subarray(gap, next))
  return /^<[0-9A-Fa-f\s]*>$/.test(between) ? next + length : 0
}

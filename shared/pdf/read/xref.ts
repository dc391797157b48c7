import { BrokenPdf, type PdfLimits, tooLarge } from '../model/limits.ts'
import { isName, PdfDict, PdfStream, type PdfValue } from '../model/values.ts'
import type { Inflater } from './filters.ts'
import { readIndirect } from './indirect.ts'
import { Parser } from './parser.ts'

/**
 * The location of an object: at offset `at` of the file, or in object stream `container`. Null means that the number is free.
 */
export type ObjectLocation = { readonly at: number } | { readonly container: number } | null

export interface CrossReference {
  readonly locations: Map<number, ObjectLocation>
  readonly trailer: PdfDict
}

interface Reading {
  readonly bytes: Uint8Array
  readonly limits: PdfLimits
  readonly inflater: Inflater
  readonly locations: Map<number, ObjectLocation>
  readonly trailer: PdfDict
}

const maxSections = 4096

/**
 * Follows the chain of cross-references from the end of the file: tables, streams and hybrids of the two, newest first.
 * Throws BrokenPdf for an invalid part, 'pdf.too-large'. ISO 32000-2, 7.5.4, 7.5.8.
 */
export function readCrossReference(bytes: Uint8Array, limits: PdfLimits, inflater: Inflater): CrossReference {
  const reading: Reading = { bytes, limits, inflater, locations: new Map(), trailer: new PdfDict() }
  const seen = new Set<number>()
  const queue = [startOffset(bytes)]
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    if (seen.has(at)) continue // a chain that returns to a section that was read
    seen.add(at)
    if (seen.size > maxSections) throw tooLarge('cross-reference sections', maxSections)
    if (!Number.isInteger(at) || at < 0 || at >= bytes.length) {
      throw new BrokenPdf('a cross-reference lies outside of the file')
    }
    const dict = readSection(reading, at, seen)
    for (const [key, value] of dict.entries) {
      if (!reading.trailer.entries.has(key)) reading.trailer.set(key, value)
    }
    const previous = dict.get('Prev')
    if (typeof previous === 'number') queue.push(previous)
  }
  return { locations: reading.locations, trailer: reading.trailer }
}

/** The offset of the newest cross-reference, as the end of the file names it. Throws BrokenPdf. */
export function startOffset(bytes: Uint8Array): number {
  const tail = Math.max(0, bytes.length - 2048)
  const at = lastIndexOf(bytes, 'startxref', tail)
  if (at === undefined) throw new BrokenPdf('startxref is missing')
  const offset = new Parser(bytes, at + 9, 1).integer()
  if (offset === undefined) throw new BrokenPdf('startxref is missing')
  return offset
}

function lastIndexOf(bytes: Uint8Array, text: string, from: number): number | undefined {
  for (let at = bytes.length - text.length; at >= from; at--) {
    let index = 0
    while (index < text.length && bytes[at + index] === text.charCodeAt(index)) index++
    if (index === text.length) return at
  }
  return undefined
}

function readSection(reading: Reading, at: number, seen: Set<number>): PdfDict {
  const parser = new Parser(reading.bytes, at, reading.limits.depth)
  if (!parser.word('xref')) return readStream(reading, at)
  const table = readTable(parser, reading.limits.objects)
  if (!parser.word('trailer')) throw new BrokenPdf('the trailer is missing')
  const dict = parser.value()
  if (!(dict instanceof PdfDict)) throw new BrokenPdf('the trailer is missing')
  // The table of a hybrid file marks as free what only its stream lists, so the stream is read first. 7.5.8.4.
  const hybrid = dict.get('XRefStm')
  if (typeof hybrid === 'number' && !seen.has(hybrid)) {
    seen.add(hybrid)
    readStream(reading, hybrid)
  }
  for (const [id, location] of table) claim(reading, id, location)
  return dict
}

function readTable(parser: Parser, limit: number): Map<number, ObjectLocation> {
  const locations = new Map<number, ObjectLocation>()
  for (;;) {
    const first = parser.integer()
    if (first === undefined) return locations
    const count = parser.integer()
    if (count === undefined) throw new BrokenPdf('a cross-reference table is cut off')
    for (let index = 0; index < count; index++) {
      const at = parser.integer()
      const generation = parser.integer()
      if (at === undefined || generation === undefined) {
        throw new BrokenPdf('a cross-reference table is cut off')
      }
      const used = parser.word('n')
      if (!used && !parser.word('f')) throw new BrokenPdf('a cross-reference table is cut off')
      if (locations.size >= limit) throw tooLarge('objects', limit)
      locations.set(first + index, used && at > 0 ? { at } : null)
    }
  }
}

function readStream(reading: Reading, at: number): PdfDict {
  const { bytes, limits, inflater } = reading
  const { value } = readIndirect(bytes, at, limits.depth, direct)
  if (!(value instanceof PdfStream) || !isName(value.dict.get('Type'), 'XRef')) {
    throw new BrokenPdf('a cross-reference is missing')
  }
  const rows = inflater.content(value, direct)
  if (rows === undefined) throw new BrokenPdf('a cross-reference uses a filter it may not')
  const [kindWidth = 0, firstWidth = 0, secondWidth = 0] = numbers(value.dict.get('W'))
  const width = kindWidth + firstWidth + secondWidth
  if (width === 0 || width > 32 || [kindWidth, firstWidth, secondWidth].some((width) => width < 0)) {
    throw new BrokenPdf('a cross-reference has no columns')
  }
  const size = value.dict.get('Size')
  const index = numbers(value.dict.get('Index'))
  const ranges = index.length > 1 ? index : [0, typeof size === 'number' ? size : 0]
  let row = 0
  for (let range = 0; range + 1 < ranges.length; range += 2) {
    for (let offset = 0; offset < (ranges[range + 1] ?? 0) && row + width <= rows.length; offset++) {
      const kind = kindWidth === 0 ? 1 : field(rows, row, kindWidth)
      const first = field(rows, row + kindWidth, firstWidth)
      row += width
      claim(
        reading,
        (ranges[range] ?? 0) + offset,
        kind === 1 ? { at: first } : kind === 2 ? { container: first } : null,
      )
    }
  }
  return value.dict
}

/** Records an entry unless a newer section has one, since sections are read from the newest to the oldest. */
function claim({ locations, limits }: Reading, id: number, location: ObjectLocation): void {
  if (locations.has(id)) return
  if (locations.size >= limits.objects) throw tooLarge('objects', limits.objects)
  locations.set(id, location)
}

function field(rows: Uint8Array, at: number, width: number): number {
  let value = 0
  for (let index = 0; index < width; index++) value = value * 256 + (rows[at + index] ?? 0)
  return value
}

function numbers(value: PdfValue): readonly number[] {
  if (!Array.isArray(value)) return []
  return value.map((item) => (typeof item === 'number' && Number.isInteger(item) ? item : 0))
}

/** Cross-reference streams must not use references, which nothing could resolve before they are read. 7.5.8.2. */
function direct(value: PdfValue): PdfValue {
  return value
}

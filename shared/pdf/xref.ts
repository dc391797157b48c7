import type { Inflater } from './filters.ts'
import { readIndirect } from './indirect.ts'
import { BrokenPdf, type PdfLimits, tooLarge } from './limits.ts'
import { Parser } from './parser.ts'
import { isName, PdfDict, PdfStream, type PdfValue } from './values.ts'

/** Where an object is: `at` in the file, or in object stream `container`. Null: known to be free. */
export type Place = { readonly at: number } | { readonly container: number } | null

export interface CrossReference {
  readonly places: Map<number, Place>
  readonly trailer: PdfDict
}

interface Reading {
  readonly bytes: Uint8Array
  readonly limits: PdfLimits
  readonly inflater: Inflater
  readonly places: Map<number, Place>
  readonly trailer: PdfDict
}

const mostSections = 4096

/**
 * Follows the chain of cross-references from the end of the file: tables, streams and hybrids of the two, newest first.
 * Throws BrokenPdf where a part is not what it should be, 'pdf.too-large'. ISO 32000-2, 7.5.4, 7.5.8.
 */
export function readCrossReference(bytes: Uint8Array, limits: PdfLimits, inflater: Inflater): CrossReference {
  const reading: Reading = { bytes, limits, inflater, places: new Map(), trailer: new PdfDict() }
  const seen = new Set<number>()
  const queue = [startOffset(bytes)]
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    if (seen.has(at)) continue // a loop: what it leads to is read already
    seen.add(at)
    if (seen.size > mostSections) throw tooLarge('cross-reference sections', mostSections)
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
  return { places: reading.places, trailer: reading.trailer }
}

function startOffset(bytes: Uint8Array): number {
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
  // A hybrid's table calls free what only its stream knows: the stream comes first.
  const hybrid = dict.get('XRefStm')
  if (typeof hybrid === 'number' && !seen.has(hybrid)) {
    seen.add(hybrid)
    readStream(reading, hybrid)
  }
  for (const [id, place] of table) claim(reading, id, place)
  return dict
}

function readTable(parser: Parser, limit: number): Map<number, Place> {
  const found = new Map<number, Place>()
  for (;;) {
    const first = parser.integer()
    if (first === undefined) return found
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
      if (found.size >= limit) throw tooLarge('objects', limit)
      found.set(first + index, used && at > 0 ? { at } : null)
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
  if (width === 0 || width > 32 || [kindWidth, firstWidth, secondWidth].some((one) => one < 0)) {
    throw new BrokenPdf('a cross-reference has no columns')
  }
  const size = value.dict.get('Size')
  const index = numbers(value.dict.get('Index'))
  const ranges = index.length > 1 ? index : [0, typeof size === 'number' ? size : 0]
  let row = 0
  for (let range = 0; range + 1 < ranges.length; range += 2) {
    for (let offset = 0; offset < ranges[range + 1]! && row + width <= rows.length; offset++) {
      const kind = kindWidth === 0 ? 1 : field(rows, row, kindWidth)
      const first = field(rows, row + kindWidth, firstWidth)
      row += width
      claim(
        reading,
        ranges[range]! + offset,
        kind === 1 ? { at: first } : kind === 2 ? { container: first } : null,
      )
    }
  }
  return value.dict
}

/** The newest section speaks first; older ones do not change what it said. */
function claim({ places, limits }: Reading, id: number, place: Place): void {
  if (places.has(id)) return
  if (places.size >= limits.objects) throw tooLarge('objects', limits.objects)
  places.set(id, place)
}

function field(rows: Uint8Array, at: number, width: number): number {
  let value = 0
  for (let index = 0; index < width; index++) value = value * 256 + rows[at + index]!
  return value
}

function numbers(value: PdfValue): readonly number[] {
  if (!Array.isArray(value)) return []
  return value.map((one) => (typeof one === 'number' && Number.isInteger(one) ? one : 0))
}

/** Cross-reference streams hold no references: nothing could resolve them yet. */
function direct(value: PdfValue): PdfValue {
  return value
}

import { AppError } from '../../errors/app-error.ts'
import type { Codec } from '../../plugin/values.ts'
import type { PdfDocument } from '../model/document.ts'
import { BrokenPdf, type PdfLimits, readable } from '../model/limits.ts'
import { PdfDict, PdfRef, PdfStream, type PdfValue } from '../model/values.ts'
import { Inflater } from './filters.ts'
import { isTextAt, readIndirect } from './indirect.ts'
import { Parser } from './parser.ts'
import { objectStreamIndex, rebuildCrossReference } from './rebuild.ts'
import { type CrossReference, readCrossReference } from './xref.ts'

/**
 * Opens a file and reads every object that can be reached from its trailer. If the cross-reference turns out to be wrong, the
 * file is opened again by searching it for objects. Throws 'pdf.broken', 'pdf.too-large', 'pdf.encrypted'.
 */
export function openPdf(file: Uint8Array, codec: Codec, limits: PdfLimits): PdfDocument {
  const bytes = file.subarray(headerOffset(file))
  const inflater = new Inflater(codec, limits.inflatedBytes)
  try {
    return load(bytes, readCrossReference(bytes, limits, inflater), { limits, inflater, lenient: false })
  } catch (error) {
    if (!(error instanceof BrokenPdf)) throw error
  }
  try {
    const rebuilt = rebuildCrossReference(bytes, limits, inflater)
    return load(bytes, rebuilt, { limits, inflater, lenient: true })
  } catch (error) {
    if (!(error instanceof BrokenPdf)) throw error
    throw new AppError('pdf.broken', { because: error.message }, { cause: error })
  }
}

function headerOffset(file: Uint8Array): number {
  const end = Math.min(file.length, 1024)
  for (let at = 0; at < end; at++) if (file[at] === 37 && isTextAt(file, at, '%PDF-')) return at
  throw new AppError('pdf.broken', { because: 'it does not begin with a PDF header' })
}

interface Loading {
  readonly limits: PdfLimits
  readonly inflater: Inflater
  /** Returns null for objects that cannot be read, as ISO 32000-2, 7.3.10 requires for missing ones. */
  readonly lenient: boolean
}

function load(bytes: Uint8Array, { locations, trailer }: CrossReference, loading: Loading): PdfDocument {
  const { limits, inflater, lenient } = loading
  if (trailer.get('Encrypt') !== null) throw new AppError('pdf.encrypted')
  const objects = new Map<number, PdfValue>()
  const containers = new Map<number, ReadonlyMap<number, PdfValue>>()
  const reading = new Set<number>()
  let next = 1
  for (const id of locations.keys()) if (id >= next) next = id + 1

  function object(id: number): PdfValue {
    const cached = objects.get(id)
    if (cached !== undefined) return cached
    // The length of a stream may refer to the stream itself.
    if (reading.has(id)) return null
    reading.add(id)
    const value = lenient ? (readable(() => read(id)) ?? null) : read(id)
    reading.delete(id)
    objects.set(id, value)
    return value
  }

  function read(id: number): PdfValue {
    const location = locations.get(id)
    if (location == null) return null
    if ('container' in location) return inside(location.container).get(id) ?? null
    if (location.at >= bytes.length) throw new BrokenPdf('an object lies outside of the file')
    const object = readIndirect(bytes, location.at, limits.depth, resolve)
    if (object.id !== id) throw new BrokenPdf('an object is not at its declared position')
    return object.value
  }

  function inside(container: number): ReadonlyMap<number, PdfValue> {
    const cached = containers.get(container)
    if (cached !== undefined) return cached
    const location = locations.get(container)
    const stream = location != null && 'at' in location ? object(container) : null
    const content = stream instanceof PdfStream ? inflater.content(stream, resolve) : undefined
    if (!(stream instanceof PdfStream) || content === undefined)
      throw new BrokenPdf('an object stream is missing')
    const values = new Map<number, PdfValue>()
    for (const { id, at } of objectStreamIndex(stream.dict, content)) {
      if (values.has(id)) continue
      const parse = () => new Parser(content, at, limits.depth).value()
      values.set(id, lenient ? (readable(parse) ?? null) : parse())
    }
    containers.set(container, values)
    return values
  }

  function resolve(value: PdfValue): PdfValue {
    let resolved = value
    for (let hops = 0; resolved instanceof PdfRef; hops++) {
      if (hops > 16) return null
      resolved = object(resolved.id)
    }
    return resolved
  }

  reach(trailer, object)
  const root = trailer.get('Root')
  const catalog = root instanceof PdfRef ? resolve(root) : null
  if (!(catalog instanceof PdfDict) || !(resolve(catalog.get('Pages')) instanceof PdfDict)) {
    throw new BrokenPdf('it has no pages')
  }
  return {
    trailer,
    catalog,
    version: versionOf(bytes, resolve(catalog.get('Version'))),
    rebuilt: lenient,
    inflater,
    limits,
    resolve,
    dictAt(holder, key) {
      const length = resolve(holder.get(key))
      return length instanceof PdfDict ? length : undefined
    },
    put(value) {
      objects.set(next, value)
      return new PdfRef(next++)
    },
    replace: (id, value) => void objects.set(id, value),
    drop: (id) => void objects.set(id, null),
  }
}

/** Reads everything below the trailer, so that damage is detected now and not in the middle of the work. */
function reach(trailer: PdfDict, object: (id: number) => PdfValue): void {
  const seen = new Set<number>()
  const stack: PdfValue[] = [...['Root', 'Info', 'AdditionalStreams'].map((key) => trailer.get(key))]
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    if (value instanceof PdfRef) {
      if (seen.has(value.id)) continue
      seen.add(value.id)
      stack.push(object(value.id))
    } else if (Array.isArray(value)) for (const item of value) stack.push(item)
    else if (value instanceof PdfDict) for (const item of value.entries.values()) stack.push(item)
    else if (value instanceof PdfStream) {
      for (const [key, item] of value.dict.entries) if (key !== 'Length') stack.push(item)
    }
  }
}

function versionOf(bytes: Uint8Array, inCatalog: PdfValue): number {
  const header = new TextDecoder('latin1').decode(bytes.subarray(5, 8))
  const declared =
    inCatalog !== null && typeof inCatalog === 'object' && 'text' in inCatalog ? inCatalog.text : ''
  const [a, b] = [header, declared].map((text) => (/^[12]\.\d$/.test(text) ? Number(text) : 1.4))
  return declared === '' ? a! : Math.max(a!, b!)
}

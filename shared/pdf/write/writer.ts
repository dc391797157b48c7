import { binaryBytes, binaryText } from '../../bytes.ts'
import type { Codec } from '../../plugin/values.ts'
import type { PdfDocument } from '../model/document.ts'
import { dict, isName, name, PdfDict, PdfRef, PdfStream, PdfString, type PdfValue } from '../model/values.ts'
import type { Encryption, Random } from '../stage/security/encryption.ts'
import { createFileLayout, type ObjectText, objectStreams } from './file.ts'
import { formatValue, type NumberOf } from './syntax.ts'
import { zlib } from './zlib.ts'

export interface WriteContext {
  readonly codec: Codec
  readonly random: Random
  readonly signal: AbortSignal
  readonly encryption?: Encryption
}

/**
 * The trailer entries from which objects are reached. The last is not standard: office programs store the source document
 * there.
 */
const roots = ['Root', 'Info', 'AdditionalStreams']
/** Streams encrypted at a time: enough to keep the threads busy, few enough to notice an abort. */
const maxStreams = 64

/**
 * Writes every object that can be reached from the catalogue, with new numbers. Streams keep their stored bytes.
 * Encryption applies to every stream, and to strings through the object streams that contain them. A file older than 1.5
 * that is not encrypted gets uncompressed objects and a cross-reference table, as its readers expect. ISO 32000-2, 7.5.
 */
export async function writePdf(document: PdfDocument, context: WriteContext): Promise<Uint8Array> {
  const { encryption, signal } = context
  const { values, numberOf } = collect(document)
  const file = createFileLayout(Math.max(document.version, encryption === undefined ? 1.4 : 1.7).toFixed(1))
  const uncompressed: ObjectText[] = []
  const streams: { readonly id: number; readonly stream: PdfStream }[] = []
  for (const [index, value] of values.entries()) {
    if (value instanceof PdfStream) streams.push({ id: index + 1, stream: value })
    else uncompressed.push({ id: index + 1, text: formatValue(value, numberOf) })
  }
  const store = (stream: PdfStream) => storeStream(stream, numberOf, encryption)
  for (let from = 0; from < streams.length; from += maxStreams) {
    signal.throwIfAborted()
    const group = streams.slice(from, from + maxStreams)
    const stored = await Promise.all(group.map(({ stream }) => store(stream)))
    for (const [index, { head, bytes }] of stored.entries()) file.addStream(group[index]!.id, head, bytes)
  }
  let next = values.length + 1
  let trailer = trailerText(document, numberOf, context.random)
  if (encryption !== undefined) {
    trailer += `/Encrypt ${next} 0 R`
    file.addObject(next++, formatValue(encryption.dict, numberOf))
  }
  if (encryption === undefined && document.version < 1.5) {
    for (const { id, text } of uncompressed) file.addObject(id, text)
    return file.endWithTable(next, trailer)
  }
  for (const objects of objectStreams(uncompressed)) {
    signal.throwIfAborted()
    const { head, bytes } = await store(compressedObjects(objects, context.codec))
    file.addStream(next, head, bytes)
    for (const [index, { id }] of objects.group.entries()) file.addInside(id, next, index)
    next++
  }
  return file.endWithStream(next, context.codec, () => trailer)
}

/** Like `writePdf`, but without encryption and synchronous. */
export function writePdfNow(
  document: PdfDocument,
  { codec, random }: Pick<WriteContext, 'codec' | 'random'>,
): Uint8Array {
  const { values, numberOf } = collect(document)
  const file = createFileLayout(Math.max(document.version, 1.4).toFixed(1))
  const uncompressed: ObjectText[] = []
  const add = (id: number, { dict: head, bytes }: PdfStream) =>
    file.addStream(id, formatValue(head.copy().set('Length', bytes.length), numberOf), bytes)
  for (const [index, value] of values.entries()) {
    if (value instanceof PdfStream) add(index + 1, value)
    else uncompressed.push({ id: index + 1, text: formatValue(value, numberOf) })
  }
  let next = values.length + 1
  const trailer = trailerText(document, numberOf, random)
  if (document.version < 1.5) {
    for (const { id, text } of uncompressed) file.addObject(id, text)
    return file.endWithTable(next, trailer)
  }
  for (const objects of objectStreams(uncompressed)) {
    add(next, compressedObjects(objects, codec))
    for (const [index, { id }] of objects.group.entries()) file.addInside(id, next, index)
    next++
  }
  return file.endWithStream(next, codec, () => trailer)
}

/** Collects the objects in use, in the order in which they are reached, and the number of each. */
function collect(document: PdfDocument) {
  const values: PdfValue[] = []
  const numbers = new Map<number, number>()
  const visit = (value: PdfValue): void => {
    if (value instanceof PdfRef) {
      if (numbers.has(value.id)) return
      const object = document.resolve(value)
      numbers.set(value.id, object === null ? 0 : values.push(object))
    } else if (Array.isArray(value)) for (const item of value) visit(item)
    else if (value instanceof PdfDict) for (const item of value.entries.values()) visit(item)
    else if (value instanceof PdfStream) {
      for (const [key, item] of value.dict.entries) if (key !== 'Length') visit(item)
    }
  }
  for (const key of roots) visit(document.trailer.get(key))
  // The list grows during the iteration; the parser limits the depth within one object.
  for (let at = 0; at < values.length; at++) visit(values[at]!)
  const numberOf: NumberOf = (id) => numbers.get(id) ?? 0
  return { values, numberOf }
}

/** The root, the document information and the two identifiers. The first identifier is the same in all versions of a file. */
function trailerText(document: PdfDocument, numberOf: NumberOf, random: Random): string {
  const keep = (key: string) => {
    const value = document.trailer.get(key)
    if (Array.isArray(value)) return `/${key}${formatValue(value, numberOf)}`
    return value instanceof PdfRef && numberOf(value.id) > 0 ? `/${key} ${numberOf(value.id)} 0 R` : ''
  }
  const existing = document.resolve(document.trailer.get('ID'))
  const first = Array.isArray(existing) ? document.resolve(existing[0] ?? null) : null
  const fresh = new PdfString(binaryText(random(16)))
  const lasting = first instanceof PdfString && first.raw.length > 0 ? first : fresh
  return `${roots.map(keep).join('')}/ID${formatValue([lasting, fresh], numberOf)}`
}

interface Stored {
  readonly head: string
  readonly bytes: Uint8Array
}

async function storeStream(stream: PdfStream, numberOf: NumberOf, encryption?: Encryption): Promise<Stored> {
  const open = encryption === undefined || isCryptExempt(stream.dict)
  const bytes = open ? stream.bytes : await encryption.encrypt(stream.bytes)
  const head = encryption === undefined ? stream.dict : await encryptStrings(stream.dict, encryption)
  const copy = (head as PdfDict).copy().set('Length', bytes.length)
  return { head: formatValue(copy, numberOf), bytes }
}

/** Whether a stream declares its own encryption; the only one supported is none. ISO 32000-2, 7.4.10. */
function isCryptExempt({ entries }: PdfDict): boolean {
  const filter = entries.get('Filter') ?? null
  return isName(Array.isArray(filter) ? (filter[0] ?? null) : filter, 'Crypt')
}

async function encryptStrings(value: PdfValue, encryption: Encryption): Promise<PdfValue> {
  if (value instanceof PdfString) {
    return new PdfString(binaryText(await encryption.encrypt(binaryBytes(value.raw))))
  }
  if (Array.isArray(value)) {
    return holdsStrings(value) ? Promise.all(value.map((item) => encryptStrings(item, encryption))) : value
  }
  if (!(value instanceof PdfDict) || !holdsStrings([...value.entries.values()])) return value
  const encrypted = new PdfDict()
  for (const [key, item] of value.entries) encrypted.set(key, await encryptStrings(item, encryption))
  return encrypted
}

function holdsStrings(values: readonly PdfValue[]): boolean {
  return values.some(
    (value) =>
      value instanceof PdfString ||
      (Array.isArray(value) && holdsStrings(value)) ||
      (value instanceof PdfDict && holdsStrings([...value.entries.values()])),
  )
}

function compressedObjects(
  { group, first, content }: { group: readonly ObjectText[]; first: number; content: string },
  codec: Codec,
): PdfStream {
  const head = dict({ Type: name('ObjStm'), N: group.length, First: first, Filter: name('FlateDecode') })
  return new PdfStream(head, zlib(codec, binaryBytes(content)))
}

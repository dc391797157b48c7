import { concatBytes } from '../bytes.ts'
import type { Codec } from '../plugin/contract.ts'
import type { PdfDocument } from './document.ts'
import type { Encryption, Random } from './security/encryption.ts'
import { formatValue, type NumberOf } from './syntax.ts'
import {
  binaryBytes,
  binaryText,
  dict,
  isName,
  name,
  PdfDict,
  PdfRef,
  PdfStream,
  PdfString,
  type PdfValue,
} from './values.ts'
import { zlib } from './zlib.ts'

export interface WriteContext {
  readonly codec: Codec
  readonly random: Random
  readonly signal: AbortSignal
  readonly encryption?: Encryption
}

/** Readers load a whole object stream to get one object: a few hundred keeps that cheap. */
const objectsPerStream = 200
/** What hangs on a trailer. The last is not of the standard: offices put the document there that the file was made from. */
const roots = ['Root', 'Info', 'AdditionalStreams']
/** Streams encrypted at a time: enough to keep the threads busy, few enough to notice an abort. */
const streamsAtOnce = 64

/**
 * Writes all that can be reached from the catalogue, numbered anew. Streams keep their stored bytes; with encryption
 * every stream is encrypted, and strings by way of the object streams they stand in. A file older than 1.5 that is not
 * encrypted keeps to plain objects and a table, as its readers expect. ISO 32000-2, 7.5.
 */
export async function writePdf(document: PdfDocument, context: WriteContext): Promise<Uint8Array> {
  const { encryption, signal } = context
  const { values, numberOf } = collect(document)
  const file = createFile(Math.max(document.version, encryption === undefined ? 1.4 : 1.7))
  const plain: Plain[] = []
  const streams: { readonly id: number; readonly stream: PdfStream }[] = []
  for (const [index, value] of values.entries()) {
    if (value instanceof PdfStream) streams.push({ id: index + 1, stream: value })
    else plain.push({ id: index + 1, text: formatValue(value, numberOf) })
  }
  const store = (stream: PdfStream) => storeStream(stream, numberOf, encryption)
  for (let from = 0; from < streams.length; from += streamsAtOnce) {
    signal.throwIfAborted()
    const group = streams.slice(from, from + streamsAtOnce)
    const stored = await Promise.all(group.map(({ stream }) => store(stream)))
    for (const [index, one] of stored.entries()) file.addStream(group[index]!.id, one)
  }
  let next = values.length + 1
  let trailer = trailerText(document, numberOf, context.random)
  if (encryption !== undefined) {
    trailer += `/Encrypt ${next} 0 R`
    file.add(next++, formatValue(encryption.dict, numberOf))
  }
  if (encryption === undefined && document.version < 1.5) {
    for (const { id, text } of plain) file.add(id, text)
    return file.endWithTable(next, trailer)
  }
  for (let from = 0; from < plain.length; from += objectsPerStream) {
    signal.throwIfAborted()
    const group = plain.slice(from, from + objectsPerStream)
    file.addStream(next, await store(objectStream(group, context.codec)))
    for (const [index, { id }] of group.entries()) file.placeInside(id, next, index)
    next++
  }
  return file.endWithStream(next, trailer, context.codec)
}

/** As `writePdf` does without encryption, at once. */
export function writePdfNow(
  document: PdfDocument,
  { codec, random }: Pick<WriteContext, 'codec' | 'random'>,
): Uint8Array {
  const { values, numberOf } = collect(document)
  const file = createFile(Math.max(document.version, 1.4))
  const plain: Plain[] = []
  const add = (id: number, { dict: head, bytes }: PdfStream) =>
    file.addStream(id, { head: formatValue(head.copy().set('Length', bytes.length), numberOf), bytes })
  for (const [index, value] of values.entries()) {
    if (value instanceof PdfStream) add(index + 1, value)
    else plain.push({ id: index + 1, text: formatValue(value, numberOf) })
  }
  let next = values.length + 1
  const trailer = trailerText(document, numberOf, random)
  if (document.version < 1.5) {
    for (const { id, text } of plain) file.add(id, text)
    return file.endWithTable(next, trailer)
  }
  for (let from = 0; from < plain.length; from += objectsPerStream) {
    const group = plain.slice(from, from + objectsPerStream)
    add(next, objectStream(group, codec))
    for (const [index, { id }] of group.entries()) file.placeInside(id, next, index)
    next++
  }
  return file.endWithStream(next, trailer, codec)
}

interface Plain {
  readonly id: number
  readonly text: string
}

/** The objects in use, in the order they are met, and the number each gets. */
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
  // The list grows while it is walked; depth within one object is bounded by the parser.
  for (let at = 0; at < values.length; at++) visit(values[at]!)
  const numberOf: NumberOf = (id) => numbers.get(id) ?? 0
  return { values, numberOf }
}

/** The root, the properties and the two identifiers: the first stays with the file for life. */
function trailerText(document: PdfDocument, numberOf: NumberOf, random: Random): string {
  const keep = (key: string) => {
    const value = document.trailer.get(key)
    if (Array.isArray(value)) return `/${key}${formatValue(value, numberOf)}`
    return value instanceof PdfRef && numberOf(value.id) > 0 ? `/${key} ${numberOf(value.id)} 0 R` : ''
  }
  const known = document.resolve(document.trailer.get('ID'))
  const first = Array.isArray(known) ? document.resolve(known[0] ?? null) : null
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

/** A stream that says for itself how it is encrypted; the only way known is not at all. ISO 32000-2, 7.4.10. */
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
  const made = new PdfDict()
  for (const [key, item] of value.entries) made.set(key, await encryptStrings(item, encryption))
  return made
}

function holdsStrings(values: readonly PdfValue[]): boolean {
  return values.some(
    (value) =>
      value instanceof PdfString ||
      (Array.isArray(value) && holdsStrings(value)) ||
      (value instanceof PdfDict && holdsStrings([...value.entries.values()])),
  )
}

/** ISO 32000-2, 7.5.7. */
function objectStream(group: readonly Plain[], codec: Codec): PdfStream {
  let index = ''
  let bodies = ''
  for (const { id, text } of group) {
    index += `${id} ${bodies.length} `
    bodies += `${text}\n`
  }
  const head = dict({
    Type: name('ObjStm'),
    N: group.length,
    First: index.length,
    Filter: name('FlateDecode'),
  })
  return new PdfStream(head, zlib(codec, binaryBytes(index + bodies)))
}

/** The bytes of the file so far and where its objects are. */
function createFile(version: number) {
  const chunks: Uint8Array[] = []
  const rows = new Map<number, readonly [kind: 0 | 1 | 2, a: number, b: number]>()
  let length = 0
  const push = (bytes: Uint8Array) => {
    chunks.push(bytes)
    length += bytes.length
  }
  const write = (text: string) => push(binaryBytes(text))
  const addStream = (id: number, { head, bytes }: Stored) => {
    rows.set(id, [1, length, 0])
    write(`${id} 0 obj\n${head}\nstream\n`)
    push(bytes)
    write('\nendstream\nendobj\n')
  }
  write(`%PDF-${version.toFixed(1)}\n%\xe2\xe3\xcf\xd3\n`)
  return {
    addStream,
    add(id: number, text: string): void {
      rows.set(id, [1, length, 0])
      write(`${id} 0 obj\n${text}\nendobj\n`)
    },
    placeInside(id: number, container: number, index: number): void {
      rows.set(id, [2, container, index])
    },
    endWithTable(size: number, trailer: string): Uint8Array {
      const start = length
      let table = `xref\n0 ${size}\n0000000000 65535 f \n`
      for (let id = 1; id < size; id++) table += `${String(rows.get(id)![1]).padStart(10, '0')} 00000 n \n`
      write(`${table}trailer\n<<${trailer}/Size ${size}>>\nstartxref\n${start}\n%%EOF\n`)
      return concatBytes(chunks, length)
    },
    endWithStream(id: number, trailer: string, codec: Codec): Uint8Array {
      const start = length
      rows.set(0, [0, 0, 65535]).set(id, [1, start, 0])
      const table = new Uint8Array(7 * (id + 1))
      const view = new DataView(table.buffer)
      for (const [row, [kind, a, b]] of rows) {
        view.setUint8(7 * row, kind)
        view.setUint32(7 * row + 1, a)
        view.setUint16(7 * row + 5, b)
      }
      const bytes = zlib(codec, table)
      const head = `<</Type/XRef/W[1 4 2]/Size ${id + 1}${trailer}/Filter/FlateDecode/Length ${bytes.length}>>`
      addStream(id, { head, bytes })
      write(`startxref\n${start}\n%%EOF\n`)
      return concatBytes(chunks, length)
    },
  }
}

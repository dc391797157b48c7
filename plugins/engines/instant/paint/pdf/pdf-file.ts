import { concatBytes } from '../../../../../shared/bytes.ts'
import { zlib } from '../../../../../shared/pdf/zlib.ts'
import type { Codec } from '../../../../../shared/plugin/contract.ts'
import { ascii, reference } from './syntax.ts'

/**
 * Collects numbered objects and writes the file: PDF 1.7 with object streams and a cross-reference stream, so that the
 * many small dictionaries of links and outlines are deflated too. ISO 32000-2, 7.5.
 */
export interface PdfFile {
  /** A number to refer to before the object is known. */
  reserve(): number
  /** An object that is no stream. */
  set(id: number, body: string): void
  add(body: string): number
  /** `dictionary` without its brackets and length. Bytes are deflated here unless `deflated` or `asIs`. */
  stream(dictionary: string, bytes: Uint8Array, how?: 'deflate' | 'deflated' | 'asIs'): number
  setStream(id: number, dictionary: string, bytes: Uint8Array, how?: 'deflate' | 'deflated' | 'asIs'): void
  finish(trailer: { readonly root: number; readonly info: number }): Uint8Array
}

/** Readers load a whole object stream to get one object: a few hundred keeps that cheap. */
const objectsPerStream = 200

interface Place {
  readonly type: 0 | 1 | 2
  readonly a: number // offset, or number of the object stream
  readonly b: number // generation, or index in the object stream
}

/** `version`: what the header says; nothing that is written needs a later one than 1.5. */
export function createPdfFile(codec: Codec, version = '1.7'): PdfFile {
  const plain = new Map<number, string>()
  const streams = new Map<number, { readonly head: Uint8Array; readonly bytes: Uint8Array }>()
  let next = 1
  const setStream: PdfFile['setStream'] = (id, dictionary, bytes, how = 'deflate') => {
    const body = how === 'deflate' ? zlib(codec, bytes) : bytes
    const filter = how === 'asIs' ? '' : '/Filter/FlateDecode'
    const head = ascii(`${id} 0 obj\n<<${dictionary}${filter}/Length ${body.length}>>\nstream\n`)
    streams.set(id, { head, bytes: body })
  }
  const file: PdfFile = {
    reserve: () => next++,
    set: (id, body) => void plain.set(id, body),
    add(body) {
      plain.set(next, body)
      return next++
    },
    stream(dictionary, bytes, how) {
      const id = next++
      setStream(id, dictionary, bytes, how)
      return id
    },
    setStream,
    finish({ root, info }) {
      const places = new Map<number, Place>()
      packObjects(file, plain, places)
      const out = createOutput()
      out.push(header(version))
      for (const [id, { head, bytes }] of streams) {
        places.set(id, { type: 1, a: out.length, b: 0 })
        out.push(head)
        out.push(bytes)
        out.push(endStream)
      }
      const start = out.length
      const table = next++
      places.set(table, { type: 1, a: start, b: 0 })
      const rows = crossReference(places, next)
      const id = fingerprint(codec, out.chunks, rows)
      const dictionary = `/Type/XRef/Size ${next}/W[1 4 2]/Root ${reference(root)}/Info ${reference(info)}/ID[<${id}><${id}>]`
      setStream(table, dictionary, rows)
      const last = streams.get(table)!
      out.push(last.head)
      out.push(last.bytes)
      out.push(endStream)
      out.push(ascii(`startxref\n${start}\n%%EOF\n`))
      return out.join()
    },
  }
  return file
}

const header = (version: string): Uint8Array =>
  new Uint8Array([...ascii(`%PDF-${version}\n%`), 0xe2, 0xe3, 0xcf, 0xd3, 0x0a])
const endStream = ascii('\nendstream\nendobj\n')

function packObjects(file: PdfFile, plain: ReadonlyMap<number, string>, places: Map<number, Place>): void {
  const ids = [...plain.keys()].sort((a, b) => a - b)
  for (let from = 0; from < ids.length; from += objectsPerStream) {
    const group = ids.slice(from, from + objectsPerStream)
    const index: string[] = []
    const bodies: string[] = []
    let offset = 0
    for (const id of group) {
      const body = `${plain.get(id)!}\n`
      index.push(`${id} ${offset}`)
      bodies.push(body)
      offset += body.length
    }
    const head = `${index.join(' ')}\n`
    const dictionary = `/Type/ObjStm/N ${group.length}/First ${head.length}`
    const container = file.stream(dictionary, ascii(head + bodies.join('')))
    for (const [at, id] of group.entries()) places.set(id, { type: 2, a: container, b: at })
  }
}

function crossReference(places: ReadonlyMap<number, Place>, size: number): Uint8Array {
  const rows = new Uint8Array(7 * size)
  const view = new DataView(rows.buffer)
  view.setUint16(5, 65535)
  for (let id = 1; id < size; id++) {
    const place = places.get(id)
    if (place === undefined) continue
    view.setUint8(7 * id, place.type)
    view.setUint32(7 * id + 1, place.a)
    view.setUint16(7 * id + 5, place.b)
  }
  return rows
}

/** The file identifier: the same content gives the same, different content most likely another. */
function fingerprint(codec: Codec, chunks: readonly Uint8Array[], rows: Uint8Array): string {
  let content = 0
  let lengths = 0x811c9dc5
  for (const chunk of chunks) {
    content = codec.crc32(chunk, content)
    lengths = Math.imul(lengths ^ chunk.length, 0x01000193) >>> 0
  }
  const table = codec.crc32(rows)
  const words = [content, lengths, table, Math.imul(content ^ table, 0x9e3779b1)]
  return words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

function createOutput() {
  const chunks: Uint8Array[] = []
  let length = 0
  return {
    chunks,
    get length() {
      return length
    },
    push(bytes: Uint8Array) {
      chunks.push(bytes)
      length += bytes.length
    },
    join: () => concatBytes(chunks, length),
  }
}

import type { Codec } from '../../plugin/values.ts'
import { createFileLayout, type FileContent, type ObjectText, objectStreams } from './file.ts'
import { zlib } from './zlib.ts'

/**
 * Collects numbered objects, given as text, and writes them: PDF 1.7 with object streams and a cross-reference stream, so
 * that the many small dictionaries of links and outlines are compressed too. All text is ASCII. ISO 32000-2, 7.5.
 */
export interface PdfFile {
  /** Reserves an object number, to refer to an object before it is known. */
  reserve(): number
  /** Sets an object that is not a stream. */
  set(id: number, body: string): void
  add(body: string): number
  /**
   * Adds a stream. `dictionary` is without brackets and length. Bytes are deflated here unless they are already `deflated` or
   * to be stored `asIs`.
   */
  stream(dictionary: string, bytes: Uint8Array, encoding?: StreamBytes): number
  setStream(id: number, dictionary: string, bytes: Uint8Array, encoding?: StreamBytes): void
  finish(trailer: { readonly root: number; readonly info: number }): Uint8Array
}
export type StreamBytes = 'deflate' | 'deflated' | 'asIs'

const encoder = new TextEncoder()

/** Creates a file. `version` is what the header declares; no feature that is written needs a later version than 1.5. */
export function createPdfFile(codec: Codec, version = '1.7'): PdfFile {
  const objects: ObjectText[] = []
  const streams: { readonly id: number; readonly dictionary: string; readonly bytes: Uint8Array }[] = []
  let next = 1
  const setStream: PdfFile['setStream'] = (id, dictionary, bytes, encoding = 'deflate') => {
    const body = encoding === 'deflate' ? zlib(codec, bytes) : bytes
    const filter = encoding === 'asIs' ? '' : '/Filter/FlateDecode'
    streams.push({ id, dictionary: `<<${dictionary}${filter}/Length ${body.length}>>`, bytes: body })
  }
  const stream: PdfFile['stream'] = (dictionary, bytes, encoding) => {
    const id = next++
    setStream(id, dictionary, bytes, encoding)
    return id
  }
  return {
    reserve: () => next++,
    set: (id, text) => void objects.push({ id, text }),
    add(text) {
      objects.push({ id: next, text })
      return next++
    },
    stream,
    setStream,
    finish({ root, info }) {
      const file = createFileLayout(version)
      objects.sort((a, b) => a.id - b.id)
      for (const { group, first, content } of objectStreams(objects)) {
        const dictionary = `/Type/ObjStm/N ${group.length}/First ${first}`
        const container = stream(dictionary, encoder.encode(content))
        for (const [index, { id }] of group.entries()) file.addInside(id, container, index)
      }
      for (const { id, dictionary, bytes } of streams) file.addStream(id, dictionary, bytes)
      return file.endWithStream(next++, codec, (content) => {
        const id = fingerprint(codec, content)
        return `/Root ${root} 0 R/Info ${info} 0 R/ID[<${id}><${id}>]`
      })
    },
  }
}

/** The file identifier, a hash of the content: equal content gives equal identifiers. */
function fingerprint(codec: Codec, { chunks, rows }: FileContent): string {
  let content = 0
  let lengths = 0x811c9dc5
  for (const chunk of chunks) {
    content = codec.crc32(chunk, content)
    lengths = Math.imul(lengths ^ chunk.length, 0x01000193) >>> 0
  }
  const table = codec.crc32(rows)
  const hashes = [content, lengths, table, Math.imul(content ^ table, 0x9e3779b1)]
  return hashes.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/**
 * Writes the layout of a PDF file: objects one after the other, then the cross-reference. Every PDF that the product writes
 * goes through here: `writer.ts` writes documents that were read, `pdf-file.ts` those that engine I paints. ISO 32000-2, 7.5.
 */
import { binaryBytes, concatBytes } from '../../bytes.ts'
import type { Codec } from '../../plugin/values.ts'
import { zlib } from './zlib.ts'

export interface FileLayout {
  addObject(id: number, text: string): void
  /** `dictionary` is complete, with its brackets and the length. */
  addStream(id: number, dictionary: string, bytes: Uint8Array): void
  /** Records an object that is entry `index` of an object stream. */
  addInside(id: number, container: number, index: number): void
  /** Ends the file with a cross-reference table, for versions before 1.5; `size` is one more than the highest number. */
  endWithTable(size: number, trailer: string): Uint8Array
  /** Ends the file with a cross-reference stream, which gets the number `id`: the highest of the file. */
  endWithStream(id: number, codec: Codec, trailer: (content: FileContent) => string): Uint8Array
}

/** The content from which a file identifier can be computed. */
export interface FileContent {
  readonly chunks: readonly Uint8Array[]
  /** The content of the cross-reference stream, before compression. */
  readonly rows: Uint8Array
}

/** Type, then offset or object stream, then generation or index. ISO 32000-2, table 18. */
type XrefRow = readonly [type: 0 | 1 | 2, first: number, second: number]
const rowBytes = 7

const endOfStream = binaryBytes('\nendstream\nendobj\n')

/** Creates a layout. `version` is the version that the header declares, such as '1.7'. */
export function createFileLayout(version: string): FileLayout {
  const chunks: Uint8Array[] = []
  const rows = new Map<number, XrefRow>()
  let length = 0
  const push = (bytes: Uint8Array): void => {
    chunks.push(bytes)
    length += bytes.length
  }
  const write = (text: string): void => push(binaryBytes(text))
  const addStream = (id: number, dictionary: string, bytes: Uint8Array): void => {
    rows.set(id, [1, length, 0])
    write(`${id} 0 obj\n${dictionary}\nstream\n`)
    push(bytes)
    push(endOfStream)
  }
  // Four bytes above 127 mark the file as binary.
  write(`%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`)
  return {
    addStream,
    addObject(id, text) {
      rows.set(id, [1, length, 0])
      write(`${id} 0 obj\n${text}\nendobj\n`)
    },
    addInside: (id, container, index) => void rows.set(id, [2, container, index]),
    endWithTable(size, trailer) {
      const start = length
      let table = `xref\n0 ${size}\n0000000000 65535 f \n`
      for (let id = 1; id < size; id++) {
        const [type, offset] = rows.get(id) ?? [0, 0]
        table += `${String(offset).padStart(10, '0')} 00000 ${type === 0 ? 'f' : 'n'} \n`
      }
      write(`${table}trailer\n<<${trailer}/Size ${size}>>\nstartxref\n${start}\n%%EOF\n`)
      return concatBytes(chunks, length)
    },
    endWithStream(id, codec, trailer) {
      const start = length
      rows.set(0, [0, 0, 65535]).set(id, [1, start, 0])
      const table = new Uint8Array(rowBytes * (id + 1))
      const view = new DataView(table.buffer)
      for (let row = 0; row <= id; row++) {
        const entry = rows.get(row)
        if (entry === undefined) continue
        view.setUint8(rowBytes * row, entry[0])
        view.setUint32(rowBytes * row + 1, entry[1])
        view.setUint16(rowBytes * row + 5, entry[2])
      }
      const more = trailer({ chunks, rows: table })
      const bytes = zlib(codec, table)
      const dictionary = `<</Type/XRef/Size ${id + 1}/W[1 4 2]${more}/Filter/FlateDecode/Length ${bytes.length}>>`
      addStream(id, dictionary, bytes)
      write(`startxref\n${start}\n%%EOF\n`)
      return concatBytes(chunks, length)
    },
  }
}

export interface ObjectText {
  readonly id: number
  readonly text: string
}

/** Readers load a complete object stream to get one object: a few hundred objects keep that cheap. */
const objectsPerStream = 200

/** Distributes objects over object streams. `first` is the length of the index before the objects. ISO 32000-2, 7.5.7. */
export function* objectStreams(
  objects: readonly ObjectText[],
): Generator<{ readonly group: readonly ObjectText[]; readonly first: number; readonly content: string }> {
  for (let from = 0; from < objects.length; from += objectsPerStream) {
    const group = objects.slice(from, from + objectsPerStream)
    const index: string[] = []
    const bodies: string[] = []
    let offset = 0
    for (const { id, text } of group) {
      index.push(`${id} ${offset}`)
      const body = `${text}\n`
      bodies.push(body)
      offset += body.length
    }
    const head = `${index.join(' ')}\n`
    yield { group, first: head.length, content: head + bodies.join('') }
  }
}

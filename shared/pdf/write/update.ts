/** Appends changed and new objects to a file, as an incremental update. ISO 32000-2, 7.5.6. */

import { binaryBytes, concatBytes } from '../../bytes.ts'
import { AppError } from '../../errors/app-error.ts'
import { maxOf } from '../../extremes.ts'
import type { PdfDocument } from '../model/document.ts'
import { PdfDict, PdfRef, PdfStream, type PdfValue } from '../model/values.ts'
import { isTextAt } from '../read/indirect.ts'
import { startOffset } from '../read/xref.ts'
import { formatValue, type NumberOf } from '../write/syntax.ts'

export interface PdfUpdate {
  /** The numbers of the changed objects of the file. */
  readonly changed: readonly number[]
  /** Objects from this number on are new. Those that changed objects refer to are appended. */
  readonly firstNew: number
}

export interface SignatureUpdate extends PdfUpdate {
  /** The dictionary that contains the space for a signature. */
  readonly signature: { readonly id: number; readonly entries: PdfDict; readonly reservedBytes: number }
}

export interface UpdatedFile {
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface UnsignedFile extends UpdatedFile {
  /** The space for the signature including its brackets, which it does not cover. */
  readonly gap: { readonly start: number; readonly end: number }
}

/** The number of digits of the largest offset in a cross-reference table. */
const offsetDigits = 10

/**
 * Returns the file with its update. The bytes of `base` do not change. Throws 'pdf.broken' for a file without a size in its
 * trailer.
 */
export function appendUpdate(base: Uint8Array, document: PdfDocument, update: PdfUpdate): UpdatedFile {
  const output = outputAfter(base)
  const offsets = writeObjects(output, document, objectsOf(document, update))
  writeCrossReference(base, document, offsets, output)
  return { bytes: output.bytes() }
}

/** Like `appendUpdate`, with an object that has space for a signature, which covers every byte around that space. */
export function appendSignature(
  base: Uint8Array,
  document: PdfDocument,
  { signature, ...update }: SignatureUpdate,
): UnsignedFile {
  const { id, entries, reservedBytes } = signature
  const output = outputAfter(base)
  const others = [...objectsOf(document, update)].filter((object) => object !== id)
  const offsets = new Map(writeObjects(output, document, others)).set(id, output.length)
  const blank = ' '.repeat(offsetDigits)
  const before = `${id} 0 obj\n${formatValue(entries, sameNumber).slice(0, -2)}/ByteRange [0 `
  const gapStart = output.length + before.length + 3 * (offsetDigits + 1) + '/Contents '.length
  const gapEnd = gapStart + 2 * reservedBytes + 2
  output.write(`${before}${blank} ${blank} ${blank}]/Contents <${'0'.repeat(2 * reservedBytes)}>>>\nendobj\n`)
  writeCrossReference(base, document, offsets, output)

  const bytes = output.bytes()
  const range = [gapStart, gapEnd, bytes.length - gapEnd]
    .map((number) => String(number).padEnd(offsetDigits))
    .join(' ')
  bytes.set(binaryBytes(range), gapStart - '/Contents '.length - 1 - range.length)
  return { bytes, gap: { start: gapStart, end: gapEnd } }
}

/** An update keeps the numbers of all objects. */
const sameNumber: NumberOf = (id) => id

interface Output {
  readonly length: number // the number of bytes so far, including those of the original file
  write(part: string | Uint8Array): void
  bytes(): Uint8Array<ArrayBuffer>
}

function outputAfter(base: Uint8Array): Output {
  const chunks: Uint8Array[] = []
  let length = 0
  const write = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? binaryBytes(part) : part
    chunks.push(bytes)
    length += bytes.length
  }
  write(base)
  write('\n')
  return {
    get length() {
      return length
    },
    write,
    bytes: () => concatBytes(chunks, length) as Uint8Array<ArrayBuffer>,
  }
}

/** Writes the objects and returns where each of them begins. */
function writeObjects(
  output: Output,
  document: PdfDocument,
  objects: Iterable<number>,
): ReadonlyMap<number, number> {
  const offsets = new Map<number, number>()
  for (const id of objects) {
    offsets.set(id, output.length)
    const value = document.resolve(new PdfRef(id))
    if (value instanceof PdfStream) {
      const head = value.dict.copy().set('Length', value.bytes.length)
      output.write(`${id} 0 obj\n${formatValue(head, sameNumber)}\nstream\n`)
      output.write(value.bytes)
      output.write('\nendstream\nendobj\n')
    } else output.write(`${id} 0 obj\n${formatValue(value, sameNumber)}\nendobj\n`)
  }
  return offsets
}

/** The changed objects, and the new ones that they refer to. */
function objectsOf(document: PdfDocument, { changed, firstNew }: PdfUpdate): ReadonlySet<number> {
  const numbers = new Set(changed)
  const visit = (value: PdfValue): void => {
    if (value instanceof PdfRef) {
      if (value.id >= firstNew) numbers.add(value.id)
    } else if (Array.isArray(value)) for (const item of value) visit(item)
    else if (value instanceof PdfDict) for (const item of value.entries.values()) visit(item)
    else if (value instanceof PdfStream) visit(value.dict)
  }
  // The set grows during the iteration; the parser limits the depth within one object.
  for (const id of numbers) visit(document.resolve(new PdfRef(id)))
  return numbers
}

/** Writes the offsets of the update, in the form that the cross-reference of the file has. ISO 32000-2, 7.5.4, 7.5.8. */
function writeCrossReference(
  base: Uint8Array,
  document: PdfDocument,
  offsets: ReadonlyMap<number, number>,
  output: Output,
): void {
  const start = output.length
  const previous = startOffset(base)
  const isTable = isTextAt(base, previous, 'xref')
  // The first number that is free in the file and in the update.
  const next = Math.max(sizeOf(document), maxOf([...offsets.keys()].map((id) => id + 1)))
  const rows = new Map(isTable ? offsets : [...offsets, [next, start]])
  const size = isTable ? next : next + 1
  const repeatedEntries = ['Root', 'Info', 'ID'].flatMap((key) => {
    const value = document.trailer.get(key)
    return value === null ? [] : [`/${key} ${formatValue(value, sameNumber)}`]
  })
  const trailer = `/Size ${size}/Prev ${previous}${repeatedEntries.join('')}`
  const sections = consecutive([...rows].toSorted(([a], [b]) => a - b))
  if (isTable) {
    const lines = sections.map(
      (section) =>
        `${section[0]?.[0]} ${section.length}\n${section.map(([, at]) => `${String(at).padStart(offsetDigits, '0')} 00000 n \n`).join('')}`,
    )
    output.write(`xref\n${lines.join('')}trailer\n<<${trailer}>>\n`)
  } else {
    const table = new DataView(new ArrayBuffer(rowBytes * rows.size))
    for (const [row, [, at]] of sections.flat().entries()) {
      table.setUint8(rowBytes * row, 1)
      table.setUint32(rowBytes * row + 1, at)
    }
    const index = sections.map((section) => `${section[0]?.[0]} ${section.length}`).join(' ')
    output.write(
      `${next} 0 obj\n<</Type/XRef${trailer}/W[1 4 2]/Index[${index}]/Length ${table.byteLength}>>\nstream\n`,
    )
    output.write(new Uint8Array(table.buffer))
    output.write('\nendstream\nendobj\n')
  }
  output.write(`startxref\n${start}\n%%EOF\n`)
}

/** Type, offset and generation of an object in a cross-reference stream. */
const rowBytes = 7

function sizeOf(document: PdfDocument): number {
  const size = document.resolve(document.trailer.get('Size'))
  if (typeof size !== 'number') throw new AppError('pdf.broken', { because: 'its trailer has no size' })
  return size
}

type Row = readonly [id: number, at: number]

function consecutive(rows: readonly Row[]): readonly (readonly Row[])[] {
  const sections: Row[][] = []
  for (const row of rows) {
    const section = sections.at(-1)
    if (section !== undefined && section.at(-1)?.[0] === row[0] - 1) section.push(row)
    else sections.push([row])
  }
  return sections
}

/** Appends changed and new objects to a file, as an incremental update. ISO 32000-2, 7.5.6. */
import { concatBytes } from '../../bytes.ts'
import { AppError } from '../../errors/app-error.ts'
import type { PdfDocument } from '../model/document.ts'
import { binaryBytes, PdfDict, PdfRef, PdfStream, type PdfValue } from '../model/values.ts'
import { standsAt } from '../read/indirect.ts'
import { startOffset } from '../read/xref.ts'
import { formatValue, type NumberOf } from '../write/syntax.ts'

export interface PdfUpdate {
  /** Numbers of objects of the file that have changed. */
  readonly changed: readonly number[]
  /** Objects from this number on are new: those that changed objects refer to are appended. */
  readonly firstNew: number
  /** The dictionary that gets the space for a signature. */
  readonly signature: { readonly id: number; readonly entries: PdfDict; readonly reservedBytes: number }
}

export interface UpdatedFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The space for the signature with the brackets around it, which it does not cover. */
  readonly gap: { readonly start: number; readonly end: number }
}

/** The number of digits of the largest offset in a cross-reference table. */
const offsetDigits = 10

/** The file with its update. The bytes of `base` stay as they are. Throws 'sign.unsignable'. */
export function appendUpdate(base: Uint8Array, document: PdfDocument, update: PdfUpdate): UpdatedFile {
  const chunks: Uint8Array[] = [base]
  let length = base.length
  const write = (part: string | Uint8Array): void => {
    const bytes = typeof part === 'string' ? binaryBytes(part) : part
    chunks.push(bytes)
    length += bytes.length
  }
  const sameNumber: NumberOf = (id) => id
  const offsets = new Map<number, number>()
  write('\n')
  for (const id of objectsOf(document, update)) {
    offsets.set(id, length)
    const value = document.resolve(new PdfRef(id))
    if (value instanceof PdfStream) {
      const head = value.dict.copy().set('Length', value.bytes.length)
      write(`${id} 0 obj\n${formatValue(head, sameNumber)}\nstream\n`)
      write(value.bytes)
      write('\nendstream\nendobj\n')
    } else write(`${id} 0 obj\n${formatValue(value, sameNumber)}\nendobj\n`)
  }
  const { id, entries, reservedBytes } = update.signature
  offsets.set(id, length)
  const blank = ' '.repeat(offsetDigits)
  const before = `${id} 0 obj\n${formatValue(entries, sameNumber).slice(0, -2)}/ByteRange [0 `
  const gapStart = length + before.length + 3 * (offsetDigits + 1) + '/Contents '.length
  const gapEnd = gapStart + 2 * reservedBytes + 2
  write(`${before}${blank} ${blank} ${blank}]/Contents <${'0'.repeat(2 * reservedBytes)}>>>\nendobj\n`)
  writeCrossReference(base, document, { offsets, length, write })

  const bytes = concatBytes(chunks, length) as Uint8Array<ArrayBuffer>
  const range = [gapStart, gapEnd, bytes.length - gapEnd]
    .map((one) => String(one).padEnd(offsetDigits))
    .join(' ')
  bytes.set(binaryBytes(range), gapStart - '/Contents '.length - 1 - range.length)
  return { bytes, gap: { start: gapStart, end: gapEnd } }
}

/** The changed objects, and the new ones that they refer to, without the signature. */
function objectsOf(document: PdfDocument, { changed, firstNew, signature }: PdfUpdate): ReadonlySet<number> {
  const found = new Set(changed)
  const visit = (value: PdfValue): void => {
    if (value instanceof PdfRef) {
      if (value.id >= firstNew && value.id !== signature.id) found.add(value.id)
    } else if (Array.isArray(value)) for (const item of value) visit(item)
    else if (value instanceof PdfDict) for (const item of value.entries.values()) visit(item)
    else if (value instanceof PdfStream) visit(value.dict)
  }
  // The set grows while it is walked; depth within one object is bounded by the parser.
  for (const id of found) visit(document.resolve(new PdfRef(id)))
  return found
}

interface Writing {
  readonly offsets: ReadonlyMap<number, number>
  readonly length: number
  readonly write: (part: string | Uint8Array) => void
}

/** The offsets of the update, in the form that the cross-reference of the file has. ISO 32000-2, 7.5.4, 7.5.8. */
function writeCrossReference(
  base: Uint8Array,
  document: PdfDocument,
  { offsets, length, write }: Writing,
): void {
  const previous = startOffset(base)
  const isTable = standsAt(base, previous, 'xref')
  const streamId = Math.max(...offsets.keys()) + 1
  const rows = new Map(isTable ? offsets : [...offsets, [streamId, length]])
  const size = Math.max(sizeOf(document), streamId + (isTable ? 0 : 1))
  const repeatedEntries = ['Root', 'Info', 'ID'].flatMap((key) => {
    const value = document.trailer.get(key)
    return value === null ? [] : [`/${key} ${formatValue(value, (id) => id)}`]
  })
  const trailer = `/Size ${size}/Prev ${previous}${repeatedEntries.join('')}`
  const sections = consecutive([...rows].toSorted(([a], [b]) => a - b))
  if (isTable) {
    const lines = sections.map(
      (section) =>
        `${section[0]?.[0]} ${section.length}\n${section.map(([, at]) => `${String(at).padStart(offsetDigits, '0')} 00000 n \n`).join('')}`,
    )
    write(`xref\n${lines.join('')}trailer\n<<${trailer}>>\n`)
  } else {
    const table = new DataView(new ArrayBuffer(rowBytes * rows.size))
    for (const [row, [, at]] of sections.flat().entries()) {
      table.setUint8(rowBytes * row, 1)
      table.setUint32(rowBytes * row + 1, at)
    }
    const index = sections.map((section) => `${section[0]?.[0]} ${section.length}`).join(' ')
    write(
      `${streamId} 0 obj\n<</Type/XRef${trailer}/W[1 4 2]/Index[${index}]/Length ${table.byteLength}>>\nstream\n`,
    )
    write(new Uint8Array(table.buffer))
    write('\nendstream\nendobj\n')
  }
  write(`startxref\n${length}\n%%EOF\n`)
}

/** Type, offset and generation of an object in a cross-reference stream. */
const rowBytes = 7

function sizeOf(document: PdfDocument): number {
  const size = document.resolve(document.trailer.get('Size'))
  if (typeof size !== 'number') throw new AppError('sign.unsignable', { because: 'its trailer has no size' })
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

import { AppError } from '../../../../../shared/errors/app-error.ts'

/** The tables of one face in a font file, by tag. A table is a DataView: reading past its end throws RangeError. */
export type Tables = ReadonlyMap<string, DataView>

const maxTables = 256
const maxFaces = 256

/** Turns whatever reading a damaged font throws into the one typed error. */
export function guarded<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('font.damaged', { what }, { cause: error })
  }
}

export function tagAt(view: DataView, offset: number): string {
  return String.fromCharCode(
    view.getUint8(offset),
    view.getUint8(offset + 1),
    view.getUint8(offset + 2),
    view.getUint8(offset + 3),
  )
}

/** Where the table directories start: one for a plain font, several for a collection (TTC, OTC). */
export function directoriesOf(head: DataView): number[] {
  const tag = tagAt(head, 0)
  if (tag === 'ttcf') {
    const count = Math.min(head.getUint32(8), maxFaces)
    return Array.from({ length: count }, (_, index) => head.getUint32(12 + 4 * index))
  }
  if (tag === '\0\x01\0\0' || tag === 'OTTO' || tag === 'true') return [0]
  throw new AppError('font.damaged', { what: 'it is not a TrueType or OpenType file' })
}

export interface TableRecord {
  readonly tag: string
  readonly offset: number
  readonly length: number
}

/** The table directory at `offset` of a view that holds at least the directory. */
export function tableRecords(view: DataView, offset: number): TableRecord[] {
  const count = Math.min(view.getUint16(offset + 4), maxTables)
  return Array.from({ length: count }, (_, index) => {
    const at = offset + 12 + 16 * index
    return { tag: tagAt(view, at), offset: view.getUint32(at + 8), length: view.getUint32(at + 12) }
  })
}

/**
 * The tables of face `index`. Lengths that lie are cut at the end of the file, tables that start beyond it are left
 * out. Throws AppError 'font.damaged'. Source: OpenType 1.9, "Organization of an OpenType Font".
 */
export function readTables(bytes: Uint8Array, index: number): Tables {
  return guarded('its table directory is cut short', () => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const directory = directoriesOf(view)[index]
    if (directory === undefined)
      throw new AppError('font.damaged', { what: 'the collection has fewer faces' })
    const tables = new Map<string, DataView>()
    for (const { tag, offset, length } of tableRecords(view, directory)) {
      if (offset >= bytes.byteLength || tables.has(tag)) continue
      const size = Math.min(length, bytes.byteLength - offset)
      tables.set(tag, new DataView(bytes.buffer, bytes.byteOffset + offset, size))
    }
    return tables
  })
}

export function bytesOfTable(table: DataView): Uint8Array {
  return new Uint8Array(table.buffer as ArrayBuffer, table.byteOffset, table.byteLength)
}

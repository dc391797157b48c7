import { entryOf, setEntry } from '../../../../../shared/entry-of.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'

/** Reads a range of a file; fewer bytes at its end. */
export type ReadAt = (offset: number, length: number) => Uint8Array

/** The tables of one face in a font file. They are read when they are asked for. */
export interface SfntTables {
  has(tag: string): boolean
  /** The length of a table in bytes; 0 when the font has none. */
  sizeOf(tag: string): number
  /** The complete table, which is kept. Reading past the end of the view throws RangeError. */
  get(tag: string): DataView | undefined
  /** A range of a table; fewer bytes at its end. */
  part(tag: string, offset: number, length: number): Uint8Array
  /** The tags in the order of the file. */
  readonly tags: readonly string[]
  /** How many bytes are kept in memory. */
  readonly cachedBytes: number
}

const maxTables = 256
const maxFaces = 256

/** Turns any error of reading a damaged font into the typed one. */
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

/** Offsets of the table directories: one for a plain font, several for a collection (TTC, OTC). */
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

/** The table directory at `offset` of a view that contains at least the directory. */
export function tableRecords(view: DataView, offset: number): TableRecord[] {
  const count = Math.min(view.getUint16(offset + 4), maxTables)
  return Array.from({ length: count }, (_, index) => {
    const at = offset + 12 + 16 * index
    return { tag: tagAt(view, at), offset: view.getUint32(at + 8), length: view.getUint32(at + 12) }
  })
}

/** Where the tables of a face are in its file: offset and length in bytes by tag. */
export type TablePositions = Readonly<Record<string, readonly [offset: number, length: number]>>

/** Enough of the start of a file for its table directory, with that of most collections. */
const headBytes = 4_096

/**
 * Finds the tables of face `index` in a file of `size` bytes. Lengths beyond the end of the file are truncated,
 * and tables that start beyond it are dropped. Throws AppError 'font.damaged'. Source: OpenType 1.9,
 * "Organization of an OpenType Font".
 */
export function locateTables(readAt: ReadAt, size: number, index: number): TablePositions {
  return guarded('its table directory is truncated', () => {
    const directory = directoriesOf(viewOf(readAt(0, headBytes)))[index]
    if (directory === undefined)
      throw new AppError('font.damaged', { what: 'the collection has no face of that number' })
    const positions: Record<string, readonly [number, number]> = {}
    for (const { tag, offset, length } of tableRecords(viewOf(readAt(directory, 12 + 16 * maxTables)), 0)) {
      if (offset < size && !Object.hasOwn(positions, tag))
        setEntry(positions, tag, [offset, Math.min(length, size - offset)])
    }
    return positions
  })
}

/** The tables at these positions. Only what is asked for is read, and only complete tables are kept. */
export function tablesAt(readAt: ReadAt, positions: TablePositions): SfntTables {
  const cached = new Map<string, DataView>()
  let cachedBytes = 0
  const at = (tag: string) => entryOf(positions, tag)
  return {
    has: (tag) => at(tag) !== undefined,
    sizeOf: (tag) => at(tag)?.[1] ?? 0,
    get(tag) {
      const position = at(tag)
      if (position === undefined) return undefined
      let view = cached.get(tag)
      if (view === undefined) {
        view = viewOf(readAt(...position))
        cached.set(tag, view)
        cachedBytes += view.byteLength
      }
      return view
    },
    part(tag, offset, length) {
      const [start, size] = at(tag) ?? [0, 0]
      const view = cached.get(tag)
      const bounded = Math.max(0, Math.min(length, size - offset))
      if (offset < 0 || bounded === 0) return noBytes
      return view === undefined
        ? readAt(start + offset, bounded)
        : bytesOfTable(view).subarray(offset, offset + bounded)
    },
    tags: Object.keys(positions),
    get cachedBytes() {
      return cachedBytes
    },
  }
}

const noBytes = new Uint8Array(0)

/** The tables of face `index` of a file in memory, not copied. Throws AppError 'font.damaged'. */
export function readTables(bytes: Uint8Array, index: number): SfntTables {
  // A plain array is needed, because `slice` of a Node Buffer does not copy.
  const array = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const readAt: ReadAt = (offset, length) => array.subarray(offset, offset + length)
  return tablesAt(readAt, locateTables(readAt, bytes.byteLength, index))
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export function bytesOfTable(table: DataView): Uint8Array {
  return new Uint8Array(table.buffer as ArrayBuffer, table.byteOffset, table.byteLength)
}

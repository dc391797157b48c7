/**
 * Writes a ZIP package from entries that are compressed already: copied ones keep their stored bytes. Sizes are known
 * when an entry is written, so local headers are complete and no data descriptors are needed.
 */
import { AppError } from '../errors/app-error.ts'

/** An entry as it is stored. */
export interface PackedEntry {
  readonly name: string
  readonly method: 0 | 8 // stored or deflated
  readonly crc: number // CRC-32 of the unpacked bytes
  readonly size: number // bytes when unpacked
  readonly chunks: readonly Uint8Array[] // the stored bytes
  readonly dosTime: number // time in the low half, date in the high half
  readonly attributes: number // external file attributes
}

/** Sizes in bytes of the records of a package without the name of the entry (APPNOTE 6.3.10, 4.3). */
export const localSize = 30
export const directorySize = 46
export const endSize = 22
const versionNeeded = 20
const utf8Names = 0x0800
const encoder = new TextEncoder()

/** The package as one array. Entries keep their order. */
export function writeZip(entries: readonly PackedEntry[]): Uint8Array {
  if (entries.length >= 0xffff) throw new AppError('package.too-many-entries', { limit: 0xfffe })
  const names = entries.map(({ name }) => encodedName(name))
  const packed = entries.map(({ chunks }) => chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let total = endSize
  for (let n = 0; n < entries.length; n += 1) {
    total += localSize + directorySize + 2 * names[n]!.length + (packed[n] ?? 0)
  }
  if (total >= 0xffffffff) throw new AppError('package.unsupported', { feature: 'ZIP64' })
  const out = new Uint8Array(total)
  const view = new DataView(out.buffer)
  const offsets: number[] = []
  let at = 0
  entries.forEach((entry, n) => {
    offsets.push(at)
    at = putLocalHeader(view, at, entry, packed[n] ?? 0, names[n]!)
    for (const chunk of entry.chunks) {
      out.set(chunk, at)
      at += chunk.length
    }
  })
  const directory = at
  entries.forEach((entry, n) => {
    at = putDirectoryEntry(view, at, entry, packed[n] ?? 0, names[n]!, offsets[n] ?? 0)
  })
  putEnd(view, at, entries.length, at - directory, directory)
  return out
}

/** What the header of an entry says beside its name. */
export type EntryHead = Omit<PackedEntry, 'name' | 'chunks'>

/** Returns where the content starts. */
export function putLocalHeader(
  view: DataView<ArrayBuffer>,
  at: number,
  entry: EntryHead,
  packed: number,
  name: Uint8Array,
): number {
  view.setUint32(at, 0x04034b50, true)
  common(view, at + 4, entry, packed, name.length)
  return putName(view, at + localSize, name)
}

/** `offset` is that of the local header. Returns where the next entry starts. */
export function putDirectoryEntry(
  view: DataView<ArrayBuffer>,
  at: number,
  entry: EntryHead,
  packed: number,
  name: Uint8Array,
  offset: number,
): number {
  view.setUint32(at, 0x02014b50, true)
  view.setUint16(at + 4, versionNeeded, true)
  common(view, at + 6, entry, packed, name.length)
  view.setUint32(at + 38, entry.attributes, true)
  view.setUint32(at + 42, offset, true)
  return putName(view, at + directorySize, name)
}

/** `size` and `start` are those of the directory. */
export function putEnd(view: DataView, at: number, entries: number, size: number, start: number): void {
  view.setUint32(at, 0x06054b50, true)
  view.setUint16(at + 8, entries, true)
  view.setUint16(at + 10, entries, true)
  view.setUint32(at + 12, size, true)
  view.setUint32(at + 16, start, true)
}

function putName(view: DataView<ArrayBuffer>, at: number, name: Uint8Array): number {
  new Uint8Array(view.buffer).set(name, at)
  return at + name.length
}

/** The 26 bytes that local headers and the directory share. */
function common(view: DataView, at: number, entry: EntryHead, packed: number, nameLength: number): void {
  view.setUint16(at, versionNeeded, true)
  view.setUint16(at + 2, utf8Names, true)
  view.setUint16(at + 4, entry.method, true)
  view.setUint32(at + 6, entry.dosTime, true)
  view.setUint32(at + 10, entry.crc, true)
  view.setUint32(at + 14, packed, true)
  view.setUint32(at + 18, entry.size, true)
  view.setUint16(at + 22, nameLength, true)
}

const nameCache = new Map<string, Uint8Array>()
/** Package entries have the same few names again and again. */
function encodedName(name: string): Uint8Array {
  const cached = nameCache.get(name)
  if (cached !== undefined) return cached
  const bytes = encoder.encode(name)
  if (nameCache.size > 4096) nameCache.clear()
  nameCache.set(name, bytes)
  return bytes
}

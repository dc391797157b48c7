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
const directorySize = 46
const endSize = 22
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
  const bytes = new Uint8Array(total)
  const view = new DataView(bytes.buffer)
  const offsets: number[] = []
  let offset = 0
  entries.forEach((entry, n) => {
    offsets.push(offset)
    offset = putLocalHeader(view, offset, entry, packed[n] ?? 0, names[n]!)
    for (const chunk of entry.chunks) {
      bytes.set(chunk, offset)
      offset += chunk.length
    }
  })
  const directory = offset
  entries.forEach((entry, n) => {
    offset = putDirectoryEntry(view, offset, entry, packed[n] ?? 0, names[n]!, offsets[n] ?? 0)
  })
  putEnd(view, offset, entries.length, offset - directory, directory)
  return bytes
}

/** The metadata in the header of an entry, without its name. */
export type EntryHead = Omit<PackedEntry, 'name' | 'chunks'>

/** Writes the local header of an entry. Returns the offset of its content. */
export function putLocalHeader(
  view: DataView<ArrayBuffer>,
  start: number,
  entry: EntryHead,
  packed: number,
  name: Uint8Array,
): number {
  view.setUint32(start, 0x04034b50, true)
  common(view, start + 4, entry, packed, name.length)
  return putName(view, start + localSize, name)
}

/** The maximum values of fields with 32 and 16 bits; larger ones are written in a ZIP64 record (APPNOTE 4.4.1.4). */
const max32 = 0xffffffff
const max16 = 0xffff
const zip64Version = 45
/** The extra field of an entry of the directory with an offset of 64 bits (APPNOTE 4.5.3). */
const offset64Size = 12

/** Bytes of an entry of the central directory, without its name. */
export function directoryEntrySize(offset: number): number {
  return directorySize + (offset >= max32 ? offset64Size : 0)
}

/**
 * Writes an entry of the central directory. `offset` is that of the local header, of up to 2 ** 53 bytes. Returns the offset
 * after the entry.
 */
export function putDirectoryEntry(
  view: DataView<ArrayBuffer>,
  start: number,
  entry: EntryHead,
  packed: number,
  name: Uint8Array,
  offset: number,
): number {
  const isLong = offset >= max32
  view.setUint32(start, 0x02014b50, true)
  view.setUint16(start + 4, isLong ? zip64Version : versionNeeded, true)
  common(view, start + 6, entry, packed, name.length)
  if (isLong) view.setUint16(start + 30, offset64Size, true)
  view.setUint32(start + 38, entry.attributes, true)
  view.setUint32(start + 42, Math.min(offset, max32), true)
  const end = putName(view, start + directorySize, name)
  if (!isLong) return end
  view.setUint16(end, 1, true)
  view.setUint16(end + 2, 8, true)
  view.setBigUint64(end + 4, BigInt(offset), true)
  return end + offset64Size
}

/** Number of bytes that `putEnd` writes. */
export function endRecordSize(entries: number, size: number, start: number): number {
  return needsZip64(entries, size, start) ? end64Size + locator64Size + endSize : endSize
}

const [end64Size, locator64Size] = [56, 20]

function needsZip64(entries: number, size: number, start: number): boolean {
  return entries >= max16 || size >= max32 || start >= max32
}

/**
 * Writes the end record at offset `at` of `view`, preceded by the ZIP64 record if a number requires it (APPNOTE
 * 4.3.14). `size` and `start` describe the central directory; `start` is its offset in the package.
 */
export function putEnd(view: DataView, at: number, entries: number, size: number, start: number): void {
  let end = at
  if (needsZip64(entries, size, start)) {
    view.setUint32(end, 0x06064b50, true)
    view.setBigUint64(end + 4, BigInt(end64Size - 12), true)
    view.setUint16(end + 12, zip64Version, true)
    view.setUint16(end + 14, zip64Version, true)
    view.setBigUint64(end + 24, BigInt(entries), true)
    view.setBigUint64(end + 32, BigInt(entries), true)
    view.setBigUint64(end + 40, BigInt(size), true)
    view.setBigUint64(end + 48, BigInt(start), true)
    const locator = end + end64Size
    view.setUint32(locator, 0x07064b50, true)
    view.setBigUint64(locator + 8, BigInt(start + size), true)
    view.setUint32(locator + 16, 1, true)
    end = locator + locator64Size
  }
  view.setUint32(end, 0x06054b50, true)
  view.setUint16(end + 8, Math.min(entries, max16), true)
  view.setUint16(end + 10, Math.min(entries, max16), true)
  view.setUint32(end + 12, Math.min(size, max32), true)
  view.setUint32(end + 16, Math.min(start, max32), true)
}

function putName(view: DataView<ArrayBuffer>, start: number, name: Uint8Array): number {
  new Uint8Array(view.buffer).set(name, start)
  return start + name.length
}

/** The 26 bytes that local headers and the directory share. */
function common(view: DataView, start: number, entry: EntryHead, packed: number, nameLength: number): void {
  view.setUint16(start, versionNeeded, true)
  view.setUint16(start + 2, utf8Names, true)
  view.setUint16(start + 4, entry.method, true)
  view.setUint32(start + 6, entry.dosTime, true)
  view.setUint32(start + 10, entry.crc, true)
  view.setUint32(start + 14, packed, true)
  view.setUint32(start + 18, entry.size, true)
  view.setUint16(start + 22, nameLength, true)
}

const nameCache = new Map<string, Uint8Array>()
/** Encodes a name. Results are cached, because packages mostly have the same few names. */
function encodedName(name: string): Uint8Array {
  const cached = nameCache.get(name)
  if (cached !== undefined) return cached
  const bytes = encoder.encode(name)
  if (nameCache.size > 4096) nameCache.clear()
  nameCache.set(name, bytes)
  return bytes
}

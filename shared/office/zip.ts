/**
 * Reads the central directory of a ZIP package; entries stay compressed. All input is untrusted: counts, names,
 * offsets and sizes are checked before anything is decompressed, and sizes again during decompression. Source:
 * APPNOTE 6.3.10. Not supported: multi-disk, methods other than stored and deflated.
 */
import { AppError } from '../errors/app-error.ts'
import type { Limits } from '../limits.ts'
import type { PackedPart, PartCache } from '../plugin/contract.ts'
import type { Codec } from '../plugin/values.ts'
import { type DirectoryPlace, inZip64, readZip64Record, zip64Numbers, zip64RecordAt } from './zip64.ts'

/** An entry as it is stored in a package. */
export interface ZipEntry extends PackedPart {
  readonly dosTime: number // time in the low half, date in the high half
  readonly attributes: number // external file attributes
}
/** An opened package. Entries are in the order of the central directory. */
export interface ZipArchive {
  readonly entries: readonly ZipEntry[]
  /**
   * Unpacks one entry. Throws AppError 'package.too-large' when the sum over all calls would exceed limits.inflatedBytes,
   * and 'package.damaged' for wrong sizes and checksums.
   */
  read(entry: ZipEntry): Uint8Array
}

/** The context in which a package is opened. */
export interface OpenZip {
  readonly codec: Codec
  readonly limits: Limits
  readonly format: string // for messages
  readonly partCache?: PartCache | undefined
}

const endSignature = 0x06054b50
const endSize = 22
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const compoundFile = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/**
 * Opens a package. Throws AppError 'package.encrypted' for an office file with a password, 'package.not-a-zip' and
 * others of 'package.*' for what is damaged, unsupported or beyond the limits.
 */
export function openZip(bytes: Uint8Array, { codec, limits, format, partCache }: OpenZip): ZipArchive {
  if (compoundFile.every((byte, index) => bytes[index] === byte)) throw new AppError('package.encrypted')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < endSize || view.getUint32(0, true) !== localSignature) {
    throw new AppError('package.not-a-zip', { format })
  }
  const end = findEnd(view)
  const { count, size, start, disks } = directoryPlace(view, end)
  if (disks !== 1) throw new AppError('package.unsupported', { feature: 'several disks' })
  if (count > limits.zipEntries) throw new AppError('package.too-many-entries', { limit: limits.zipEntries })
  if (start + size > end) throw damaged('its table of contents is cut off')
  const entries = readDirectory(bytes, view, { start, end: start + size, count })
  guardSizes(entries, limits)
  let unpacked = 0
  return {
    entries,
    read(entry) {
      const bytesLeft = limits.inflatedBytes - unpacked
      if (entry.size > bytesLeft) throw new AppError('package.too-large', { limit: limits.inflatedBytes })
      const content = partCache?.content(entry, () => unpack(entry, codec)) ?? unpack(entry, codec)
      unpacked += content.length
      return content
    },
  }
}

function unpack(entry: ZipEntry, codec: Codec): Uint8Array {
  const content = entry.method === 0 ? entry.stored : inflate(entry, codec)
  if (content.length !== entry.size) throw damaged('the size of an entry differs from its declared size')
  if (codec.crc32(content) !== entry.crc) throw damaged('the checksum of an entry is wrong')
  return content
}

function inflate(entry: ZipEntry, codec: Codec): Uint8Array {
  try {
    return codec.inflateRaw(entry.stored, entry.size)
  } catch (error) {
    if (error instanceof AppError && error.code === 'package.too-large') {
      throw damaged('the size of an entry differs from its declared size')
    }
    if (error instanceof AppError) throw error
    throw damaged('an entry cannot be unpacked')
  }
}

function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - endSize - 0xffff)
  for (let offset = view.byteLength - endSize; offset >= lowest; offset -= 1) {
    if (view.getUint32(offset, true) !== endSignature) continue
    if (offset + endSize + view.getUint16(offset + 20, true) <= view.byteLength) return offset
  }
  throw damaged('its end is missing')
}

/** Reads the end record at `end`, and the one of ZIP64 where a number does not fit into it. */
function directoryPlace(view: DataView, end: number): DirectoryPlace {
  const count = view.getUint16(end + 10, true)
  const size = view.getUint32(end + 12, true)
  const start = view.getUint32(end + 16, true)
  if (count === inZip64.short || size === inZip64.long || start === inZip64.long) {
    const at = zip64RecordAt(view, end)
    const directory = at === undefined ? undefined : readZip64Record(view, at)
    if (directory === undefined) throw damaged('its end is broken')
    return directory
  }
  const isWhole = view.getUint16(end + 4, true) === 0 && view.getUint16(end + 8, true) === count
  return { count, size, start, disks: isWhole ? 1 : 2 }
}

function readDirectory(
  bytes: Uint8Array,
  view: DataView,
  { start, end, count }: { start: number; end: number; count: number },
): ZipEntry[] {
  const utf8 = new TextDecoder()
  const names = new Set<string>()
  const ranges: { from: number; to: number }[] = []
  const entries: ZipEntry[] = []
  let offset = start
  for (let n = 0; n < count; n += 1) {
    if (offset + 46 > end || view.getUint32(offset, true) !== entrySignature)
      throw damaged('its table of contents is broken')
    const flags = view.getUint16(offset + 8, true)
    const method = view.getUint16(offset + 10, true)
    const nameLength = view.getUint16(offset + 28, true)
    const nextEntry =
      offset + 46 + nameLength + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true)
    if (nextEntry > end) throw damaged('its table of contents is broken')
    if (flags & 0x41) throw new AppError('package.encrypted')
    if (method !== 0 && method !== 8)
      throw new AppError('package.unsupported', { feature: `method ${method}` })
    const name = utf8.decode(bytes.subarray(offset + 46, offset + 46 + nameLength))
    guardName(name, names)
    const extra = offset + 46 + nameLength
    const [size, packed, local] =
      zip64Numbers(
        view,
        { from: extra, to: extra + view.getUint16(offset + 30, true) },
        [offset + 24, offset + 20, offset + 42].map((field) => view.getUint32(field, true)),
      ) ?? []
    if (size === undefined || packed === undefined || local === undefined)
      throw damaged('its table of contents is broken')
    if (local + 30 > bytes.length || view.getUint32(local, true) !== localSignature) {
      throw damaged('an entry is missing')
    }
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    if (from + packed > start) throw damaged('an entry is cut off')
    if (method === 0 && packed !== size) throw damaged('the size of an entry differs from its declared size')
    ranges.push({ from: local, to: from + packed })
    entries.push({
      name,
      method,
      crc: view.getUint32(offset + 16, true),
      size,
      stored: bytes.subarray(from, from + packed),
      dosTime: view.getUint32(offset + 12, true),
      attributes: view.getUint32(offset + 38, true),
    })
    offset = nextEntry
  }
  ranges.sort((a, b) => a.from - b.from)
  for (let n = 1; n < ranges.length; n += 1) {
    if (ranges[n]!.from < ranges[n - 1]!.to) throw damaged('entries overlap')
  }
  return entries
}

/** A name that would leave the package when it is unpacked, or that occurs twice, is refused. */
function guardName(name: string, names: Set<string>): void {
  const normalised = name.replaceAll('\\', '/')
  const leaves =
    normalised.startsWith('/') || /^[A-Za-z]:/.test(normalised) || /(^|\/)\.\.(\/|$)/.test(normalised)
  // Of two parts whose names differ in case alone, one program reads the first and another the second. ECMA-376 Part 2, 6.2.2.3.
  const unique = markup.test(normalised) ? normalised.toLowerCase() : normalised
  if (leaves || name === '' || name.includes('\0') || names.has(unique))
    throw new AppError('package.entry-name')
  names.add(unique)
}

/** Names of parts that are read. Other files of a package, such as pictures, may have names that differ in case. */
const markup = /\.(?:xml|rels)$/i

function guardSizes(entries: readonly ZipEntry[], limits: Limits): void {
  let total = 0
  for (const { size, stored } of entries) {
    total += size
    if (size > limits.ratioFloorBytes && size > stored.length * limits.inflateRatio) {
      throw new AppError('package.too-dense', { limit: limits.inflateRatio })
    }
  }
  if (total > limits.inflatedBytes) throw new AppError('package.too-large', { limit: limits.inflatedBytes })
}

function damaged(because: string): AppError {
  return new AppError('package.damaged', { because })
}

/**
 * Compound files ([MS-CFB]): streams in storages, each in sectors that may be anywhere in the file. Changes keep the
 * length of a stream, so the file is never rebuilt.
 */
import { pushAll } from '../../push-all.ts'
import { XmlFault } from '../../xml/cursor.ts'

export interface ByteRange {
  readonly from: number
  readonly to: number
}
export interface CompoundStream {
  readonly name: string
  /** The number of the storage that contains it. */
  readonly storage: number
  /** The ranges of the file that contain its bytes, in order. */
  readonly ranges: readonly ByteRange[]
}

const signature = [0xd0, 0xcf, 0x11, 0xe0]
const headerSize = 512
const entrySize = 128
/** Larger sector numbers have a special meaning (2.1): free, end of chain, or used by a table. */
const maxRegular = 0xfffffffa
const noEntry = 0xffffffff
const kinds = { storage: 1, stream: 2, root: 5 } as const

interface DirectoryEntry {
  readonly name: string
  readonly kind: number
  readonly left: number
  readonly right: number
  readonly child: number
  readonly start: number
  readonly size: number
}

const damaged = (): XmlFault => new XmlFault('its sectors are damaged')

/** The tables of a file, read as far as its directory. */
interface Directory {
  readonly view: DataView
  /** Bytes of a sector. */
  readonly sector: number
  readonly entries: readonly DirectoryEntry[]
  readonly root: DirectoryEntry
  /**
   * Returns the ranges of the sectors of a chain. Throws XmlFault for a chain that leads beyond the end of the file
   * or in a circle.
   */
  readonly rangesFrom: (start: number) => ByteRange[]
}

function readDirectory(bytes: Uint8Array): Directory {
  if (bytes.length < headerSize) throw damaged()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const shift = view.getUint16(30, true)
  if (shift !== 9 && shift !== 12) throw damaged()
  const sector = 1 << shift
  const rangeOf = (number: number): ByteRange => {
    const from = (number + 1) * sector
    if (from >= bytes.length) throw damaged()
    return { from, to: Math.min(from + sector, bytes.length) }
  }
  const table = readTable(view, sector, rangeOf)
  const rangesFrom = chainsOf(table, rangeOf)
  const entries = rangesFrom(view.getUint32(48, true)).flatMap((range) => readEntries(view, range))
  const [root] = entries
  if (root?.kind !== kinds.root) throw damaged()
  return { view, sector, entries, root, rangesFrom }
}

/**
 * Returns the names of the streams of the root storage, which identify the program: an embedded object has the
 * streams of its own program in a nested storage. Throws XmlFault for a file whose directory cannot be read.
 */
export function rootStreams(bytes: Uint8Array): readonly string[] {
  const { entries } = readDirectory(bytes)
  return walk(entries).flatMap(({ entry, storage }) => (storage === 0 ? [entry.name] : []))
}

/** Whether a file starts as compound files do (2.2). */
export function isCompound(bytes: Uint8Array): boolean {
  return signature.every((byte, index) => bytes[index] === byte)
}

/** Returns the streams of all storages. Throws XmlFault for a file whose tables lead beyond its end or in circles. */
export function openCompound(bytes: Uint8Array): readonly CompoundStream[] {
  const { view, sector, entries, root, rangesFrom } = readDirectory(bytes)
  const miniShift = view.getUint16(32, true)
  if (miniShift !== 6) throw damaged()
  const numbersFrom = (start: number) => rangesFrom(start).flatMap((range) => numbersIn(view, range))
  const miniTable = numbersFrom(view.getUint32(60, true))
  const miniSectors = rangesFrom(root.start)
  const miniRange = (number: number): ByteRange => {
    const offset = number << miniShift
    const container = miniSectors[Math.floor(offset / sector)]
    if (container === undefined) throw damaged()
    const from = container.from + (offset % sector)
    return { from, to: Math.min(from + (1 << miniShift), container.to) }
  }
  const miniRangesFrom = chainsOf(miniTable, miniRange)
  const cutoff = view.getUint32(56, true)
  let total = 0
  return walk(entries).map(({ entry: { name, start, size }, storage }) => {
    if (size === 0) return { name, storage, ranges: [] }
    const ranges = cut(size < cutoff ? miniRangesFrom(start) : rangesFrom(start), size)
    total += ranges.reduce((sum, { from, to }) => sum + to - from, 0)
    // Only a hostile file has streams that share sectors: reading all of them would take quadratic time.
    if (total > 2 * bytes.length) throw damaged()
    return { name, storage, ranges: ranges }
  })
}

/** The bytes of a stream as one array. */
export function joinRanges(bytes: Uint8Array, ranges: readonly ByteRange[]): Uint8Array {
  const content = new Uint8Array(ranges.reduce((sum, { from, to }) => sum + to - from, 0))
  let offset = 0
  for (const { from, to } of ranges) {
    content.set(bytes.subarray(from, to), offset)
    offset += to - from
  }
  return content
}

/** The inverse of `gather`: writes the bytes of a stream back to its ranges of `into`. */
export function scatter(content: Uint8Array, ranges: readonly ByteRange[], into: Uint8Array): void {
  let offset = 0
  for (const { from, to } of ranges) {
    into.set(content.subarray(offset, offset + to - from), from)
    offset += to - from
  }
}

/** Reads the allocation table. The numbers of its sectors are listed in the header, then in sectors of their own (2.5). */
function readTable(view: DataView, sector: number, rangeOf: (number: number) => ByteRange): number[] {
  const tableSectors: number[] = []
  for (let offset = 76; offset < headerSize; offset += 4) tableSectors.push(view.getUint32(offset, true))
  const maxSectors = Math.ceil(view.byteLength / sector)
  const perSector = sector / 4
  let nextSector = view.getUint32(68, true)
  const declared = view.getUint32(72, true)
  for (let count = 0; nextSector < maxRegular && count < declared; count++) {
    if (count > maxSectors / perSector) throw damaged()
    const numbers = numbersIn(view, rangeOf(nextSector))
    nextSector = numbers.pop() ?? noEntry
    pushAll(tableSectors, numbers)
  }
  // Further entries of the table refer to sectors that the file does not have.
  const existing = tableSectors
    .filter((tableSector) => tableSector < maxRegular)
    .slice(0, Math.ceil(maxSectors / perSector))
  return existing.flatMap((tableSector) => numbersIn(view, rangeOf(tableSector)))
}

function numbersIn(view: DataView, { from, to }: ByteRange): number[] {
  const numbers: number[] = []
  for (let offset = from; offset + 4 <= to; offset += 4) numbers.push(view.getUint32(offset, true))
  return numbers
}

/**
 * Returns a function that follows chains in a table. All calls together take at most twice as many steps as the table has
 * numbers, because a hostile file could let many entries share one long chain. Throws XmlFault beyond that.
 */
function chainsOf(
  table: readonly number[],
  rangeOf: (number: number) => ByteRange,
): (start: number) => ByteRange[] {
  let stepsLeft = 2 * table.length
  return (start) => {
    const ranges: ByteRange[] = []
    for (let sector = start; sector < maxRegular; sector = table[sector] ?? noEntry) {
      if (--stepsLeft < 0) throw damaged()
      ranges.push(rangeOf(sector))
    }
    return ranges
  }
}

function readEntries(view: DataView, { from, to }: ByteRange): DirectoryEntry[] {
  const entries: DirectoryEntry[] = []
  for (let offset = from; offset + entrySize <= to; offset += entrySize) {
    const length = Math.min(Math.max(0, view.getUint16(offset + 64, true) - 2), 62)
    let name = ''
    for (let n = 0; n < length; n += 2) name += String.fromCharCode(view.getUint16(offset + n, true))
    entries.push({
      name,
      kind: view.getUint8(offset + 66),
      left: view.getUint32(offset + 68, true),
      right: view.getUint32(offset + 72, true),
      child: view.getUint32(offset + 76, true),
      start: view.getUint32(offset + 116, true),
      size: view.getUint32(offset + 120, true),
    })
  }
  return entries
}

/** The entries of a storage are a tree of their own (2.6.4). */
function walk(
  entries: readonly DirectoryEntry[],
): { readonly entry: DirectoryEntry; readonly storage: number }[] {
  const streams: { readonly entry: DirectoryEntry; readonly storage: number }[] = []
  const visited = new Set<number>()
  const pending: { readonly at: number; readonly storage: number }[] = [
    { at: entries[0]?.child ?? noEntry, storage: 0 },
  ]
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    const { at: index, storage } = item
    const entry = entries[index]
    if (entry === undefined || visited.has(index)) continue
    visited.add(index)
    pending.push({ at: entry.left, storage }, { at: entry.right, storage })
    if (entry.kind === kinds.storage) pending.push({ at: entry.child, storage: index })
    else if (entry.kind === kinds.stream) streams.push({ entry, storage })
  }
  return streams
}

/** The ranges of the first `size` bytes. */
function cut(ranges: readonly ByteRange[], size: number): ByteRange[] {
  const result: ByteRange[] = []
  let bytesLeft = size
  for (const { from, to } of ranges) {
    if (bytesLeft <= 0) break
    result.push({ from, to: Math.min(to, from + bytesLeft) })
    bytesLeft -= to - from
  }
  return result
}

/** Reads the names of the entries of a ZIP package, and its `mimetype`, without opening the package. */
import { bytesOf } from '../plugin/byte-source.ts'
import type { ByteSource } from '../plugin/values.ts'
import { type DirectoryPlace, inZip64, readZip64Record, zip64RecordAt, zip64RecordBytes } from './zip64.ts'

/** The end record is at the end of the file, before a comment of at most 64 KB. */
const tailBytes = 65_557
const maxNames = 20_000

/** Whether the package has an entry whose name passes the test. Never throws; a damaged package has no entries. */
export async function hasZipEntry(source: ByteSource, matches: (name: string) => boolean): Promise<boolean> {
  return (await zipNames(source)).some(matches)
}

/**
 * The content of the entry `mimetype`. In OpenDocument it is the first entry and not compressed (ODF 1.3 part 2,
 * 3.3); packages repacked by other programs may have it compressed and anywhere. Undefined without such an entry.
 * Never throws for a damaged package.
 */
export async function zipMimetype(source: ByteSource): Promise<string | undefined> {
  const head = await bytesOf(source.slice(0, Math.min(200, source.size)))
  if (head.length < 38 || head[0] !== 0x50 || head[1] !== 0x4b || head[2] !== 3) return undefined
  const text = new TextDecoder('latin1').decode(head)
  const { name, start } = localEntry(head)
  if (name === 'mimetype') {
    const mimetype = mimetypeIn(text.slice(start))
    if (mimetype !== undefined) return mimetype
  }
  const entry = (await zipEntries(source)).find((candidate) => candidate.name === 'mimetype')
  if (entry === undefined || entry.packed > maxMimetype) return undefined
  try {
    const end = Math.min(entry.at + 30 + 2 * maxMimetype + entry.packed, source.size)
    const local = await bytesOf(source.slice(entry.at, end))
    const packed = local.slice(localEntry(local).start).slice(0, entry.packed)
    return mimetypeIn(entry.stored ? new TextDecoder('latin1').decode(packed) : await inflated(packed))
  } catch {
    return undefined
  }
}

const maxMimetype = 1000 // maximum number of bytes, compressed

function mimetypeIn(text: string): string | undefined {
  return /^application\/[a-z0-9.+-]+/i.exec(text)?.[0].replace(/PK$/, '')
}

/** The name of an entry in its local header, and the offset of its content. */
function localEntry(bytes: Uint8Array): { readonly name: string; readonly start: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = 30 + view.getUint16(26, true)
  return {
    name: new TextDecoder('latin1').decode(bytes.subarray(30, end)),
    start: end + view.getUint16(28, true),
  }
}

/** Decompresses the beginning of an entry, up to the maximum length of a media type. */
async function inflated(packed: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder('latin1').decode(value?.subarray(0, maxMimetype))
}

async function zipNames(source: ByteSource): Promise<readonly string[]> {
  return (await zipEntries(source)).map(({ name }) => name)
}

interface SniffedEntry {
  readonly name: string
  readonly stored: boolean
  readonly packed: number // compressed size, bytes
  readonly at: number // offset of its local header
}

async function zipEntries(source: ByteSource): Promise<readonly SniffedEntry[]> {
  try {
    const head = await bytesOf(source.slice(0, Math.min(4, source.size)))
    if (head[0] !== 0x50 || head[1] !== 0x4b) return []
    const tailStart = Math.max(0, source.size - tailBytes)
    const tail = await bytesOf(source.slice(tailStart, source.size))
    const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength)
    let end = tail.length - 22
    while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1
    if (end < 0) return []
    const short = { start: view.getUint32(end + 16, true), size: view.getUint32(end + 12, true) }
    const isLong = short.start === inZip64.long || short.size === inZip64.long
    const { start, size } = isLong ? await zip64Place(source, view, end) : short
    return entriesOf(await bytesOf(source.slice(start, start + size)))
  } catch {
    return []
  }
}

/** The place of the central directory of a package whose end record is at `end` of `tail`. Throws where it is damaged. */
async function zip64Place(
  source: ByteSource,
  tail: DataView,
  end: number,
): Promise<Pick<DirectoryPlace, 'start' | 'size'>> {
  const at = zip64RecordAt(tail, end)
  const record = at === undefined ? undefined : await bytesOf(source.slice(at, at + zip64RecordBytes))
  const directory =
    record && readZip64Record(new DataView(record.buffer, record.byteOffset, record.byteLength), 0)
  if (directory === undefined || directory.start + directory.size > source.size)
    throw new RangeError('A damaged package.')
  return directory
}

function entriesOf(directory: Uint8Array): SniffedEntry[] {
  const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength)
  const decoder = new TextDecoder()
  const entries: SniffedEntry[] = []
  for (let offset = 0; offset + 46 <= directory.length && entries.length < maxNames; ) {
    if (view.getUint32(offset, true) !== 0x02014b50) break
    const length = view.getUint16(offset + 28, true)
    entries.push({
      name: decoder.decode(directory.subarray(offset + 46, offset + 46 + length)),
      stored: view.getUint16(offset + 10, true) === 0,
      packed: view.getUint32(offset + 20, true),
      at: view.getUint32(offset + 42, true),
    })
    offset += 46 + length + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true)
  }
  return entries
}

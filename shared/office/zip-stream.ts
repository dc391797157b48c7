import type { Codec } from '../plugin/values.ts'
import {
  directoryEntrySize,
  type EntryHead,
  endRecordSize,
  localSize,
  putDirectoryEntry,
  putEnd,
  putLocalHeader,
} from './zip-writer.ts'

/** A finished file to be added to an archive. */
export interface ArchiveFile {
  readonly name: string // with extension, unique in the archive
  readonly bytes: Uint8Array
  readonly compress: boolean // false for office files, PDFs and pictures, which are compressed already
}

/** Number of entries of the central directory that are written at once. */
const directoryBlock = 1024

/**
 * Writes a ZIP archive while its files arrive, with ZIP64 records where it has more than 65,534 files or 4 GB. It holds one
 * file and the names of all, and requests the next one when the consumer reads on. The stream fails with what `files`
 * throws. `time`, in ms since the epoch, becomes the modification time of all entries, in UTC.
 */
export function zipStream(
  files: AsyncIterator<ArchiveFile>,
  codec: Pick<Codec, 'crc32'>,
  time: number,
): ReadableStream<Uint8Array> {
  const dosTime = dosTimeOf(time)
  const directory: { head: EntryHead; packed: number; name: Uint8Array; offset: number }[] = []
  let offset = 0

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const file = await files.next()
        if (file.done === true) {
          for (const bytes of end()) controller.enqueue(bytes)
          controller.close()
          return
        }
        const { bytes, compress, name } = file.value
        const content = compress ? await deflated(bytes) : bytes
        const head: EntryHead = {
          method: compress ? 8 : 0,
          crc: codec.crc32(bytes),
          size: bytes.length,
          dosTime,
          attributes: 0,
        }
        controller.enqueue(begin(head, content.length, new TextEncoder().encode(name)))
        if (content.length > 0) controller.enqueue(content)
      },
      async cancel() {
        await files.return?.()
      },
    },
    { highWaterMark: 0 },
  )

  function begin(head: EntryHead, packed: number, name: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(localSize + name.length)
    putLocalHeader(new DataView(bytes.buffer), 0, head, packed, name)
    directory.push({ head, packed, name, offset })
    offset += bytes.length + packed
    return bytes
  }

  /** The central directory in blocks, and the end record in the last of them. */
  function* end(): Generator<Uint8Array, void, void> {
    let size = 0
    for (let first = 0; first < directory.length; first += directoryBlock) {
      const entries = directory.slice(first, first + directoryBlock)
      const blockSize = entries.reduce(
        (sum, entry) => sum + directoryEntrySize(entry.offset) + entry.name.length,
        0,
      )
      const bytes = new Uint8Array(blockSize)
      const view = new DataView(bytes.buffer)
      let at = 0
      for (const entry of entries)
        at = putDirectoryEntry(view, at, entry.head, entry.packed, entry.name, entry.offset)
      size += blockSize
      yield bytes
    }
    const bytes = new Uint8Array(endRecordSize(directory.length, size, offset))
    putEnd(new DataView(bytes.buffer), 0, directory.length, size, offset)
    yield bytes
  }
}

/** Compresses with the platform's stream, which runs outside of the thread that serves requests where possible. */
async function deflated(bytes: Uint8Array): Promise<Uint8Array> {
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream()
  const packed = source.pipeThrough(new CompressionStream('deflate-raw'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}

/** MS-DOS date and time, date in the high half (APPNOTE 6.3.10, 4.4.6): in steps of two seconds, from 1980 to 2107. */
function dosTimeOf(time: number): number {
  const date = new Date(time)
  const years = Math.min(Math.max(date.getUTCFullYear() - 1980, 0), 127)
  const day = (years << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  const clock = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  return ((day << 16) | clock) >>> 0
}

import { AppError } from '../errors/app-error.ts'
import type { Codec } from '../plugin/values.ts'
import {
  directorySize,
  type EntryHead,
  endSize,
  localSize,
  putDirectoryEntry,
  putEnd,
  putLocalHeader,
} from './zip-writer.ts'

/** A finished file on its way into an archive. */
export interface ArchiveFile {
  readonly name: string // with extension, unique in the archive
  readonly bytes: Uint8Array
  readonly compress: boolean // false for office files, PDFs and pictures, which are compressed already
}

const maxEntries = 0xfffe
const maxBytes = 0xffffffff

/**
 * Writes a ZIP archive while its files arrive. It holds one file at a time and requests the next one when the consumer
 * reads on. The stream fails with what `files` throws, and with 'package.too-many-entries' or 'package.unsupported' for
 * an archive that would need ZIP64. `time`, in ms since the epoch, becomes the modification time of all entries, in UTC.
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
          controller.enqueue(end())
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
    if (directory.length === maxEntries) throw new AppError('package.too-many-entries', { limit: maxEntries })
    const bytes = new Uint8Array(localSize + name.length)
    putLocalHeader(new DataView(bytes.buffer), 0, head, packed, name)
    directory.push({ head, packed, name, offset })
    offset += bytes.length + packed
    if (offset > maxBytes) throw new AppError('package.unsupported', { feature: 'ZIP64' })
    return bytes
  }

  function end(): Uint8Array {
    const size = directory.reduce((sum, { name }) => sum + directorySize + name.length, 0)
    if (offset + size + endSize > maxBytes) throw new AppError('package.unsupported', { feature: 'ZIP64' })
    const bytes = new Uint8Array(size + endSize)
    const view = new DataView(bytes.buffer)
    let directoryOffset = 0
    for (const entry of directory)
      directoryOffset = putDirectoryEntry(
        view,
        directoryOffset,
        entry.head,
        entry.packed,
        entry.name,
        entry.offset,
      )
    putEnd(view, directoryOffset, directory.length, size, offset)
    return bytes
  }
}

/** Compresses with the platform's stream, which works outside of the thread that serves requests where it can. */
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

import { AppError } from '../../../../../shared/errors/app-error.ts'
import { assembleSfnt } from '../subset/write-sfnt.ts'
import { guarded, tagAt } from './container.ts'
import { readWoff2 } from './woff2.ts'

/** The decompressors that the host provides. */
export interface Unpackers {
  /** Raw DEFLATE. */
  inflateRaw(bytes: Uint8Array, maxBytes: number): Uint8Array
  /** Brotli, when the host has it; WOFF 2 is not read without it. */
  readonly brotli?: (bytes: Uint8Array, maxBytes: number) => Uint8Array
}

/** Maximum unpacked size of a web font. */
const maxUnpacked = 64_000_000
const maxTables = 256

/**
 * Returns the plain font of a WOFF or WOFF 2 file, and any other file unchanged. Throws AppError
 * 'font.damaged', or what the decompressors throw. Source: WOFF File Format 1.0, WOFF File Format 2.0 (W3C).
 */
export function unpackFont(bytes: Uint8Array, unpackers: Unpackers): Uint8Array {
  if (bytes.byteLength < 48) return bytes
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tag = tagAt(view, 0)
  if (tag === 'wOFF') return guarded('its tables are truncated', () => readWoff(bytes, view, unpackers))
  if (tag !== 'wOF2') return bytes
  const { brotli } = unpackers
  if (brotli === undefined) throw new AppError('font.damaged', { what: 'this host cannot read WOFF 2' })
  return guarded('its tables are truncated', () => readWoff2(bytes, (packed) => brotli(packed, maxUnpacked)))
}

function readWoff(bytes: Uint8Array, view: DataView, { inflateRaw }: Unpackers): Uint8Array {
  const tables = new Map<string, Uint8Array>()
  let unpackable = maxUnpacked
  const count = Math.min(view.getUint16(12), maxTables)
  for (let index = 0; index < count; index++) {
    const at = 44 + 20 * index
    const [start, packed, length] = [view.getUint32(at + 4), view.getUint32(at + 8), view.getUint32(at + 12)]
    if (start + packed > bytes.byteLength || length > unpackable) throw new RangeError()
    const stored = bytes.subarray(start, start + packed)
    // The zlib format adds two bytes before and four after the compressed data.
    const table = packed === length ? stored : inflateRaw(stored.subarray(2), length)
    unpackable -= table.byteLength
    tables.set(tagAt(view, at), table)
  }
  return assembleSfnt(tables)
}

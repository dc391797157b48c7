import { deflateSync, Inflate, inflateSync } from 'fflate'
import { crc32 } from '../shared/crc32.ts'
import { AppError } from '../shared/errors/app-error.ts'
import type { Codec } from '../shared/plugin/values.ts'

/** Up to this limit in bytes, the output is allocated in advance and need not grow. */
const maxPreallocatedBytes = 4 * 1024 * 1024
/**
 * Input bytes that are inflated before the limit is checked. DEFLATE expands at most 1032 times, so the
 * output exceeds the limit by at most about 8 MB.
 */
const sliceBytes = 8 * 1024

/** Raw DEFLATE in plain JavaScript: the platform's own is asynchronous. */
export const pureCodec: Codec = {
  inflateRaw(bytes, maxBytes) {
    if (maxBytes > maxPreallocatedBytes) return inflateInSlices(bytes, maxBytes)
    // fflate silently drops output that does not fit. One additional byte shows that the limit was exceeded.
    const out = inflateSync(bytes, { out: new Uint8Array(maxBytes + 1) })
    if (out.byteLength > maxBytes) throw tooLarge(maxBytes)
    return out
  },
  deflateRaw: (bytes, effort) => deflateSync(bytes, effort === 'fast' ? { level: 4 } : undefined),
  crc32: (bytes, seed = 0) => crc32(bytes, seed),
}

function inflateInSlices(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const chunks: Uint8Array[] = []
  let size = 0
  const inflate = new Inflate((chunk) => {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  })
  for (let at = 0; at < bytes.byteLength; at += sliceBytes) {
    const end = at + sliceBytes
    inflate.push(bytes.subarray(at, end), end >= bytes.byteLength)
  }
  const out = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    out.set(chunk, at)
    at += chunk.byteLength
  }
  return out
}

function tooLarge(limit: number): AppError {
  return new AppError('package.too-large', { limit })
}

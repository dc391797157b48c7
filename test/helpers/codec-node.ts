import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { AppError } from '../../shared/errors/app-error.ts'
import type { Codec } from '../../shared/plugin/values.ts'

/** DEFLATE by node:zlib. */
export const codecNode: Codec = {
  inflateRaw(bytes, maxBytes) {
    try {
      return inflateRawSync(bytes, { maxOutputLength: Math.max(1, maxBytes) })
    } catch (error) {
      if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
        throw new AppError('package.too-large', { limit: maxBytes }, { cause: error })
      }
      throw error
    }
  },
  deflateRaw: (bytes) => deflateRawSync(bytes, { level: 6 }),
  crc32: (bytes, seed = 0) => crc32(bytes, seed),
}

import { concatBytes } from '../bytes.ts'
import { AppError } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/catalogue.ts'
import type { Call } from './call.ts'

export type SizeError = Extract<
  ErrorCode,
  'api.json.too-large' | 'api.upload.too-large' | 'api.template.too-large' | 'api.fields.too-large'
>

/**
 * The whole body as bytes. A body that says it is too large is refused before it is read, any other as soon as it is.
 * Throws AppError `tooLarge`.
 */
export async function readBody(
  call: Call,
  limit: { readonly bytes: number; readonly tooLarge: SizeError },
): Promise<Uint8Array> {
  if (call.body === undefined) return new Uint8Array(0)
  const declared = Number(call.headers.get('content-length') ?? Number.NaN)
  if (declared > limit.bytes) throw new AppError(limit.tooLarge, { limit: limit.bytes })
  const reader = call.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    while (true) {
      const { value, done } = await reader.read()
      if (done) break
      size += value.length
      if (size > limit.bytes) throw new AppError(limit.tooLarge, { limit: limit.bytes })
      chunks.push(value)
    }
  } finally {
    reader.releaseLock()
  }
  return concatBytes(chunks, size)
}

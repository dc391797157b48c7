import { createByteCollector } from '../byte-collector.ts'
import { AppError } from '../errors/app-error.ts'
import type { ErrorCode } from '../errors/catalogue.ts'
import type { Call } from './call.ts'

export type SizeError = Extract<
  ErrorCode,
  'api.json.too-large' | 'api.upload.too-large' | 'api.template.too-large' | 'api.fields.too-large'
>

export interface BodyLimit {
  readonly bytes: number
  readonly tooLarge: SizeError
}

/** A body in memory, or a stream of one that is too large for that. */
export type HeldBody =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'stream'; readonly stream: ReadableStream<Uint8Array> }

/**
 * Reads the whole body into memory. Throws AppError `tooLarge`: before it reads anything when
 * `Content-Length` exceeds the limit, else as soon as the received bytes do.
 */
export async function readBody(call: Call, limit: BodyLimit): Promise<Uint8Array> {
  const received = await holdBody(call, limit)
  if (received.kind === 'bytes') return received.bytes
  throw new AppError(limit.tooLarge, { limit: limit.bytes })
}

export interface HoldOptions {
  /** The maximum number of bytes to buffer. A larger body is returned as a stream. Absent: no maximum. */
  readonly mostHeld?: number | undefined
  /** Allocates the memory for a buffered body. */
  readonly allocate?: ((size: number) => Uint8Array) | undefined
}

/**
 * Returns a body of up to `mostHeld` bytes in memory, and a larger one as a stream from its first byte. The
 * stream fails with AppError `tooLarge` when it exceeds the limit. Throws the same error when
 * `Content-Length` exceeds it.
 */
export async function holdBody(
  call: Call,
  limit: BodyLimit,
  { mostHeld = Number.POSITIVE_INFINITY, allocate }: HoldOptions = {},
): Promise<HeldBody> {
  if (call.body === undefined) return { kind: 'bytes', bytes: new Uint8Array(0) }
  const tooLarge = () => new AppError(limit.tooLarge, { limit: limit.bytes })
  const declared = Number(call.headers.get('content-length') ?? Number.NaN)
  if (declared > limit.bytes) throw tooLarge()
  const reader = call.body.getReader()
  const received = createByteCollector()
  try {
    while (!(declared > mostHeld) && received.size <= mostHeld) {
      const { value, done } = await reader.read()
      if (done) return { kind: 'bytes', bytes: await received.joined(allocate) }
      received.add(value)
      if (received.size > limit.bytes) throw tooLarge()
    }
  } finally {
    reader.releaseLock()
  }
  return {
    kind: 'stream',
    stream: resume([...received.pieces()], received.size, call.body, limit.bytes, tooLarge),
  }
}

/**
 * A stream of the `chunks` that were read already, `start` bytes in total, and then of the rest of `body`.
 */
function resume(
  chunks: Uint8Array[],
  start: number,
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  tooLarge: () => AppError,
): ReadableStream<Uint8Array> {
  let size = start
  const rest = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const first = chunks.shift()
      if (first !== undefined) return controller.enqueue(first)
      const { value, done } = await rest.read()
      if (done) return controller.close()
      size += value.length
      if (size > maxBytes) {
        rest.releaseLock()
        return controller.error(tooLarge())
      }
      controller.enqueue(value)
    },
    cancel: () => rest.releaseLock(),
  })
}

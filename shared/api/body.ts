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

/** A body in memory, or one that is too large for that and still arrives. */
export type HeldBody =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'stream'; readonly stream: ReadableStream<Uint8Array> }

/**
 * The whole body as bytes. A body that says it is too large is refused before it is read, any other as soon as it is.
 * Throws AppError `tooLarge`.
 */
export async function readBody(call: Call, limit: BodyLimit): Promise<Uint8Array> {
  const held = await holdBody(call, limit)
  if (held.kind === 'bytes') return held.bytes
  throw new AppError(limit.tooLarge, { limit: limit.bytes })
}

export interface HoldOptions {
  readonly mostHeld?: number | undefined
  /** Memory for a body that is held. */
  readonly allocate?: ((size: number) => Uint8Array) | undefined
}

/**
 * The body as bytes up to `mostHeld` of them, else as a stream of all of it, which fails with AppError `tooLarge` where
 * it passes the limit. One that says ahead that it will is refused at once.
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
  const held = createByteCollector()
  try {
    while (!(declared > mostHeld) && held.size <= mostHeld) {
      const { value, done } = await reader.read()
      if (done) return { kind: 'bytes', bytes: await held.joined(allocate) }
      held.add(value)
      if (held.size > limit.bytes) throw tooLarge()
    }
  } finally {
    reader.releaseLock()
  }
  return { kind: 'stream', stream: goOn([...held.pieces()], held.size, call.body, limit.bytes, tooLarge) }
}

function goOn(
  pieces: Uint8Array[],
  start: number,
  body: ReadableStream<Uint8Array>,
  most: number,
  tooLarge: () => AppError,
): ReadableStream<Uint8Array> {
  let size = start
  const rest = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const first = pieces.shift()
      if (first !== undefined) return controller.enqueue(first)
      const { value, done } = await rest.read()
      if (done) return controller.close()
      size += value.length
      if (size > most) {
        rest.releaseLock()
        return controller.error(tooLarge())
      }
      controller.enqueue(value)
    },
    cancel: () => rest.releaseLock(),
  })
}

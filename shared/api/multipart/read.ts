import type { PartHead } from './head.ts'
import { createMultipartParser, type MultipartLimits } from './parser.ts'

/** One part. Its body can be read until the next part is requested, which skips the rest. */
export interface MultipartPart extends PartHead {
  /** The chunks of the body as they arrive. Each is valid until the next one is requested. */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>
}

/**
 * Reads the parts of a multipart body in order. Throws AppError 'api.body.cut' when the body ends before its
 * last delimiter, and 'api.upload.form' when it exceeds the limits.
 */
export async function* readParts(
  body: ReadableStream<Uint8Array>,
  boundary: string,
  limits?: MultipartLimits,
): AsyncGenerator<MultipartPart, void, undefined> {
  const parser = createMultipartParser(boundary, limits)
  const events = readEvents(body, parser)
  try {
    while (true) {
      const event = await events.next()
      if (event.done) return
      if (event.value.kind !== 'part') continue // the unread rest of the previous part
      let isOpen = true
      yield {
        ...event.value.head,
        async *chunks() {
          while (isOpen) {
            const event = await events.next()
            if (event.done || event.value.kind === 'end') isOpen = false
            else if (event.value.kind === 'data') yield event.value.bytes
          }
        },
      }
    }
  } finally {
    await events.return() // releases the body when the consumer stops early; the host discards the rest
  }
}

async function* readEvents(
  body: ReadableStream<Uint8Array>,
  parser: ReturnType<typeof createMultipartParser>,
) {
  const reader = body.getReader()
  try {
    while (true) {
      const { value, done } = await reader.read()
      if (done) break
      yield* parser.push(value)
    }
    parser.finish()
  } finally {
    reader.releaseLock()
  }
}

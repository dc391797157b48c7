import type { PartHead } from './head.ts'
import { createMultipartParser, type MultipartLimits } from './parser.ts'

/** One part. Its body is read, by exactly one of the two, before the next part is asked for; what is left is skipped. */
export interface Part extends PartHead {
  /** The chunks as they arrive, each valid until the next is asked for. */
  chunks(): AsyncGenerator<Uint8Array, void, undefined>
}

/** The parts of a multipart body, in order. Throws AppError 'api.body.cut' when the body ends before its last delimiter. */
export async function* readParts(
  body: ReadableStream<Uint8Array>,
  boundary: string,
  limits?: MultipartLimits,
): AsyncGenerator<Part, void, undefined> {
  const parser = createMultipartParser(boundary, limits)
  const events = readEvents(body, parser)
  try {
    while (true) {
      const next = await events.next()
      if (next.done) return
      if (next.value.kind !== 'part') continue // what a reader left of the part before
      let open = true
      yield {
        ...next.value.head,
        async *chunks() {
          while (open) {
            const event = await events.next()
            if (event.done || event.value.kind === 'end') open = false
            else if (event.value.kind === 'data') yield event.value.bytes
          }
        },
      }
    }
  } finally {
    await events.return() // whoever stops early lets go of the body: the host reads its rest away
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

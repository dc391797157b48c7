import { entryOf } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'

const formats: Readonly<Record<string, 'gzip' | 'deflate'>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
}

/**
 * The maximum number of nested codings. A header has space for thousands of names, each of which would cost a
 * decoder; clients use one, and a proxy may add another.
 */
const maxCodings = 2

/**
 * Decompresses a body (`Content-Encoding`, RFC 9110 8.4). All size limits apply to the decompressed bytes.
 * Nothing is read before the consumer pulls. The stream fails with 'api.encoding' for an unknown coding, with
 * 'api.encoding.broken' for invalid data, and with the error of `body` when that fails.
 */
export function decodedBody(
  body: ReadableStream<Uint8Array>,
  contentEncoding: string,
): ReadableStream<Uint8Array> {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  // 'more-than-two' is not a known coding, so that the stream fails and the message shows this name.
  if (codings.length > maxCodings) return decoded(body, 'more-than-two')
  // The codings are listed in the order in which they were applied, so the last one is decoded first.
  return codings.reduceRight((stream, coding) => decoded(stream, coding), body)
}

function decoded(body: ReadableStream<Uint8Array>, coding: string): ReadableStream<Uint8Array> {
  const format = entryOf(formats, coding)
  const encoding = coding.replace(/[^\w.-]/g, '?').slice(0, 20)
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined // of the decompressed bytes
  let failure: unknown // the error of `body`, when that failed
  const open = () => {
    if (format === undefined) throw new AppError('api.encoding', { encoding })
    const source = body.getReader()
    // The bytes are copied by hand: a pipe would turn an error of the sender's stream into one of the decoder.
    const feed = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        try {
          const { value, done } = await source.read()
          if (done) controller.close()
          else controller.enqueue(value as Uint8Array<ArrayBuffer>)
        } catch (error) {
          failure = error
          controller.error(error)
        }
      },
      cancel: () => source.releaseLock(),
    })
    return feed.pipeThrough(new DecompressionStream(format)).getReader()
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          reader ??= open()
          const { value, done } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (cause) {
          const error = failure ?? cause
          controller.error(
            error instanceof AppError ? error : new AppError('api.encoding.broken', { encoding }, { cause }),
          )
        }
      },
      cancel: (reason) => reader?.cancel(reason).catch(() => undefined),
    },
    { highWaterMark: 0 },
  )
}

import { AppError } from '../errors/app-error.ts'

const formats: Readonly<Record<string, 'gzip' | 'deflate'>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
}

const mostCodings = 2

/**
 * A body as it was before it was compressed (`Content-Encoding`, RFC 9110 8.4): all limits are of what comes out here.
 * Nothing is read before it is asked for. Fails with 'api.encoding' for an encoding that is not known, with
 * 'api.encoding.broken' for bytes that are not in it, and otherwise as `body` does.
 */
export function decodedBody(
  body: ReadableStream<Uint8Array>,
  contentEncoding: string | undefined,
): ReadableStream<Uint8Array> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  // Nobody compresses what is compressed; thousands of names fit into a header.
  if (codings.length > mostCodings) return decoded(body, 'more-than-two')
  // The last one was put around all others.
  return codings.reduceRight((inner, coding) => decoded(inner, coding), body)
}

function decoded(body: ReadableStream<Uint8Array>, coding: string): ReadableStream<Uint8Array> {
  const format = formats[coding]
  const encoding = coding.replace(/[^\w.-]/g, '?').slice(0, 20)
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let failure: unknown
  const open = () => {
    if (format === undefined) throw new AppError('api.encoding', { encoding })
    const source = body.getReader()
    // Both directions by hand: what goes wrong in the sender's stream is told as it is, not as broken data.
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
          const known = failure ?? cause
          controller.error(
            known instanceof AppError ? known : new AppError('api.encoding.broken', { encoding }, { cause }),
          )
        }
      },
      cancel: (reason) => reader?.cancel(reason).catch(() => undefined),
    },
    { highWaterMark: 0 },
  )
}

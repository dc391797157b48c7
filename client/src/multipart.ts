/**
 * Reads the parts of a multipart message while it arrives. Source: RFC 2046 5.1; the service states the length of
 * each part.
 */
import { ConnectionError, ServerError } from './errors.ts'

export interface Part {
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

const lineEnd = '\r\n'
const emptyLine = '\r\n\r\n'
/**
 * Maximum length of the header of a part, in bytes: far more than the service sends. Without a limit, a hostile
 * message could exhaust the memory.
 */
const maxHeadBytes = 16_384

/**
 * The parts in order; one at a time is in memory. Throws `ConnectionError` for a message that breaks off, and
 * `ServerError` for one that is not a multipart message of the service. Cancels the message when the consumer stops
 * reading.
 */
export async function* partsOf(response: Response): AsyncGenerator<Part, void, undefined> {
  const boundary = /^multipart\/mixed;.*boundary="?([^";]+)"?/i.exec(
    response.headers.get('content-type') ?? '',
  )?.[1]
  const source = byteReader(response.body)
  try {
    if (boundary === undefined) throw unreadable('Its media type is not multipart/mixed.')
    for (;;) {
      const line = await source.until(lineEnd)
      if (line === `--${boundary}--`) return
      if (line !== `--${boundary}`) throw unreadable('A part has no boundary.')
      const headers = headersOf(await source.until(emptyLine))
      const length = Number(headers.get('content-length') ?? Number.NaN)
      if (!Number.isSafeInteger(length) || length < 0) throw unreadable('A part has no length.')
      const bytes = await source.take(length)
      if ((await source.until(lineEnd)) !== '') throw unreadable('A part is longer than its length.')
      yield { headers, bytes }
    }
  } finally {
    await source.cancel()
  }
}

function headersOf(head: string): Headers {
  const headers = new Headers()
  for (const line of head.split(lineEnd)) {
    const colon = line.indexOf(':')
    if (colon < 1) throw unreadable('A part has a line that is not a header.')
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return headers
}

interface ByteReader {
  /** Returns the ASCII text before the next `mark`, and skips the mark. */
  until(mark: string): Promise<string>
  take(length: number): Promise<Uint8Array<ArrayBuffer>>
  cancel(): Promise<void>
}

function byteReader(body: ReadableStream<Uint8Array> | null): ByteReader {
  const reader = (body ?? new Blob([]).stream()).getReader()
  let unread: Uint8Array = new Uint8Array(0) // bytes that have arrived but were not read yet

  return { until, take, cancel }

  async function next(): Promise<Uint8Array> {
    const { value, done } = await reader.read().catch((cause: unknown) => {
      throw brokenOff(cause)
    })
    if (done) throw brokenOff()
    return value
  }

  async function until(mark: string): Promise<string> {
    for (;;) {
      const text = String.fromCharCode(...unread.subarray(0, maxHeadBytes))
      const end = text.indexOf(mark)
      if (end !== -1) {
        unread = unread.subarray(end + mark.length)
        return text.slice(0, end)
      }
      if (unread.length >= maxHeadBytes) throw unreadable('The head of a part does not end.')
      const more = await next()
      const both = new Uint8Array(unread.length + more.length)
      both.set(unread)
      both.set(more, unread.length)
      unread = both
    }
  }

  async function take(length: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(length)
    for (let filled = 0; ; unread = await next()) {
      const chunk = unread.subarray(0, length - filled)
      bytes.set(chunk, filled)
      unread = unread.subarray(chunk.length)
      filled += chunk.length
      if (filled === length) return bytes
    }
  }

  async function cancel(): Promise<void> {
    // A message that has broken off cannot be cancelled, and its error was already thrown.
    await reader.cancel().catch(() => {})
  }
}

const brokenOff = (cause?: unknown): ConnectionError =>
  new ConnectionError('The answer broke off before the last document.', { cause })

const unreadable = (because: string): ServerError =>
  new ServerError(`The answer is not a batch of documents. ${because}`)

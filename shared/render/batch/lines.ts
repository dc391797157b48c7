import { createByteCollector } from '../../byte-collector.ts'
import { chunksOf } from '../../byte-reader.ts'

const [lineFeed, carriageReturn, space, tab] = [0x0a, 0x0d, 0x20, 0x09]
const byteOrderMark = [0xef, 0xbb, 0xbf]

export interface LineLimit {
  /** The maximum number of bytes of a line, by its number, which counts from 1. */
  readonly maxBytes: (line: number) => number
  readonly tooLong: (line: number, maxBytes: number) => Error
}

/**
 * The lines of newline-delimited JSON as bytes, without blanks around them. Empty lines and a byte order mark are skipped.
 * Holds one line at a time, so a stream of any length can be read. Throws `tooLong`, and what the stream fails with.
 */
export async function* linesOf(
  stream: ReadableStream<Uint8Array>,
  { maxBytes, tooLong }: LineLimit,
): AsyncGenerator<Uint8Array, void, undefined> {
  let line = createByteCollector()
  let number = 1
  const check = (size: number) => {
    if (size > maxBytes(number)) throw tooLong(number, maxBytes(number))
  }
  const take = async (end: Uint8Array): Promise<Uint8Array> => {
    check(line.size + end.length)
    if (line.size === 0) return trimmed(end, number)
    line.add(end)
    const text = await line.joined()
    line = createByteCollector()
    return trimmed(text, number)
  }
  for await (const chunk of chunksOf(stream)) {
    let start = 0
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, start)) {
      const content = await take(chunk.subarray(start, at))
      if (content.length > 0) yield content
      number++
      start = at + 1
    }
    if (start === chunk.length) continue
    line.add(chunk.subarray(start))
    check(line.size)
  }
  const last = await take(new Uint8Array(0))
  if (last.length > 0) yield last
}

/** Passes on the values of a source and throws `late` when it takes longer than `ms` for the next one. */
export async function* withPatience<Value>(
  source: AsyncIterable<Value>,
  ms: number,
  timeoutError: () => Error,
): AsyncGenerator<Value, void, undefined> {
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await within(iterator.next(), ms, timeoutError)
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // The source may wait for its sender, so its end is not awaited.
    void Promise.resolve(iterator.return?.()).catch(() => {})
  }
}

async function within<Value>(promise: Promise<Value>, ms: number, timeoutError: () => Error): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutError()), ms)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

function trimmed(line: Uint8Array, number: number): Uint8Array {
  let start = number === 1 && byteOrderMark.every((byte, at) => line[at] === byte) ? byteOrderMark.length : 0
  let end = line.length
  while (start < end && isBlank(line[start])) start++
  while (end > start && isBlank(line[end - 1])) end--
  return line.subarray(start, end)
}

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === tab || byte === carriageReturn
}

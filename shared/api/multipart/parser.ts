import { AppError } from '../../errors/app-error.ts'
import { createDelimiterFinder } from './delimiter.ts'
import { type PartHead, parsePartHead } from './head.ts'

/**
 * A push parser for multipart/form-data (RFC 7578, RFC 2046 5.1). It turns chunks of bytes into events, and
 * buffers only the headers of the current part and what may be the start of a delimiter. Lines may end with
 * CRLF or LF. Read `read.ts` next for the pull interface that routes use.
 */
export type PartEvent =
  | { readonly kind: 'part'; readonly head: PartHead }
  | { readonly kind: 'data'; readonly bytes: Uint8Array } // a view of the chunk, valid until the next push
  | { readonly kind: 'end' } // of a part

export interface MultipartLimits {
  readonly headBytes: number // size of the headers of one part
  readonly parts: number
}
const defaultMultipartLimits: MultipartLimits = { headBytes: 16_384, parts: 1_000 }

export interface MultipartParser {
  push(chunk: Uint8Array): PartEvent[]
  /** Throws AppError 'api.body.cut' when the closing delimiter is missing. */
  finish(): void
}

const LF = 10
const CR = 13
const empty = new Uint8Array(0)

export function createMultipartParser(
  boundary: string,
  limits: MultipartLimits = defaultMultipartLimits,
): MultipartParser {
  const delimiters = createDelimiterFinder(boundary)
  const carry = createCarry()
  let state: 'preamble' | 'head' | 'body' | 'epilogue' = 'preamble'
  let line = 0 // offset in the headers of the current part of the first line that is not complete
  let lineStart = true // at the start of the input and after headers, a delimiter needs no line end before it
  let parts = 0 // so far

  return { push, finish }

  function push(chunk: Uint8Array): PartEvent[] {
    const events: PartEvent[] = []
    const bytes = carry.followedBy(chunk)
    for (let offset: number | undefined = 0; offset !== undefined && state !== 'epilogue'; ) {
      offset = state === 'head' ? readHead(bytes, offset, events) : readBody(bytes, offset, events)
    }
    return events
  }

  /** Reads the headers of a part. Returns where the body starts, or undefined when more bytes are needed. */
  function readHead(bytes: Uint8Array, offset: number, events: PartEvent[]): number | undefined {
    const end = endOfHead(bytes, offset + line)
    if (end.text === undefined) {
      if (bytes.length - offset > limits.headBytes) throw new AppError('api.upload.form')
      line = end.line - offset
      carry.keep(bytes, offset)
      return undefined
    }
    line = 0
    if (end.text - offset > limits.headBytes || ++parts > limits.parts) throw new AppError('api.upload.form')
    events.push({ kind: 'part', head: parsePartHead(bytes.subarray(offset, end.text)) })
    state = 'body'
    lineStart = true
    return end.next
  }

  /**
   * Reads up to the next delimiter, which ends a part or the preamble. Returns where the headers after it start, or
   * undefined when there is no complete delimiter or it is the last one.
   */
  function readBody(bytes: Uint8Array, offset: number, events: PartEvent[]): number | undefined {
    const delimiter = delimiters.find(bytes, offset, lineStart)
    if (state === 'body' && delimiter.dataEnd > offset)
      events.push({ kind: 'data', bytes: bytes.subarray(offset, delimiter.dataEnd) })
    if (delimiter.kind === 'more') {
      if (delimiter.dataEnd > offset) lineStart = false
      carry.keep(bytes, delimiter.dataEnd)
      return undefined
    }
    if (state === 'body') events.push({ kind: 'end' })
    state = delimiter.kind === 'last' ? 'epilogue' : 'head'
    return delimiter.next
  }

  function finish(): void {
    if (state !== 'epilogue') throw new AppError('api.body.cut')
  }
}

/** The bytes at the end of one chunk that are read again together with the next chunk. */
interface Carry {
  /** Returns the kept bytes followed by the chunk; nothing is kept any longer. */
  followedBy(chunk: Uint8Array): Uint8Array
  /** Keeps `bytes` from `from` on. Events may refer to the bytes before, so these are not overwritten. */
  keep(bytes: Uint8Array, from: number): void
}

/** The buffer doubles when it grows, so that headers in chunks of one byte are not copied once per byte. */
function createCarry(): Carry {
  let store: Uint8Array = empty // the kept bytes, then space for the next chunk
  let keptBytes = 0 // bytes of earlier chunks in `store`

  return {
    followedBy(chunk) {
      if (keptBytes === 0) return chunk
      const size = keptBytes + chunk.length
      if (size > store.length) {
        const larger = new Uint8Array(2 * size)
        larger.set(store.subarray(0, keptBytes))
        store = larger
      }
      store.set(chunk, keptBytes)
      keptBytes = 0
      return store.subarray(0, size)
    },
    keep(bytes, from) {
      keptBytes = bytes.length - from
      if (bytes.buffer !== store.buffer || from > 0) store = new Uint8Array(bytes.subarray(from))
    },
  }
}

type HeadLine =
  | { readonly text: number; readonly next: number }
  | { readonly text: undefined; readonly line: number }

/**
 * Finds the empty line that ends the headers of a part: `text` is where they end and `next` where the body
 * starts. When there is none yet, `line` is the start of the incomplete line, where the search continues.
 */
function endOfHead(bytes: Uint8Array, from: number): HeadLine {
  let line = from
  while (true) {
    const lineEnd = bytes.indexOf(LF, line)
    if (lineEnd === -1) return { text: undefined, line }
    const length = lineEnd - line - (bytes[lineEnd - 1] === CR && lineEnd > line ? 1 : 0)
    if (length === 0) return { text: line, next: lineEnd + 1 }
    line = lineEnd + 1
  }
}

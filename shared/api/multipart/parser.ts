import { AppError } from '../../errors/app-error.ts'
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
const DASH = 45
/** The maximum white space after a delimiter (RFC 2046 5.1.1), which is buffered until the line ends. */
const maxPadding = 256
const none = new Uint8Array(0)

export function createMultipartParser(
  boundary: string,
  limits: MultipartLimits = defaultMultipartLimits,
): MultipartParser {
  const delimiter = new TextEncoder().encode(`--${boundary}`)
  let state: 'preamble' | 'head' | 'body' | 'epilogue' = 'preamble'
  let store: Uint8Array = none // the buffer: `kept` bytes, then space for the next chunk
  let kept = 0 // bytes of earlier chunks in `store` that are still needed
  let line = 0 // offset in the headers of the current part of the first line that is not complete
  let lineStart = true // at the start of the input and after headers, a delimiter needs no line end before it
  let parts = 0 // so far
  let lineEnd = 'unknown' as 'unknown' | 'crlf' | 'lf' // the line end of the first delimiter line

  return { push, finish }

  function push(chunk: Uint8Array): PartEvent[] {
    if (state === 'epilogue') return []
    const bytes = withKept(chunk)
    const events: PartEvent[] = []
    let at = 0
    while (at <= bytes.length) {
      if (state === 'head') {
        const end = endOfHead(bytes, at + line)
        if (end.text === undefined) {
          if (bytes.length - at > limits.headBytes) throw new AppError('api.upload.form')
          line = end.line - at
          keep(bytes, at)
          return events
        }
        line = 0
        if (end.text - at > limits.headBytes || ++parts > limits.parts) throw new AppError('api.upload.form')
        events.push({ kind: 'part', head: parsePartHead(bytes.subarray(at, end.text)) })
        state = 'body'
        lineStart = true
        at = end.next
        continue
      }
      const found = findDelimiter(bytes, at)
      if (state === 'body' && found.dataEnd > at)
        events.push({ kind: 'data', bytes: bytes.subarray(at, found.dataEnd) })
      if (found.kind === 'more') {
        if (found.dataEnd > at) lineStart = false
        keep(bytes, found.dataEnd)
        return events
      }
      if (state === 'body') events.push({ kind: 'end' })
      if (found.kind === 'last') {
        state = 'epilogue'
        return events
      }
      state = 'head'
      at = found.next
    }
    return events
  }

  /**
   * Returns the kept bytes followed by the chunk. The buffer doubles when it grows, so that headers that
   * arrive in chunks of one byte are not copied once per byte.
   */
  function withKept(chunk: Uint8Array): Uint8Array {
    if (kept === 0) return chunk
    const size = kept + chunk.length
    if (size > store.length) {
      const larger = new Uint8Array(2 * size)
      larger.set(store.subarray(0, kept))
      store = larger
    }
    store.set(chunk, kept)
    kept = 0
    return store.subarray(0, size)
  }

  /** Keeps `bytes` from `from` on. Events may refer to the bytes before, so these are not overwritten. */
  function keep(bytes: Uint8Array, from: number): void {
    kept = bytes.length - from
    if (bytes.buffer !== store.buffer || from > 0) store = new Uint8Array(bytes.subarray(from))
  }

  function finish(): void {
    if (state !== 'epilogue') throw new AppError('api.body.cut')
  }

  /**
   * Finds the next delimiter line from `from` on, or, without one, the end of the bytes that cannot be part
   * of one.
   */
  function findDelimiter(bytes: Uint8Array, from: number): Found {
    let search = from
    if (lineStart && from < bytes.length) {
      const here = matchDelimiter(bytes, from)
      if (here === 'short') return { kind: 'more', dataEnd: from }
      if (here !== undefined) return { ...here, dataEnd: from }
    }
    while (true) {
      const newline = bytes.indexOf(LF, search)
      if (newline === -1) return { kind: 'more', dataEnd: withoutReturn(bytes, from, bytes.length) }
      const dataEnd = withoutReturn(bytes, from, newline)
      const match = matchDelimiter(bytes, newline + 1)
      if (match === 'short') return { kind: 'more', dataEnd }
      if (match !== undefined) return { ...match, dataEnd }
      search = newline + 1
    }
  }

  /**
   * Excludes a carriage return before `end`, which belongs to the line end, unless the lines of this body end
   * with LF only.
   */
  function withoutReturn(bytes: Uint8Array, from: number, end: number): number {
    return lineEnd !== 'lf' && end > from && bytes[end - 1] === CR ? end - 1 : end
  }

  /** Matches a delimiter at `at`. Returns 'short' when more bytes are needed to decide. */
  function matchDelimiter(bytes: Uint8Array, at: number): Match | 'short' | undefined {
    const known = Math.min(delimiter.length, bytes.length - at)
    for (let index = 0; index < known; index++) {
      if (bytes[at + index] !== delimiter[index]) return undefined
    }
    let next = at + delimiter.length
    if (next >= bytes.length) return 'short'
    if (bytes[next] === DASH) {
      if (next + 1 >= bytes.length) return 'short'
      return bytes[next + 1] === DASH ? { kind: 'last', next: next + 2 } : undefined
    }
    const padding = next + maxPadding
    while ((bytes[next] === 32 || bytes[next] === 9) && next < padding) next++
    const returned = bytes[next] === CR
    if (returned) next++
    if (next >= bytes.length) return 'short'
    if (bytes[next] !== LF) return undefined
    if (lineEnd === 'unknown') lineEnd = returned ? 'crlf' : 'lf'
    return { kind: 'delimiter', next: next + 1 }
  }
}

type Match = { readonly kind: 'delimiter' | 'last'; readonly next: number }
type Found = (Match & { readonly dataEnd: number }) | { readonly kind: 'more'; readonly dataEnd: number }

type Head =
  | { readonly text: number; readonly next: number }
  | { readonly text: undefined; readonly line: number }

/**
 * Finds the empty line that ends the headers of a part: `text` is where they end and `next` where the body
 * starts. When there is none yet, `line` is the start of the incomplete line, where the search continues.
 */
function endOfHead(bytes: Uint8Array, from: number): Head {
  let line = from
  while (true) {
    const lineEnd = bytes.indexOf(LF, line)
    if (lineEnd === -1) return { text: undefined, line }
    const length = lineEnd - line - (bytes[lineEnd - 1] === CR && lineEnd > line ? 1 : 0)
    if (length === 0) return { text: line, next: lineEnd + 1 }
    line = lineEnd + 1
  }
}

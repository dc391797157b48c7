import { AppError } from '../../errors/app-error.ts'
import { type PartHead, parsePartHead } from './head.ts'

/**
 * A push parser for multipart/form-data (RFC 7578, RFC 2046 5.1). Bytes go in as they arrive, events come out; nothing
 * but a possible piece of delimiter and the head of the part in hand is kept. Line ends may be CRLF or LF. Read
 * `read.ts` next for the pull side that a route uses.
 */
export type PartEvent =
  | { readonly kind: 'part'; readonly head: PartHead }
  | { readonly kind: 'data'; readonly bytes: Uint8Array } // a view into what was pushed: use before the next push
  | { readonly kind: 'end' } // of a part

export interface MultipartLimits {
  readonly headBytes: number // of one part
  readonly parts: number
}
const defaultMultipartLimits: MultipartLimits = { headBytes: 16_384, parts: 1_000 }

export interface MultipartParser {
  push(chunk: Uint8Array): PartEvent[]
  /** Throws AppError 'api.body.cut' when the closing delimiter has not come. */
  finish(): void
}

const LF = 10
const CR = 13
const DASH = 45
const maxPadding = 256 // blanks after a delimiter (RFC 2046 5.1.1), all kept until the line ends
const none = new Uint8Array(0)

export function createMultipartParser(
  boundary: string,
  limits: MultipartLimits = defaultMultipartLimits,
): MultipartParser {
  const delimiter = new TextEncoder().encode(`--${boundary}`)
  let state: 'preamble' | 'head' | 'body' | 'epilogue' = 'preamble'
  let store: Uint8Array = none // begins with what was kept, and has room behind it
  let kept = 0 // bytes
  let line = 0 // of the head in hand, where reading it stopped
  let lineStart = true // the very first delimiter need not follow a line end
  let parts = 0
  let lineEnd = 'unknown' as 'unknown' | 'crlf' | 'lf' // as the first delimiter shows

  return { push, finish }

  function push(chunk: Uint8Array): PartEvent[] {
    if (state === 'epilogue') return []
    const bytes = behindKept(chunk)
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

  /** What was kept with the chunk behind it. Pieces of a byte each must not have a head copied once for each of them. */
  function behindKept(chunk: Uint8Array): Uint8Array {
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

  /** Parts of `bytes` before `from` may have been handed out: they are not written over. */
  function keep(bytes: Uint8Array, from: number): void {
    kept = bytes.length - from
    if (bytes.buffer !== store.buffer || from > 0) store = new Uint8Array(bytes.subarray(from))
  }

  function finish(): void {
    if (state !== 'epilogue') throw new AppError('api.body.cut')
  }

  /** The next delimiter line from `from`, or how much is certainly not part of one. */
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

  /** A carriage return before the end belongs to the line end, unless lines here end without one. */
  function withoutReturn(bytes: Uint8Array, from: number, end: number): number {
    return lineEnd !== 'lf' && end > from && bytes[end - 1] === CR ? end - 1 : end
  }

  /** Whether a delimiter starts at `at`: 'short' when the bytes end before that can be told. */
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

/** An empty line ends the head: where its text ends and where the body starts; or the line to go on with. */
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

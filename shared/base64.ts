import { binaryText, concatBytes } from './bytes.ts'
import { createPace } from './pace.ts'

/**
 * Decodes base64 as callers send it: in the standard or the URL-safe alphabet, with or without padding, with
 * white space anywhere, and optionally as a `data:` URI (specification 4.4). The input are the bytes of a
 * JSON string, so the decoder understands JSON escapes; some languages write every slash as `\/`. The text
 * may arrive in chunks of any size, and the decoder keeps no more than a few hundred bytes of it.
 */
export interface Base64Decoder {
  /** Returns the bytes that this chunk completes, or undefined when the text is not base64. */
  push(chunk: Uint8Array): Uint8Array | undefined
  /** Returns the last bytes, or undefined when the text is not base64. */
  finish(): Uint8Array | undefined
  /** The media type of a `data:` URI, once its head has been read. */
  mediaType(): string | undefined
}

const INVALID = 255
/** The value of each input byte: that of a letter (0 to 63), INVALID, or one of the constants below. */
const table = new Uint8Array(256).fill(INVALID)
for (const [at, letter] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries()) {
  table[letter.charCodeAt(0)] = at
}
table[45] = 62 // '-'
table[95] = 63 // '_'
const SPACE = 254
for (const space of [32, 9, 10, 12, 13]) table[space] = SPACE
const PADDING = 253
table[61] = PADDING
const ESCAPE = 252
table[92] = ESCAPE
const [SLASH, LETTER_U] = [47, 117]

/**
 * The maximum length in bytes of the prefix `data:<media type>;base64,`. The decoder buffers this much to
 * find its end.
 */
const maxHeadBytes = 300
const none = new Uint8Array(0)
/** Bytes decoded before other work on the thread gets a chance to run. */
const stepBytes = 256 * 1024

export function createBase64Decoder(): Base64Decoder {
  let head: Uint8Array | undefined = none // what may be the prefix of a `data:` URI; undefined after it
  let type: string | undefined // of the `data:` URI
  let group = 0 // the bits of up to three letters
  let letters = 0 // in `group`
  let padding = 0 // padding characters so far
  const escapes = createEscape()

  /**
   * Adds one character, given by its value in the table. Returns the new number of bytes in `out`, or -1 when
   * the text is not base64.
   */
  function take(value: number, out: Uint8Array, written: number): number {
    if (value === SPACE) return written
    if (value === PADDING) return ++padding > 2 ? -1 : written
    if (value > 63 || padding > 0) return -1
    group = (group << 6) | value
    if (++letters < 4) return written
    out[written] = group >> 16
    out[written + 1] = group >> 8
    out[written + 2] = group
    group = 0
    letters = 0
    return written + 3
  }

  function decode(source: Uint8Array): Uint8Array | undefined {
    const out = new Uint8Array(Math.ceil((source.length * 3) / 4) + 3)
    const { length } = source
    let written = 0
    let at = 0
    while (at < length) {
      if (letters === 0 && padding === 0 && !escapes.isOpen()) {
        const groups = decodeGroups(source, at, out, written)
        written += 3 * groups
        at += 4 * groups
        if (at === length) break
      }
      const byte = source[at++] ?? 0
      const value = escapes.isOpen() ? escapes.take(byte) : (table[byte] ?? INVALID)
      if (value !== ESCAPE) written = take(value, out, written)
      else if (!escapes.isOpen()) escapes.begin()
      if (written === -1) return undefined
    }
    return out.subarray(0, written)
  }

  return {
    push(chunk) {
      if (head === undefined) return decode(chunk)
      const copied = Math.min(chunk.length, maxHeadBytes - head.length)
      const start = concatBytes([head, chunk.subarray(0, copied)], head.length + copied)
      const from = endOfHead(start)
      if (from === undefined) return undefined
      if (from === 'more') {
        head = start.slice()
        return none
      }
      type = mediaTypeOf(start)
      head = undefined
      const first = decode(start.subarray(from))
      const rest = first && decode(chunk.subarray(copied))
      return first && rest && concatBytes([first, rest], first.length + rest.length)
    },
    finish() {
      // Up to four characters are base64, even 'data'. A longer head is an incomplete `data:` URI.
      if (head !== undefined && head.length > 4) return undefined
      const first = head === undefined ? none : decode(head)
      if (first === undefined || escapes.isOpen() || letters === 1) return undefined
      const last = letters === 2 ? [group >> 4] : letters === 3 ? [group >> 10, group >> 2] : []
      return concatBytes([first, Uint8Array.from(last)], first.length + last.length)
    },
    mediaType: () => type,
  }
}

/**
 * Decodes groups of four letters, which nearly all of the input consists of, up to the first byte that is not a
 * letter. Returns the number of groups; each is four bytes of the source and three of `out`.
 */
function decodeGroups(source: Uint8Array, from: number, out: Uint8Array, to: number): number {
  let at = from
  let written = to
  for (; at + 4 <= source.length; at += 4) {
    const a = table[source[at] ?? 0] ?? INVALID
    const b = table[source[at + 1] ?? 0] ?? INVALID
    const c = table[source[at + 2] ?? 0] ?? INVALID
    const d = table[source[at + 3] ?? 0] ?? INVALID
    if ((a | b | c | d) > 63) break
    out[written++] = (a << 2) | (b >> 4)
    out[written++] = (b << 4) | (c >> 2)
    out[written++] = (c << 6) | d
  }
  return (at - from) / 4
}

/** Reads one JSON escape at a time, which may be split between chunks. */
interface JsonEscape {
  isOpen(): boolean
  /** Begins an escape, after its backslash. */
  begin(): void
  /** Returns the table value of the escaped character at the end of the escape, and ESCAPE before it. */
  take(byte: number): number
}

function createEscape(): JsonEscape {
  let length = 0 // characters so far, including the backslash; 0 outside of escapes
  let code = 0 // the digits of a \u escape so far

  return {
    isOpen: () => length > 0,
    begin() {
      length = 1
      code = 0
    },
    take(byte) {
      if (length === 1) {
        length = byte === LETTER_U ? 2 : 0
        if (byte === LETTER_U) return ESCAPE
        if (byte === SLASH) return table[SLASH] ?? INVALID
        return 'nrtf'.includes(String.fromCharCode(byte)) ? SPACE : INVALID
      }
      const digit = Number.parseInt(String.fromCharCode(byte), 16)
      if (Number.isNaN(digit)) return INVALID
      code = code * 16 + digit
      if (++length < 6) return ESCAPE
      length = 0
      return code > 127 || code === 92 ? INVALID : (table[code] ?? INVALID)
    },
  }
}

/**
 * Returns where the base64 begins: after `data:...;base64,`, or at 0 without such a prefix. 'more' means that
 * the prefix is incomplete, undefined that it belongs to another kind of `data:` URI.
 */
function endOfHead(bytes: Uint8Array): number | 'more' | undefined {
  const text = binaryText(bytes).toLowerCase()
  if (!text.startsWith('data:')) return 'data:'.startsWith(text) ? 'more' : 0
  const comma = text.indexOf(',')
  if (comma === -1) return bytes.length < maxHeadBytes ? 'more' : undefined
  return text.slice(0, comma).endsWith(';base64') ? comma + 1 : undefined
}

/**
 * The media type that a `data:` URI begins with, without its parameters (RFC 2397). The URI is given as the
 * characters between the quotes of a JSON string, where a slash may be escaped.
 */
export function mediaTypeOf(uri: Uint8Array): string | undefined {
  const head = binaryText(uri.subarray(0, maxHeadBytes))
  return /^data:([^,;\\/]+(?:\/|\\\/)[^,;\\/]+)[,;]/i.exec(head)?.[1]?.replace('\\', '')
}

/** Decodes the characters between the quotes of a JSON string. Returns undefined when they are not base64. */
export function decodeBase64(text: Uint8Array): Uint8Array | undefined {
  const decoder = createBase64Decoder()
  const start = decoder.push(text)
  const last = start && decoder.finish()
  return start && last && (last.length === 0 ? start : concatBytes([start, last], start.length + last.length))
}

/**
 * Decodes a text that may be large, and yields to other work on the thread between steps. See `decodeBase64`.
 */
export async function decodeLargeBase64(text: Uint8Array): Promise<Uint8Array | undefined> {
  const decoder = createBase64Decoder()
  const pace = createPace()
  const out = new Uint8Array(Math.ceil((text.length * 3) / 4) + 3)
  let written = 0
  for (let at = 0; at <= text.length; at += stepBytes) {
    const chunk = text.subarray(at, at + stepBytes)
    const decoded = chunk.length === 0 ? none : decoder.push(chunk)
    if (decoded === undefined) return undefined
    out.set(decoded, written)
    written += decoded.length
    await pace.rest()
  }
  const last = decoder.finish()
  if (last === undefined) return undefined
  out.set(last, written)
  return out.subarray(0, written + last.length)
}

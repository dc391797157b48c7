import { concatBytes } from '../bytes.ts'
import { createPace } from '../pace.ts'

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
}

/** By input byte: the value of a letter (0 to 63), one of the constants below, or 255 when it is invalid. */
const table = new Uint8Array(256).fill(255)
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
  let group = 0 // the bits of up to three letters
  let letters = 0 // in `group`
  let padding = 0 // padding characters so far
  let escaped = 0 // characters of the current escape so far, including the backslash; 0 outside of escapes
  let code = 0 // the digits of a \u escape so far

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

  /**
   * Returns the table value of the escaped character at the end of an escape, ESCAPE before it, and 255 when
   * invalid.
   */
  function inEscape(byte: number): number {
    if (escaped === 1) {
      escaped = 0
      if (byte === SLASH) return table[SLASH]!
      if (byte !== LETTER_U) return 'nrtf'.includes(String.fromCharCode(byte)) ? SPACE : 255
      escaped = 2
      code = 0
      return ESCAPE
    }
    const digit = Number.parseInt(String.fromCharCode(byte), 16)
    if (Number.isNaN(digit)) return 255
    code = code * 16 + digit
    if (++escaped < 6) return ESCAPE
    escaped = 0
    return code > 127 || code === 92 ? 255 : table[code]!
  }

  function decode(source: Uint8Array): Uint8Array | undefined {
    const out = new Uint8Array(Math.ceil((source.length * 3) / 4) + 3)
    const { length } = source
    let written = 0
    let at = 0
    while (at < length) {
      // Nearly all of the input is groups of four letters.
      while (letters === 0 && padding === 0 && escaped === 0 && at + 4 <= length) {
        const a = table[source[at]!]!
        const b = table[source[at + 1]!]!
        const c = table[source[at + 2]!]!
        const d = table[source[at + 3]!]!
        if ((a | b | c | d) > 63) break
        out[written] = (a << 2) | (b >> 4)
        out[written + 1] = (b << 4) | (c >> 2)
        out[written + 2] = (c << 6) | d
        written += 3
        at += 4
      }
      if (at === length) break
      const byte = source[at++]!
      const value = escaped > 0 ? inEscape(byte) : table[byte]!
      if (value !== ESCAPE) written = take(value, out, written)
      else if (escaped === 0) escaped = 1
      if (written === -1) return undefined
    }
    return out.subarray(0, written)
  }

  return {
    push(chunk) {
      if (head === undefined) return decode(chunk)
      const taken = Math.min(chunk.length, maxHeadBytes - head.length)
      const start = concatBytes([head, chunk.subarray(0, taken)], head.length + taken)
      const from = endOfHead(start)
      if (from === undefined) return undefined
      if (from === 'more') {
        head = start.slice()
        return none
      }
      head = undefined
      const first = decode(start.subarray(from))
      const rest = first && decode(chunk.subarray(taken))
      return first && rest && concatBytes([first, rest], first.length + rest.length)
    },
    finish() {
      // Up to four characters are base64, even 'data'. A longer head is an incomplete `data:` URI.
      if (head !== undefined && head.length > 4) return undefined
      const first = head === undefined ? none : decode(head)
      if (first === undefined || escaped > 0 || letters === 1) return undefined
      const last = [none, none, [group >> 4], [group >> 10, group >> 2]][letters]!
      return concatBytes([first, Uint8Array.from(last)], first.length + last.length)
    },
  }
}

/**
 * Returns where the base64 begins: after `data:...;base64,`, or at 0 without such a prefix. 'more' means that
 * the prefix is incomplete, undefined that it belongs to another kind of `data:` URI.
 */
function endOfHead(bytes: Uint8Array): number | 'more' | undefined {
  const text = String.fromCharCode(...bytes).toLowerCase()
  if (!text.startsWith('data:')) return 'data:'.startsWith(text) ? 'more' : 0
  const comma = text.indexOf(',')
  if (comma === -1) return bytes.length < maxHeadBytes ? 'more' : undefined
  return text.slice(0, comma).endsWith(';base64') ? comma + 1 : undefined
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

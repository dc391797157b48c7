/**
 * Base64 as callers send it: standard or URL-safe alphabet, with or without padding, white space anywhere, plain or as
 * a `data:` URI (api-decisions 2). It is read straight from the bytes of a JSON string, so its escapes are understood:
 * some languages write every slash as `\/`.
 */
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

/** `text` holds the characters between the quotes. Returns undefined when they are not base64. */
export function decodeBase64(text: Uint8Array): Uint8Array | undefined {
  const source = dropDataUri(text)
  if (source === undefined) return undefined
  const out = new Uint8Array(Math.ceil((source.length * 3) / 4) + 3)
  const length = source.length
  let at = 0
  let written = 0
  // Four plain letters at a time: nearly all of the input.
  while (at + 4 <= length) {
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
  const rest = decodeRest(source, at, out, written)
  return rest === undefined ? undefined : out.subarray(0, rest)
}

/** The general case, a letter at a time: white space, escapes, padding, a short last group. */
function decodeRest(source: Uint8Array, at: number, out: Uint8Array, written: number): number | undefined {
  let group = 0
  let letters = 0
  let padded = 0
  while (at < source.length) {
    let code = table[source[at]!]!
    at++
    if (code === ESCAPE) {
      const escaped = readEscape(source, at)
      if (escaped === undefined) return undefined
      code = table[escaped.byte]!
      at = escaped.next
    }
    if (code === SPACE) continue
    if (code === PADDING) {
      if (++padded > 2) return undefined
      continue
    }
    if (code > 63 || padded > 0) return undefined
    group = (group << 6) | code
    if (++letters === 4) {
      out[written++] = group >> 16
      out[written++] = group >> 8
      out[written++] = group
      group = 0
      letters = 0
    }
  }
  if (letters === 1) return undefined
  if (letters === 2) out[written++] = group >> 4
  if (letters === 3) {
    out[written++] = group >> 10
    out[written++] = group >> 2
  }
  return written
}

function readEscape(source: Uint8Array, at: number): { byte: number; next: number } | undefined {
  const letter = String.fromCharCode(source[at] ?? 0)
  if (letter === '/') return { byte: 47, next: at + 1 }
  if ('nrtf'.includes(letter)) return { byte: 10, next: at + 1 }
  if (letter !== 'u') return undefined
  const hex = String.fromCharCode(...source.subarray(at + 1, at + 5))
  if (!/^00[0-7][0-9a-fA-F]$/.test(hex)) return undefined
  return { byte: Number.parseInt(hex, 16), next: at + 5 }
}

/** Takes `data:<mime>;base64,` off. Any other `data:` URI is not base64. */
function dropDataUri(text: Uint8Array): Uint8Array | undefined {
  if (!/^data:/i.test(String.fromCharCode(...text.subarray(0, 5)))) return text
  const comma = text.subarray(0, 300).indexOf(44)
  if (comma === -1) return undefined
  const head = String.fromCharCode(...text.subarray(0, comma))
  return /;base64$/i.test(head) ? text.subarray(comma + 1) : undefined
}

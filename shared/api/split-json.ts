import { AppError } from '../errors/app-error.ts'

/**
 * Splits the top level of a JSON object into its members without parsing their values, so that a huge `data` need not
 * become a string and objects on the thread that serves requests. The values are checked only where they are parsed:
 * a body whose every member parses is valid JSON, any other is refused here or there.
 */
export interface JsonMember {
  readonly start: number // of the value in the body
  readonly end: number
}

const QUOTE = 34
const BACKSLASH = 92
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
const OPEN_ARRAY = 91
const CLOSE_ARRAY = 93
const COMMA = 44
const COLON = 58

/** Later members win over earlier ones of the same name, as in JSON.parse. Throws 'api.json.invalid'. */
export function splitJson(bytes: Uint8Array): ReadonlyMap<string, JsonMember> {
  const members = new Map<string, JsonMember>()
  let at = skipSpace(bytes, startsWithMark(bytes) ? 3 : 0)
  if (bytes[at] !== OPEN_OBJECT) throw invalid()
  at = skipSpace(bytes, at + 1)
  if (bytes[at] === CLOSE_OBJECT) at++
  else {
    while (true) {
      if (bytes[at] !== QUOTE) throw invalid()
      const keyEnd = endOfString(bytes, at)
      const key = parseJson(bytes.subarray(at, keyEnd)) as string
      at = skipSpace(bytes, keyEnd)
      if (bytes[at] !== COLON) throw invalid()
      const start = skipSpace(bytes, at + 1)
      const end = endOfValue(bytes, start)
      if (end === start) throw invalid()
      members.set(key, { start, end })
      at = skipSpace(bytes, end)
      if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1)
      else if (bytes[at] === CLOSE_OBJECT) {
        at++
        break
      } else throw invalid()
    }
  }
  if (skipSpace(bytes, at) !== bytes.length) throw invalid()
  return members
}

/**
 * The elements of a JSON array, not parsed. Stops behind `atMost` of them: one more than a caller takes tells it that
 * there are too many. Throws 'api.json.invalid', also for what is no array.
 */
export function splitJsonArray(bytes: Uint8Array, atMost: number): readonly JsonMember[] {
  const items: JsonMember[] = []
  let at = skipSpace(bytes, 0)
  if (bytes[at] !== OPEN_ARRAY) throw invalid()
  at = skipSpace(bytes, at + 1)
  if (bytes[at] === CLOSE_ARRAY) at++
  else {
    while (items.length < atMost) {
      const end = endOfValue(bytes, at)
      if (end === at) throw invalid()
      items.push({ start: at, end })
      at = skipSpace(bytes, end)
      if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1)
      else if (bytes[at] === CLOSE_ARRAY) {
        at++
        break
      } else throw invalid()
    }
    if (items.length === atMost) return items
  }
  if (skipSpace(bytes, at) !== bytes.length) throw invalid()
  return items
}

/** Parses one JSON text. Throws 'api.json.invalid'; the parser's own message is left out, for it quotes the body. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw invalid()
  }
}

function invalid() {
  return new AppError('api.json.invalid')
}

function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

export function skipSpace(bytes: Uint8Array, at: number): number {
  while (bytes[at] === 32 || bytes[at] === 10 || bytes[at] === 13 || bytes[at] === 9) at++
  return at
}

/** The end of the string that opens at `at`, after its closing quote. */
function endOfString(bytes: Uint8Array, at: number): number {
  let from = at + 1
  while (true) {
    const quote = bytes.indexOf(QUOTE, from)
    if (quote === -1) throw invalid()
    let slashes = 0
    while (bytes[quote - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote + 1
    from = quote + 1
  }
}

function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start]
  if (first === QUOTE) return endOfString(bytes, start)
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) return endOfWord(bytes, start)
  let depth = 0
  let at = start
  while (at < bytes.length) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      at = endOfString(bytes, at)
      continue
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth--
      if (depth === 0) return at + 1
    }
    at++
  }
  throw invalid()
}

/** A number or a keyword: up to what cannot belong to one. */
function endOfWord(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length) {
    const byte = bytes[at]!
    if (byte <= 32 || byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte === COLON) break
    at++
  }
  return at
}

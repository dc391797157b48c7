import { concatBytes } from '../bytes.ts'
import { AppError } from '../errors/app-error.ts'
import { parseJson } from './split-json.ts'

/**
 * The top level of a JSON object that arrives in pieces. The text of one member, when it is a string, is handed on as it
 * comes; all others are kept, not parsed. As `splitJson`, of which it is the other half: that one wants the whole body.
 */
export interface JsonSplitter {
  /** What of this piece belongs to the text of `wanted`, between its quotes and with its escapes. */
  push(piece: Uint8Array): readonly Uint8Array[]
  /** Throws 'api.json.invalid' where the object is not complete. */
  finish(): JsonParts
}
export interface JsonParts {
  readonly members: ReadonlyMap<string, Uint8Array> // JSON of each, also of `wanted` where it is no string
  readonly streamed: boolean // `wanted` was a string
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [123, 125, 91, 93]
const mark = [0xef, 0xbb, 0xbf]

type State =
  | 'start'
  | 'first'
  | 'key'
  | 'in-key'
  | 'colon'
  | 'value'
  | 'in-value'
  | 'wanted'
  | 'after'
  | 'end'

export function createJsonSplitter(wanted: string): JsonSplitter {
  const members = new Map<string, Uint8Array>()
  let state: State = 'start'
  let streamed = false
  let name = ''
  let kept: Uint8Array[] = [] // of the key or value in hand
  let keptBytes = 0
  let depth = 0
  let inString = false
  let escaped = false
  let seen = 0

  function keep(piece: Uint8Array): void {
    if (piece.length === 0) return
    kept.push(piece.slice())
    keptBytes += piece.length
  }

  function takeKept(): Uint8Array {
    const bytes = concatBytes(kept, keptBytes)
    kept = []
    keptBytes = 0
    return bytes
  }

  /** Behind the quote that ends the string, or the end of the piece. */
  function endOfText(piece: Uint8Array, from: number): { readonly at: number; readonly closed: boolean } {
    let at = from
    while (at < piece.length) {
      if (escaped) {
        escaped = false
        at++
        continue
      }
      const quote = piece.indexOf(QUOTE, at)
      const stop = quote === -1 ? piece.length : quote
      const slash = piece.subarray(at, stop).indexOf(BACKSLASH)
      if (slash !== -1) {
        escaped = true
        at += slash + 1
        continue
      }
      return quote === -1 ? { at: piece.length, closed: false } : { at: quote + 1, closed: true }
    }
    return { at, closed: false }
  }

  /** Behind the value in hand, or the end of the piece. A number or a word ends before what cannot belong to it. */
  function endOfValue(piece: Uint8Array, from: number): { readonly at: number; readonly closed: boolean } {
    let at = from
    while (at < piece.length) {
      if (inString) {
        const text = endOfText(piece, at)
        at = text.at
        if (!text.closed) return { at, closed: false }
        inString = false
        if (depth === 0) return { at, closed: true }
        continue
      }
      const byte = piece[at]!
      if (byte === QUOTE) {
        if (depth === 0 && keptBytes + (at - from) > 0) return { at, closed: true }
        inString = true
      } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (depth === 0) return { at, closed: true }
        if (--depth === 0) return { at: at + 1, closed: true }
      } else if (depth === 0 && (byte <= 32 || byte === COMMA || byte === COLON)) return { at, closed: true }
      at++
    }
    return { at, closed: false }
  }

  function endMember(): void {
    const bytes = takeKept()
    if (bytes.length === 0) throw invalid()
    members.set(name, bytes)
    if (name === wanted) streamed = false
    state = 'after'
  }

  return {
    push(piece) {
      const found: Uint8Array[] = []
      let at = 0
      while (at < piece.length) {
        const byte = piece[at]!
        if (state === 'in-key') {
          const { at: end, closed } = endOfText(piece, at)
          keep(piece.subarray(at, end))
          at = end
          if (!closed) continue
          name = parseJson(takeKept()) as string
          state = 'colon'
        } else if (state === 'in-value') {
          const { at: end, closed } = endOfValue(piece, at)
          keep(piece.subarray(at, end))
          at = end
          if (closed) endMember()
        } else if (state === 'wanted') {
          const { at: end, closed } = endOfText(piece, at)
          found.push(piece.subarray(at, closed ? end - 1 : end))
          at = end
          if (closed) state = 'after'
        } else if (state === 'start' && seen < 3 && byte === mark[seen]) {
          seen++
          at++
        } else if (byte === 32 || byte === 9 || byte === 10 || byte === 13) at++
        else at = step(piece, at, byte)
      }
      return found
    },
    finish() {
      if (state !== 'end') throw invalid()
      return { members, streamed }
    },
  }

  /** One byte of structure. Returns where to go on: a key or a value begins with the byte itself. */
  function step(piece: Uint8Array, at: number, byte: number): number {
    switch (state) {
      case 'start':
        if (byte !== OPEN_OBJECT) throw invalid()
        state = 'first'
        return at + 1
      case 'first':
        if (byte === CLOSE_OBJECT) {
          state = 'end'
          return at + 1
        }
        state = 'key'
        return at
      case 'key':
        if (byte !== QUOTE) throw invalid()
        keep(piece.subarray(at, at + 1))
        state = 'in-key'
        return at + 1
      case 'colon':
        if (byte !== COLON) throw invalid()
        state = 'value'
        return at + 1
      case 'value':
        if (byte === QUOTE && name === wanted && !streamed) {
          streamed = true
          members.delete(name)
          state = 'wanted'
          return at + 1
        }
        // A second one would have to replace what was handed on already.
        if (name === wanted && streamed) throw invalid()
        depth = 0
        inString = false
        state = 'in-value'
        return at
      case 'after':
        if (byte !== COMMA && byte !== CLOSE_OBJECT) throw invalid()
        state = byte === COMMA ? 'key' : 'end'
        return at + 1
      default:
        throw invalid()
    }
  }
}

function invalid(): AppError {
  return new AppError('api.json.invalid')
}

import { concatBytes } from '../bytes.ts'
import { decodeBase64 } from './base64.ts'

/** Base64 that arrives in pieces, in all the forms that `decodeBase64` reads; memory holds a piece, not the file. */
export interface Base64Stream {
  /** What this piece completes; undefined when it is not base64. */
  push(piece: Uint8Array): Uint8Array | undefined
  /** What is left; undefined when the whole is not base64. */
  finish(): Uint8Array | undefined
}

const [PADDING, BACKSLASH, COMMA] = [61, 92, 44]
/** `data:<mime>;base64,` ends within this. */
const longestHead = 300
/** White space and padding behind the last letter. */
const longestEnd = 64 * 1024
const none = new Uint8Array(0)

export function createBase64Stream(): Base64Stream {
  let kept: Uint8Array = none
  let state: 'head' | 'body' | 'end' = 'head'

  function push(piece: Uint8Array): Uint8Array | undefined {
    let bytes = kept.length === 0 ? piece : concatBytes([kept, piece], kept.length + piece.length)
    kept = none
    if (state === 'head') {
      if (bytes.length < longestHead && !bytes.includes(COMMA)) {
        kept = bytes.slice()
        return none
      }
      const rest = withoutHead(bytes)
      if (rest === undefined) return undefined
      bytes = rest
      state = 'body'
    }
    const end = state === 'end' ? 0 : bytes.indexOf(PADDING)
    if (end !== -1) {
      // Everything from the first padding on is judged at once, with the group it ends.
      state = 'end'
      const before = wholeGroups(bytes.subarray(0, end))
      if (before === undefined) return undefined
      kept = bytes.slice(before.used)
      return kept.length > longestEnd ? undefined : before.decoded
    }
    const groups = wholeGroups(bytes)
    if (groups === undefined) return undefined
    kept = bytes.slice(groups.used)
    return groups.decoded
  }

  return {
    push,
    finish() {
      if (state !== 'head') return decodeBase64(kept)
      const rest = withoutHead(kept)
      return rest === undefined ? undefined : decodeBase64(rest)
    },
  }
}

/** Takes `data:...;base64,` off; undefined for another `data:` address. */
function withoutHead(bytes: Uint8Array): Uint8Array | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, longestHead))
  if (!/^data:/i.test(start)) return bytes
  const comma = start.indexOf(',')
  return comma !== -1 && /;base64$/i.test(start.slice(0, comma)) ? bytes.subarray(comma + 1) : undefined
}

/** As many groups of four letters as there are; escapes and white space may stand between the letters. */
function wholeGroups(bytes: Uint8Array): { readonly decoded: Uint8Array; readonly used: number } | undefined {
  let used = bytes.length - (bytes.length % 4)
  if (!isPlain(bytes, used)) {
    used = endOfGroups(bytes)
    if (used === -1) return undefined
  }
  const decoded = used === 0 ? none : decodeBase64(bytes.subarray(0, used))
  return decoded === undefined ? undefined : { decoded, used }
}

function isPlain(bytes: Uint8Array, length: number): boolean {
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!
    if (byte <= 32 || byte === BACKSLASH) return false
  }
  return true
}

/** Where the last whole group of four ends; -1 for an escape that is none. */
function endOfGroups(bytes: Uint8Array): number {
  let letters = 0
  let end = 0
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at]!
    let next = at + 1
    let isLetter = byte > 32
    if (byte === BACKSLASH) {
      if (at + 1 >= bytes.length) break
      const kind = String.fromCharCode(bytes[at + 1]!)
      next = at + (kind === 'u' ? 6 : 2)
      if (next > bytes.length) break
      isLetter = kind === '/' || kind === 'u'
      if (!isLetter && !'nrtf'.includes(kind)) return -1
    }
    if (isLetter) letters++
    at = next
    if (letters === 4) {
      letters = 0
      end = at
    }
  }
  return end
}

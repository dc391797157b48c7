/**
 * Finds the delimiter lines of multipart bodies (RFC 2046 5.1.1): two dashes and the boundary at the start of a
 * line, two more dashes on the last one, then white space. Lines end with CRLF or LF.
 */
export interface DelimiterFinder {
  /**
   * Finds the next delimiter line from `from` on, or, without one, the end of the bytes that cannot be part
   * of one. `lineStart`: a delimiter at `from` needs no line end before it.
   */
  find(bytes: Uint8Array, from: number, lineStart: boolean): FoundDelimiter
}

/** `dataEnd`: the end of the data before the delimiter. `next`: the offset after the delimiter line. */
export type FoundDelimiter =
  | (DelimiterMatch & { readonly dataEnd: number })
  | { readonly kind: 'more'; readonly dataEnd: number }
type DelimiterMatch = { readonly kind: 'delimiter' | 'last'; readonly next: number }

const LF = 10
const CR = 13
const DASH = 45
/** The maximum white space after a delimiter, which is buffered until the line ends. */
const maxPadding = 256

export function createDelimiterFinder(boundary: string): DelimiterFinder {
  const delimiter = new TextEncoder().encode(`--${boundary}`)
  let lineEnd = 'unknown' as 'unknown' | 'crlf' | 'lf' // the line end of the first delimiter line

  return { find }

  function find(bytes: Uint8Array, from: number, lineStart: boolean): FoundDelimiter {
    let search = from
    if (lineStart && from < bytes.length) {
      const match = matchDelimiter(bytes, from)
      if (match === 'short') return { kind: 'more', dataEnd: from }
      if (match !== undefined) return { ...match, dataEnd: from }
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

  /** Matches a delimiter at an offset. Returns 'short' when more bytes are needed to decide. */
  function matchDelimiter(bytes: Uint8Array, offset: number): DelimiterMatch | 'short' | undefined {
    const available = Math.min(delimiter.length, bytes.length - offset)
    for (let index = 0; index < available; index++) {
      if (bytes[offset + index] !== delimiter[index]) return undefined
    }
    let next = offset + delimiter.length
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

/** The effect of a page's content on the stack of graphics states. */
export interface Balance {
  readonly lowest: number // 0 or less: how many states it restores that it did not save
  readonly end: number
}

const codeOf = (character: string): number => character.charCodeAt(0)
// The bytes of a content stream that decide where a token ends (ISO 32000-2, 7.2.3).
const stringStart = codeOf('(')
const stringEnd = codeOf(')')
const backslash = codeOf('\\')
const lessThan = codeOf('<')
const greaterThan = codeOf('>')
const slash = codeOf('/')
const percent = codeOf('%')
const lineFeed = 10
const carriageReturn = 13
const capitalD = codeOf('D')
const capitalE = codeOf('E')
const capitalI = codeOf('I')
const capitalQ = codeOf('Q')
const smallQ = codeOf('q')

/** By byte: 1 for the characters of words, 0 for white space and delimiters. */
const isRegular = new Uint8Array(256).fill(1)
for (const character of '\0\t\n\f\r ()<>[]{}/%') isRegular[codeOf(character)] = 0

/**
 * Counts q and Q over the streams of a page, which viewers read as one. A watermark that is drawn after the page must start
 * from the initial graphics state, so every unbalanced q or Q must be compensated. ISO 32000-2, 7.8.2, 8.4.2.
 */
export function contentBalance(streams: readonly Uint8Array[]): Balance {
  let depth = 0
  let lowest = 0
  for (const bytes of streams) {
    for (let at = 0; at < bytes.length; ) {
      const start = at
      at = endOfToken(bytes, start)
      const length = at - start
      if (length === 1 && bytes[start] === smallQ) depth++
      else if (length === 1 && bytes[start] === capitalQ) lowest = Math.min(lowest, --depth)
      else if (length === 2 && bytes[start] === capitalI && bytes[start + 1] === capitalD)
        at = endOfImage(bytes, at)
    }
  }
  return { lowest, end: depth }
}

/** The position after the word, name, string, comment or delimiter that begins at `start`. */
function endOfToken(bytes: Uint8Array, start: number): number {
  switch (bytes[start]) {
    case stringStart:
      return endOfString(bytes, start)
    case percent:
      return endOfComment(bytes, start)
    case slash:
      return endOfWord(bytes, start + 1)
    case lessThan:
      return bytes[start + 1] === lessThan ? start + 1 : endOfHexString(bytes, start)
    default:
      return Math.max(start + 1, endOfWord(bytes, start))
  }
}

function endOfWord(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && isRegular[bytes[at] ?? 0] === 1) at++
  return at
}

function endOfComment(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== lineFeed && bytes[at] !== carriageReturn) at++
  return at
}

function endOfHexString(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(greaterThan, start)
  return end < 0 ? bytes.length : end + 1
}

/** Strings may contain balanced parentheses. */
function endOfString(bytes: Uint8Array, start: number): number {
  let open = 0
  for (let at = start; at < bytes.length; at++) {
    const code = bytes[at]
    if (code === backslash) at++
    else if (code === stringStart) open++
    else if (code === stringEnd && --open === 0) return at + 1
  }
  return bytes.length
}

/** The position after an inline image. `EI` must be a separate word, since the data may contain the two letters. */
function endOfImage(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(capitalE, start); at >= 0; at = bytes.indexOf(capitalE, at + 1)) {
    const isWord = isRegular[bytes[at - 1] ?? 0] === 0 && isRegular[bytes[at + 2] ?? 0] === 0
    if (bytes[at + 1] === capitalI && isWord) return at + 2
  }
  return bytes.length
}

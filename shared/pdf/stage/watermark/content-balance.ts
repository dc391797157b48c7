/** The effect of a page's content on the stack of graphics states. */
export interface Balance {
  readonly lowest: number // 0 or less: how many states it restores that it did not save
  readonly end: number
}

const isRegular = new Uint8Array(256).fill(1)
for (const character of '\0\t\n\f\r ()<>[]{}/%') isRegular[character.charCodeAt(0)] = 0

/**
 * Counts q and Q over the streams of a page, which viewers read as one. A watermark that is drawn after the page must start
 * from the initial graphics state, so every unbalanced q or Q must be compensated. ISO 32000-2, 7.8.2, 8.4.2.
 */
export function contentBalance(streams: readonly Uint8Array[]): Balance {
  let depth = 0
  let lowest = 0
  for (const bytes of streams) {
    for (let at = 0; at < bytes.length; ) {
      const code = bytes[at] ?? 0
      if (isRegular[code] === 1) {
        const start = at
        while (at < bytes.length && isRegular[bytes[at] ?? 0] === 1) at++
        const length = at - start
        if (length === 1 && code === 113) depth++
        else if (length === 1 && code === 81) lowest = Math.min(lowest, --depth)
        else if (length === 2 && code === 73 && bytes[start + 1] === 68) at = afterImage(bytes, at)
      } else if (code === 40) at = afterString(bytes, at)
      else if (code === 37) while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++
      else if (code === 47) {
        at++
        while (at < bytes.length && isRegular[bytes[at] ?? 0] === 1) at++
      } else if (code === 60 && bytes[at + 1] !== 60) {
        const end = bytes.indexOf(62, at)
        at = end < 0 ? bytes.length : end + 1
      } else at++
    }
  }
  return { lowest, end: depth }
}

function afterString(bytes: Uint8Array, from: number): number {
  let open = 0
  for (let at = from; at < bytes.length; at++) {
    const code = bytes[at]
    if (code === 92) at++
    else if (code === 40) open++
    else if (code === 41 && --open === 0) return at + 1
  }
  return bytes.length
}

/** The position after an inline image. `EI` must be a separate word, since the data may contain the two letters. */
function afterImage(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(69, from); at >= 0; at = bytes.indexOf(69, at + 1)) {
    const apart = isRegular[bytes[at - 1] ?? 0] === 0 && isRegular[bytes[at + 2] ?? 0] === 0
    if (bytes[at + 1] === 73 && apart) return at + 2
  }
  return bytes.length
}

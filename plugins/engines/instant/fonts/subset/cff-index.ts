import { AppError } from '../../../../../shared/errors/app-error.ts'

/**
 * An INDEX: a list of byte strings. `end` is where the next structure starts. Source: Adobe TN 5176, chapter
 * 5.
 */
export interface CffIndex {
  readonly count: number
  /** Returns an empty array for invalid offsets, undefined beyond the last item. */
  item(index: number): Uint8Array | undefined
  readonly end: number
}

/** The bytes of a CFF table, all of them or read by ranges. */
export interface CffBytes {
  readonly length: number
  /** The bytes from `start` up to `end`; fewer at the end of the table. */
  subarray(start: number, end: number): Uint8Array
}

/** Smaller lists are read completely when their first item is read. */
const maxChunk = 131_072

export function readIndex(bytes: CffBytes, at: number): CffIndex {
  const cut = () => new AppError('font.damaged', { what: 'its outlines are truncated' })
  if (at < 0 || at + 2 > bytes.length) throw cut()
  const [high = 0, low = 0, size = 0] = bytes.subarray(at, at + 3)
  const count = (high << 8) | low
  if (count === 0) return { count, item: () => undefined, end: at + 2 }
  const data = at + 3 + size * (count + 1) - 1
  if (size < 1 || size > 4 || data > bytes.length) throw cut()
  const numberIn = (offsets: Uint8Array, from: number): number => {
    let value = 0
    for (let byte = 0; byte < size; byte++) value = value * 256 + (offsets[from + byte] ?? 0)
    return value
  }
  const lastOffset = at + 3 + count * size
  const end = data + numberIn(bytes.subarray(lastOffset, lastOffset + size), 0)
  let complete: Uint8Array | undefined // from `at` on
  const part = (from: number, length: number): Uint8Array => {
    if (end - at > maxChunk) return bytes.subarray(from, from + length)
    complete ??= bytes.subarray(at, end)
    return complete.subarray(from - at, from - at + length)
  }
  return {
    count,
    item(index) {
      if (!(index >= 0 && index < count)) return undefined
      const offsets = part(at + 3 + index * size, 2 * size)
      const [first, last] = [numberIn(offsets, 0), numberIn(offsets, size)]
      const sound = first >= 1 && last >= first && data + last <= bytes.length
      return sound ? part(data + first, last - first) : new Uint8Array(0)
    },
    end,
  }
}

export function writeIndex(items: readonly Uint8Array[]): Uint8Array {
  if (items.length === 0) return new Uint8Array(2)
  const total = items.reduce((sum, item) => sum + item.length, 1)
  const size = total < 0x100 ? 1 : total < 0x10000 ? 2 : total < 0x1000000 ? 3 : 4
  const out = new Uint8Array(3 + size * (items.length + 1) + total - 1)
  out[0] = items.length >> 8
  out[1] = items.length & 255
  out[2] = size
  let at = 3
  let offset = 1
  const writeOffset = () => {
    for (let byte = size - 1; byte >= 0; byte--) out[at++] = Math.floor(offset / 256 ** byte) & 255
  }
  writeOffset()
  for (const item of items) {
    offset += item.length
    writeOffset()
  }
  for (const item of items) {
    out.set(item, at)
    at += item.length
  }
  return out
}

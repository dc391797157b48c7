import { AppError } from '../../../../../shared/errors/app-error.ts'

/** An INDEX: a list of byte strings. `end` is where the next structure starts. Source: Adobe TN 5176, chapter 5. */
export interface CffIndex {
  readonly count: number
  /** Empty where the offsets make no sense, undefined beyond the last. */
  item(index: number): Uint8Array | undefined
  readonly end: number
}

export function readIndex(bytes: Uint8Array, at: number): CffIndex {
  const cut = () => new AppError('font.damaged', { what: 'its outlines are cut short' })
  if (at < 0 || at + 2 > bytes.length) throw cut()
  const count = (bytes[at]! << 8) | bytes[at + 1]!
  if (count === 0) return { count, item: () => undefined, end: at + 2 }
  const size = bytes[at + 2]!
  const data = at + 3 + size * (count + 1) - 1
  if (size < 1 || size > 4 || data > bytes.length) throw cut()
  const offsetAt = (index: number): number => {
    let value = 0
    for (let byte = 0; byte < size; byte++) value = value * 256 + bytes[at + 3 + index * size + byte]!
    return value
  }
  return {
    count,
    item(index) {
      if (!(index >= 0 && index < count)) return undefined
      const start = offsetAt(index)
      const end = offsetAt(index + 1)
      const sound = start >= 1 && end >= start && data + end <= bytes.length
      return sound ? bytes.subarray(data + start, data + end) : bytes.subarray(0, 0)
    },
    end: data + offsetAt(count),
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
  const put = () => {
    for (let byte = size - 1; byte >= 0; byte--) out[at++] = Math.floor(offset / 256 ** byte) & 255
  }
  put()
  for (const item of items) {
    offset += item.length
    put()
  }
  for (const item of items) {
    out.set(item, at)
    at += item.length
  }
  return out
}

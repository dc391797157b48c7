import type { Clock, Ids } from '../ports/index.ts'

/** 2020-01-01T00:00:00Z: ids made from here on have 18 or 19 digits until 2089. */
const epochMs = 1_577_836_800_000

/**
 * Template ids: 41 bits of milliseconds, 10 of the node, 12 of a counter within the millisecond. They grow with time
 * and never repeat within a node, also when the clock steps back.
 */
export function createIds(options: { readonly clock: Clock; readonly node: number }): Ids {
  const node = BigInt(options.node & 0x3ff)
  let last = 0
  let counter = 0
  return {
    templateId() {
      const now = Math.max(last, options.clock.now())
      if (now === last) counter++
      else counter = 0
      last = now
      if (counter > 0xfff) {
        last++ // more than 4096 in one millisecond: borrow from the next
        counter = 0
      }
      return ((BigInt(last - epochMs) << 22n) | (node << 12n) | BigInt(counter)).toString()
    },
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  }
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

export function fromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
      letter.charCodeAt(0),
    )
  } catch {
    return undefined
  }
}

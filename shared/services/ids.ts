import { fromBase64, toBase64 } from '../plugin/base64.ts'
import type { Clock, Ids } from '../ports/index.ts'

/** 2020-01-01T00:00:00Z. Counting from here keeps ids at 18 or 19 digits until 2089. */
const epochMs = 1_577_836_800_000

/**
 * Creates the source of Template IDs and random bytes. A Template ID has 41 bits of milliseconds since 2020,
 * 10 bits of the node, and 12 bits of a counter within the millisecond. Ids grow with time and never repeat
 * within a node, even when the clock steps back. `node` is between 0 and 1023; other values are reduced to
 * their low 10 bits.
 */
export function createIds(options: { readonly clock: Clock; readonly node: number }): Ids {
  const node = BigInt(options.node & 0x3ff)
  let last = 0 // the greatest millisecond that an id has used; it never decreases
  let counter = 0 // how many ids that millisecond has had before the newest
  return {
    templateId() {
      const now = Math.max(last, options.clock.now())
      if (now === last) counter++
      else counter = 0
      last = now
      if (counter > 0xfff) {
        last++ // 4096 ids used up this millisecond, so take one from the next
        counter = 0
      }
      return ((BigInt(last - epochMs) << 22n) | (node << 12n) | BigInt(counter)).toString()
    },
    random: (length) => crypto.getRandomValues(new Uint8Array(length)),
  }
}

/** Lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The inverse of `toHex`. The text is trusted: other characters become 0. */
export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

/** base64url without padding (RFC 4648, section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The inverse of `toBase64Url`, or undefined for text of another form. */
export function fromBase64Url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return undefined
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
}

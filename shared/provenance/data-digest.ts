/**
 * The digest of JSON data in a manifest. It is keyed with a salt of the caller, since the digest of a short text, such as
 * an amount, could be found by trying. Blanks between tokens do not count, so that a file of the data has the same digest
 * as a request with it; the order of members and the notation of numbers and texts do.
 */
import { createPace } from '../pace.ts'
import { type Digest, hexOf } from './manifest.ts'

/** HMAC-SHA-256 (RFC 2104) of the JSON without its insignificant blanks. The key is the salt in UTF-8. */
export async function digestOfJson(json: Uint8Array | string, salt: string): Promise<Digest> {
  const encoder = new TextEncoder()
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(salt),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const compact = await withoutBlanks(typeof json === 'string' ? encoder.encode(json) : json)
  return hexOf(await crypto.subtle.sign('HMAC', key, compact))
}

const [quote, backslash] = [0x22, 0x5c]
/** Bytes between two rests of the thread. */
const stepBytes = 1_000_000

/** The text without the blanks between its tokens (RFC 8259, section 2). Expects valid JSON. */
async function withoutBlanks(json: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const pace = createPace()
  const compact = new Uint8Array(json.length)
  let length = 0
  let isInText = false
  let isEscaped = false
  for (let start = 0; start < json.length; start += stepBytes) {
    const end = Math.min(start + stepBytes, json.length)
    for (let at = start; at < end; at++) {
      const byte = json[at] ?? 0
      if (!isInText && (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d)) continue
      compact[length++] = byte
      if (isEscaped) isEscaped = false
      else if (byte === quote) isInText = !isInText
      else if (byte === backslash) isEscaped = isInText
    }
    await pace.rest()
  }
  return compact.subarray(0, length)
}

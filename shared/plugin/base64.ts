/**
 * Bytes encoded per call. A multiple of three, so that no chunk but the last is padded, and small enough to
 * be spread into the arguments of one function call.
 */
const chunkBytes = 0x6000

/** Encodes bytes as base64 with padding (RFC 4648, clause 4). */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += chunkBytes)
    // biome-ignore lint/plugin: 24,576 arguments are within what a call may have
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + chunkBytes)))
  return text
}

/** Decodes base64 and ignores white space in it. Returns undefined when the text is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replace(/\s+/g, '')), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

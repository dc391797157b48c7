const chunk = 0x6000 // a multiple of three, below what a call takes as arguments

/** RFC 4648, clause 4. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += chunk)
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + chunk)))
  return text
}

/** Undefined for what is not base64. Blanks are passed over. */
export function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text.replace(/\s+/g, '')), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Chunks that follow each other as one array. `size` is the sum of their lengths. */
export function concatBytes(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Bytes as text of one character a byte (ISO 8859-1). */
export function binaryText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) {
    // biome-ignore lint/plugin: 8192 arguments are within what a call may have
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  }
  return text
}

/** The inverse of `binaryText`. */
export function binaryBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

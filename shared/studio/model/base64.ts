/** Conversion of bytes to base64 and back, with functions that every browser has. */
export function toBase64(bytes: Uint8Array): string {
  let letters = ''
  for (let at = 0; at < bytes.length; at += 32_766)
    // biome-ignore lint/plugin: 32,766 arguments are within what a call may have
    letters += String.fromCharCode(...bytes.subarray(at, at + 32_766))
  return btoa(letters)
}

export function toDataUri(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${toBase64(bytes)}`
}

export interface DataUri {
  readonly mime: string // '' when none is declared
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Reads a data URI (RFC 2397), base64 or percent-encoded. Returns undefined for anything else. */
export function readDataUri(text: string): DataUri | undefined {
  const [, head, body = ''] = /^data:([^,]*),(.*)$/is.exec(text.trim()) ?? []
  if (head === undefined) return undefined
  const [mime = '', ...parameters] = head.split(';').map((part) => part.trim())
  try {
    const letters = decodeURIComponent(body)
    const bytes = parameters.some((parameter) => parameter.toLowerCase() === 'base64')
      ? Uint8Array.from(atob(letters.replace(/\s/g, '')), (letter) => letter.charCodeAt(0))
      : new TextEncoder().encode(letters)
    return { mime: mime.toLowerCase(), bytes }
  } catch {
    return undefined
  }
}

/** Data URIs. RFC 2397. */
import { fromBase64, toBase64 } from '../../plugin/base64.ts'

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
    const isBase64 = parameters.some((parameter) => parameter.toLowerCase() === 'base64')
    const bytes = isBase64 ? fromBase64(letters) : new TextEncoder().encode(letters)
    return bytes && { mime: mime.toLowerCase(), bytes }
  } catch {
    return undefined
  }
}

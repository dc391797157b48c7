/** Writes signatures into the space that `sign-pdf.ts` reserves for them. ISO 32000-2, 12.8.1. */
import type { UnsignedFile } from '../write/update.ts'

/** The bytes that the signature covers: the file without its space. */
export function signedContent({ bytes, gap }: UnsignedFile): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(bytes.length - (gap.end - gap.start))
  content.set(bytes.subarray(0, gap.start))
  content.set(bytes.subarray(gap.end), gap.start)
  return content
}

/** Writes a signature, the DER of a detached CMS signature, into the file. Throws if it is longer than the space. */
export function insertSignature({ bytes, gap }: UnsignedFile, signature: Uint8Array): void {
  if (2 * signature.length > gap.end - gap.start - 2)
    throw new Error('The signature is longer than the space for it.')
  const digits = Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('')
  bytes.set(new TextEncoder().encode(digits), gap.start + 1)
}

import { writePng } from '../../../../shared/images/png.ts'
import type { Host } from '../../../../shared/plugin/contract.ts'

type Media = ReadonlyMap<string, Uint8Array>

/** Most pictures of one document that a decoder is asked to read. */
const mostForeign = 200
/** As for pictures that are decoded here: above it a box is drawn. */
const mostPixels = 50_000_000

/**
 * Pictures that are not read here, WebP with losses, as PNG where the side has a decoder. What it cannot read either stays
 * as it is: layout draws a box and tells of it.
 */
export async function withForeignPictures(
  media: Media,
  { decodeWebp }: Pick<Host, 'decodeWebp'>,
  signal: AbortSignal,
): Promise<Media> {
  if (decodeWebp === undefined) return media
  const foreign = [...media].filter(([, bytes]) => isLossyWebp(bytes)).slice(0, mostForeign)
  if (foreign.length === 0) return media
  const readable = new Map(media)
  for (const [name, bytes] of foreign) {
    signal.throwIfAborted()
    const picture = await decodeWebp(bytes).catch(() => undefined)
    if (picture !== undefined)
      readable.set(name, writePng(picture.width, picture.height, { kind: 'rgba', data: picture.rgba }))
  }
  return readable
}

/** Whether the first picture in the file is a VP8 one of a size that may be decoded. RFC 9649, 2; RFC 6386, 9.1. */
function isLossyWebp(bytes: Uint8Array): boolean {
  const word = (at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4))
  if (word(0) !== 'RIFF' || word(8) !== 'WEBP') return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 12, chunks = 0; at + 8 <= bytes.length && chunks < 100; chunks += 1) {
    const kind = word(at)
    const size = view.getUint32(at + 4, true)
    if (kind === 'VP8L') return false
    if (kind === 'VP8 ') {
      if (at + 18 > bytes.length) return false
      const [width, height] = [view.getUint16(at + 14, true) & 0x3fff, view.getUint16(at + 16, true) & 0x3fff]
      return width * height <= mostPixels
    }
    // A canvas may be larger than the pictures on it, and is what a decoder allocates.
    if (kind === 'VP8X' && at + 18 <= bytes.length) {
      const side = (from: number): number => 1 + view.getUint16(from, true) + (bytes[from + 2]! << 16)
      if (side(at + 12) * side(at + 15) > mostPixels) return false
    }
    // A frame of a moving picture holds chunks of its own.
    at += kind === 'ANMF' ? 24 : 8 + size + (size & 1)
  }
  return false
}

/** External objects of PowerPoint presentations ([MS-PPT]): linked documents, sounds and films. */
import { blankPictureNames } from './binary-drawings.ts'
import type { LinkKind, ScannedContent } from './findings.ts'

/** Containers of one object each (2.10). */
const outside: ReadonlyMap<number, LinkKind> = new Map([
  [0x0fce, 'object'], // ExOleLinkContainer
  [0x1005, 'sound or film'], // ExVideoContainer
  [0x1006, 'sound or film'], // ExAviMovieContainer
  [0x1007, 'sound or film'], // ExMCIMovieContainer
  [0x100d, 'sound or film'], // ExMIDIAudioContainer
  [0x1010, 'sound or film'], // ExWAVAudioLinkContainer
])
const [text, object] = [0x0fba, 0x0fc3] // CString, ExOleObjAtom
/**
 * The offset in an object record of the number of its storage. Without that number, only the picture on the slide
 * remains.
 */
const storageNumber = 16
const headerSize = 8
const container = 0x0f

/** Overwrites paths, and detaches linked objects from their storage. Returns whether anything was changed. */
export function blankSlideLinks(bytes: Uint8Array, findings: ScannedContent): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let changed = blankPictureNames(bytes, findings)
  let outsideUntil = 0
  for (let offset = 0; offset + headerSize <= bytes.length; ) {
    const type = view.getUint16(offset + 2, true)
    const end = Math.min(offset + headerSize + view.getUint32(offset + 4, true), bytes.length)
    const content = bytes.subarray(offset + headerSize, end)
    const kind = outside.get(type)
    if (((bytes[offset] ?? 0) & 0x0f) === container) {
      if (kind !== undefined && offset >= outsideUntil) {
        outsideUntil = end
        findings.drop(kind)
        changed = true
      }
      offset += headerSize
      continue
    }
    if (offset < outsideUntil && type === text)
      for (let n = 0; n < content.length; n++) content[n] = n % 2 === 0 ? 0x20 : 0
    if (offset < outsideUntil && type === object) content.fill(0, storageNumber, storageNumber + 4)
    offset = end
  }
  return changed
}

/** Drawings of binary documents ([MS-ODRAW]): shape properties that refer to an external picture file. */
import { XmlFault } from '../../xml/cursor.ts'
import { isAddress } from './fields.ts'
import type { ScannedContent } from './findings.ts'

/** Tables of properties (2.2.9 to 2.2.11): the low byte of their types, then the high byte. */
const tables: readonly (readonly [number, number])[] = [
  [0x0b, 0xf0],
  [0x21, 0xf1],
  [0x22, 0xf1],
]
/** pibName, fillBlipName and lineFillBlipName (2.3.23.4, 2.3.7.9, 2.3.8.9). */
const names: ReadonlySet<number> = new Set([0x0105, 0x0187, 0x01c6])
const headerSize = 8
const propertySize = 6

/**
 * Empties the names of pictures. Tables are found by their headers anywhere in the stream, because every program
 * wraps its drawings differently. Returns whether anything was changed.
 */
export function blankPictureNames(bytes: Uint8Array, findings: ScannedContent): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let changed = false
  let steps = 0
  for (const [low, high] of tables) {
    for (let offset = bytes.indexOf(high, 3); offset >= 0; offset = bytes.indexOf(high, offset + 1)) {
      const start = offset - 3
      if (bytes[offset - 1] !== low || ((bytes[start] ?? 0) & 0x0f) !== 3 || offset + 5 > bytes.length)
        continue
      const count = view.getUint16(start, true) >> 4
      const end = start + headerSize + view.getUint32(start + 4, true)
      if (end > bytes.length || start + headerSize + count * propertySize > end) continue
      steps += count
      // Tables do not overlap, so their properties are fewer than the bytes.
      if (steps > bytes.length) throw new XmlFault('its drawings contain each other')
      if (blankTable(view, { at: start + headerSize, count, end }, findings)) changed = true
    }
  }
  return changed
}

interface PropertyTable {
  readonly at: number
  readonly count: number
  readonly end: number
}

/** Long values follow the table, in the order of their properties (2.3.1). */
function blankTable(view: DataView, { at, count, end }: PropertyTable, findings: ScannedContent): boolean {
  let changed = false
  let value = at + count * propertySize
  for (let n = 0; n < count; n++) {
    const id = view.getUint16(at + n * propertySize, true)
    if ((id & 0x8000) === 0) continue
    const length = view.getUint32(at + n * propertySize + 2, true)
    if (value + length > end) return changed
    if (names.has(id & 0x3fff)) {
      const bytes = new Uint8Array(view.buffer, view.byteOffset + value, length)
      // Programs store the file name of an embedded picture here, which is not an address.
      if (isAddress(new TextDecoder('utf-16le').decode(bytes))) findings.drop('picture')
      if (bytes.some((byte) => byte !== 0)) changed = true
      bytes.fill(0)
    }
    value += length
  }
  return changed
}

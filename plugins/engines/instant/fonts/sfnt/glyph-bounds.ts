import type { FontFile } from './font-file.ts'

/** How far a glyph reaches down and up, in font units; undefined where outlines are not those of TrueType. */
export function glyphBounds(font: FontFile, glyph: number): readonly [low: number, high: number] | undefined {
  const [head, loca, glyf] = [font.table('head'), font.table('loca'), font.table('glyf')]
  if (head === undefined || loca === undefined || glyf === undefined || head.byteLength < 52) return undefined
  const long = head.getInt16(50) !== 0
  const size = long ? 4 : 2
  if ((glyph + 2) * size > loca.byteLength) return undefined
  const offset = (index: number): number => (long ? loca.getUint32(index * 4) : loca.getUint16(index * 2) * 2)
  const from = offset(glyph)
  // A glyph without an outline, such as a space.
  if (offset(glyph + 1) <= from || from + 10 > glyf.byteLength) return undefined
  return [glyf.getInt16(from + 4), glyf.getInt16(from + 8)]
}

import { viewOf } from './container.ts'
import type { FontFile } from './font-file.ts'

/** Where the outline of a glyph is in the `glyf` table; undefined for other outlines and invalid glyphs. */
export function glyphRange(font: FontFile, glyph: number): readonly [start: number, end: number] | undefined {
  const head = font.table('head')
  if (head === undefined || head.byteLength < 52) return undefined
  const size = head.getInt16(50) !== 0 ? 4 : 2
  const part = font.part('loca', glyph * size, 2 * size)
  if (part.byteLength < 2 * size) return undefined
  const view = viewOf(part)
  return size === 4 ? [view.getUint32(0), view.getUint32(4)] : [2 * view.getUint16(0), 2 * view.getUint16(2)]
}

/** The bounding box in the header of a glyph, in font units. Source: OpenType 1.9, "glyf". */
export function glyphBox(
  font: FontFile,
  glyph: number,
): { xMin: number; yMin: number; xMax: number; yMax: number } | undefined {
  const [start, end] = glyphRange(font, glyph) ?? [0, 0]
  // A glyph without an outline, such as a space.
  if (end - start < 10) return undefined
  const part = font.part('glyf', start, 10)
  if (part.byteLength < 10) return undefined
  const view = viewOf(part)
  return { xMin: view.getInt16(2), yMin: view.getInt16(4), xMax: view.getInt16(6), yMax: view.getInt16(8) }
}

/** The vertical extent of a glyph in font units; undefined for outlines other than those of TrueType. */
export function glyphBounds(font: FontFile, glyph: number): readonly [low: number, high: number] | undefined {
  const box = glyphBox(font, glyph)
  return box && [box.yMin, box.yMax]
}

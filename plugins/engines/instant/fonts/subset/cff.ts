import { type FontFile, tableBytes } from '../sfnt/font-file.ts'
import type { Subset } from './glyf.ts'

/** The CFF program with every glyph, as it stands. */
export function subsetCff(font: FontFile, _wanted: readonly number[]): Subset {
  return {
    bytes: tableBytes(font, 'CFF ').slice(),
    glyphs: Array.from({ length: font.glyphCount }, (_, id) => id),
  }
}

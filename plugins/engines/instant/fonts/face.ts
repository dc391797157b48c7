import type { ComplexShaper } from '../text/complex-shaper.ts'
import type { FontFile } from './sfnt/font-file.ts'

/**
 * A face as text asks for it: a font file and what must be imitated because the file lacks it. Faces are interned by
 * the font book: two equal faces are the same object.
 *
 * All metrics are shares of the em: multiply by the size in pt. Depths and heights are positive.
 */
export interface Face {
  readonly key: string // stable over runs: PostScript name and imitations
  readonly family: string // of the file, as its name table says
  readonly bold: boolean
  readonly italic: boolean
  readonly unitsPerEm: number
  readonly ascent: number
  readonly descent: number
  readonly lineGap: number
  readonly xHeight: number
  readonly capHeight: number
  /** From the baseline down to the middle of the stroke. */
  readonly underlineOffset: number
  readonly underlineThickness: number
  /** From the baseline up to the middle of the stroke. */
  readonly strikeOffset: number
  readonly strikeThickness: number
  readonly synthetic: Synthetic
  /** The symbol font this face stands in for: text is read as that font's characters (`symbols.ts`). */
  readonly symbols?: string | undefined
  /** Where HarfBuzz is found once a document needed it. */
  readonly shaping?: Shaping | undefined
  readonly file: FontFile
}

export interface Shaping {
  readonly loaded: ComplexShaper | undefined
}

/** What painters add to imitate a missing style; widths already include `scaleX`. */
export interface Synthetic {
  readonly bold: boolean // strokes around the contours
  readonly slant: boolean // leans by 12 degrees
  readonly scaleX: number // 0.82 for a narrow family set in a normal one
}

import type { ComplexShaper } from '../text/complex-shaper.ts'
import type { FontFile } from './sfnt/font-file.ts'

/**
 * A face as text uses it: a font file, and the styles that must be synthesized because the file lacks them.
 * Faces are interned by the font book: two equal faces are the same object.
 *
 * All metrics are fractions of the em: multiply by the size in pt. Depths and heights are positive.
 */
export interface Face {
  readonly key: string // stable between runs: PostScript name and synthesized styles
  readonly family: string // of the file, from its name table
  readonly bold: boolean
  readonly italic: boolean
  readonly unitsPerEm: number
  readonly ascent: number
  readonly descent: number
  readonly lineGap: number
  readonly xHeight: number
  readonly capHeight: number
  /** The distance from the baseline down to the middle of the stroke. */
  readonly underlineOffset: number
  readonly underlineThickness: number
  /** The distance from the baseline up to the middle of the stroke. */
  readonly strikeOffset: number
  readonly strikeThickness: number
  readonly synthetic: Synthetic
  /**
   * The symbol font that this face replaces: text is interpreted as characters of that font (`symbols.ts`).
   */
  readonly symbols?: string | undefined
  /** Holds HarfBuzz once a document has needed it. */
  readonly shaping?: Shaping | undefined
  readonly file: FontFile
}

export interface Shaping {
  readonly loaded: ComplexShaper | undefined
}

/** The synthesized styles that painters add; widths already include `scaleX`. */
export interface Synthetic {
  readonly bold: boolean // by stroking the contours
  readonly slant: boolean // by a slant of 12 degrees
  readonly scaleX: number // 0.82 when a family of normal width replaces a narrow one
}

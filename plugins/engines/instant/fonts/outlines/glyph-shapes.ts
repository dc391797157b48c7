/**
 * The shapes of glyphs, for painters that draw letters themselves instead of embedding a font: outlines as paths, and
 * pictures. Read `true-type-outline.ts` and `cff-outline.ts` next.
 */
import type { PathStep } from '../../../../../shared/document/ellipse.ts'
import type { ImageRef } from '../../images/image.ts'
import { readImage } from '../../images/read-image.ts'
import { glyphPicture } from '../sfnt/colour-bitmaps.ts'
import type { FontFile } from '../sfnt/font-file.ts'
import { createCffOutlines } from './cff-outline.ts'
import { trueTypeOutline } from './true-type-outline.ts'

/** The contours of a glyph in font units, with y upward. Empty for blanks, damaged glyphs and glyphs that are pictures. */
export type GlyphOutline = readonly PathStep[]

const empty: GlyphOutline = []

/** A glyph that is a picture, such as an emoji: its position is relative to the origin of the glyph, upward. */
export interface PositionedGlyphPicture {
  readonly image: ImageRef
  /** In pixels, of which `perEm` make an em. */
  readonly left: number
  readonly top: number
  readonly perEm: number
}

/** Finds the shapes of glyphs. They are read once for each glyph and dropped together with the finder. */
export interface GlyphShapes {
  outlineOf(font: FontFile, glyph: number): GlyphOutline
  /** Undefined for glyphs that are not pictures, and for damaged ones. */
  pictureOf(font: FontFile, glyph: number): PositionedGlyphPicture | undefined
}

interface FontShapes {
  readonly read: Reader
  readonly outlines: Map<number, GlyphOutline>
  readonly pictures: Map<number, PositionedGlyphPicture | undefined>
}

export function createGlyphShapes(): GlyphShapes {
  const byFont = new Map<FontFile, FontShapes>()
  const shapesOf = (font: FontFile): FontShapes => {
    let shapes = byFont.get(font)
    if (shapes === undefined)
      byFont.set(font, (shapes = { read: readerOf(font), outlines: new Map(), pictures: new Map() }))
    return shapes
  }
  return {
    outlineOf(font, glyph) {
      const { outlines, read } = shapesOf(font)
      let outline = outlines.get(glyph)
      if (outline === undefined) outlines.set(glyph, (outline = read(glyph)))
      return outline
    },
    pictureOf(font, glyph) {
      const { pictures } = shapesOf(font)
      if (!pictures.has(glyph)) pictures.set(glyph, readPicture(font, glyph))
      return pictures.get(glyph)
    },
  }
}

function readPicture(font: FontFile, glyph: number): PositionedGlyphPicture | undefined {
  const picture = glyphPicture(font, glyph)
  const image = picture && readImage(picture.png)
  return picture && image && { image, left: picture.left, top: picture.top, perEm: picture.perEm }
}

type Reader = (glyph: number) => GlyphOutline

function readerOf(font: FontFile): Reader {
  if (font.outlines === 'glyf') return guardedReader((glyph) => trueTypeOutline(font, glyph))
  if (font.outlines === 'cff') return guardedReader(createCffOutlines(font))
  return () => empty
}

/** A glyph that is truncated is drawn as a blank, as PDF viewers do. */
function guardedReader(read: Reader): Reader {
  return (glyph) => {
    try {
      return read(glyph)
    } catch (error) {
      if (error instanceof RangeError) return empty
      throw error
    }
  }
}

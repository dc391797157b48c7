import type { PdfFile } from '../../../../../shared/pdf/write/pdf-file.ts'
import { zlib } from '../../../../../shared/pdf/write/zlib.ts'
import type { Codec } from '../../../../../shared/plugin/values.ts'
import type { FontFile } from '../../fonts/sfnt/font-file.ts'
import { firstGlyphs, fontProgramInOrder } from '../../fonts/subset/prepared.ts'
import type { ImageRef } from '../../images/image.ts'
import type { Page } from '../../layout/frame.ts'
import type { ArchivePart } from './document-info.ts'
import { embedBitmapFont, maxGlyphs } from './embed-bitmap-font.ts'
import { declaredWidth, type EmbeddedFont, embedFont, fontResource, writeFont } from './embed-font.ts'
import { collectGlyphs, collectRun, type GlyphUsage, newUsage } from './glyph-usage.ts'
import { failConformance } from './resources.ts'

/** The fonts that the pages of a PDF are drawn in. */
export interface PageFonts {
  font(file: FontFile): EmbeddedFont
  /** Writes the fonts that are not yet in the file. Returns all of them, in the order of their resource names. */
  finish(): readonly EmbeddedFont[]
}

export interface FontWriter {
  readonly file: PdfFile
  readonly codec: Codec
  readonly archive: ArchivePart | undefined
  embedImage(image: ImageRef): number | undefined
}

/** Writes the fonts of pages that are all laid out. */
export function fontsOfPages(pages: readonly Page[], writer: FontWriter): PageFonts {
  const { file, codec, archive, embedImage } = writer
  const usages = [...collectGlyphs(pages).values()]
  const fonts = new Map(
    usages.map((usage, order) => [
      usage.font,
      usage.font.outlines === 'pictures'
        ? embedBitmapFont(file, usage, order, embedImage)
        : embedFont(file, codec, usage, order, archive),
    ]),
  )
  if (archive !== undefined) refuseBoxes(usages)
  return { font: (font) => fonts.get(font)!, finish: () => [...fonts.values()] }
}

/**
 * Fonts of pages that are painted one after the other. A glyph gets its code when it is drawn first, and the fonts are written
 * at the end. A document of Latin text in TrueType fonts gets the same fonts and codes as from `fontsOfPages`.
 */
export function fontsAsDrawn(writer: FontWriter): PageFonts {
  const fonts = new Map<FontFile, GrowingFont>()
  return {
    font(file) {
      let font = fonts.get(file)
      if (font === undefined) fonts.set(file, (font = growingFont(file, fonts.size, writer)))
      return font
    },
    finish() {
      const all = [...fonts.values()]
      if (writer.archive !== undefined) refuseBoxes(all.map(({ usage }) => usage))
      for (const font of all) font.write()
      return all
    },
  }
}

interface GrowingFont extends EmbeddedFont {
  readonly usage: GlyphUsage
  write(): void
}

function growingFont(font: FontFile, order: number, writer: FontWriter): GrowingFont {
  const { file, codec, archive, embedImage } = writer
  const isOfPictures = font.outlines === 'pictures'
  const usage = newUsage(font)
  const codes = new Uint16Array(font.glyphCount)
  const widths = new Float64Array(font.glyphCount)
  const glyphs: number[] = []
  const add = (glyph: number): void => {
    widths[glyph] = declaredWidth(font, glyph)
    if (isOfPictures && glyphs.length > maxGlyphs) return
    codes[glyph] = glyphs.length
    glyphs.push(glyph)
  }
  for (const glyph of isOfPictures ? [0] : firstGlyphs(font)) add(glyph)
  const id = file.reserve()
  return {
    resource: fontResource(order),
    id,
    codes,
    widths,
    text: usage.text,
    usage,
    use(run) {
      collectRun(run, usage)
      for (let at = 0; at < run.glyphs.length; at++) {
        const glyph = run.glyphs[at] ?? 0
        if (codes[glyph] === 0 && glyph !== 0) add(glyph)
      }
    },
    write() {
      if (isOfPictures) embedBitmapFont(file, usage, order, embedImage, id, glyphs)
      else
        writeFont(file, usage, {
          program: fontProgramInOrder(font, glyphs, codec, zlib),
          widths,
          order,
          archive,
          id,
        })
    },
  }
}

/**
 * Throws when a character has no glyph: PDF/A forbids the .notdef box that would be drawn for it (ISO 19005-2,
 * 6.2.11.8).
 */
function refuseBoxes(usages: readonly GlyphUsage[]): void {
  if (usages.some(({ text }) => text[0] !== undefined)) failConformance('no font has all of its characters')
}

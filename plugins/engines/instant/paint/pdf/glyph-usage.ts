import type { FontFile } from '../../fonts/sfnt/font-file.ts'
import type { Frame, GlyphRun, Page } from '../../layout/frame.ts'
import { PlainRun } from '../../text/plain-text.ts'

/** The glyphs of a font that the pages draw, and the text that each one represents. */
export interface GlyphUsage {
  readonly font: FontFile
  readonly used: Uint8Array // 1 for each glyph drawn
  /**
   * The text of a glyph where it is first drawn, which ToUnicode maps it to. Where it later represents other
   * text, an ActualText entry says so.
   */
  readonly text: (string | undefined)[]
}

/** Walks all pages once. Frames nested deeper than layout ever nests them are skipped. */
export function collectGlyphs(pages: readonly Page[]): Map<FontFile, GlyphUsage> {
  const usages = new Map<FontFile, GlyphUsage>()
  for (const page of pages) collectFrame(page.frame, usages, 0)
  return usages
}

export const maxFrameDepth = 200

function collectFrame(frame: Frame, usages: Map<FontFile, GlyphUsage>, depth: number): void {
  if (depth > maxFrameDepth) return
  for (const { item } of frame.items) {
    if (item.kind === 'group') {
      collectFrame(item.frame, usages, depth + 1)
      if (item.field?.other !== undefined) collectFrame(item.field.other, usages, depth + 1)
      if (item.mask !== undefined) collectFrame({ ...item.frame, items: item.mask }, usages, depth + 1)
    } else if (item.kind === 'glyphs') collectRun(item.run, usageOf(item.run.face.file, usages))
    else if (item.kind === 'shape' && item.path.fill?.kind === 'tiles')
      collectFrame(item.path.fill.tile, usages, depth + 1)
  }
}

/** The usage of a font of which nothing is drawn; every font has its glyph 0. */
export function newUsage(font: FontFile): GlyphUsage {
  const used = new Uint8Array(font.glyphCount)
  used[0] = 1
  return { font, used, text: [] }
}

function usageOf(font: FontFile, usages: Map<FontFile, GlyphUsage>): GlyphUsage {
  let usage = usages.get(font)
  if (usage === undefined) usages.set(font, (usage = newUsage(font)))
  return usage
}

/** Adds the glyphs of a run to the usage of its font. */
export function collectRun(run: GlyphRun, { used, text }: GlyphUsage): void {
  if (run instanceof PlainRun) {
    const { glyphs } = run.style.plain
    for (let at = 0; at < run.text.length; at++) {
      const glyph = glyphs[run.text.charCodeAt(at)] ?? 0
      if (used[glyph] === 1) continue
      used[glyph] = 1
      text[glyph] = run.text[at]
    }
    return
  }
  const { glyphs } = run
  for (let index = 0; index < glyphs.length; index++) {
    const glyph = glyphs[index] ?? 0
    // Most glyphs were seen before, and one byte is enough to know it.
    if (used[glyph] === 1 && glyph !== 0) continue
    used[glyph] = 1
    if (text[glyph] === undefined) text[glyph] = canonical(clusterText(run, index))
  }
}

/**
 * The characters that glyph `index` of a run represents.
 *
 * In a cluster of several glyphs the first one represents all characters and the others none, unless characters
 * and glyphs correspond one to one. Mirrored brackets in right-to-left text map to the characters as written:
 * pdftotext reorders glyphs but does not mirror them back, and LibreOffice's PDFs do the same.
 */
export function clusterText(run: GlyphRun, index: number): string {
  const { clusters, glyphs, text } = run
  const start = clusters[index] ?? 0
  const step = run.rtl ? -1 : 1
  const next = clusters[index + step]
  if (next === start + 1) {
    // The common case: one character, and no earlier glyph in the same cluster.
    if (clusters[index - step] !== start) return text[start]!
  }
  let first = index
  while (clusters[first - step] === start) first -= step
  let after = index + step
  while (clusters[after] === start) after += step
  const end = after >= 0 && after < glyphs.length ? (clusters[after] ?? 0) : text.length
  // Soft hyphens that are not drawn are removed, since a search for the word would not find it with them.
  const source = text.slice(start, Math.max(end, start)).replace(/(?<=.)\u00ad/gs, '')
  const count = Math.abs(after - first)
  if (count === 1) return source
  const characters = [...source]
  const glyphIndex = Math.abs(index - first)
  if (characters.length === count) return characters[glyphIndex]!
  return glyphIndex === 0 ? source : ''
}

/** Characters that look alike and need no correction when copied. */
export function canonical(text: string): string {
  if (text === '\u00a0' || text === '\u202f') return ' '
  if (text === '\u2011' || text === '\u00ad' || text === '\u2010') return '-'
  return text
}

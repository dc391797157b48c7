import type { Block, Inline } from '../../../shared/document/content.ts'
import type { Document } from '../../../shared/document/document.ts'
import type { DrawingContent } from '../../../shared/document/drawing.ts'
import type { RunProperties } from '../../../shared/document/properties.ts'
import type { FontRequest } from './fonts/font-book.ts'

/**
 * The maximum number of characters outside Latin that are looked up ahead. They decide which fallback faces
 * are fetched; a text rarely has more distinct ones.
 */
const maxCharacters = 2000
/** A document with more languages than this is a test of languages rather than a text to read. */
const maxLanguages = 40
const nonLatin = /[^\0-\u024f]/

/**
 * Collects every font family that a document may use, in every style that occurs, and the characters that may
 * need a fallback face. It matters only where font files are fetched over a network: a face too many costs a
 * request, a missing one a wrong glyph.
 */
export const fontRequests = (document: Document): FontRequest[] => drawingFontRequests(document, [])

/** As `fontRequests`, with drawings that belong to no section of the document. */
export function drawingFontRequests(document: Document, drawings: readonly DrawingContent[]): FontRequest[] {
  const families = new Set<string>(['Times New Roman'])
  const seen = { bold: false, italic: false }
  const characters = new Set<string>()
  const languages = new Set<string>()
  const addFamily = (name: string | undefined): void => {
    if (name !== undefined) families.add(name)
  }
  let last: RunProperties | undefined
  const visitRun = (run: RunProperties): void => {
    if (run === last) return // readers share equal run properties, so most repeats are the same object
    last = run
    const { fonts } = run
    if (fonts !== undefined) {
      addFamily(fonts.ascii)
      addFamily(fonts.other)
      addFamily(fonts.eastAsia)
      addFamily(fonts.complex)
    }
    for (const language of [run.language, run.eastAsiaLanguage])
      if (language !== undefined && languages.size < maxLanguages) languages.add(language)
    seen.bold ||= run.bold === true || run.complexBold === true
    seen.italic ||= run.italic === true || run.complexItalic === true
  }
  const visitText = (text: string): void => {
    if (!nonLatin.test(text)) return
    for (const character of text) {
      if (character > '\u024f' && characters.size < maxCharacters) characters.add(character)
    }
  }
  const visitInline = (inline: Inline): void => {
    if (inline.kind === 'bookmark') return
    visitRun(inline.run)
    if (inline.kind === 'text') visitText(inline.text)
    else if (inline.kind === 'drawing') visitDrawing(inline.drawing.content)
  }
  const visitDrawing = (content: DrawingContent): void => {
    if (content.kind === 'group') for (const child of content.children) visitDrawing(child.drawing.content)
    if (content.kind !== 'shape') return
    if (content.wordArt !== undefined) families.add(content.wordArt.family)
    visitBlocks(content.text?.blocks ?? [])
  }
  const visitBlocks = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if (block.kind === 'table')
        for (const row of block.rows) for (const cell of row.cells) visitBlocks(cell.blocks)
      else {
        visitRun(block.mark)
        for (const inline of block.inlines) visitInline(inline)
      }
    }
  }
  visitRun(document.styles.defaults.run)
  for (const style of document.styles.styles.values()) {
    visitRun(style.run)
    for (const condition of style.table?.conditions.values() ?? [])
      if (condition.run !== undefined) visitRun(condition.run)
  }
  for (const list of document.numbering.values()) {
    for (const level of list.levels) {
      visitRun(level.run)
      visitText(level.text)
    }
  }
  for (const section of document.sections) {
    visitBlocks(section.blocks)
    for (const variants of [section.headers, section.footers]) {
      for (const blocks of [variants.default, variants.first, variants.even]) visitBlocks(blocks ?? [])
    }
  }
  for (const note of document.notes.values()) visitBlocks(note.blocks)
  for (const content of drawings) visitDrawing(content)
  const text = [...characters].join('')
  const styles = [false, true].filter((bold) => !bold || seen.bold)
  const slants = [false, true].filter((italic) => !italic || seen.italic)
  return [...families].flatMap((family) =>
    styles.flatMap((bold) =>
      slants.map((italic) => ({ family, bold, italic, text, languages: [...languages] })),
    ),
  )
}

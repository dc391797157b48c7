import type { Block, Document, Inline, Paragraph } from '../../../../../shared/document/document.ts'
import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { Styler } from '../../style/styler.ts'
import { countLetters } from './drawn-text.ts'
import type { LayoutRecord } from './record.ts'

/** What was drawn of a paragraph. */
export interface DrawnParagraph {
  letters: number
  /** The page that its last text is on, from 1. */
  page: number
}

export interface LostText {
  /** Paragraphs of which some text is on no page. */
  readonly paragraphs: number
  /** The page on which, or behind which, the first of them belongs. */
  readonly page: number
}

interface Search {
  readonly document: Document
  readonly styler: Styler
  readonly drawn: ReadonlyMap<readonly Inline[], DrawnParagraph>
  readonly notes: Set<string> // keys of notes looked at
  /** Page of the text before. */
  page: number
  paragraphs: number
  first: number
}

/**
 * Compares the text that a document holds with what its pages show, paragraph by paragraph. Text counts that layout has to
 * draw: that of the sections, of headers and footers in use, of drawings, and of notes that the text refers to; not what
 * is hidden, and not what fields, labels and marks make up.
 */
export function findLostText(
  { document, styler, record }: { document: Document; styler: Styler; record: LayoutRecord },
  drawn: Search['drawn'],
): LostText {
  const search: Search = { document, styler, drawn, notes: new Set(), page: 1, paragraphs: 0, first: 0 }
  for (const section of document.sections) visitBlocks(search, section.blocks)
  for (const band of record.bands) visitBlocks(search, band)
  return { paragraphs: search.paragraphs, page: search.first }
}

function visitBlocks(search: Search, blocks: readonly Block[]): void {
  for (const block of blocks) {
    if (block.kind === 'paragraph') visitParagraph(search, block)
    else for (const row of block.rows) for (const cell of row.cells) visitBlocks(search, cell.blocks)
  }
}

function visitParagraph(search: Search, paragraph: Paragraph): void {
  let letters = 0
  for (const inline of paragraph.inlines) {
    if (inline.kind === 'text') letters += countLetters(inline.text)
    else if (inline.kind === 'drawing' || inline.kind === 'note') {
      if (!isHidden(search, paragraph, inline)) visitInline(search, inline)
    }
  }
  if (letters === 0) return
  const shown = search.drawn.get(paragraph.inlines)
  if (shown !== undefined) search.page = shown.page
  if (shown !== undefined && shown.letters >= letters) return
  // Only now is it worth the time to ask what is hidden.
  if ((shown?.letters ?? 0) >= visibleLetters(search, paragraph)) return
  if (search.paragraphs === 0) search.first = search.page
  search.paragraphs++
}

function visitInline(search: Search, inline: Extract<Inline, { kind: 'drawing' | 'note' }>): void {
  if (inline.kind === 'drawing') visitDrawing(search, inline.drawing)
  else if (!search.notes.has(inline.note)) {
    search.notes.add(inline.note)
    visitBlocks(search, search.document.notes.get(inline.note)?.blocks ?? [])
  }
}

function visitDrawing(search: Search, { content }: Drawing): void {
  if (content.kind === 'shape') visitBlocks(search, content.text?.blocks ?? [])
  else if (content.kind === 'group') for (const { drawing } of content.children) visitDrawing(search, drawing)
}

function isHidden({ styler }: Search, { properties }: Paragraph, inline: Inline): boolean {
  if (inline.kind === 'bookmark') return false
  const { hidden, unprinted } = styler
    .runs(styler.paragraph(properties, undefined).style, undefined)
    .run(inline.run)
  return hidden || unprinted
}

function visibleLetters(search: Search, paragraph: Paragraph): number {
  let letters = 0
  for (const inline of paragraph.inlines) {
    if (inline.kind === 'text' && !isHidden(search, paragraph, inline)) letters += countLetters(inline.text)
  }
  return letters
}

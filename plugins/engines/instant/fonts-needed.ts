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
  const needs: FontNeeds = {
    families: new Set(['Times New Roman']),
    languages: new Set(),
    characters: new Set(),
    hasBold: false,
    hasItalic: false,
    lastRun: undefined,
  }
  addStyles(needs, document)
  for (const section of document.sections) {
    addBlocks(needs, section.blocks)
    for (const variants of [section.headers, section.footers]) {
      for (const blocks of [variants.default, variants.first, variants.even]) addBlocks(needs, blocks ?? [])
    }
  }
  for (const note of document.notes.values()) addBlocks(needs, note.blocks)
  for (const content of drawings) addDrawing(needs, content)
  return requestsFor(needs)
}

/** What has been seen of a document so far. */
interface FontNeeds {
  readonly families: Set<string>
  readonly languages: Set<string>
  /** Characters outside Latin. */
  readonly characters: Set<string>
  hasBold: boolean
  hasItalic: boolean
  /** The run properties that were added last. Readers share equal ones, so most repeats are the same object. */
  lastRun: RunProperties | undefined
}

/** A request for each family in each style that occurs. */
function requestsFor({ families, languages, characters, hasBold, hasItalic }: FontNeeds): FontRequest[] {
  const text = [...characters].join('')
  const weights = hasBold ? [false, true] : [false]
  const slants = hasItalic ? [false, true] : [false]
  return [...families].flatMap((family) =>
    weights.flatMap((bold) =>
      slants.map((italic) => ({ family, bold, italic, text, languages: [...languages] })),
    ),
  )
}

/** Adds the styles of a document and the levels of its lists. */
function addStyles(needs: FontNeeds, { styles, numbering }: Document): void {
  addRun(needs, styles.defaults.run)
  for (const style of styles.styles.values()) {
    addRun(needs, style.run)
    for (const { run } of style.table?.conditions.values() ?? []) if (run !== undefined) addRun(needs, run)
  }
  for (const list of numbering.values()) {
    for (const level of list.levels) {
      addRun(needs, level.run)
      addText(needs, level.text)
    }
  }
}

function addBlocks(needs: FontNeeds, blocks: readonly Block[]): void {
  for (const block of blocks) {
    if (block.kind === 'table')
      for (const row of block.rows) for (const cell of row.cells) addBlocks(needs, cell.blocks)
    else {
      addRun(needs, block.mark)
      for (const inline of block.inlines) addInline(needs, inline)
    }
  }
}

function addInline(needs: FontNeeds, inline: Inline): void {
  if (inline.kind === 'bookmark') return
  addRun(needs, inline.run)
  if (inline.kind === 'text') addText(needs, inline.text)
  else if (inline.kind === 'drawing') addDrawing(needs, inline.drawing.content)
}

function addDrawing(needs: FontNeeds, content: DrawingContent): void {
  if (content.kind === 'group') for (const child of content.children) addDrawing(needs, child.drawing.content)
  if (content.kind !== 'shape') return
  if (content.wordArt !== undefined) needs.families.add(content.wordArt.family)
  addBlocks(needs, content.text?.blocks ?? [])
}

function addRun(needs: FontNeeds, run: RunProperties): void {
  if (run === needs.lastRun) return
  needs.lastRun = run
  const { ascii, other, eastAsia, complex } = run.fonts ?? {}
  for (const family of [ascii, other, eastAsia, complex]) if (family !== undefined) needs.families.add(family)
  for (const language of [run.language, run.eastAsiaLanguage])
    if (language !== undefined && needs.languages.size < maxLanguages) needs.languages.add(language)
  needs.hasBold ||= run.bold === true || run.complexBold === true
  needs.hasItalic ||= run.italic === true || run.complexItalic === true
}

function addText({ characters }: FontNeeds, text: string): void {
  if (!nonLatin.test(text)) return
  for (const character of text) {
    if (character > '\u024f' && characters.size < maxCharacters) characters.add(character)
  }
}

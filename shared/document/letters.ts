/**
 * Counts letters, so that the text of a source can be compared with what was made of it without comparing strings:
 * readers divide text into runs, order it and join it in their own ways, but they neither add nor lose letters.
 */
import type { Block, Inline } from './content.ts'
import type { Drawing } from './drawing.ts'

/** How often letters occur, by their UTF-16 code modulo the length of the list. */
export type LetterCounts = Uint32Array

/** Codes that share a count are at least two blocks of Unicode apart, so they rarely meet in one document. */
const codes = 1024

export const createLetterCounts = (): LetterCounts => new Uint32Array(codes)

/** Whether a UTF-16 code leaves ink: no white space, no directional mark, no soft hyphen. */
export function isLetter(code: number): boolean {
  if (code <= 0x20) return false
  if (code < 0x7f) return true
  if (code <= 0xa0 || code === 0xad || code === 0x3000 || code === 0xfeff) return false
  return (
    code < 0x2000 || code > 0x206f || (code > 0x200f && code < 0x2028) || (code > 0x202f && code < 0x205f)
  )
}

export function addLetters(counts: LetterCounts, text: string): void {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isLetter(code)) counts[code & (codes - 1)]!++
  }
}

export function addCounts(counts: LetterCounts, others: LetterCounts): void {
  for (let code = 0; code < codes; code++) counts[code]! += others[code]!
}

/** How many letters of `expected` are not in `counts`. A letter that is there more often makes up for no other. */
export function missingLetters(expected: LetterCounts, counts: LetterCounts): number {
  let missing = 0
  for (let code = 0; code < codes; code++) {
    const over = expected[code]! - counts[code]!
    if (over > 0) missing += over
  }
  return missing
}

/**
 * Adds the letters of the text in blocks, with the saved results of fields and the text of drawings. Generated text, such
 * as labels of lists, does not count, and neither do equations and charts.
 */
export function addLettersOf(counts: LetterCounts, blocks: readonly Block[]): void {
  for (const block of blocks) {
    if (block.kind === 'paragraph') for (const inline of block.inlines) addInline(counts, inline)
    else for (const row of block.rows) for (const cell of row.cells) addLettersOf(counts, cell.blocks)
  }
}

function addInline(counts: LetterCounts, inline: Inline): void {
  if (inline.kind === 'text') addLetters(counts, inline.text)
  else if (inline.kind === 'field') addLetters(counts, inline.field.text)
  else if (inline.kind === 'drawing') addLettersOfDrawing(counts, inline.drawing)
}

export function addLettersOfDrawing(counts: LetterCounts, { content }: Drawing): void {
  if (content.kind === 'shape') {
    addLettersOf(counts, content.text?.blocks ?? [])
    addLetters(counts, content.wordArt?.text ?? '')
  } else if (content.kind === 'group')
    for (const { drawing } of content.children) addLettersOfDrawing(counts, drawing)
  else if (content.kind === 'ruby') {
    addLetters(counts, content.base)
    addLetters(counts, content.above)
  }
}

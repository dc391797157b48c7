import type { Block, Inline, Paragraph } from '../../../../shared/document/content.ts'
import type { Document } from '../../../../shared/document/document.ts'
import type { ListLabels } from '../style/labels.ts'
import type { Styler } from '../style/styler.ts'

/** A paragraph that a table of contents may list. */
export interface Heading {
  readonly paragraph: Paragraph
  /** Its words, without line breaks and tabs. */
  readonly text: string
  /** Its number; absent without one. */
  readonly number?: string
  /** The name of its style in lower case. */
  readonly style: string
  /** Its outline level, counted from 1. */
  readonly level?: number
  /** A bookmark at its beginning. */
  readonly bookmark: string
  /** Whether that bookmark has still to be added to the paragraph. */
  readonly isNew: boolean
}

/** The longest text of an entry in characters. */
const maxTextLength = 2000

/** The paragraphs of the body with words that are not entries of a table of contents, in order; cells included. */
export function listHeadings(document: Document, styler: Styler, labels: ListLabels): Heading[] {
  const headings: Heading[] = []
  const visit = (blocks: readonly Block[]): void => {
    for (const block of blocks) {
      if (block.kind === 'table')
        for (const row of block.rows) for (const cell of row.cells) visit(cell.blocks)
      else if (block.contents === undefined && block.contentsAfter === undefined) {
        const heading = headingOf(block, headings.length)
        if (heading !== undefined) headings.push(heading)
      }
    }
  }
  const headingOf = (paragraph: Paragraph, index: number): Heading | undefined => {
    const { named, outlineLevel } = styler.paragraph(paragraph.properties, undefined)
    const style = document.styles.styles.get(named)?.name ?? ''
    const text = wordsOf(paragraph.inlines)
    if (text === '') return undefined
    const label = labels.paragraphs.get(paragraph)
    const number = label?.level.format === 'bullet' ? '' : (label?.text.trim() ?? '')
    const first = paragraph.inlines[0]
    const bookmark = first?.kind === 'bookmark' ? first.name : undefined
    return {
      paragraph,
      text,
      style,
      ...(number !== '' && { number }),
      ...(outlineLevel !== undefined && { level: outlineLevel + 1 }),
      bookmark: bookmark ?? `_contents ${index}`,
      isNew: bookmark === undefined,
    }
  }
  for (const { blocks } of document.sections) visit(blocks)
  return headings
}

function wordsOf(inlines: readonly Inline[]): string {
  let text = ''
  for (const inline of inlines) {
    if (inline.kind === 'text') text += inline.run.hidden === true ? '' : inline.text
    else if (inline.kind === 'field') text += inline.field.text
    else if (inline.kind === 'tab' || inline.kind === 'break') text += ' '
    if (text.length > maxTextLength) break
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, maxTextLength)
}

/** Converts blocks of HTML to plain text, for positions without formatting. */
import { pushAll } from '../../push-all.ts'
import type { HtmlBlock, HtmlInline, HtmlParagraph } from './model.ts'

/** Returns one line for each paragraph, with tabs between the cells of a row. */
export function textOfBlocks(blocks: readonly HtmlBlock[]): string {
  return blocks
    .map((block) => {
      if (block.kind === 'paragraph') return inlineText(block.inlines)
      if (block.kind === 'list') return block.items.map((item) => textOfBlocks(item.blocks)).join('\n')
      if (block.kind === 'table')
        return block.rows
          .map((row) => row.flatMap((cell) => (cell.covered ? [] : [textOfBlocks(cell.blocks)])).join('\t'))
          .join('\n')
      return ''
    })
    .join('\n')
}

const inlineText = (inlines: readonly HtmlInline[]): string => inlines.map(characters).join('')

/** The text of an inline element without its formatting; a line feed for a line break. */
export function characters(inline: HtmlInline): string {
  if (inline.kind === 'break') return '\n'
  if (inline.kind === 'check') return inline.checked ? '☑' : '☐'
  return inline.text
}

/** The content of a heading for formats that have no style for its level: the same text in bold. */
export function headingInlines({ heading, inlines }: HtmlParagraph): readonly HtmlInline[] {
  if (heading === undefined) return inlines
  return inlines.map((inline) => ({ ...inline, style: { bold: true, ...inline.style } }))
}

/**
 * Joins all blocks into one paragraph: a line break between paragraphs, a bullet or number before items, a tab between cells.
 */
export function inlinesOf(blocks: readonly HtmlBlock[]): readonly HtmlInline[] {
  const result: HtmlInline[] = []
  const add = (inline: HtmlInline) => {
    if (result.length > 0) result.push(inline)
  }
  for (const block of blocks) {
    if (block.kind === 'paragraph') {
      add({ kind: 'break', style: {} })
      pushAll(result, block.inlines)
    } else if (block.kind === 'list') {
      let number = block.start
      for (const item of block.items) {
        add({ kind: 'break', style: {} })
        const sign = block.marker === 'bullet' ? '• ' : `${number}. `
        if (!item.unmarked) {
          result.push({ kind: 'text', text: sign, style: {} })
          number += 1
        }
        pushAll(result, inlinesOf(item.blocks))
      }
    } else if (block.kind === 'table') {
      for (const row of block.rows) {
        add({ kind: 'break', style: {} })
        row
          .filter(({ covered }) => !covered)
          .forEach((cell, index) => {
            if (index > 0) result.push({ kind: 'text', text: '\t', style: {} })
            pushAll(result, inlinesOf(cell.blocks))
          })
      }
    }
  }
  return result
}

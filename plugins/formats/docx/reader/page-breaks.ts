import type { Inline, Paragraph } from '../../../../shared/document/content.ts'
import type { ParagraphProperties } from '../../../../shared/document/properties.ts'
import type { Section } from '../../../../shared/document/section.ts'

/**
 * Splits paragraphs at the page breaks inside them. Observed in LibreOffice: text after a page break is a
 * separate paragraph, including its space before; consecutive breaks count once; a paragraph that begins with
 * a page or column break starts after it, unless it is the first of its section. `keepsEmpty`: whatever
 * follows the last page break of a paragraph becomes a paragraph, even when empty
 * (w:splitPgBreakAndParaMark).
 */
export function splitAtPageBreaks(sections: readonly Section[], keepsEmpty: boolean): Section[] {
  return sections.map((section) => ({
    ...section,
    blocks: section.blocks.flatMap((block, index) => {
      if (block.kind !== 'paragraph') return block
      const moved = index > 0 && block.inlines[0] !== undefined && isBreak(block.inlines[0], 'column')
      if (moved) return withColumnBreakBefore(block)
      const breaks = block.inlines.some((inline) => isBreak(inline, 'page'))
      return breaks ? partsOf(block, index === 0, keepsEmpty) : block
    }),
  }))
}

/** Turns a column break at the start of a paragraph into a property of the paragraph. */
function withColumnBreakBefore({ inlines, properties, ...rest }: Paragraph): Paragraph {
  return { ...rest, properties: { ...properties, breakBefore: 'column' }, inlines: inlines.slice(1) }
}

function partsOf(paragraph: Paragraph, first: boolean, keepsEmpty: boolean): Paragraph[] {
  const { inlines, properties } = paragraph
  const parts: Paragraph[] = []
  let from = 0
  let broken = false // whether a page break precedes `from`
  const part = (end: number): Paragraph => ({
    ...paragraph,
    properties: broken ? { ...goingOn(properties, parts.length > 0), breakBefore: 'page' } : properties,
    inlines: inlines.slice(from, end),
  })
  for (let at = 0; at < inlines.length; at++) {
    if (!isBreak(inlines[at]!, 'page')) continue
    let behind = at + 1
    while (behind < inlines.length && isBreak(inlines[behind]!, 'page')) behind++
    const ends = behind === inlines.length
    // A break at the very end applies to the next paragraph.
    if (ends && !keepsEmpty) return [...parts, part(at + 1)]
    if (at > 0 || first || ends) parts.push(part(at))
    from = behind
    broken = true
    at = from - 1
  }
  return [...parts, part(inlines.length)]
}

/** Properties of a later part of a split paragraph: only the first part of a list item has the label. */
function goingOn(properties: ParagraphProperties, follows: boolean): ParagraphProperties {
  const { list } = properties
  return follows && list !== undefined ? { ...properties, list: { ...list, unnumbered: true } } : properties
}

const isBreak = (inline: Inline, at: 'page' | 'column'): boolean =>
  inline.kind === 'break' && inline.at === at

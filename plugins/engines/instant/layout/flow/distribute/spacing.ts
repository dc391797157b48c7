/** The space between two blocks and at the top of a region, in points. */

import { libreOffice } from '../../../compat/libreoffice.ts'
import { word } from '../../../compat/word.ts'
import type { Pt } from '../../frame.ts'
import type { Region } from '../region.ts'
import type { PreparedBlock, PreparedParagraph } from '../types.ts'

/**
 * The space above a block: at the top of a region it may be dropped, elsewhere it merges with the space after
 * the block above.
 *
 * before     the declared space before the block
 * automatic  that space follows the rules for paragraphs of web pages
 */
export function gapAbove({ context, request, cursor }: Region, before: Pt, automatic: boolean): Pt {
  const { settings } = context.document
  if (!cursor.placed && request.top !== 'after')
    return word.spaceAtTop(before, automatic, request.top, settings)
  return word.spaceBetween(cursor.after, before, settings)
}

/**
 * The space above a block plus what line spacing adds to it; nothing is added at the top of a page.
 *
 * Documents whose paragraphs share their line spacing also count what multiple line spacing adds: below the first
 * paragraph as much as the height of its own letters gives, or above the second.
 */
export function withLeading(
  { context, request, cursor }: Region,
  gap: Pt,
  previous: PreparedBlock | undefined,
  block?: PreparedParagraph,
): Pt {
  if (!cursor.placed && request.top !== 'after') return gap
  const { settings } = context.document
  const above = previous?.kind === 'paragraph' ? previous : undefined
  if (!word.lineSpaceIsShared(settings))
    return gap + libreOffice.leadingBetween(leadingOf(above), leadingOf(block))
  const spaceOfBlock = lineSpaceOf(block)
  const larger = libreOffice.leadingBetween(lineSpaceOf(above), spaceOfBlock)
  return (settings.paragraphGap === 'add' ? gap + larger : Math.max(gap, larger)) - cursor.slack
}

/** The fixed leading of a paragraph; 0 when its line spacing is of another kind, or without a paragraph. */
function leadingOf(block: PreparedParagraph | undefined): Pt {
  return block?.style.line.rule === 'leading' ? Math.max(0, block.style.line.value) : 0
}

/** The height that line spacing adds to a line in the font of the paragraph style; at least 0. */
function lineSpaceOf(block: PreparedParagraph | undefined): Pt {
  if (block === undefined) return 0
  const { line } = block.style
  if (line.rule !== 'multiple') return leadingOf(block)
  const { ascent, descent } = block.content().base
  return Math.max(
    0,
    libreOffice.multipliedHeight(ascent + descent, libreOffice.linePercent(line.value)) - ascent - descent,
  )
}

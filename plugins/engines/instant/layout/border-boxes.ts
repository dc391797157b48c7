import type { Border, ParagraphBorders } from '../../../../shared/document/properties.ts'
import { stripsOf } from '../style/border-width.ts'
import type { Placed, Pt } from './frame.ts'
import { borderStrips } from './table/border-line.ts'

/** Whether all four sides have the same border and it consists of several lines. */
export function nests(borders: ParagraphBorders): borders is ParagraphBorders & { readonly top: Border } {
  const { top, right, bottom, left } = borders
  return (
    top !== undefined &&
    stripsOf(top).length > 1 &&
    [right, bottom, left].every(
      (side) =>
        side?.style === top.style &&
        side.width === top.width &&
        side.color === top.color &&
        side.gap === top.gap,
    )
  )
}

/**
 * Draws such a border as nested rectangles, so that its lines meet at the corners instead of crossing. All lengths are in
 * points.
 */
export function nestedBoxes(
  border: Border,
  { left, top, width: w, height: h }: { left: Pt; top: Pt; width: Pt; height: Pt },
): Placed[] {
  return borderStrips(border).map(({ at, stroke }): Placed => {
    const commands = [['R', 0, 0, Math.max(0, w - 2 * at), Math.max(0, h - 2 * at)]] as const
    return { x: left + at, y: top + at, item: { kind: 'shape', path: { commands, stroke } } }
  })
}

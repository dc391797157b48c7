import type { Border, ParagraphBorders } from '../../../../shared/document/properties.ts'
import type { Placed, Pt } from './frame.ts'
import { colourOf } from './inline/look.ts'

/** Styles whose lines lie inside each other. */
export const nested: ReadonlySet<Border['style']> = new Set(['double', 'triple'])

/** The same border on all four sides. */
export function alike({ top, right, bottom, left }: ParagraphBorders): boolean {
  return [right, bottom, left].every(
    (side) => side?.style === top?.style && side?.width === top?.width && side?.color === top?.color,
  )
}

/** Boxes inside each other: the lines of double borders meet at the corners and do not cross. */
export function nestedBoxes(
  { style, width, color }: Border,
  { left, top, width: w, height: h }: { left: Pt; top: Pt; width: Pt; height: Pt },
): Placed[] {
  const stroke = { colour: colourOf(color), width }
  return Array.from({ length: style === 'double' ? 2 : 3 }, (_, index): Placed => {
    const inset = width * (0.5 + 2 * index)
    const commands = [['R', 0, 0, Math.max(0, w - 2 * inset), Math.max(0, h - 2 * inset)]] as const
    return { x: left + inset, y: top + inset, item: { kind: 'shape', path: { commands, stroke } } }
  })
}

import { pushAll } from '../../../../../shared/push-all.ts'
import { drawLine, type VectorTools } from '../../vector/vector.ts'
import type { Colour, PathCommand, Placed, Pt } from '../frame.ts'

/** A part of an equation. Items are placed relative to its left end on the baseline; y grows downward. */
export interface MathBox {
  readonly width: Pt
  readonly ascent: Pt
  readonly descent: Pt
  readonly items: readonly Placed[]
}

/** The font, size and limits that apply to every part. */
export interface MathStyle {
  readonly tools: VectorTools
  readonly family: string
  readonly size: Pt
  readonly colour: Colour
  /** Whether the formula is on a line of its own, so that limits are above and below their sign. */
  readonly display: boolean
  /** Script level: beyond the second nothing gets smaller. */
  readonly script: number
  /** The number of parts and texts that may still be drawn; the rest is dropped. */
  readonly budget: { left: number }
}

/** Height of the axis on which fraction bars are centred, as a fraction of the font size. */
export const axis = 0.25
/** Thickness of bars and radicals. */
export const barThickness = 0.05
/**
 * Height of letters and digits as fractions of the font size. The ascent of a face leaves space for accents,
 * which formulas do not have.
 */
const textAscent = 0.72
const textDescent = 0.22

export const emptyBox: MathBox = { width: 0, ascent: 0, descent: 0, items: [] }

export function textBox(style: MathStyle, text: string, bold = false, italic = false): MathBox {
  if (text === '') return emptyBox
  const { family, size, colour } = style
  const { items, width } = drawLine({ text, family, size, bold, italic, colour }, style.tools)
  return { width, ascent: size * textAscent, descent: size * textDescent, items }
}

/** Moves items to the right and down. */
export const moved = (items: readonly Placed[], x: Pt, y: Pt): Placed[] =>
  items.map((placed) => ({ x: placed.x + x, y: placed.y + y, item: placed.item }))

/** Places boxes beside each other on one baseline. */
export function inRow(boxes: readonly MathBox[], gap = 0): MathBox {
  let width = 0
  let ascent = 0
  let descent = 0
  const items: Placed[] = []
  for (const [index, box] of boxes.entries()) {
    if (index > 0 && box.width > 0) width += gap
    pushAll(items, moved(box.items, width, 0))
    width += box.width
    ascent = Math.max(ascent, box.ascent)
    descent = Math.max(descent, box.descent)
  }
  return { width, ascent, descent, items }
}

export const filled = (commands: readonly PathCommand[], colour: Colour): Placed => ({
  x: 0,
  y: 0,
  item: { kind: 'shape', path: { commands, fill: { kind: 'solid', colour } } },
})

export const stroked = (commands: readonly PathCommand[], colour: Colour, width: Pt): Placed => ({
  x: 0,
  y: 0,
  item: { kind: 'shape', path: { commands, stroke: { colour, width, join: 'round', cap: 'round' } } },
})

export const smaller = (style: MathStyle): MathStyle => ({
  ...style,
  display: false,
  script: style.script + 1,
  size: style.script < 2 ? style.size * 0.72 : style.size,
})

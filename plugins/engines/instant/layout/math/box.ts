import { drawLine, type VectorTools } from '../../vector/vector.ts'
import type { Colour, PathCommand, Placed, Pt } from '../frame.ts'

/** Part of an equation: items count from its left end on the baseline, y grows downward. */
export interface MathBox {
  readonly width: Pt
  readonly ascent: Pt
  readonly descent: Pt
  readonly items: readonly Placed[]
}

/** What every part is drawn with. */
export interface MathStyle {
  readonly tools: VectorTools
  readonly family: string
  readonly size: Pt
  readonly colour: Colour
  /** A formula on a line of its own: limits stand above and below their sign. */
  readonly display: boolean
  /** How deep in scripts: nothing gets smaller below the second. */
  readonly script: number
  /** Parts and pieces of text that may still be drawn; what is beyond is left out. */
  readonly budget: { left: number }
}

/** Height of the line that fraction bars stand on, as a share of the size. */
export const axis = 0.25
/** Of bars and radicals. */
export const lineShare = 0.05
/** Letters and digits as shares of the size: a face's own ascent leaves room for accents that formulas do not have. */
const textAscent = 0.72
const textDescent = 0.22

export const emptyBox: MathBox = { width: 0, ascent: 0, descent: 0, items: [] }

export function textBox(style: MathStyle, text: string, bold = false, italic = false): MathBox {
  if (text === '') return emptyBox
  const { family, size, colour } = style
  const { items, width } = drawLine({ text, family, size, bold, italic, colour }, style.tools)
  return { width, ascent: size * textAscent, descent: size * textDescent, items }
}

/** Items moved to the right and down. */
export const moved = (items: readonly Placed[], x: Pt, y: Pt): Placed[] =>
  items.map((placed) => ({ x: placed.x + x, y: placed.y + y, item: placed.item }))

/** Boxes beside each other on one baseline. */
export function beside(boxes: readonly MathBox[], gap = 0): MathBox {
  let width = 0
  let ascent = 0
  let descent = 0
  const items: Placed[] = []
  for (const [index, box] of boxes.entries()) {
    if (index > 0 && box.width > 0) width += gap
    items.push(...moved(box.items, width, 0))
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

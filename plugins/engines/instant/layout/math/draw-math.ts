import type { Drawing, MathContent } from '../../../../../shared/document/drawing.ts'
import type { LayoutContext } from '../context.ts'
import type { Matrix, Placed, Pt } from '../frame.ts'
import { colourOf, type Look } from '../inline/look.ts'
import { type MathBox, type MathStyle, moved } from './box.ts'
import { layoutMath } from './layout-math.ts'

/** Of one equation: far above any that is read. */
const mostParts = 20_000

/** Of an equation whose file names none. */
const usualSize = 12

function boxOf(context: LayoutContext, { math, display, size, color }: MathContent): MathBox {
  const style: MathStyle = {
    tools: { fonts: context.fonts, check: () => context.budget.check() },
    // Observed in LibreOffice: equations of every file in this family and size.
    family: 'Times New Roman',
    size: size ?? usualSize,
    colour: colourOf(color ?? 'auto'),
    display,
    script: 0,
    budget: { left: mostParts },
  }
  return layoutMath(math, style)
}

/** An equation among text: its own baseline lies on that of the line. */
export function sizedMath(context: LayoutContext, drawing: Drawing, look: Look): Drawing {
  if (drawing.content.kind !== 'math' || drawing.width > 0) return drawing
  const content: MathContent = { color: look.run.color, ...drawing.content }
  const { width, ascent, descent } = boxOf(context, content)
  return { ...drawing, width, height: ascent + descent, drop: descent, content }
}

/** Fitted into a box, in proportion. */
export function drawMath(context: LayoutContext, content: MathContent, width: Pt, height: Pt): Placed[] {
  const box = boxOf(context, content)
  const tall = box.ascent + box.descent
  if (box.width <= 0 || tall <= 0) return []
  const scale = Math.min(width / box.width, height / tall)
  const items = moved(box.items, 0, box.ascent)
  if (Math.abs(scale - 1) < 0.001) return items
  const transform: Matrix = [scale, 0, 0, scale, 0, (height - tall * scale) / 2]
  return [
    {
      x: 0,
      y: 0,
      item: { kind: 'group', frame: { width: box.width, height: tall, items }, clip: false, transform },
    },
  ]
}

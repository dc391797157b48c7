import type { Drawing, MathContent } from '../../../../../shared/document/drawing.ts'
import type { LayoutContext } from '../context.ts'
import type { Matrix, Placed, Pt } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'
import type { TextStyle } from '../inline/types.ts'
import { type MathBox, type MathStyle, moved } from './box.ts'
import { layoutMath } from './layout-math.ts'

/** Maximum number of parts of one equation, far above any that people write. */
const maxParts = 20_000

/** Font size of an equation whose file specifies none. */
const defaultSize = 12

function boxOf(context: LayoutContext, { math, display, size, color }: MathContent): MathBox {
  const style: MathStyle = {
    tools: { fonts: context.fonts, check: () => context.budget.check() },
    // Observed in LibreOffice: equations of every file use this family and size.
    family: 'Times New Roman',
    size: size ?? defaultSize,
    colour: colourOf(color ?? 'auto'),
    display,
    script: 0,
    budget: { left: maxParts },
  }
  return layoutMath(math, style)
}

/** Draws an equation inside text: its baseline is that of the line. */
export function sizedMath(context: LayoutContext, drawing: Drawing, textStyle: TextStyle): Drawing {
  if (drawing.content.kind !== 'math' || drawing.width > 0) return drawing
  const content: MathContent = { color: textStyle.run.color, ...drawing.content }
  const { width, ascent, descent } = boxOf(context, content)
  return { ...drawing, width, height: ascent + descent, drop: descent, content }
}

/** Scales an equation into a box, keeping its proportions. */
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

import type { Drawing, RubyContent } from '../../../../../shared/document/drawing.ts'
import { drawLine } from '../../vector/vector.ts'
import type { LayoutContext } from '../context.ts'
import type { Placed, Pt } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'
import type { TextStyle } from '../inline/types.ts'

/** Font size of the guide as a fraction of that of its base, observed in LibreOffice. */
const guideShare = 0.5

function linesOf(context: LayoutContext, { base, above, look }: RubyContent) {
  const { family = 'Times New Roman', size = 12, bold = false, italic = false, color = 'auto' } = look ?? {}
  const style = { family, bold, italic, colour: colourOf(color) }
  const tools = { fonts: context.fonts, check: () => context.budget.check() }
  const below = drawLine({ ...style, text: base, size }, tools)
  const guide = drawLine({ ...style, text: above, size: size * guideShare }, tools)
  const face = context.fonts.face(family, bold, italic)
  return { below, guide, ascent: face.ascent * size, descent: face.descent * size }
}

/** A phonetic guide above its base, as wide as the wider of the two; the base is on the baseline of the line. */
export function sizedRuby(context: LayoutContext, drawing: Drawing, { run, size, kind }: TextStyle): Drawing {
  if (drawing.content.kind !== 'ruby' || drawing.width > 0) return drawing
  const eastAsian = /[\u2e80-\u9fff\uf900-\ufaff]/.test(drawing.content.base)
  const family = eastAsian && kind === 'plain' ? run.eastAsiaFamily : run.family
  const content: RubyContent = {
    ...drawing.content,
    look: { family, size, bold: run.bold, italic: run.italic, color: run.color },
  }
  const { below, guide, ascent, descent } = linesOf(context, content)
  const height = ascent + descent * (1 + guideShare) + ascent * guideShare
  return { ...drawing, width: Math.max(below.width, guide.width), height, drop: descent, content }
}

/** Guide and base, centred on each other. */
export function drawRuby(context: LayoutContext, content: RubyContent, height: Pt): Placed[] {
  const { below, guide, descent, ascent } = linesOf(context, content)
  const width = Math.max(below.width, guide.width)
  const place = (items: readonly Placed[], own: Pt, y: Pt): Placed[] =>
    items.map((placed) => ({ x: placed.x + (width - own) / 2, y: placed.y + y, item: placed.item }))
  return [
    ...place(below.items, below.width, height - descent),
    ...place(guide.items, guide.width, ascent * guideShare),
  ]
}

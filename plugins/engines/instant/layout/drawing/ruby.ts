import type { Drawing, RubyContent } from '../../../../../shared/document/drawing.ts'
import { drawLine } from '../../vector/vector.ts'
import type { LayoutContext } from '../context.ts'
import type { Placed, Pt } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'
import type { TextStyle } from '../inline/types.ts'

/** Font size of the guide as a fraction of that of its base, observed in LibreOffice. */
const guideScale = 0.5

function linesOf(context: LayoutContext, { base, above, textStyle }: RubyContent) {
  const {
    family = 'Times New Roman',
    size = 12,
    bold = false,
    italic = false,
    color = 'auto',
  } = textStyle ?? {}
  const style = { family, bold, italic, colour: colourOf(color) }
  const tools = { fonts: context.fonts, check: () => context.budget.check() }
  const below = drawLine({ ...style, text: base, size }, tools)
  const guide = drawLine({ ...style, text: above, size: size * guideScale }, tools)
  const face = context.fonts.face(family, bold, italic)
  return { below, guide, ascent: face.ascent * size, descent: face.descent * size }
}

/**
 * Sizes a phonetic guide above its base text. It is as wide as the wider of the two, and the base is on the baseline of the
 * line.
 */
export function sizedRuby(context: LayoutContext, drawing: Drawing, { run, size, kind }: TextStyle): Drawing {
  if (drawing.content.kind !== 'ruby' || drawing.width > 0) return drawing
  const eastAsian = /[\u2e80-\u9fff\uf900-\ufaff]/.test(drawing.content.base)
  const family = eastAsian && kind === 'plain' ? run.eastAsiaFamily : run.family
  const content: RubyContent = {
    ...drawing.content,
    textStyle: { family, size, bold: run.bold, italic: run.italic, color: run.color },
  }
  const { below, guide, ascent, descent } = linesOf(context, content)
  const height = ascent + descent * (1 + guideScale) + ascent * guideScale
  return { ...drawing, width: Math.max(below.width, guide.width), height, drop: descent, content }
}

/** Draws the guide and the base text, centred on each other. */
export function drawRuby(context: LayoutContext, content: RubyContent, height: Pt): Placed[] {
  const { below, guide, descent, ascent } = linesOf(context, content)
  const width = Math.max(below.width, guide.width)
  const centred = (items: readonly Placed[], lineWidth: Pt, y: Pt): Placed[] =>
    items.map((placed) => ({ x: placed.x + (width - lineWidth) / 2, y: placed.y + y, item: placed.item }))
  return [
    ...centred(below.items, below.width, height - descent),
    ...centred(guide.items, guide.width, ascent * guideScale),
  ]
}

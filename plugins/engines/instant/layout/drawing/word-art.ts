import type { WordArt } from '../../../../../shared/document/drawing.ts'
import { glyphBox } from '../../fonts/sfnt/glyph-bounds.ts'
import { shape } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { Frame, GlyphRun, Matrix, Placed, Pt } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'

/** Scales text so that the outlines of its glyphs fill the box (observed in LibreOffice). */
export function drawWordArt(context: LayoutContext, art: WordArt, width: Pt, height: Pt): Placed[] {
  const lines = art.text.split('\n').slice(0, 100)
  const each = height / lines.length
  return lines.flatMap((line, index) =>
    drawLine(context, { ...art, text: line }, width, each).map((item) => ({
      ...item,
      y: item.y + index * each,
    })),
  )
}

function drawLine(context: LayoutContext, art: WordArt, width: Pt, height: Pt): Placed[] {
  const face = context.fonts.face(art.family, art.bold, art.italic)
  const run = shape(art.text, { face, size: 100 })
  if (run.width <= 0 || width <= 0 || height <= 0) return []
  const bounds = boundsOf(run)
  const [across, down] = [width / (bounds.right - bounds.left), height / (bounds.bottom - bounds.top)]
  const transform: Matrix = [across, 0, 0, down, 0, 0]
  const colour = colourOf(art.color)
  const offset = { x: -bounds.left, y: -bounds.top }
  const items: Placed[] = [{ ...offset, item: { kind: 'glyphs', run, colour, opacity: art.opacity } }]
  if (art.stroke !== undefined) {
    const outline = colourOf(art.stroke.color)
    items.push({
      ...offset,
      item: { kind: 'glyphs', run, colour: outline, opacity: art.opacity, outline: true },
    })
  }
  const frame: Frame = { width: bounds.right - bounds.left, height: bounds.bottom - bounds.top, items }
  return [{ x: 0, y: 0, item: { kind: 'group', frame, clip: false, transform } }]
}

interface InkBounds {
  readonly left: Pt
  readonly right: Pt
  readonly top: Pt // negative above the baseline
  readonly bottom: Pt
}

/** The bounding box of the glyph outlines of a run. A font without outlines uses ascent and descent. */
function boundsOf({ face, size, glyphs, advances, text, width }: GlyphRun): InkBounds {
  const { file, unitsPerEm } = face
  let [left, right, top, bottom] = [width, 0, 0, 0]
  let x = 0
  let seen = false
  for (let i = 0; i < glyphs.length; i++) {
    const box = glyphBox(file, glyphs[i] ?? 0)
    if (box !== undefined) {
      const scale = size / unitsPerEm
      left = Math.min(left, x + box.xMin * scale)
      right = Math.max(right, x + box.xMax * scale)
      top = Math.min(top, -box.yMax * scale)
      bottom = Math.max(bottom, -box.yMin * scale)
      seen = true
    }
    x += advances[i] ?? 0
  }
  if (seen && right - left > 1 && bottom - top > 1) return { left, right, top, bottom }
  const low = /[gjpqy,;()[\]{}]/.test(text)
  return { left: 0, right: width, top: -size * face.capHeight, bottom: low ? size * face.descent : 0 }
}

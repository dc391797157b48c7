import type { WordArt } from '../../../../../shared/document/drawing.ts'
import type { FontFile } from '../../fonts/sfnt/font-file.ts'
import { shape } from '../../text/shape.ts'
import type { LayoutContext } from '../context.ts'
import type { Frame, GlyphRun, Matrix, Placed, Pt } from '../frame.ts'
import { colourOf } from '../inline/look.ts'

/** Lines of text stretched over their box: what is inked of them fills it (observed in LibreOffice). */
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
  const ink = inkOf(run)
  const [across, down] = [width / (ink.right - ink.left), height / (ink.bottom - ink.top)]
  const transform: Matrix = [across, 0, 0, down, 0, 0]
  const colour = colourOf(art.color)
  const place = { x: -ink.left, y: -ink.top }
  const items: Placed[] = [{ ...place, item: { kind: 'glyphs', run, colour, opacity: art.opacity } }]
  if (art.stroke !== undefined) {
    const outline = colourOf(art.stroke.color)
    items.push({
      ...place,
      item: { kind: 'glyphs', run, colour: outline, opacity: art.opacity, outline: true },
    })
  }
  const frame: Frame = { width: ink.right - ink.left, height: ink.bottom - ink.top, items }
  return [{ x: 0, y: 0, item: { kind: 'group', frame, clip: false, transform } }]
}

interface Ink {
  readonly left: Pt
  readonly right: Pt
  readonly top: Pt // above the baseline is negative
  readonly bottom: Pt
}

/** The box of what is seen of a run: by the outlines of the font, else by its heights. */
function inkOf({ face, size, glyphs, advances, text, width }: GlyphRun): Ink {
  const { file, unitsPerEm } = face
  let [left, right, top, bottom] = [width, 0, 0, 0]
  let pen = 0
  let seen = false
  for (let i = 0; i < glyphs.length; i++) {
    const box = glyphBox(file, glyphs[i]!)
    if (box !== undefined) {
      const scale = size / unitsPerEm
      left = Math.min(left, pen + box.xMin * scale)
      right = Math.max(right, pen + box.xMax * scale)
      top = Math.min(top, -box.yMax * scale)
      bottom = Math.max(bottom, -box.yMin * scale)
      seen = true
    }
    pen += advances[i]!
  }
  if (seen && right - left > 1 && bottom - top > 1) return { left, right, top, bottom }
  const low = /[gjpqy,;()[\]{}]/.test(text)
  return { left: 0, right: width, top: -size * face.capHeight, bottom: low ? size * face.descent : 0 }
}

/** The box that a glyph's outline names in its head. Source: OpenType 1.9, "glyf". */
function glyphBox(
  file: FontFile,
  glyph: number,
): { xMin: number; yMin: number; xMax: number; yMax: number } | undefined {
  const [glyf, loca, head] = [file.table('glyf'), file.table('loca'), file.table('head')]
  if (glyf === undefined || loca === undefined || head === undefined || head.byteLength < 52) return undefined
  const long = head.getInt16(50) !== 0
  const step = long ? 4 : 2
  if ((glyph + 2) * step > loca.byteLength) return undefined
  const at = (index: number): number => (long ? loca.getUint32(index * 4) : loca.getUint16(index * 2) * 2)
  const [start, end] = [at(glyph), at(glyph + 1)]
  if (end - start < 10 || start + 10 > glyf.byteLength) return undefined
  return {
    xMin: glyf.getInt16(start + 2),
    yMin: glyf.getInt16(start + 4),
    xMax: glyf.getInt16(start + 6),
    yMax: glyf.getInt16(start + 8),
  }
}

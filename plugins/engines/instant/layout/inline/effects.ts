import { ellipse } from '../../../../../shared/document/ellipse.ts'
import type { Emphasis } from '../../../../../shared/document/properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import type { Colour, GlyphRun, PathCommand, Placed, Pt } from '../frame.ts'
import type { TextStyle } from './types.ts'

interface GlyphOrigin {
  readonly x: Pt
  readonly y: Pt
}

/** The shaded edge of letters in relief. */
const shade: Colour = 0xa8a8a8

/** A run of glyphs with a shadow, embossed or engraved. */
export function effectsOf(
  { run, size }: TextStyle,
  { x, y }: GlyphOrigin,
  glyphs: GlyphRun,
  colour: Colour,
): Placed[] {
  const drawn = (by: Pt, of: Colour): Placed => ({
    x: x + by,
    y: y + by,
    item: { kind: 'glyphs', run: glyphs, colour: of, outline: run.outline || undefined },
  })
  const step = Math.max(0.4, size / 24)
  if (run.relief !== 'none') {
    const face = libreOffice.reliefColour(colour)
    return [drawn(run.relief === 'embossed' ? step : -step, shade), drawn(0, face)]
  }
  if (!run.shadow) return [drawn(0, colour)]
  return [drawn(step, libreOffice.textShadowColour(colour)), drawn(0, colour)]
}

/** Emphasis marks: one at the middle of each character, above or below the text; spaces have none. */
export function emphasise(
  { ascent, descent, size, face }: TextStyle,
  { mark, below }: Emphasis,
  { x, y }: GlyphOrigin,
  { advances, clusters, text }: GlyphRun,
  colour: Colour,
): Placed[] {
  const items: Placed[] = []
  const radius = size * (mark === 'circle' ? 0.1 : 0.07)
  const top = Math.min(ascent, size * (face.ascent + 0.05))
  const middle = below ? y + Math.min(descent, size * face.descent) + radius : y - top
  let originX = x
  for (let i = 0; i < advances.length; i++) {
    const letter = text[clusters[i] ?? 0] ?? ''
    if (letter.trim() !== '' && (advances[i] ?? 0) > 0) {
      const commands: PathCommand[] = ellipse({
        centre: { x: 0, y: 0 },
        rx: radius * (mark === 'comma' ? 0.6 : 1),
        ry: radius,
        turn: mark === 'comma' ? 0.5 : 0,
        start: 0,
        span: 2 * Math.PI,
      })
      const stroke = { colour, width: radius * 0.4 }
      const fill = { kind: 'solid' as const, colour }
      const path = mark === 'circle' ? { commands, stroke } : { commands, fill }
      items.push({ x: originX + (advances[i] ?? 0) / 2, y: middle, item: { kind: 'shape', path } })
    }
    originX += advances[i] ?? 0
  }
  return items
}

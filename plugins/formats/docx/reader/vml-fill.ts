import type { Background } from '../../../../shared/document/background.ts'
import type { DrawingShadow } from '../../../../shared/document/drawing.ts'
import type { Color, Gradient } from '../../../../shared/document/paint.ts'
import { vmlColor } from '../../../../shared/office/ooxml/colors.ts'
import { mediaOf } from '../../../../shared/office/ooxml/drawing/part.ts'
import type { DocxPartContext } from './part-context.ts'

/**
 * Reads the gradient of a v:fill (ECMA-376-4 19.1.2.5); undefined for a fill of one colour. Observed in
 * LibreOffice: at angle 0 the colours run upwards, angles rotate them counter-clockwise, and a focus moves
 * the second colour.
 */
export function vmlGradient(
  part: DocxPartContext,
  color: Color,
  opacity: number | undefined,
): Gradient | undefined {
  const { cursor } = part
  const type = cursor.attribute('type') ?? 'solid'
  if (!type.startsWith('gradient')) return undefined
  const second = vmlColor(cursor.attribute('color2')) ?? 'FFFFFF'
  const percent = Number.parseFloat(cursor.attribute('focus') ?? '0') || 0
  const focus = Math.max(-1, Math.min(1, percent / 100))
  const [outer, inner] = focus < 0 ? [second, color] : [color, second]
  const at = Math.abs(focus)
  const stops =
    at === 0 || at === 1
      ? [
          { at: 0, color: at === 0 ? outer : inner },
          { at: 1, color: at === 0 ? inner : outer },
        ]
      : [
          { at: 0, color: outer },
          { at, color: inner },
          { at: 1, color: outer },
        ]
  const angle = 270 - (Number.parseFloat(cursor.attribute('angle') ?? '0') || 0)
  return {
    kind: type === 'gradientRadial' ? 'radial' : 'linear',
    angle,
    centre: { x: 0.5, y: 0.5 },
    stops,
    ...(opacity !== undefined && { opacity }),
  }
}

/**
 * Reads the picture of a v:fill. Observed in LibreOffice: patterns keep the colours of their picture, and
 * opacity is ignored.
 */
export function vmlBackground(part: DocxPartContext): Background | undefined {
  const { cursor } = part
  const type = cursor.attribute('type') ?? 'solid'
  if (type !== 'pattern' && type !== 'tile' && type !== 'frame') return undefined
  const id = cursor.attribute('r:id') ?? cursor.attribute('o:relid')
  const media = id === undefined ? '' : mediaOf(part, id)
  if (media === '') return undefined
  return { kind: 'picture', media, sizing: type === 'frame' ? 'stretch' : 'tile', at: { x: 0, y: 0 } }
}

/**
 * Reads v:shadow (19.1.2.18). The default offset is two points to the right and down. An opacity above 1 is
 * in 65,536ths.
 */
export function vmlShadow({ cursor }: DocxPartContext): DrawingShadow | undefined {
  if (!/^(?:t|true|1)$/.test(cursor.attribute('on') ?? '')) return undefined
  const [x = 2, y = 2] = (cursor.attribute('offset') ?? '')
    .split(',')
    .map((number) => Number.parseFloat(number))
    .map((value) => (Number.isFinite(value) ? Math.max(-100, Math.min(100, value)) : 2))
  const opacity = Number.parseFloat(cursor.attribute('opacity') ?? '1')
  return {
    x,
    y,
    blur: 0,
    color: vmlColor(cursor.attribute('color')) ?? '808080',
    opacity: Number.isFinite(opacity)
      ? Math.max(0, Math.min(1, opacity > 1 ? opacity / 65_536 : opacity))
      : 1,
  }
}

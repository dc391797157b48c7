import type { Gradient } from '../../../document/paint.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { color, percent } from '../values.ts'

/** The kinds of draw:gradient, on which the cursor stands, that are drawn as radial ones. */
export const isSimplified = (cursor: XmlCursor): boolean =>
  ['ellipsoid', 'square', 'rectangular'].includes(cursor.attribute('draw:style') ?? '')

/**
 * Reads draw:gradient (ODF 1.3 part 3, 16.40.1). Angles without a unit are tenths of a degree; 0 runs from
 * top to bottom.
 */
export function readOpenGradient(cursor: XmlCursor): Gradient {
  const get = (name: string): string | undefined => cursor.attribute(name)
  const start = color(get('draw:start-color')) ?? '000000'
  const end = color(get('draw:end-color')) ?? 'FFFFFF'
  const border = Math.max(0, Math.min(1, percent(get('draw:border')) ?? 0))
  const angleMatch = /^(-?[\d.]+)(deg|grad|rad)?$/.exec(get('draw:angle') ?? '0')
  const units = { deg: 1, grad: 0.9, rad: 180 / Math.PI }
  const unit = angleMatch?.[2] as keyof typeof units | undefined
  const degrees = Number(angleMatch?.[1] ?? 0) * (unit === undefined ? 0.1 : units[unit])
  const style = get('draw:style') ?? 'linear'
  const centre = { x: percent(get('draw:cx')) ?? 0.5, y: percent(get('draw:cy')) ?? 0.5 }
  const angle = 90 - degrees
  if (style === 'linear' || style === 'axial') {
    const stops =
      style === 'linear'
        ? [
            { at: border, color: start },
            { at: 1, color: end },
          ]
        : [
            { at: border / 2, color: start },
            { at: 0.5, color: end },
            { at: 1 - border / 2, color: start },
          ]
    return { kind: 'linear', angle, centre, stops }
  }
  // All other styles are drawn as radial gradients: from the end colour in the centre to the start colour.
  const stops = [
    { at: 0, color: end },
    { at: 1 - border, color: start },
  ]
  return { kind: 'radial', angle, centre, stops }
}

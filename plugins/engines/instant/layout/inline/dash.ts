import type { Pt } from '../frame.ts'

/** The lengths of strokes and gaps of a broken border or underline, in points; undefined for a solid one. */
export function dashOf(style: string, width: Pt): readonly Pt[] | undefined {
  const unit = Math.max(0.75, width)
  switch (style) {
    case 'dotted':
      return [unit, unit * 1.5]
    case 'dashed':
      return [unit * 4, unit * 2.5]
    case 'dot-dash':
      return [unit * 4, unit * 2, unit, unit * 2]
    case 'dot-dot-dash':
      return [unit * 4, unit * 2, unit, unit * 2, unit, unit * 2]
    default:
      return undefined
  }
}

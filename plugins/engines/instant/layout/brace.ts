import type { PathCommand, Pt } from './frame.ts'

/**
 * A curly bracket with its tip at `middle`. `x` maps a fraction across the bracket to a position: 0 is the
 * tip, 1 the ends. `bend` is the height of a curve.
 */
export const brace = (
  x: (fraction: number) => Pt,
  top: Pt,
  bottom: Pt,
  middle: Pt,
  bend: Pt,
): PathCommand[] => [
  ['M', x(1), top],
  ['C', x(0.5), top, x(0.5), top, x(0.5), top + bend],
  ['L', x(0.5), middle - bend],
  ['C', x(0.5), middle, x(0.5), middle, x(0), middle],
  ['C', x(0.5), middle, x(0.5), middle, x(0.5), middle + bend],
  ['L', x(0.5), bottom - bend],
  ['C', x(0.5), bottom, x(0.5), bottom, x(1), bottom],
]

import type { Sides } from '../../../document/box.ts'
import type { Boxed } from '../../../document/drawing.ts'
import type { Border } from '../../../document/properties.ts'
import { type AttributeGetter, length } from '../values.ts'
import { readBorders } from './text-properties.ts'

/** Total width of a border in points, including the gap of a double one. */
function borderWidth(border: Border | undefined): number {
  if (border === undefined || border.style === 'none') return 0
  return border.style === 'double' ? border.width * 3 : border.width
}

/**
 * Borders of a frame and the insets of its content: border width plus padding (ODF 1.3 part 3, 20.176 and
 * 20.217).
 */
export function frameBox(get: AttributeGetter): {
  readonly boxed?: Boxed
  readonly insets: Required<Sides>
} {
  const lines = readBorders(get)
  const padding = length(get('fo:padding')) ?? 0
  const inset = (side: 'top' | 'right' | 'bottom' | 'left'): number =>
    Math.max(0, length(get(`fo:padding-${side}`)) ?? padding) + borderWidth(lines?.[side])
  const insets = { top: inset('top'), right: inset('right'), bottom: inset('bottom'), left: inset('left') }
  const drawn = lines !== undefined && Object.values(lines).some((line: Border) => line.style !== 'none')
  return drawn ? { boxed: { lines, insets }, insets } : { insets }
}

/** The same for a picture inside a frame, which is inset even when there are no borders. */
export function boxedIn(get: AttributeGetter): { readonly boxed?: Boxed } {
  const { boxed, insets } = frameBox(get)
  if (boxed !== undefined) return { boxed }
  return Object.values(insets).some((inset) => inset > 0) ? { boxed: { lines: {}, insets } } : {}
}

import type { ArrowHead } from '../../document/paint.ts'
import { entryOf } from '../../entry-of.ts'

/** Names of arrow heads in DrawingML and VML. */
const kinds: Readonly<Record<string, ArrowHead['kind']>> = {
  triangle: 'triangle',
  block: 'triangle',
  stealth: 'stealth',
  classic: 'stealth',
  diamond: 'diamond',
  oval: 'oval',
  arrow: 'open',
  open: 'open',
}
/** Widths and lengths by name, as multiples of the line width. */
const sizes: Readonly<Record<string, number>> = {
  sm: 2,
  narrow: 2,
  short: 2,
  med: 3,
  medium: 3,
  lg: 5,
  wide: 5,
  long: 5,
}

/** Reads an arrow head from the attribute values of DrawingML (20.1.8.38) or VML; undefined for none. */
export function readArrowHead(
  type: string | undefined,
  width: string | undefined,
  length: string | undefined,
): ArrowHead | undefined {
  if (type === undefined || type === 'none') return undefined
  return {
    kind: entryOf(kinds, type) ?? 'triangle',
    width: entryOf(sizes, width) ?? 3,
    length: entryOf(sizes, length) ?? 3,
  }
}

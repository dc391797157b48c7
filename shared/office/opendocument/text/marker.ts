import type { ArrowHead } from '../../../document/paint.ts'
import { type AttributeGetter, length } from '../values.ts'

/**
 * Reads draw:marker-start or draw:marker-end (ODF 1.3 part 3, 20.123). Markers are paths with names; the
 * names that LibreOffice uses are mapped to the arrow heads of the document model.
 */
export function readMarker(get: AttributeGetter, side: 'start' | 'end'): ArrowHead {
  const name = (get(`draw:marker-${side}`) ?? '').toLowerCase()
  const line = Math.max(1.98, length(get('svg:stroke-width')) ?? 0.5)
  const width = Math.min(40, (length(get(`draw:marker-${side}-width`)) ?? 8.5) / line)
  if (/circle|oval|dot/.test(name)) return { kind: 'oval', width, length: width }
  if (/diamond|square|cross/.test(name)) return { kind: 'diamond', width, length: width }
  if (/concave|stealth/.test(name)) return { kind: 'stealth', width, length: width }
  if (/line|open/.test(name)) return { kind: 'open', width, length: width }
  return { kind: 'triangle', width, length: /short/.test(name) ? width * 0.6 : width }
}

import type { SectionProperties } from '../../../document/section.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { integer, length } from '../values.ts'

/**
 * Reads style:columns (ODF 1.3 part 3, 17.11): a number of columns with a gap, or the share of each column in
 * the width.
 */
export function readColumns(cursor: XmlCursor): SectionProperties['columns'] {
  const count = Math.max(1, Math.min(45, integer(cursor.attribute('fo:column-count')) ?? 1))
  const gap = Math.max(0, length(cursor.attribute('fo:column-gap')) ?? 0)
  let separator = false
  const each: { width: number; start: number; end: number }[] = []
  cursor.each((name) => {
    if (name === 'style:column-sep') separator = true
    if (name !== 'style:column' || each.length >= count) return
    each.push({
      width: Math.max(1, Number.parseFloat(cursor.attribute('style:rel-width') ?? '1') || 1),
      start: Math.max(0, length(cursor.attribute('fo:start-indent')) ?? 0),
      end: Math.max(0, length(cursor.attribute('fo:end-indent')) ?? 0),
    })
  })
  if (each.length < 2 || each.length !== count) return { count, gap, separator }
  const gaps = each.map(({ width, end }, index) => ({ width, gap: end + (each[index + 1]?.start ?? 0) }))
  return { count, gap, separator, each: gaps, shares: true }
}

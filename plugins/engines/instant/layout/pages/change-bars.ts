import { type Placed, type Pt, straightLine } from '../frame.ts'

/**
 * Change bars, observed in LibreOffice: hairlines this many points left of the text area, also for changes in
 * cells and boxes.
 */
const distance = 7.1
const weight = 0.1

/** Replaces the marks of changed lines with bars. `left` is the left edge of the text area. */
export function withChangeBars(items: readonly Placed[], left: Pt): readonly Placed[] {
  if (!items.some(({ item }) => item.kind === 'mark' && item.changed !== undefined)) return items
  return items.map((placed) =>
    placed.item.kind === 'mark' && placed.item.changed !== undefined
      ? straightLine(left - distance, placed.y, 0, placed.item.changed, { colour: 0, width: weight })
      : placed,
  )
}

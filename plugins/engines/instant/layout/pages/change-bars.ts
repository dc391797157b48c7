import { libreOffice } from '../../compat/libreoffice.ts'
import { type Placed, type Pt, straightLine } from '../frame.ts'

/** Replaces the marks of changed lines with bars. `left` is the left edge of the text area. */
export function withChangeBars(items: readonly Placed[], left: Pt): readonly Placed[] {
  if (!items.some(({ item }) => item.kind === 'mark' && item.changed !== undefined)) return items
  const { distance, weight } = libreOffice.changeBar
  return items.map((placed) =>
    placed.item.kind === 'mark' && placed.item.changed !== undefined
      ? straightLine(left - distance, placed.y, 0, placed.item.changed, { colour: 0, width: weight })
      : placed,
  )
}

import { type Placed, type Pt, straightLine } from '../frame.ts'

/** Observed in LibreOffice: a hairline this far left of the text of the page, also beside cells and boxes. */
const distance = 7.1
const weight = 0.1

/** Items with bars in place of the marks of lines that were changed; `left` is where the text of the page begins. */
export function withChangeBars(items: readonly Placed[], left: Pt): readonly Placed[] {
  if (!items.some(({ item }) => item.kind === 'mark' && item.changed !== undefined)) return items
  return items.map((placed) =>
    placed.item.kind === 'mark' && placed.item.changed !== undefined
      ? straightLine(left - distance, placed.y, 0, placed.item.changed, { colour: 0, width: weight })
      : placed,
  )
}

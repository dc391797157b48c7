import type { Block } from '../../../../../shared/document/document.ts'
import type { Columns } from '../../../../../shared/document/section.ts'
import type { LayoutContext } from '../context.ts'
import { innerRequest } from '../flow/floats.ts'
import { flowStart, type Geometry, type Position } from '../flow/types.ts'
import type { Placed, Pt } from '../frame.ts'
import { columnsOf } from '../pages/page.ts'

interface TextInColumns {
  readonly items: Placed[]
  readonly height: Pt
  readonly left: boolean // text that found no room
}

const mostRounds = 24

/**
 * The text of a frame in columns. Observed in LibreOffice: a column is as tall as the frame; a frame that grows is made
 * taller only when its text does not fit.
 */
export function textInColumns(
  context: LayoutContext,
  blocks: readonly Block[],
  columns: Columns,
  box: { readonly width: Pt; readonly height: Pt; readonly grows: boolean; readonly geometry: Geometry },
): TextInColumns {
  const places = columnsOf({ columns, rightToLeft: false }, box.width)
  const flows = new Map(
    places.map(({ width }) => [width, context.flows.prepare(blocks, { width, inner: true })]),
  )
  const attempt = (height: Pt): TextInColumns => {
    const items: Placed[] = []
    let next: Position | undefined = flowStart
    let tallest = 0
    for (const [index, { x, width }] of places.entries()) {
      if (next === undefined) break
      const last = index === places.length - 1
      const request = innerRequest(box.geometry, { x, y: 0 })
      const filled = context.flows.fill(flows.get(width)!, next, {
        ...request,
        height: last && !box.grows ? Number.POSITIVE_INFINITY : height,
      })
      for (const item of [...filled.behind, ...filled.items, ...filled.front])
        items.push({ ...item, x: x + item.x })
      tallest = Math.max(tallest, filled.height - filled.trailing - filled.slack)
      next = filled.next
    }
    return { items, height: tallest, left: next !== undefined }
  }
  let low = Math.max(1, box.height)
  let best = attempt(low)
  if (!box.grows || !best.left) return best
  let high = low
  for (let round = 0; round < mostRounds && best.left; round++) {
    low = high
    high *= 2
    best = attempt(high)
  }
  for (let round = 0; round < mostRounds && high - low > 0.5; round++) {
    context.budget.check()
    const middle = (low + high) / 2
    const tried = attempt(middle)
    if (tried.left) low = middle
    else {
      best = tried
      high = middle
    }
  }
  return best
}

import type { Columns } from '../../../../../shared/document/box.ts'
import type { Block } from '../../../../../shared/document/content.ts'
import type { LayoutContext } from '../context.ts'
import { innerRequest } from '../flow/floats.ts'
import { type FlowPosition, flowStart, type PageGeometry } from '../flow/types.ts'
import type { Placed, Pt } from '../frame.ts'
import { columnsOf } from '../pages/page.ts'

interface TextInColumns {
  readonly items: Placed[]
  readonly height: Pt
  readonly overflows: boolean // some text did not fit
}

const maxRounds = 24

/**
 * The text of a frame in columns. Observed in LibreOffice: a column is as tall as the frame; a frame that grows is made
 * taller only when its text does not fit.
 */
export function textInColumns(
  context: LayoutContext,
  blocks: readonly Block[],
  columns: Columns,
  box: { readonly width: Pt; readonly height: Pt; readonly grows: boolean; readonly geometry: PageGeometry },
): TextInColumns {
  const places = columnsOf({ columns, rightToLeft: false }, box.width)
  const flows = new Map(
    places.map(({ width }) => [width, context.flows.prepare(blocks, { width, inner: true })]),
  )
  const attempt = (height: Pt): TextInColumns => {
    const items: Placed[] = []
    let next: FlowPosition | undefined = flowStart
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
    return { items, height: tallest, overflows: next !== undefined }
  }
  let low = Math.max(1, box.height)
  let best = attempt(low)
  if (!box.grows || !best.overflows) return best
  let high = low
  for (let round = 0; round < maxRounds && best.overflows; round++) {
    low = high
    high *= 2
    best = attempt(high)
  }
  for (let round = 0; round < maxRounds && high - low > 0.5; round++) {
    context.budget.check()
    const middle = (low + high) / 2
    const tried = attempt(middle)
    if (tried.overflows) low = middle
    else {
      best = tried
      high = middle
    }
  }
  return best
}

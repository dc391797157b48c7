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

const maxAttempts = 24

/**
 * Lays out the text of a frame in columns. A column is as tall as the frame. A frame with automatic height grows only if its
 * text does not fit (observed in LibreOffice).
 */
export function textInColumns(
  context: LayoutContext,
  blocks: readonly Block[],
  columns: Columns,
  box: { readonly width: Pt; readonly height: Pt; readonly grows: boolean; readonly geometry: PageGeometry },
): TextInColumns {
  const columnBoxes = columnsOf({ columns, rightToLeft: false }, box.width)
  const flows = new Map(
    columnBoxes.map(({ width }) => [width, context.flows.prepare(blocks, { width, inner: true })]),
  )
  const attempt = (height: Pt): TextInColumns => {
    const items: Placed[] = []
    let next: FlowPosition | undefined = flowStart
    let tallest = 0
    for (const [index, { x, width }] of columnBoxes.entries()) {
      if (next === undefined) break
      const last = index === columnBoxes.length - 1
      const request = innerRequest(box.geometry, { x, y: 0 })
      const filled = context.flows.fill(flows.get(width)!, next, {
        ...request,
        isColumn: columnBoxes.length > 1,
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
  for (let attempts = 0; attempts < maxAttempts && best.overflows; attempts++) {
    low = high
    high *= 2
    best = attempt(high)
  }
  for (let attempts = 0; attempts < maxAttempts && high - low > 0.5; attempts++) {
    context.budget.check()
    const middle = (low + high) / 2
    const candidate = attempt(middle)
    if (candidate.overflows) low = middle
    else {
      best = candidate
      high = middle
    }
  }
  return best
}

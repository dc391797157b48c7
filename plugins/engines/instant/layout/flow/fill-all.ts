import type { LayoutContext } from '../context.ts'
import type { Placed } from '../frame.ts'
import { type FilledRegion, type FillRequest, flowStart, type PreparedFlow } from './types.ts'

/**
 * Places all blocks into a region that becomes as tall as they are: a frame, a header, a footer. A manual
 * page break does not end such a region, so what follows the break continues right below. `request.height` is
 * Infinity.
 */
export function fillAll(context: LayoutContext, flow: PreparedFlow, request: FillRequest): FilledRegion {
  let filled = context.flows.fill(flow, flowStart, request)
  while (filled.next !== undefined) {
    context.budget.check()
    const { origin } = request
    const part = context.flows.fill(flow, filled.next, {
      ...request,
      origin: { x: origin.x, y: origin.y + filled.height },
    })
    filled = below(filled, part)
    if (part.empty) break
  }
  return filled
}

/** One result out of two, with `part` placed below `above`. */
function below(above: FilledRegion, part: FilledRegion): FilledRegion {
  const joined = (first: readonly Placed[], second: readonly Placed[]): Placed[] => [
    ...first,
    ...second.map((item) => ({ ...item, y: above.height + item.y })),
  ]
  return {
    ...part,
    items: joined(above.items, part.items),
    behind: joined(above.behind, part.behind),
    front: joined(above.front, part.front),
    height: above.height + part.height,
    notes: [...above.notes, ...part.notes],
    reach: Math.max(above.reach, part.reach),
    empty: above.empty && part.empty,
  }
}

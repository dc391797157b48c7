/**
 * Fills regions with text: page bodies, columns, cells, frames, headers and notes. The phases, in order:
 *
 *   collect.ts      document blocks -> a `Flow`: computed styles, columns of tables, text of frames
 *   distribute/     a `Flow` from a position on -> a `Region` that holds what fits, and a `Stop`
 *   compose.ts      the `Region` and its `Stop` -> `Filled`: positioned items and the position to continue at
 */
import type { LayoutContext } from '../context.ts'
import { compose, isPinLost, pinFloats } from './compose.ts'
import { distribute } from './distribute/distribute.ts'
import type { Pin } from './floats.ts'
import { openRegion } from './region.ts'
import type { FilledRegion, FillRequest, FlowPosition, PreparedFlow } from './types.ts'

/**
 * How often a region is filled, at most. Each pass pins at least one more float that reaches back over earlier
 * text. With a lower limit, pages with many such floats overlap their text.
 */
const maxPasses = 6

/**
 * Places blocks into one region until it is full.
 *
 * from     the position to continue at; `flowStart` for the start
 * request  the region: its height, what is above it, and what notes and floats do to it
 * Returns what was placed and the position to continue at. Each call places something or reports `empty`;
 * with `mustPlace` it always places something, even if that overflows the region.
 *
 * A float may cover text that was placed before its anchor. The pass then stops with 'relayout', and the next
 * one starts with the box of the float pinned, so that the text avoids it from the start. The loop ends
 * because a float is pinned only once, and after `maxPasses` at the latest.
 */
export function fillFlow(
  context: LayoutContext,
  flow: PreparedFlow,
  from: FlowPosition,
  request: FillRequest,
): FilledRegion {
  const before = request.exclusions.length
  const pins = new Map<object, Pin>()
  for (let pass = 1; pass <= maxPasses; pass++) {
    const region = openRegion(context, flow, from, request, pins)
    const stop = distribute(region, pass < maxPasses)
    if (stop.kind !== 'relayout' && !isPinLost(region)) return compose(region, stop)
    request.exclusions.length = before
    // A float can push its own anchor to the next page. Pinning it there would loop forever, so give up on
    // pins and let the text run where a pass without them puts it.
    if (stop.kind !== 'relayout') break
    pinFloats(region, pins)
  }
  request.exclusions.length = before
  const region = openRegion(context, flow, from, request, new Map())
  return compose(region, distribute(region, false))
}

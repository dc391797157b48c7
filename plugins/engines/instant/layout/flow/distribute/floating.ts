import { pushAll } from '../../../../../../shared/push-all.ts'
import { placeFrame } from '../floats.ts'
import type { FillArea, Region } from '../region.ts'
import type { PreparedFloating } from '../types.ts'

/** Places a text frame. It takes no height in the flow, so the next block always follows; text flows around it. */
export function distributeFrame(
  region: Region,
  { request, width }: FillArea,
  block: PreparedFloating,
): undefined {
  const { context, cursor, behind, front, floats } = region
  const y = cursor.y + cursor.after
  const notes = placeFrame(context, block, { y, width, gap: 0, request, behind, front, floats })
  pushAll(region.notes, notes)
}

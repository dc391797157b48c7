import type { Inset } from '../../../../../../shared/document/box.ts'
import { pushAll } from '../../../../../../shared/push-all.ts'
import { placeFrame } from '../floats.ts'
import { type FillArea, type FillStop, type Region, takeSnapshot } from '../region.ts'
import { type FlowPosition, insetWidth, type PreparedBlock, type PreparedFloating } from '../types.ts'
import { distributeParagraph } from './paragraph.ts'
import { distributeTable } from './table.ts'

/**
 * Places the blocks of a flow one after the other until the region is full, the text breaks, or all are
 * placed. The loop ends because each block either stops it or is followed by the next one.
 *
 * mayRelayout  whether to stop when a float covers text that was placed before it
 */
export function distribute(region: Region, mayRelayout: boolean): FillStop {
  const { context, flow, request, floats, starts } = region
  const area: FillArea = { request, width: flow.width }
  let position = region.from
  for (;;) {
    const block = flow.blocks[position.block]
    if (block === undefined) return { kind: 'end' }
    context.budget.check()
    starts.push(takeSnapshot(region, position.block))
    const stop =
      block.within === undefined
        ? distributeBlock(region, area, block, position)
        : distributeInSection(region, area, block, position, block.within)
    if (mayRelayout && floats.back.size > 0 && request.overlaps !== true) return { kind: 'relayout' }
    if (stop !== undefined) return stop
    position = { block: position.block + 1, line: 0 }
  }
}

/** Places one block; returns undefined when the next one can follow. */
function distributeBlock(
  region: Region,
  area: FillArea,
  block: PreparedBlock,
  position: FlowPosition,
): FillStop | undefined {
  switch (block.kind) {
    case 'paragraph':
      return distributeParagraph(region, area, block, position)
    case 'table':
      return distributeTable(region, area, block, position)
    default:
      return distributeFrame(region, area, block)
  }
}

/** Places a block of a section with margins: in a narrower area, which may have a background of its own. */
function distributeInSection(
  region: Region,
  { request }: FillArea,
  block: PreparedBlock,
  position: FlowPosition,
  inset: Inset,
): FillStop | undefined {
  const { items, behind, front, cursor } = region
  const lists = [items, behind, front].map((list) => ({ list, from: list.length }))
  const { origin } = request
  const inside: FillArea = {
    request: { ...request, origin: { x: origin.x + inset.left, y: origin.y } },
    width: insetWidth(region.flow.width, inset),
  }
  const stop = distributeBlock(region, inside, block, position)
  for (const { list, from } of lists) {
    for (let i = from; i < list.length; i++) list[i] = { ...list[i]!, x: list[i]!.x + inset.left }
  }
  if (inset.background !== undefined && cursor.y > cursor.top)
    region.backgrounds.push({ block: position.block, inset, top: cursor.top, bottom: cursor.y })
  return stop
}

/** Places a text frame. It takes no height in the flow, so the next block always follows; text flows around it. */
function distributeFrame(region: Region, { request, width }: FillArea, block: PreparedFloating): undefined {
  const { context, cursor, behind, front, floats } = region
  const y = cursor.y + cursor.after
  const notes = placeFrame(context, block, { y, width, gap: 0, request, behind, front, floats })
  pushAll(region.notes, notes)
}

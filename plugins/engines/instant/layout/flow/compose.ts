/**
 * What becomes of a region after its blocks are distributed: paragraphs that keep with the next one are taken
 * back, section backgrounds are joined, and floats that reach back over earlier text are pinned for another
 * pass.
 */
import { filledBox, type Placed } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'
import type { Pin } from './floats.ts'
import { type FillStop, type Region, restore } from './region.ts'
import { type FilledRegion, type FlowPosition, insetWidth, type PreparedBlock } from './types.ts'

/** The result of a pass. Cells, headers and other regions without pages ignore `broke`. */
export function compose(region: Region, stop: FillStop): FilledRegion {
  switch (stop.kind) {
    case 'full':
      return filledUpTo(region, endOfRegion(region, stop.next))
    case 'break':
      return filledUpTo(region, stop.next, stop.at)
    default:
      return filledUpTo(region, undefined)
  }
}

/**
 * Whether a float of an earlier pass was not met again: the text it is anchored to has moved out of the
 * region.
 */
export function isPinLost({ floats }: Region): boolean {
  for (const key of floats.pins.keys()) if (!floats.seen.has(key)) return true
  return false
}

/**
 * Adds the floats that stopped a pass to `pins`, and their boxes to the obstacles of the next pass. Each float
 * enters `back` only while it is not pinned, so every pass pins at least one more.
 */
export function pinFloats({ floats, exclusions }: Region, pins: Map<object, Pin>): void {
  for (const [key, pin] of floats.back) pins.set(key, pin)
  for (const pin of pins.values()) exclusions.push(pin.box)
}

/**
 * The position at which a region that is full at `next` really ends: paragraphs that keep with what follows
 * move along with it.
 */
function endOfRegion(region: Region, next: FlowPosition): FlowPosition {
  const { starts, flow, from, request } = region
  let index = starts.length - 1
  const isUnsplit = next.line === 0 && next.table === undefined && next.block === starts[index]?.block
  if (!isUnsplit) return next
  let first = index
  while (first > 0 && keepsNext(flow.blocks[starts[first - 1]!.block]!)) first--
  // A chain that fills the entire region cannot move, so it is broken where the region ends; one below other text can.
  const isMovable = starts[first]!.block > from.block || request.top === 'after'
  if (isMovable) index = first
  const to = starts[index]!
  if (index === 0 && request.mustPlace) return next
  restore(region, to)
  return to.block === from.block ? from : { block: to.block, line: 0 }
}

/**
 * Whether a block moves along with the block after it: a table also where each of its rows keeps with the next, as Word and
 * LibreOffice do. Floats always do, since they belong to the text that follows.
 */
function keepsNext(block: PreparedBlock): boolean {
  if (block.kind === 'paragraph') return block.style.keepNext
  return (
    block.kind !== 'table' || block.properties.keepNext === true || block.rows.every((row) => row.keepNext)
  )
}

/** The placed part of the flow; `next` is undefined when all blocks are placed. */
function filledUpTo(region: Region, next: FlowPosition | undefined, broke?: 'page' | 'column'): FilledRegion {
  const { cursor, items, behind, front, notes, backgrounds, floats } = region
  return {
    items,
    behind: backgrounds.length === 0 ? behind : [...backgroundBoxes(region), ...behind],
    front,
    height: cursor.y + cursor.after,
    trailing: cursor.after,
    slack: cursor.slack,
    fontSlack: cursor.slack === 0 ? 0 : cursor.fontSlack,
    next,
    broke,
    notes,
    reach: floats.reach,
    empty: items.length === 0 && cursor.y === 0 && front.length === 0 && behind.length === 0,
  }
}

/** One background for all consecutive blocks of a section, including the spaces between them. */
function backgroundBoxes({ backgrounds, flow }: Region): Placed[] {
  const boxes: Placed[] = []
  for (let i = 0; i < backgrounds.length; i++) {
    const { inset, top, block } = backgrounds[i]!
    let last = i
    while (backgrounds[last + 1]?.inset === inset && backgrounds[last + 1]!.block === block + (last + 1 - i))
      last++
    i = last
    const width = insetWidth(flow.width, inset)
    boxes.push(
      filledBox(inset.left, top, width, backgrounds[last]!.bottom - top, colourOf(inset.background!)),
    )
  }
  return boxes
}

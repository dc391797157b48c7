import { pushAll } from '../../../../../../shared/push-all.ts'
import { libreOffice } from '../../../compat/libreoffice.ts'
import type { Pt } from '../../frame.ts'
import { fillTable } from '../../table/fill-table.ts'
import type { PreparedTable, TableFilled } from '../../table/types.ts'
import type { Exclusion } from '../exclusion.ts'
import { placeFloatTable } from '../floats.ts'
import { breakIn, type FillArea, type FillStop, heightLimit, type Region } from '../region.ts'
import type { FlowPosition } from '../types.ts'
import { gapAbove, withLeading } from './spacing.ts'

/** Places the rows of a table that fit; a floating table is placed beside the text. */
export function distributeTable(
  region: Region,
  area: FillArea,
  block: PreparedTable,
  position: FlowPosition,
): FillStop | undefined {
  const { cursor, items, notes } = region
  const { properties } = block
  const starts = position.table === undefined
  const breakBefore = breakIn(region, properties.breakBefore)
  if (breakBefore !== undefined && starts && position.broken !== true && cursor.placed)
    return { kind: 'break', at: breakBefore, next: { ...position, broken: true } }
  if (block.floats && starts && placeFloating(region, area, block)) return undefined
  const previous = region.flow.blocks[position.block - 1]
  const gap = starts ? withLeading(region, gapAbove(region, properties.spaceBefore ?? 0, false), previous) : 0
  const { filled, top, left } = clearPictures(region, area, block, position, cursor.y + gap)
  cursor.top = top
  if (filled.empty) return { kind: 'full', next: position }
  // A table that may not be split moves to the next page, unless nothing else is above it.
  const isCut = filled.next !== undefined && starts
  if (isCut && properties.cantSplit === true && cursor.placed) return { kind: 'full', next: position }
  for (const item of filled.items) items.push({ x: left + item.x, y: top + item.y, item: item.item })
  pushAll(notes, filled.notes)
  cursor.y = top + filled.height
  cursor.slack = 0
  cursor.placed = true
  cursor.after = filled.next === undefined ? (properties.spaceAfter ?? 0) : 0
  if (filled.next !== undefined)
    return { kind: 'full', next: { block: position.block, line: 0, table: filled.next } }
  const breakAfter = breakIn(region, properties.breakAfter)
  if (breakAfter === undefined) return undefined
  const next: FlowPosition = { block: position.block + 1, line: 0, broken: true }
  return { kind: 'break', at: breakAfter, next }
}

/** Places a floating table. Returns false when it is too large to float and has to be placed in the text. */
function placeFloating(region: Region, { request, width }: FillArea, block: PreparedTable): boolean {
  const { context, cursor, behind, front, floats } = region
  const y = cursor.y + cursor.after
  const notes = placeFloatTable(context, block, { y, width, gap: 0, request, behind, front, floats })
  if (notes === undefined) return false
  pushAll(region.notes, notes)
  return true
}

/**
 * How often a table is moved below or beside a picture, at most. Each move passes the picture that was in the
 * way; the bound ends the loop where pictures push the table back and forth.
 */
const maxMoves = 16

/**
 * Fills the part of a table that this region holds, below or to the right of pictures that it would overlap.
 */
function clearPictures(
  region: Region,
  area: FillArea,
  block: PreparedTable,
  position: FlowPosition,
  start: Pt,
): { readonly filled: TableFilled; readonly top: Pt; readonly left: Pt } {
  const { request, exclusions } = region
  const fill = (top: Pt, height: Pt): TableFilled =>
    fillTable(region.context, block, position.table, {
      height,
      mustPlace: request.mustPlace && !region.cursor.placed,
      noteLimit:
        request.notes === undefined
          ? undefined
          : (notes) => Math.min(height, heightLimit(region, notes) - top),
    })
  const end = heightLimit(region, [])
  let top = start
  let left = 0
  let filled = fill(top, end - top)
  if (exclusions.length === 0 || request.overlaps === true) return { filled, top, left }
  const { origin } = area.request
  for (let move = 0; move < maxMoves && !filled.empty; move++) {
    const box = pictureInWay(exclusions, area, block, { left, top, height: filled.height })
    if (box === undefined) break
    const besidePicture = box.right - origin.x
    const fits = box.ofTable !== true || besidePicture + block.width <= area.width
    if (box.tables?.to === 'behind' && left === 0 && fits) left = besidePicture - block.left
    else {
      top = box.bottom - origin.y
      filled = fill(top, end - top)
    }
  }
  const isCutBelow =
    libreOffice.rowsMoveAbovePicture && top > start && filled.next !== undefined && !filled.empty
  const { height } = filled
  if (isCutBelow && pictureInWay(exclusions, area, block, { left, top: start, height }) === undefined)
    return { filled: fill(start, height + 0.01), top: start, left }
  return { filled, top, left }
}

/**
 * The first picture that tables avoid and that a table at this position of the area would overlap; undefined
 * when there is none.
 */
function pictureInWay(
  exclusions: readonly Exclusion[],
  { request: { origin }, width }: FillArea,
  block: PreparedTable,
  { left, top, height }: { readonly left: Pt; readonly top: Pt; readonly height: Pt },
): Exclusion | undefined {
  const start = origin.x + left + block.left
  const end = start + block.width
  return exclusions.find(
    (box) =>
      box.tables !== undefined &&
      box.bottom > origin.y + top + 0.05 &&
      box.top < origin.y + top + height - 0.05 &&
      (box.side === 'none'
        ? box.right > origin.x && box.left < origin.x + width
        : box.tables.right > start + 0.05 && box.tables.left < end - 0.05),
  )
}

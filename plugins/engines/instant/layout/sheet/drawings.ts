import type { Sheet, SheetCorner, SheetDrawing } from '../../../../../shared/document/sheet.ts'
import type { Placed, Pt } from '../frame.ts'
import type { SheetContext } from './context.ts'
import type { Axis } from './grid.ts'

/** A rectangle on the sheet, in points. */
interface Box {
  readonly x: Pt
  readonly y: Pt
  readonly width: Pt
  readonly height: Pt
}

/**
 * A drawing with its position on the sheet before it is rotated, in points. `bounds` and the range of cells (both ends included)
 * are those of the rotated drawing.
 */
export interface Anchored extends Box {
  readonly drawing: SheetDrawing
  readonly bounds: Box
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

const lastRow = 1_048_575
const lastColumn = 16_383

/**
 * Resolves the anchors of the drawings of a sheet. Drawings without an extent, such as those in hidden rows, are omitted. Two
 * corners of which the first one is free may be in either order.
 */
export function anchorDrawings({ drawings = [] }: Sheet, rows: Axis, columns: Axis): Anchored[] {
  return drawings.flatMap((drawing): Anchored[] => {
    const { from, to } = drawing
    const [startX, startY] = pointOf(from, rows, columns)
    const [endX, endY] = 'column' in to ? pointOf(to, rows, columns) : [startX + to.width, startY + to.height]
    const isEitherWay = from.isFree === true && 'column' in to
    const [x, y] = isEitherWay ? [Math.min(startX, endX), Math.min(startY, endY)] : [startX, startY]
    const [width, height] = isEitherWay
      ? [Math.abs(endX - startX), Math.abs(endY - startY)]
      : [endX - startX, endY - startY]
    if (width <= 0 || height <= 0) return []
    const bounds = withLine(boundsOf({ x, y, width, height }, drawing.drawing?.rotation ?? 0), drawing)
    const cells = {
      top: cellAfter(rows, bounds.y, lastRow),
      left: cellAfter(columns, bounds.x, lastColumn),
      bottom: cellAfter(rows, bounds.y + bounds.height - tolerance, lastRow),
      right: cellAfter(columns, bounds.x + bounds.width - tolerance, lastColumn),
    }
    return [{ drawing, x, y, width, height, bounds, ...cells }]
  })
}

/** The smallest rectangle around a box that is rotated around its middle by an angle in degrees. */
function boundsOf(box: Box, rotation: number): Box {
  if (rotation % 180 === 0) return box
  const angle = (rotation * Math.PI) / 180
  const [cosine, sine] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  const width = box.width * cosine + box.height * sine
  const height = box.width * sine + box.height * cosine
  return { x: box.x + (box.width - width) / 2, y: box.y + (box.height - height) / 2, width, height }
}

/** A box with the half of the line of a shape that is outside of it. A page that only this half reaches is printed (observed in LibreOffice). */
function withLine(box: Box, { drawing }: SheetDrawing): Box {
  const content = drawing?.content
  const line = content?.kind === 'shape' ? (content.stroke?.width ?? 0) : 0
  return { x: box.x - line / 2, y: box.y - line / 2, width: box.width + line, height: box.height + line }
}

/** A drawing that ends on the edge of a cell does not reach into the next one. */
const tolerance = 0.05

/**
 * The distance of a corner from the start of the sheet, in points. Unless the anchor is free, the corner stays inside its
 * cell.
 */
function pointOf({ row, column, x, y, isFree }: SheetCorner, rows: Axis, columns: Axis): [Pt, Pt] {
  return [
    columns.between(0, column) + (isFree === true ? x : Math.min(x, columns.size(column))),
    rows.between(0, row) + (isFree === true ? y : Math.min(y, rows.size(row))),
  ]
}

/** The row or column that contains a point. */
function cellAfter(axis: Axis, point: Pt, last: number): number {
  let [low, high] = [0, last]
  while (low < high) {
    const middle = (low + high) >> 1
    if (axis.between(0, middle + 1) > point) high = middle
    else low = middle + 1
  }
  return low
}

/** Draws the drawings that overlap an area. */
export function drawDrawings(
  { budget, draw }: SheetContext,
  drawings: readonly Anchored[],
  area: Box,
): Placed[] {
  return drawings.flatMap(({ drawing: { drawing }, x, y, width, height, bounds }): Placed[] => {
    budget.check()
    if (drawing === undefined) return []
    const [left, top] = [bounds.x - area.x, bounds.y - area.y]
    const isOutside =
      left >= area.width || top >= area.height || left + bounds.width <= 0 || top + bounds.height <= 0
    if (isOutside) return []
    return draw(drawing, width, height).map((each) => ({
      ...each,
      x: each.x + x - area.x,
      y: each.y + y - area.y,
    }))
  })
}

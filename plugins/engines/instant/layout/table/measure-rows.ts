import { maxOf } from '../../../../../shared/extremes.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { LayoutContext } from '../context.ts'
import { type FilledRegion, flowStart } from '../flow/types.ts'
import type { Pt } from '../frame.ts'
import { cellRequest } from './cell-request.ts'
import type { CellContent, PreparedCell, PreparedRow, PreparedTable } from './types.ts'

/**
 * Measures all rows: the tallest cell, the declared height, and what merged cells need beyond their rows.
 * Vertical text comes last, since its lines are as long as its rows are tall.
 */
export function measureRows(context: LayoutContext, table: PreparedTable): void {
  const { rows } = table
  if (rows.every((row) => row.measured !== undefined)) return
  const merged: PreparedCell[] = []
  /** How tall the text of each row is. */
  const needed: Pt[] = []
  const vertical: PreparedCell[] = []
  for (const row of rows) {
    context.budget.check()
    let height = 0
    for (const cell of row.cells) {
      if (cell.direction !== 'horizontal') vertical.push(cell)
      else if (cell.rows > 1) {
        contentOf(context, cell)
        merged.push(cell)
      } else height = Math.max(height, contentOf(context, cell).height + cell.top + cell.bottom)
    }
    if (height === 0 && row.height === undefined) height = lengthOf(context, row.cells)
    row.measured = height + row.topBorder
    needed.push(row.height?.rule === 'exact' ? row.height.value : row.measured)
    if (row.height?.rule === 'exact') row.measured = Math.max(row.height.value, 0)
    else if (row.height !== undefined) row.measured = Math.max(row.measured, row.height.value)
  }
  if (table.properties.frameHeight !== undefined) shrinkRows(rows, needed, table.properties.frameHeight)
  // What a merged cell that ends further up adds to its last row also makes the longer ones taller.
  merged.sort((a, b) => a.row + a.rows - (b.row + b.rows))
  for (const cell of merged) {
    const last = Math.min(rows.length, cell.row + cell.rows) - 1
    let height = 0
    for (let row = cell.row; row <= last; row++) height += rows[row]!.measured!
    const missing = cell.content!.height + cell.top + cell.bottom + rows[cell.row]!.topBorder - height
    if (missing > 0 && rows[last]!.height?.rule !== 'exact') rows[last]!.measured! += missing
  }
  for (const cell of vertical) {
    // The lines of vertical text can be broken only now, when the height of its rows is known.
    const last = Math.min(rows.length, cell.row + cell.rows) - 1
    let height = -rows[cell.row]!.topBorder - cell.top - cell.bottom
    for (let row = cell.row; row <= last; row++) height += rows[row]!.measured!
    cell.flow = cell.prepareVertical!(height)
    contentOf(context, cell)
  }
}

/** The number of rounds in which rows give way: each takes what the rows at their limit did not give from the others. */
const maxRounds = 20

/** Makes rows lower in proportion to their heights until they fit a height or are as low as their text (observed in LibreOffice). */
function shrinkRows(rows: readonly PreparedRow[], needed: readonly Pt[], available: Pt): void {
  for (let round = 0; round < maxRounds; round++) {
    const total = rows.reduce((sum, { measured = 0 }) => sum + measured, 0)
    const flexible = rows.filter(({ measured = 0 }, at) => measured > (needed[at] ?? 0) + 0.01)
    const held = flexible.reduce((sum, { measured = 0 }) => sum + measured, 0)
    if (total <= available + 0.01 || held <= 0) return
    const factor = Math.max(0, 1 - (total - available) / held)
    rows.forEach((row, at) => {
      if (flexible.includes(row)) row.measured = Math.max(needed[at] ?? 0, (row.measured ?? 0) * factor)
    })
  }
}

/** The maximum height in points of a row that contains only vertical text; longer lines are broken. */
const maxVerticalLength = 360

/** The height that vertical text needs in a row without other content. */
function lengthOf(context: LayoutContext, cells: readonly PreparedCell[]): Pt {
  let length = 0
  for (const cell of cells) {
    if (cell.prepareVertical === undefined || cell.rows > 1) continue
    const flow = cell.prepareVertical(maxVerticalLength)
    const { items } = context.flows.fill(
      flow,
      flowStart,
      cellRequest({ ...cell, flow }, Number.POSITIVE_INFINITY, true),
    )
    const ends = items.map(({ x, item }) => (item.kind === 'glyphs' ? x + item.run.width : 0))
    length = Math.max(length, cell.top + cell.bottom + Math.max(0, maxOf(ends)) + 0.1)
  }
  return length
}

/** The content of a cell without a height limit, laid out once. Manual breaks do not leave the cell. */
export function contentOf(context: LayoutContext, cell: PreparedCell): CellContent {
  if (cell.content !== undefined) return cell.content
  const request = cellRequest(cell, Number.POSITIVE_INFINITY, true)
  let filled = context.flows.fill(cell.flow, flowStart, request)
  const layered = filled.behind.length + filled.front.length > 0
  const items = layered ? [...filled.behind, ...filled.items, ...filled.front] : filled.items
  let { height, notes } = filled
  const { reach } = filled
  for (let next = filled.next; next !== undefined; next = filled.next) {
    context.budget.check()
    filled = context.flows.fill(cell.flow, next, cellRequest(cell, Number.POSITIVE_INFINITY, true))
    for (const item of [...filled.behind, ...filled.items, ...filled.front]) {
      items.push({ x: item.x, y: height + item.y, item: item.item })
    }
    height += filled.height
    notes = [...notes, ...filled.notes]
    if (filled.empty) break
  }
  height += endOfCell(context, cell, filled)
  // A cell is at least as tall as the floats in it.
  height = Math.max(height, reach)
  cell.content = { frame: { width: cell.flow.width, height, items }, height, notes }
  return cell.content
}

/** What the end of a cell adds to the height of its last region, in points: space and line spacing that do not count are negative. */
export function endOfCell(
  context: LayoutContext,
  { inHeaderFooter }: PreparedCell,
  { trailing, slack, fontSlack }: FilledRegion,
): Pt {
  const { settings } = context.document
  let added = 0
  if (!word.cellsEndWithSpace(settings)) added -= trailing
  if (!word.cellsEndWithLineSpace(settings)) added -= slack
  else if (libreOffice.cellsEndWithOwnLineSpace) added += fontSlack - slack
  if (libreOffice.headerCellsEndTwice && inHeaderFooter && word.spaceEndsHeaders(settings))
    added += trailing + slack
  return added
}

import type { CellArea, Sheet } from '../../../../../shared/document/sheet.ts'
import type { Pt } from '../frame.ts'
import { cellMargin, fittedNumber, indentOf, textOfCell } from './cell-text.ts'
import { formatOf, type SheetContext } from './context.ts'
import { type Axis, axisOf, twips } from './grid.ts'
import { createMerges } from './merges.ts'

/** The tallest row that text makes, pt. */
const maxHeight: Pt = 409.5

/**
 * The heights of the rows of a sheet. Rows without a height of their own are as tall as their tallest text, and at least as
 * tall as the default. Merged cells count in rows only when they are one row tall.
 */
export function rowAxis(context: SheetContext, sheet: Sheet, columns: Axis): Axis {
  const sizes = new Map<number, Pt>()
  const defaultHeight = twips(sheet.defaultHeight)
  const merges = createMerges(sheet, context.budget)
  for (const row of sheet.rows) {
    context.budget.check()
    if (row.hidden) {
      sizes.set(row.row, 0)
      continue
    }
    if (row.height !== undefined) {
      sizes.set(row.row, twips(row.height))
      continue
    }
    let height = Math.max(defaultHeight, row.minHeight ?? 0)
    if (sheet.keepsHeights) continue
    for (const cell of row.cells) {
      if (cell.value === undefined) continue
      const merged = sheet.merges.length === 0 ? undefined : merges.at(row.row, cell.column)
      if (merged !== undefined && merged.top !== merged.bottom) continue
      if (merged !== undefined && merged.left !== cell.column) continue
      height = Math.max(height, heightOf(context, cell, columns, merged))
    }
    if (height !== defaultHeight) sizes.set(row.row, Math.min(maxHeight, twips(height)))
  }
  return axisOf(sizes, defaultHeight)
}

/** The height that the text of a cell needs with its margins. */
function heightOf(
  context: SheetContext,
  cell: Sheet['rows'][number]['cells'][number],
  columns: Axis,
  merged: CellArea | undefined,
): Pt {
  const format = formatOf(context, cell.format)
  const text = textOfCell(context, cell, format)
  if (text === undefined) return 0
  const { align } = format
  const width = columns.between(cell.column, (merged?.right ?? cell.column) + 1)
  if (align.rotation !== 0 && align.rotation !== 'stacked') {
    const [line] = context.text.lines(text.texts, undefined)
    if (line === undefined) return 0
    const angle = (Math.abs(align.rotation) * Math.PI) / 180
    return line.width * Math.sin(angle) + (line.ascent + line.descent) * Math.cos(angle) + 2 * cellMargin
  }
  const available = width - 2 * cellMargin - indentOf(align)
  const isWrapped = align.wrap && text.number === undefined && available > 0
  const hasBreak = text.texts.some(({ text: part }) => part.includes('\n'))
  if (!isWrapped && !hasBreak && text.texts.length === 1) {
    const [only] = text.texts
    return only === undefined ? 0 : singleLineHeight(only.font.size)
  }
  const texts =
    text.number === undefined
      ? text.texts
      : [{ text: fittedNumber(context, text, available), font: format.font }]
  const lines = context.text.lines(texts, isWrapped ? available : undefined)
  const [only] = texts
  if (lines.length === 1 && texts.length === 1 && only !== undefined) return singleLineHeight(only.font.size)
  return lines.reduce((sum, { ascent, descent }) => sum + ascent + descent, 0) + 2 * cellMargin
}

/**
 * The height of a row with text of one line depends on the size of its font alone, in twentieths of a point. Observed in
 * LibreOffice.
 */
const singleLineHeight = (size: Pt): Pt => (Math.floor(size * 20 * 1.18) + 2 * cellMargin * 20 - 23) / 20

import type { CellArea, Sheet, SheetRow } from '../../../../../shared/document/sheet.ts'
import {
  heightOfPixels,
  isSamePixels,
  lineHeight,
  lineWidthInPixels,
} from '../../../../../shared/office/sheet/row-height.ts'
import type { Pt } from '../frame.ts'
import { fittedNumber, indentOf, paddingOf, textOfCell, widthBeside } from './cell-text.ts'
import { formatOf, type SheetContext } from './context.ts'
import { type Axis, axisOf, twips } from './grid.ts'
import { createMerges, type Merges } from './merges.ts'
import { screenPixel } from './text.ts'

/** The maximum height of a row that is fitted to its text, in pt. */
const maxHeight: Pt = 409.5

/**
 * Resolves the heights of the rows of a sheet. A row without a declared height is as tall as its tallest text, but at least
 * as tall as the default or its minimum. A merged cell affects its row only if it spans one row.
 */
export function rowAxis(context: SheetContext, sheet: Sheet, columns: Axis): Axis {
  const sizes = new Map<number, Pt>()
  const defaultHeight = twips(sheet.defaultHeight)
  const set = (row: number, height: Pt): void => {
    if (height !== defaultHeight) sizes.set(row, height)
  }
  const merges = createMerges(sheet, context.budget)
  let run: MeasuredRow[] = []
  const endRun = (): void => {
    for (const [at, height] of stableHeights(run).entries()) set((run[0]?.row ?? 0) + at, height)
    run = []
  }
  for (const row of sheet.rows) {
    context.budget.check()
    if (row.hidden) {
      sizes.set(row.row, 0)
      continue
    }
    if (row.height !== undefined && row.storedHeight === undefined) {
      set(row.row, twips(row.height))
      continue
    }
    if (sheet.keepsHeights) continue
    const height = twips(
      row.height ??
        measuredHeight(context, row, { columns, merges, minHeight: row.minHeight ?? defaultHeight }),
    )
    const [first, last] = [run[0], run.at(-1)]
    if (first !== undefined && last !== undefined && (last.row + 1 !== row.row || first.height !== height))
      endRun()
    run.push({
      row: row.row,
      height,
      ...(row.storedHeight !== undefined && { stored: twips(row.storedHeight) }),
    })
  }
  endRun()
  return axisOf(sizes, defaultHeight)
}

/** A row whose text was measured, with the height that the file stores. */
interface MeasuredRow {
  readonly row: number
  readonly height: Pt
  readonly stored?: Pt
}

/**
 * The heights of consecutive rows with equal measured heights. They keep the stored heights unless one of them differs by
 * more than a pixel (observed in LibreOffice 7.4).
 */
function stableHeights(rows: readonly MeasuredRow[]): Pt[] {
  const isKept = rows.every(({ height, stored }) => stored !== undefined && isSamePixels(height, stored))
  return rows.map(({ height, stored }) => (isKept && stored !== undefined ? stored : height))
}

/** The height that the texts of a row need. */
function measuredHeight(
  context: SheetContext,
  { row, cells }: SheetRow,
  { columns, merges, minHeight }: { columns: Axis; merges: Merges; minHeight: Pt },
): Pt {
  let height = minHeight
  for (const cell of cells) {
    if (cell.value === undefined) continue
    const merged = merges.at(row, cell.column)
    if (merged !== undefined && merged.top !== merged.bottom) continue
    if (merged !== undefined && merged.left !== cell.column) continue
    height = Math.max(height, heightOf(context, cell, columns, merged))
  }
  return Math.min(maxHeight, height)
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
  const padding = paddingOf(align)
  const width = columns.between(cell.column, (merged?.right ?? cell.column) + 1)
  if (align.rotation !== 0 && align.rotation !== 'stacked') {
    const [line] = context.text.lines(text.texts, undefined)
    if (line === undefined) return 0
    const angle = (Math.abs(align.rotation) * Math.PI) / 180
    return (
      line.width * Math.sin(angle) +
      (line.ascent + line.descent) * Math.cos(angle) +
      padding.top +
      padding.bottom
    )
  }
  const available = lineWidthInPixels(width - indentOf(align), padding) * screenPixel
  const isWrapped = align.wrap && text.number === undefined && available > 0
  const hasBreak = text.texts.some(({ text: part }) => part.includes('\n'))
  if (!isWrapped && !hasBreak && text.texts.length === 1) {
    const [only] = text.texts
    return only === undefined ? 0 : lineHeight(only.font.size, padding)
  }
  const texts =
    text.number === undefined
      ? text.texts
      : [{ text: fittedNumber(context, text, width - widthBeside(align)), font: format.font }]
  const lines = context.screenText.lines(texts, isWrapped ? available : undefined)
  const pixels = lines.reduce((sum, { ascent, descent }) => sum + ascent + descent, 0) / screenPixel
  return heightOfPixels(Math.round(pixels), padding)
}

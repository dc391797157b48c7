import type { CellFont, Sheet } from '../../../../../shared/document/sheet.ts'
import { maxOf } from '../../../../../shared/extremes.ts'
import { usualPadding } from '../../../../../shared/office/sheet/row-height.ts'
import type { Pt } from '../frame.ts'
import { textOfCell } from './cell-text.ts'
import { formatOf, type SheetContext } from './context.ts'

/**
 * The extra width of a fitted column in addition to its longest text and the margins, and the maximum width, in pt. Observed
 * in LibreOffice.
 */
const extra: Pt = 6.75
const maxWidth: Pt = 2_834.6

/** The longest text of a column. */
interface LongestText {
  readonly text: string
  readonly font: CellFont
}

/**
 * Resizes columns with automatic width to their longest text. Columns without text keep their width. The longest text is the
 * one with the most characters, not the widest one (observed in LibreOffice).
 */
export function withFittedColumns(context: SheetContext, sheet: Sheet): Sheet {
  if (sheet.fitsColumns !== true) return sheet
  const longest = new Map<number, LongestText>()
  for (const { cells } of sheet.rows) {
    context.budget.check()
    for (const cell of cells) {
      const printed = textOfCell(context, cell, formatOf(context, cell.format))
      const [first] = printed?.texts ?? []
      if (first !== undefined && first.text.length > (longest.get(cell.column)?.text.length ?? 0))
        longest.set(cell.column, first)
    }
  }
  const columns = [...longest]
    .sort(([a], [b]) => a - b)
    .map(([column, { text, font }]) => {
      const width = maxOf(text.split('\n').map((line) => context.text.width(line, font)))
      const points = Math.min(maxWidth, width + usualPadding.left + usualPadding.right + extra)
      return { first: column, last: column, hidden: false, width: { points } }
    })
  return { ...sheet, columns }
}

import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { Cell, CellFont, CellFormat, Sheet, Workbook } from '../../../../../shared/document/sheet.ts'
import type { Warning } from '../../../../../shared/plugin/values.ts'
import type { DocumentFonts } from '../../fonts/font-book.ts'
import type { NumberPrinter } from '../../style/cell-number/print.ts'
import type { LayoutBudget } from '../context.ts'
import type { Placed, Pt } from '../frame.ts'
import type { CellTexts } from './cell-text.ts'
import type { TextMeasure } from './text.ts'

/** The shared state of all steps of the layout of a workbook. */
export interface SheetContext {
  readonly workbook: Workbook
  readonly fonts: DocumentFonts
  readonly text: TextMeasure
  /** Breaks lines as on paper, see `TextDevice`. */
  readonly paperText: TextMeasure
  /** Measures text in whole pixels, as on a screen. */
  readonly screenText: TextMeasure
  readonly numbers: NumberPrinter
  /** The texts of cells that were needed before. */
  readonly texts: CellTexts
  /** The width of the widest digit of the default font, pt; the unit of column widths. */
  readonly digitWidth: Pt
  readonly budget: LayoutBudget
  /** Counts the cells that are read. Throws AppError 'layout.too-many-cells'. */
  readonly spend: (cells: number) => void
  /** The time that '&D' and '&T' show, in milliseconds since the epoch. */
  readonly now: number
  /** Draws a drawing in a box of the given size. */
  readonly draw: (drawing: Drawing, width: Pt, height: Pt) => Placed[]
  readonly warn: (warning: Warning) => void
}

const noFormat: CellFormat = {
  font: { family: 'Calibri', size: 11 },
  number: 'General',
  borders: {},
  align: { across: 'general', down: 'bottom', wrap: false, shrink: false, indent: 0, rotation: 0 },
}

/** The cell format with this index, or the default format (index 0) if the index is unknown. */
export const formatOf = ({ workbook: { formats } }: SheetContext, index: number): CellFormat =>
  formats[index] ?? formats[0] ?? noFormat

/** The fonts of all cells and headers. */
export function fontsOf({ formats, sheets, defaultFont }: Workbook): Set<CellFont> {
  const fonts = new Set<CellFont>([defaultFont])
  for (const { font } of formats) fonts.add(font)
  for (const { rows, page } of sheets) {
    for (const { cells } of rows)
      for (let at = 0; at < cells.length; at++) {
        const value = cells[at]?.value
        if (typeof value === 'object') addRunFonts(value, fonts)
      }
    addHeaderFonts(page.header, fonts)
    addHeaderFonts(page.footer, fonts)
  }
  return fonts
}

function addRunFonts(value: Cell['value'], fonts: Set<CellFont>): void {
  if (typeof value !== 'object' || value.kind !== 'rich') return
  for (const { font } of value.runs) if (font !== undefined) fonts.add(font)
}

function addHeaderFonts(headers: Sheet['page']['header'], fonts: Set<CellFont>): void {
  const sections = [headers?.all, headers?.first, headers?.even].flatMap((header) => [
    ...(header?.left ?? []),
    ...(header?.center ?? []),
    ...(header?.right ?? []),
  ])
  for (const line of sections) for (const { font } of line) fonts.add(font)
}

import type { CellFont, DifferentialFormat } from '../../../../shared/document/sheet.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import type { PageStyles } from './pages.ts'
import type { SheetStyles } from './styles.ts'

/** What the tables of a document share while they are read. */
export interface SheetReading {
  readonly styles: SheetStyles
  readonly pages: PageStyles
  readonly parts: ReadFile
  /** The number of the format of a cell style in `Workbook.formats`. */
  readonly formatIndex: (style: string) => number
  readonly fontOf: (style: string | undefined) => CellFont
  /** The size of the font of a cell style, pt. */
  readonly sizeOf: (style: string) => number
  /** Whether a cell style folds or turns its text. */
  readonly isFolded: (style: string | undefined) => boolean
  readonly differential: (style: string) => DifferentialFormat
  /** Whether a format paints something in an empty cell. */
  readonly isVisible: (format: number) => boolean
  /** Day 0 of dates, in days since 1 January 1970. */
  readonly dayZero: number
  readonly media: Map<string, Uint8Array>
  /** How many cells, merged areas and drawings of the document may still be read. */
  readonly budget: { cells: number; merges: number; drawings: number }
  readonly warn: (code: string, message: string) => void
}

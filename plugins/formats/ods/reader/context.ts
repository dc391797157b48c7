import type { CellFont, DifferentialFormat } from '../../../../shared/document/sheet.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import type { PageStyles } from './pages.ts'
import type { ShapeReader } from './shapes.ts'
import type { SheetStyles } from './styles.ts'

/** The state that the tables of a document share while they are read. */
export interface SheetReading {
  readonly styles: SheetStyles
  readonly pages: PageStyles
  readonly parts: ReadFile
  /** The index of a cell style in `Workbook.formats`. */
  readonly formatIndex: (style: string) => number
  readonly fontOf: (style: string | undefined) => CellFont
  /** The height of a row with one line of text in a cell style, in pt. */
  readonly lineHeightOf: (style: string) => number
  /** Whether a cell style wraps or rotates its text. */
  readonly isFolded: (style: string | undefined) => boolean
  readonly differential: (style: string) => DifferentialFormat
  /** Whether a format is visible in an empty cell. */
  readonly isVisible: (format: number) => boolean
  /** Whether a format prints numbers in the general way. */
  readonly isGeneral: (format: number) => boolean
  /** The day of serial date 0, in days since 1 January 1970. */
  readonly dayZero: number
  readonly media: Map<string, Uint8Array>
  readonly shapes: ShapeReader
  /** The number of cells, merged areas and drawings that may still be read. */
  readonly budget: { cells: number; merges: number; drawings: number }
  readonly warn: (code: string, message: string) => void
}

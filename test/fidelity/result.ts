import type { CellTexts } from './cells.ts'

/** What the comparison says of one document. Shares are between 0 and 1. */
export interface Result {
  readonly name: string
  readonly file: string
  /** The rules that were switched off, because LibreOffice departs from Word there. */
  readonly rules: readonly string[]
  /** Why `auto` would take engine L; absent where it takes engine I. */
  readonly declines?: string
  /** Where the pages begin to differ, as a clause. */
  readonly difference?: string
  readonly reference: number // pages
  readonly ours: number // pages
  /** The words of the reference whose place on the same page differs by 2 pt at most. */
  readonly w2: number
  readonly w3: number
  readonly w5: number
  readonly onPage: number
  readonly ssim: number
  readonly recall: number
  readonly letters: number
  readonly source: number
  /** The same of LibreOffice. */
  readonly sourceReference: number
  readonly missing: readonly string[]
  /** The texts of the cells of a workbook as both sides print them (`cells.ts`); absent for other documents. */
  readonly cells?: CellTexts
  readonly ms: number
  readonly perPage: readonly string[]
  readonly warnings: readonly string[]
  readonly error?: string
}

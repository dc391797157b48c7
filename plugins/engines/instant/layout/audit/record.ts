import type { Block } from '../../../../../shared/document/content.ts'
import type { FormField } from '../../../../../shared/document/form-field.ts'
import type { Item } from '../frame.ts'

/**
 * Counts the decisions of layout on which office programs disagree more often than on others. Where a program decides otherwise,
 * everything after that place moves.
 */
export interface LayoutDecisions {
  /**
   * Lines that moved down below an obstacle because no word fitted beside it, and in documents of Word those that moved below one as
   * wide as the text. In ODF such a drawing takes its lines alike.
   */
  linesBelowObstacles: number
  /** Rows of tables that were split over two pages or columns. */
  splitRows: number
  /** The same in documents with footnotes, whose height decides where the rows are split. */
  splitRowsAmongNotes: number
}

/** Facts of the layout that its frames do not show. Each layout pass has its own record. */
export interface LayoutRecord {
  /** The headers and footers that appear on some page. */
  readonly headersAndFooters: Set<readonly Block[]>
  /** Drawings that the document itself puts over or under its text. */
  readonly overlaid: Set<Item>
  readonly decisions: LayoutDecisions
  /** The fields of forms in lines of text. */
  readonly textFields: Set<FormField>
}

export const createRecord = (): LayoutRecord => ({
  headersAndFooters: new Set(),
  overlaid: new Set(),
  decisions: { linesBelowObstacles: 0, splitRows: 0, splitRowsAmongNotes: 0 },
  textFields: new Set(),
})

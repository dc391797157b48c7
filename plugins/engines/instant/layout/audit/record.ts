import type { Block } from '../../../../../shared/document/content.ts'
import type { Item } from '../frame.ts'

/** Facts of the layout that its frames do not show. Each layout pass has its own record. */
export interface LayoutRecord {
  /** The headers and footers that appear on some page. */
  readonly headersAndFooters: Set<readonly Block[]>
  /** Drawings that the document itself puts over or under its text. */
  readonly overlaid: Set<Item>
}

export const createRecord = (): LayoutRecord => ({ headersAndFooters: new Set(), overlaid: new Set() })

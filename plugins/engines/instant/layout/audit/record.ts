import type { Block } from '../../../../../shared/document/document.ts'
import type { Item } from '../frame.ts'

/** What layout knows and its frames do not show. One for each pass of the layout. */
export interface LayoutRecord {
  /** The headers and footers that stand on a page. */
  readonly bands: Set<readonly Block[]>
  /** Drawings that the document itself places over or under its text. */
  readonly overlaid: Set<Item>
}

export const createRecord = (): LayoutRecord => ({ bands: new Set(), overlaid: new Set() })

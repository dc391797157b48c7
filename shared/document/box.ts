/** Measures of boxes that tables, drawings and sections share. */

import type { Border } from './properties.ts'

/** Distances at the four sides, in points. */
export interface Sides {
  readonly top?: number
  readonly right?: number
  readonly bottom?: number
  readonly left?: number
}

/**
 * ODF: indents and background of the text section around a block. Blocks of one section share the same
 * object.
 */
export interface Inset {
  readonly left: number
  readonly right: number
  readonly background?: string // six hexadecimal digits
}

export interface Columns {
  readonly count: number
  readonly gap: number
  /** Present when the columns have different widths. */
  readonly each?: readonly { readonly width: number; readonly gap: number }[]
  /** Widths are shares of the available width rather than points, and include the gaps (ODF). */
  readonly shares?: boolean
  readonly separator: boolean
  readonly separatorLine?: Border
  readonly balanced?: boolean
  /**
   * Columns of the page rather than of a text section: space before the first paragraph applies in each
   * column separately (ODF).
   */
  readonly ofPage?: boolean
}

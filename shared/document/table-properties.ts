/** The formatting of tables, rows and cells, direct or from a style. */

import type { Background } from './background.ts'
import type { Sides } from './box.ts'
import type { Color } from './paint.ts'
import type { Alignment, Border } from './properties.ts'

/** Direct formatting of a table, or that of a style. */
export interface TableProperties {
  readonly style?: string
  readonly width?: Measure
  readonly indent?: number
  /** The table fills the line from `indent` to this distance from its end, whatever width is saved (ODF). */
  readonly endIndent?: number
  readonly align?: Alignment
  readonly layout?: 'fixed' | 'auto'
  readonly borders?: TableBorders
  /** The height of all rows together, in points: where some grow, the others give way as far as their text allows (ODF, slides). */
  readonly frameHeight?: number
  readonly cellMargins?: Sides
  /** The distance that each cell keeps from its neighbours and from the edge of the table, in points. */
  readonly cellSpacing?: number
  /**
   * ODF (table:border-model): neighbours share one border, or each cell has borders of its own inside its edges. Absent
   * for the tables of Word, which share borders, too.
   */
  readonly borderModel?: 'collapsing' | 'separating'
  readonly shading?: Color | 'none'
  readonly look?: TableLook
  /** Number of rows that share one banded-row format of the table style. */
  readonly rowBand?: number
  /** Number of columns that share one banded-column format of the table style. */
  readonly columnBand?: number
  readonly rightToLeft?: boolean
  readonly float?: TableFloat
  readonly spaceBefore?: number
  readonly spaceAfter?: number
  readonly breakBefore?: 'page' | 'column'
  readonly breakAfter?: 'page' | 'column'
  readonly keepNext?: boolean
  /** ODF: a table that does not fit is moved as a whole to the next page. */
  readonly cantSplit?: boolean
}

export type Measure =
  | { readonly kind: 'auto' }
  | { readonly kind: 'pt'; readonly value: number }
  | { readonly kind: 'share'; readonly value: number } // 1 is the full available width

export interface TableBorders {
  readonly top?: Border
  readonly right?: Border
  readonly bottom?: Border
  readonly left?: Border
  readonly insideHorizontal?: Border
  readonly insideVertical?: Border
  readonly diagonalDown?: Border
  readonly diagonalUp?: Border
}

/** Which conditional formats of the table style apply. */
export interface TableLook {
  readonly firstRow: boolean
  readonly lastRow: boolean
  readonly firstColumn: boolean
  readonly lastColumn: boolean
  readonly horizontalBands: boolean
  readonly verticalBands: boolean
}

/** Position of a floating table (w:tblpPr, ECMA-376-1 17.4). */
export interface TableFloat {
  readonly x: number | 'left' | 'center' | 'right' | 'inside' | 'outside'
  readonly y: number | 'top' | 'center' | 'bottom' | 'inside' | 'outside'
  readonly xFrom: 'page' | 'margin' | 'text'
  readonly yFrom: 'page' | 'margin' | 'text'
  readonly gaps: Sides
  /** The table keeps clear of other floating tables. */
  readonly avoidsOverlap?: boolean
}

/** Direct formatting of a row. */
export interface RowProperties {
  readonly height?: { readonly rule: 'at-least' | 'exact'; readonly value: number }
  readonly cantSplit?: boolean
  readonly header?: boolean
  readonly hidden?: boolean
  /** Grid columns skipped before the first and after the last cell. */
  readonly gridBefore?: number
  readonly gridAfter?: number
  readonly widthBefore?: Measure
  readonly widthAfter?: Measure
  readonly align?: Alignment
  /** The same as that of the table, for the cells of the row. */
  readonly cellSpacing?: number
  /** Table properties that this row overrides (w:tblPrEx, ECMA-376-1 17.4). */
  readonly exceptions?: TableProperties
}

/** Direct formatting of a cell, or that of a style. */
export interface CellProperties {
  readonly width?: Measure
  readonly span?: number
  /** 'start' begins a vertically merged cell; 'continue' makes the cell part of the one above. */
  readonly merge?: 'start' | 'continue'
  readonly borders?: TableBorders
  readonly shading?: Color | 'none'
  /** Picture or hatch painted over the shading (ODF). */
  readonly backdrop?: Background | undefined
  readonly margins?: Sides
  readonly align?: 'top' | 'center' | 'bottom'
  readonly noWrap?: boolean
  readonly direction?: 'horizontal' | 'up' | 'down'
  /** The end-of-cell mark does not count for the row height (w:hideMark, ECMA-376-1 17.4). */
  readonly hideMark?: boolean
  readonly fitText?: boolean
}

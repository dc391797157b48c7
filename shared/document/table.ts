import type { Block, Inset } from './document.ts'
import type { Ground } from './ground.ts'
import type { Alignment, Border, Color } from './properties.ts'

export interface Table {
  readonly kind: 'table'
  readonly properties: TableProperties
  readonly grid: readonly number[] // column widths as saved; may be empty or wrong
  readonly rows: readonly Row[]
  readonly inset?: Inset
}

export interface TableProperties {
  readonly style?: string
  readonly width?: Measure
  readonly indent?: number
  /** The table fills the line from `indent` to this distance from its end, whatever width is saved (ODF). */
  readonly endIndent?: number
  readonly align?: Alignment
  readonly layout?: 'fixed' | 'auto'
  readonly borders?: TableBorders
  readonly cellMargins?: Sides
  readonly cellSpacing?: number
  readonly shading?: Color | 'none'
  readonly look?: TableLook
  /** Number of rows in a horizontal band of the table style. */
  readonly rowBand?: number
  /** Number of columns in a vertical band of the table style. */
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

export interface Sides {
  readonly top?: number
  readonly right?: number
  readonly bottom?: number
  readonly left?: number
}

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
}

export interface Row {
  readonly properties: RowProperties
  readonly cells: readonly Cell[]
}

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
  /** Table properties that this row overrides (w:tblPrEx, ECMA-376-1 17.4). */
  readonly exceptions?: TableProperties
}

export interface Cell {
  readonly properties: CellProperties
  readonly blocks: readonly Block[]
}

export interface CellProperties {
  readonly width?: Measure
  readonly span?: number
  /** 'start' begins a vertically merged cell; 'continue' makes the cell part of the one above. */
  readonly merge?: 'start' | 'continue'
  readonly borders?: TableBorders
  readonly shading?: Color | 'none'
  /** Picture or hatch painted over the shading (ODF). */
  readonly backdrop?: Ground | undefined
  readonly margins?: Sides
  readonly align?: 'top' | 'center' | 'bottom'
  readonly noWrap?: boolean
  readonly direction?: 'horizontal' | 'up' | 'down'
  /** The end-of-cell mark does not count for the row height (w:hideMark, ECMA-376-1 17.4). */
  readonly hideMark?: boolean
  readonly fitText?: boolean
}

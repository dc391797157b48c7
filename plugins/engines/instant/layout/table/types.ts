import type { Background } from '../../../../../shared/document/background.ts'
import type { Inset, Sides } from '../../../../../shared/document/box.ts'
import type { Border } from '../../../../../shared/document/properties.ts'
import type { TableBorders, TableProperties } from '../../../../../shared/document/table-properties.ts'
import type { FlowPosition, PreparedFlow } from '../flow/types.ts'
import type { Frame, Placed, Pt } from '../frame.ts'

/** A table whose columns are resolved and whose cells are ready for layout. */
export interface PreparedTable {
  readonly kind: 'table'
  readonly properties: TableProperties
  /** The left edge of the grid, from the left edge of the region. */
  readonly left: Pt
  readonly width: Pt
  /** The left edges of the columns, from `left`, and the right edge of the last one. */
  readonly columns: readonly Pt[]
  readonly rows: readonly PreparedRow[]
  readonly headerRows: number
  readonly borders: BorderGrid
  /** The lines around the cells of a table whose cells keep apart; absent for others. */
  readonly frame?: BoxBorders
  readonly rightToLeft: boolean
  /** The table is placed beside the text instead of in it. */
  readonly floats: boolean
  /** The distance from the left edge to the text of the first cell. */
  readonly inset: Pt
  /** The margins of the section of the text that the table is in. */
  readonly within?: Inset
}

/** A row; `measured` is written when the table is first filled. */
export interface PreparedRow {
  readonly cells: readonly PreparedCell[]
  readonly height?: { readonly rule: 'at-least' | 'exact'; readonly value: Pt }
  readonly cantSplit: boolean
  /** The row must be on the same page as the next one. */
  readonly keepNext: boolean
  /** The height of the borders above the row, and of the space that its cells keep there. */
  readonly topBorder: Pt
  /** The height of the entire row once it is measured; merged cells can have made it taller. */
  measured?: Pt
}

/** A cell; `flow` and `content` are written when the table is first filled. */
export interface PreparedCell {
  readonly row: number
  readonly column: number
  readonly span: number
  /** How many rows the cell covers. */
  readonly rows: number
  /** The text. That of vertical cells is prepared again when the height of the row is known. */
  flow: PreparedFlow
  /** The distance from the left edge of the cell to its text. */
  readonly left: Pt
  readonly top: Pt
  readonly bottom: Pt
  readonly right: Pt
  /** Its box, for a cell with borders of its own; absent for one that shares them. */
  readonly box?: CellBox
  readonly shading?: string
  readonly backdrop?: Background | undefined
  /** The lines across it: down or up to the right. */
  readonly diagonals?: { readonly down?: Border | undefined; readonly up?: Border | undefined } | undefined
  readonly align: 'top' | 'center' | 'bottom'
  readonly direction: 'horizontal' | 'up' | 'down'
  /** The table is in a header or footer. */
  readonly inHeaderFooter: boolean
  /** For vertical text: prepares the flow for lines of this length. */
  readonly prepareVertical?: (length: Pt) => PreparedFlow
  /** The content without a height limit; laid out when it is first needed. */
  content?: CellContent
}

/** The lines on the sides of a box. */
export type BoxBorders = Pick<TableBorders, 'top' | 'right' | 'bottom' | 'left'>

/** The box of a cell with borders of its own: its insets from the grid area, and its borders. */
export interface CellBox {
  readonly insets: Required<Sides>
  readonly borders: BoxBorders
  /**
   * The left and right borders are inside the box, as the top and bottom borders are. Otherwise they are centred on its
   * edges.
   */
  readonly holdsLines: boolean
}

/** The text of a cell, laid out without a height limit. */
export interface CellContent {
  readonly frame: Frame
  readonly height: Pt
  readonly notes: readonly string[]
}

/**
 * The edges of the grid. `horizontal[r][c]` is above row r at column c, `vertical[r][c]` is left of column c in
 * row r.
 */
export interface BorderGrid {
  readonly horizontal: readonly (readonly (Border | undefined)[])[]
  readonly vertical: readonly (readonly (Border | undefined)[])[]
}

/** The position at which a table continues: a row and, for a split row, a position in each of its cells. */
export interface TablePosition {
  readonly row: number
  readonly cells?: ReadonlyMap<PreparedCell, FlowPosition | 'done'>
  /** The minimum height of the rest of a split row. */
  readonly minHeight?: Pt
}

/** A region for rows; `height` is the available height. */
export interface TableRequest {
  readonly height: Pt
  readonly mustPlace: boolean
  /** The available height when these notes are added to the page. */
  readonly noteLimit?: (notes: readonly string[]) => Pt
}

/** The rows placed into a region, in the terms of `Filled` in `../flow/types.ts`. */
export interface TableFilled {
  readonly items: Placed[]
  readonly height: Pt
  readonly next?: TablePosition
  readonly notes: readonly string[]
  readonly empty: boolean
}

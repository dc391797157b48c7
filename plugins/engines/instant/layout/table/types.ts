import type { Inset } from '../../../../../shared/document/document.ts'
import type { Ground } from '../../../../../shared/document/ground.ts'
import type { Border } from '../../../../../shared/document/properties.ts'
import type { TableProperties } from '../../../../../shared/document/table.ts'
import type { Flow, Position } from '../flow/types.ts'
import type { Frame, Placed, Pt } from '../frame.ts'

/** A table with its columns fixed and its cells ready to be laid out. */
export interface PreparedTable {
  readonly kind: 'table'
  readonly properties: TableProperties
  readonly left: Pt // of the grid, from the region's left edge
  readonly width: Pt
  readonly columns: readonly Pt[] // left edges of the columns from `left`, and the right edge of the last
  readonly rows: readonly PreparedRow[]
  readonly headerRows: number
  readonly borders: BorderGrid
  readonly rightToLeft: boolean
  /** Stands beside the text rather than in it. */
  readonly floats: boolean
  /** From the left edge to the text of the first cell. */
  readonly inset: Pt
  /** The section of the text it stands in. */
  readonly within?: Inset
}

export interface PreparedRow {
  readonly cells: readonly PreparedCell[]
  readonly height?: { readonly rule: 'at-least' | 'exact'; readonly value: Pt }
  readonly cantSplit: boolean
  /** Stands on the page of the row below. */
  readonly keepNext: boolean
  /** Room the top borders take. */
  readonly topBorder: Pt
  /** Height of the whole row once measured; merged cells may have made it taller. */
  measured?: Pt
}

export interface PreparedCell {
  readonly row: number
  readonly column: number
  readonly span: number
  readonly rows: number // how many rows it covers
  flow: Flow
  readonly left: Pt // text from the cell's left edge
  readonly top: Pt
  readonly bottom: Pt
  readonly right: Pt
  readonly shading?: string
  readonly backdrop?: Ground | undefined
  readonly align: 'top' | 'center' | 'bottom'
  readonly direction: 'horizontal' | 'up' | 'down'
  /** In a header or footer. */
  readonly inBand: boolean
  /** Of turned text: the same in lines as long as the row turns out to be tall. */
  readonly turn?: (length: Pt) => Flow
  content?: CellContent
}

/** A cell's text laid out without a limit. */
export interface CellContent {
  readonly frame: Frame
  readonly height: Pt
  readonly notes: readonly string[]
}

/** Edges of the grid. `level[r][c]`: above row r at column c. `upright[r][c]`: left of column c in row r. */
export interface BorderGrid {
  readonly level: readonly (readonly (Border | undefined)[])[]
  readonly upright: readonly (readonly (Border | undefined)[])[]
}

/** Where a table goes on: a row, and for a row cut in two the place in each of its cells. */
export interface TablePosition {
  readonly row: number
  readonly cells?: ReadonlyMap<PreparedCell, Position | 'done'>
  /** The rest of a row that was cut is at least as tall. */
  readonly least?: Pt
}

export interface TableRequest {
  readonly height: Pt
  readonly mustPlace: boolean
  /** Room left when these notes are added to the page. */
  readonly noteLimit?: (notes: readonly string[]) => Pt
}

export interface TableFilled {
  readonly items: Placed[]
  readonly height: Pt
  readonly next?: TablePosition
  readonly notes: readonly string[]
  readonly empty: boolean
}

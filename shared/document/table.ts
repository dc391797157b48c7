import type { Inset } from './box.ts'
import type { Block } from './content.ts'
import type { CellProperties, RowProperties, TableProperties } from './table-properties.ts'

/** A table in rows. */
export interface Table {
  readonly kind: 'table'
  readonly properties: TableProperties
  readonly grid: readonly number[] // column widths as saved; may be empty or wrong
  readonly rows: readonly Row[]
  readonly inset?: Inset
  /** ODF: the number of the innermost text section around the table. */
  readonly section?: number
}

/** One row. */
export interface Row {
  readonly properties: RowProperties
  readonly cells: readonly Cell[]
}

/** Rows of which the first one is a header. */
export const withHeader = (rows: readonly Row[]): Row[] =>
  rows.map((row, at) => (at === 0 ? { ...row, properties: { ...row.properties, header: true } } : row))

/** One cell, with blocks of its own. */
export interface Cell {
  readonly properties: CellProperties
  readonly blocks: readonly Block[]
}

/**
 * What each drawn text of a workbook belongs to, for tagged PDFs: a cell of a table. A table is a printed area of a sheet. Texts
 * without a cell are artifacts: headers, row numbers, and titles that later pages repeat.
 */
import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { Cell, CellArea, Sheet } from '../../../../../shared/document/sheet.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import type { Item, Placed } from '../frame.ts'
import { createOwnership, type Ownership } from '../ownership.ts'

/** A cell with text, or a merged area. */
export interface CellPlace {
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
  readonly value: Cell['value']
}

/** A printed area of a sheet. */
export interface PrintedTable {
  readonly sheet: Sheet
  /** Cells by row and column, in the order in which they are drawn first. */
  readonly cells: Map<number, Map<number, CellPlace>>
}

export interface CellOwners {
  readonly tables: PrintedTable[]
  readonly cells: Map<Item, CellPlace>
  readonly links: Map<Item, CellPlace>
  /** The texts of drawings over the cells. */
  readonly drawings: Ownership
  /** The drawings of each sheet that were drawn. */
  readonly drawn: Map<Sheet, Set<Drawing>>
  /** The number of cells that may still be added. */
  left: number
}

/** Maximum number of cells of a tagged PDF, each of which becomes an object of the file. */
const maxTaggedCells = 500_000

export const createCellOwners = (): CellOwners => ({
  tables: [],
  cells: new Map(),
  links: new Map(),
  drawings: createOwnership(),
  drawn: new Map(),
  left: maxTaggedCells,
})

/** Assigns the items of a cell to it. `area` is the merged area that it begins. */
export type AssignCell = (
  items: readonly Placed[],
  row: number,
  cell: Cell,
  area: CellArea | undefined,
) => void

/**
 * A function that assigns the items of cells on one page. Cells of repeated titles are assigned where they are drawn for the
 * first time. The function throws AppError 'layout.too-many-cells'.
 */
export function assignCells(
  owners: CellOwners,
  table: PrintedTable,
  { isRepeated }: { readonly isRepeated: boolean },
): AssignCell {
  return (items, row, { column, value }, area) => {
    const inRow = table.cells.get(row) ?? new Map<number, CellPlace>()
    let owner = inRow.get(column)
    if (owner !== undefined && isRepeated) return
    if (owner === undefined) {
      if (owners.left-- <= 0) throw new AppError('layout.too-many-cells', { cells: maxTaggedCells })
      const [bottom, right] = [area?.bottom ?? row, area?.right ?? column]
      owner = { row, column, rows: bottom - row + 1, columns: right - column + 1, value }
      inRow.set(column, owner)
      table.cells.set(row, inRow)
    }
    for (const { item } of items) (item.kind === 'link' ? owners.links : owners.cells).set(item, owner)
  }
}

import type { Color } from '../../../../shared/document/paint.ts'
import {
  type StyleSheet,
  type TableCondition,
  type TableFormat,
  tableConditions,
} from '../../../../shared/document/styles.ts'
import type { Cell, Row, Table } from '../../../../shared/document/table.ts'
import type {
  CellProperties,
  RowProperties,
  TableBorders,
  TableProperties,
} from '../../../../shared/document/table-properties.ts'
import { libreOffice } from '../compat/libreoffice.ts'
import type { CellTextFormat } from './computed.ts'
import { mergeCell, mergeParagraph, mergeRun, mergeTable, styleChain } from './merge.ts'

/** A table after its style was applied. */
export interface ComputedTable {
  readonly properties: TableProperties
  /** The formatting that the style gives the cell at a row and grid column, including conditional formats. */
  format(position: CellPosition): CellFormat
}

/** The position of a cell in the grid and the size of the table. */
export interface CellPosition {
  readonly row: number
  readonly rows: number
  /** The number of header rows, which repeat on every page. */
  readonly headers?: number
  readonly column: number
  readonly span: number
  readonly columns: number
}

/** The formatting of one kind of cell. Cells with the same conditions share one object. */
export interface CellFormat {
  readonly text: CellTextFormat
  readonly cell: CellProperties
  readonly row: RowProperties
  /** Table properties of the conditions, such as the borders of the part of the table that the cell is in. */
  readonly table: TableProperties
  /** Cell borders by the condition they come from, lowest priority first. */
  readonly borders: readonly { readonly condition: TableCondition; readonly borders: TableBorders }[]
}

/** Returns a function that applies table styles. Each style is resolved once. */
export function createTableStyler(sheet: StyleSheet): (table: Table) => ComputedTable {
  const styles = new Map<string, ResolvedStyle>()
  return (table) => {
    const isDeclared = table.properties.style !== undefined
    const id = table.properties.style ?? sheet.defaultTable ?? ''
    const key = isDeclared ? id : `default ${id}`
    let style = styles.get(key)
    if (style === undefined) styles.set(key, (style = resolveStyle(sheet, id, isDeclared)))
    const resolved = style
    const properties = mergeTable(resolved.base.properties ?? {}, table.properties)
    return { properties, format: (position) => resolved.format(position, properties) }
  }
}

/** A table style merged with its ancestors. */
interface ResolvedStyle {
  readonly base: TableFormat
  format(position: CellPosition, properties: TableProperties): CellFormat
}

/** Resolves a style; formats are cached by the conditions that apply. */
function resolveStyle(sheet: StyleSheet, id: string, isDeclared: boolean): ResolvedStyle {
  let base: TableFormat = {}
  const conditional = new Map<TableCondition, TableFormat>()
  for (const style of styleChain(sheet, id, 'table')) {
    base = mergeFormat(base, { ...style.table, paragraph: style.paragraph, run: style.run })
    for (const [condition, format] of style.table?.conditions ?? []) {
      conditional.set(condition, mergeFormat(conditional.get(condition) ?? {}, format))
    }
  }
  const cache = new Map<string, CellFormat>()
  return {
    base,
    format(position, properties) {
      const active =
        conditional.size === 0 ? none : conditionsOf(position, properties).filter((c) => conditional.has(c))
      const key = active.join(' ')
      let format = cache.get(key)
      if (format === undefined) {
        let merged: TableFormat = { ...base, properties: {} }
        for (const condition of active) merged = mergeFormat(merged, conditional.get(condition)!)
        format = {
          text: { paragraph: merged.paragraph ?? {}, run: merged.run ?? {}, isDeclared },
          cell: merged.cell ?? {},
          row: merged.row ?? {},
          table: merged.properties ?? {},
          borders: bordersOf(base, active, conditional),
        }
        cache.set(key, format)
      }
      return format
    },
  }
}

const none: readonly TableCondition[] = []

/** The borders of the conditions that apply, the style itself first. */
function bordersOf(
  base: TableFormat,
  active: readonly TableCondition[],
  conditional: ReadonlyMap<TableCondition, TableFormat>,
): CellFormat['borders'] {
  const applicable: { condition: TableCondition; borders: TableBorders }[] = []
  if (base.cell?.borders !== undefined) applicable.push({ condition: 'whole', borders: base.cell.borders })
  for (const condition of active) {
    const format = conditional.get(condition)!
    const borders = { ...format.properties?.borders, ...format.cell?.borders }
    if (Object.keys(borders).length > 0) applicable.push({ condition, borders })
  }
  return applicable
}

function mergeFormat(base: TableFormat, over: TableFormat): TableFormat {
  return {
    properties: mergeTable(base.properties ?? {}, over.properties ?? {}),
    row: { ...base.row, ...over.row },
    cell: mergeCell(base.cell ?? {}, over.cell ?? {}),
    paragraph: mergeParagraph(base.paragraph ?? {}, over.paragraph ?? {}),
    run: mergeRun(base.run ?? {}, over.run ?? {}),
  }
}

/** The conditional formats that apply to a cell, lowest priority first (ECMA-376-1 17.7.6, 17.4.55). */
function conditionsOf(position: CellPosition, properties: TableProperties): TableCondition[] {
  const { look } = properties
  const conditions = new Set<TableCondition>(['whole'])
  const on = look ?? {
    firstRow: false,
    lastRow: false,
    firstColumn: false,
    lastColumn: false,
    horizontalBands: true,
    verticalBands: true,
  }
  const headers = libreOffice.headerRowsLookLikeFirst ? (position.headers ?? 0) : 0
  const firstRow = on.firstRow && position.row < Math.max(1, headers)
  const lastRow = on.lastRow && position.row === position.rows - 1 && !firstRow
  const firstColumn = on.firstColumn && position.column === 0
  const lastColumn = on.lastColumn && position.column + position.span >= position.columns && !firstColumn
  if (on.horizontalBands && !firstRow && !lastRow) {
    const stripe = Math.floor((position.row - (on.firstRow ? 1 : 0)) / (properties.rowBand ?? 1))
    conditions.add(stripe % 2 === 0 ? 'band-1-horizontal' : 'band-2-horizontal')
  }
  if (on.verticalBands && !firstColumn && !lastColumn) {
    const stripe = Math.floor((position.column - (on.firstColumn ? 1 : 0)) / (properties.columnBand ?? 1))
    conditions.add(stripe % 2 === 0 ? 'band-1-vertical' : 'band-2-vertical')
  }
  if (firstRow) conditions.add('first-row')
  if (lastRow) conditions.add('last-row')
  if (firstColumn) conditions.add('first-column')
  if (lastColumn) conditions.add('last-column')
  if (firstRow && firstColumn) conditions.add('north-west')
  if (firstRow && lastColumn) conditions.add('north-east')
  if (lastRow && firstColumn) conditions.add('south-west')
  if (lastRow && lastColumn) conditions.add('south-east')
  return tableConditions.filter((condition) => conditions.has(condition))
}

/** The properties of a cell merged over those of its style. */
export function computeCell(cell: Cell, format: CellFormat): CellProperties {
  return mergeCell(format.cell, cell.properties)
}
/** The properties of a row merged over those of its style. */
export function computeRow(row: Row, format: CellFormat): RowProperties {
  return { ...format.row, ...row.properties }
}
/** A shading colour; undefined when there is none or it is automatic. */
export const solid = (color: Color | 'none' | undefined): Color | undefined =>
  color === undefined || color === 'none' || color === 'auto' ? undefined : color

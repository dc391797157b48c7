import type { Paragraph } from '../../../document/content.ts'
import type { Cell, Row, Table } from '../../../document/table.ts'
import type { CellProperties, RowProperties, TableProperties } from '../../../document/table-properties.ts'
import { pushAll } from '../../../push-all.ts'
import { backgroundColor, compact, integer, isTrue, length, percent, textDirection } from '../values.ts'
import { backgroundOf } from './background.ts'
import { columnWidth, gridOf, type TableColumn } from './column-widths.ts'
import { type OdfPartContext, warn } from './part-context.ts'
import type { OpenStyle } from './styles.ts'
import { readBorders } from './text-properties.ts'

/** Maximum nesting of tables; deeper ones are omitted with a warning. */
const maxTableDepth = 24
/** Maximum number of columns: LibreOffice Calc's historical limit, far above any text table. */
const maxColumns = 1024
/** Maximum number of rows, repeated ones included. */
const maxRows = 100_000

/** A vertically merged cell, as the rows below it see it. */
interface Covered {
  rows: number // rows still to be covered
  readonly span: number
}

/**
 * Reads table:table (ODF 1.3 part 3, 9.1), on which the cursor stands; undefined for a table without rows. `frameWidth`: what the
 * columns share where the table declares no width, in points.
 */
export function readTable(
  part: OdfPartContext,
  readCell: CellReader = readCellHere,
  frameWidth?: number,
): Table | undefined {
  const { cursor, shared, styles, scope } = part
  if (shared.tableDepth >= maxTableDepth) {
    warn(shared, 'read.too-deep', `Tables nested more than ${maxTableDepth} levels deep are not drawn.`)
    return undefined
  }
  shared.tableDepth++
  const style = styles.find(scope, 'table', cursor.attribute('table:style-name'))
  const columns: TableColumn[] = []
  const rows: Row[] = []
  const covered = new Map<number, Covered>() // by the first column of the merged cell
  const visit = (name: string, header: boolean): void => {
    switch (name) {
      case 'table:table-column': {
        const column = styles.find(scope, 'table-column', cursor.attribute('table:style-name'))
        const width = columnWidth((key) => styles.attribute(column, key))
        const times = Math.max(
          1,
          Math.min(maxColumns, integer(cursor.attribute('table:number-columns-repeated')) ?? 1),
        )
        for (let i = 0; i < times && columns.length < maxColumns; i++) columns.push(width)
        break
      }
      case 'table:table-columns':
      case 'table:table-column-group':
      case 'table:table-header-columns':
        cursor.each((child) => visit(child, header))
        break
      case 'table:table-rows':
      case 'table:table-row-group':
        cursor.each((child) => visit(child, header))
        break
      case 'table:table-header-rows':
        cursor.each((child) => visit(child, true))
        break
      case 'table:table-row': {
        const times = Math.max(1, Math.min(200, integer(cursor.attribute('table:number-rows-repeated')) ?? 1))
        const row = readRow(part, header, covered, { row: rows.length, columns: columns.length, readCell })
        for (let i = 0; i < times && rows.length < maxRows; i++) rows.push(row)
        break
      }
    }
  }
  cursor.each((name) => visit(name, false))
  shared.tableDepth--
  if (rows.length === 0) return undefined
  const properties = tableProperties(part, style)
  const tableWidth = properties.width?.kind === 'pt' ? properties.width.value : frameWidth
  return { kind: 'table', properties, grid: gridOf(columns, tableWidth), rows }
}

function tableProperties(part: OdfPartContext, style: OpenStyle | undefined): TableProperties {
  const get = (name: string): string | undefined => part.styles.attribute(style, name)
  const align = get('table:align')
  const relativeWidth = percent(get('style:rel-width'))
  const width = length(get('style:width'))
  const left = length(get('fo:margin-left')) ?? length(get('fo:margin')) ?? 0
  const breakAt = (name: string): TableProperties['breakBefore'] => {
    const kind = get(name)
    return kind === 'page' || kind === 'column' ? kind : undefined
  }
  return compact<TableProperties>({
    // The alignment 'margins' fills the line between the margins, whatever width is saved.
    width:
      align === 'margins' || align === undefined
        ? { kind: 'share', value: 1 }
        : relativeWidth !== undefined
          ? { kind: 'share', value: relativeWidth }
          : width === undefined
            ? { kind: 'share', value: 1 }
            : { kind: 'pt', value: width },
    align: align === 'center' ? 'center' : align === 'right' ? 'right' : 'left',
    indent: left,
    endIndent:
      align === 'margins' || align === undefined
        ? (length(get('fo:margin-right')) ?? length(get('fo:margin')) ?? 0)
        : undefined,
    cellMargins: { left: 0, right: 0, top: 0, bottom: 0 },
    spaceBefore: length(get('fo:margin-top')) ?? length(get('fo:margin')),
    spaceAfter: length(get('fo:margin-bottom')) ?? length(get('fo:margin')),
    shading: backgroundColor(get('fo:background-color')),
    breakBefore: breakAt('fo:break-before'),
    breakAfter: breakAt('fo:break-after'),
    keepNext: get('fo:keep-with-next') === 'always' ? true : undefined,
    cantSplit: isTrue(get('style:may-break-between-rows')) === false ? true : undefined,
    rightToLeft: get('style:writing-mode')?.startsWith('rl'),
    borderModel: borderModel(get('table:border-model')) ?? part.styles.defaultBorderModel,
  })
}

/** table:border-model (ODF 1.3 part 3, 20.227). */
const borderModel = (value: string | undefined): TableProperties['borderModel'] =>
  value === 'collapsing' || value === 'separating' ? value : undefined

/** table:table-row (9.1.3). `covered` carries merged cells from row to row. */
function readRow(
  part: OdfPartContext,
  header: boolean,
  covered: Map<number, Covered>,
  {
    row,
    columns,
    readCell,
  }: { readonly row: number; readonly columns: number; readonly readCell: CellReader },
): Row {
  const { cursor, styles, scope } = part
  const style = styles.find(scope, 'table-row', cursor.attribute('table:style-name'))
  const ofRow = cursor.attribute('table:default-cell-style-name')
  const exact = length(styles.attribute(style, 'style:row-height'))
  const minHeight = length(styles.attribute(style, 'style:min-row-height'))
  const background = backgroundColor(styles.attribute(style, 'fo:background-color'))
  const properties: RowProperties = compact<RowProperties>({
    height:
      exact !== undefined
        ? { rule: 'exact', value: exact }
        : minHeight !== undefined
          ? { rule: 'at-least', value: minHeight }
          : undefined,
    cantSplit: styles.attribute(style, 'fo:keep-together') === 'always' ? true : undefined,
    header: header ? true : undefined,
    exceptions: background === undefined ? undefined : { shading: background },
  })
  const cells: Cell[] = []
  let column = 0
  let skip = 0
  cursor.each((name) => {
    if (name !== 'table:table-cell' && name !== 'table:covered-table-cell') return
    const times = Math.max(
      1,
      Math.min(maxColumns, integer(cursor.attribute('table:number-columns-repeated')) ?? 1),
    )
    const merged = name === 'table:covered-table-cell'
    const declaredSpan = Math.max(1, integer(cursor.attribute('table:number-columns-spanned')) ?? 1)
    const rows = Math.max(1, Math.min(maxRows, integer(cursor.attribute('table:number-rows-spanned')) ?? 1))
    const cell = merged
      ? undefined
      : readCell(part, { row, column, span: Math.min(maxColumns, declaredSpan), rows, ofRow })
    for (let i = 0; i < times && column < maxColumns; i++, column++) {
      if (cell !== undefined) {
        const span = Math.min(declaredSpan, maxColumns - column)
        cells.push(cell)
        if (rows > 1) covered.set(column, { rows: rows - 1, span })
        skip = span - 1
        continue
      }
      const above = covered.get(column)
      if (skip > 0) skip--
      else if (above !== undefined && above.rows > 0) {
        cells.push({ properties: { merge: 'continue', span: above.span }, blocks: [] })
        above.rows--
        skip = above.span - 1
      }
    }
  })
  pushAll(cells, missingCells(column + skip, columns, covered))
  return { properties, cells }
}

/**
 * The cells that a row lacks from `column` on. LibreOffice completes a row with an empty cell, which is as tall as a line of the default
 * style and keeps the others from taking its place.
 */
function missingCells(column: number, columns: number, covered: ReadonlyMap<number, Covered>): Cell[] {
  const cells: Cell[] = []
  for (let at = column; at < columns; ) {
    const above = covered.get(at)
    if (above !== undefined && above.rows > 0) {
      cells.push({ properties: { merge: 'continue', span: above.span }, blocks: [] })
      above.rows--
      at += above.span
      continue
    }
    const first = at
    do at++
    while (at < columns && (covered.get(at)?.rows ?? 0) === 0)
    cells.push({ properties: { span: at - first }, blocks: [emptyParagraph] })
  }
  return cells
}

const emptyParagraph: Paragraph = { kind: 'paragraph', properties: {}, inlines: [], mark: {} }

/** The position of a cell and the cells that it covers; `ofRow` names the style of cells of its row that name none. */
export interface CellPosition {
  readonly row: number
  readonly column: number
  readonly span: number
  readonly rows: number
  readonly ofRow: string | undefined
}

/** Reads table:table-cell, on which the cursor stands. */
type CellReader = (part: OdfPartContext, position: CellPosition) => Cell

function readCellHere(part: OdfPartContext, { span, rows }: CellPosition): Cell {
  const { cursor } = part
  const properties = cellProperties(part, span, rows)
  let holdsSubTable = false // a table that divides the cell
  const blocks = part.shared.readBlocks(part, (child) => {
    holdsSubTable ||= child === 'table:table' && isTrue(cursor.attribute('table:is-sub-table')) === true
    return false
  })
  return { properties: holdsSubTable ? { ...properties, ...undecorated } : properties, blocks }
}

/** Observed in LibreOffice: a cell that is divided by a sub-table has neither borders nor padding. */
const undecorated: CellProperties = { borders: undefined, margins: { top: 0, right: 0, bottom: 0, left: 0 } }

function cellProperties(part: OdfPartContext, span: number, rows: number): CellProperties {
  const { cursor, styles, scope } = part
  const style = styles.find(scope, 'table-cell', cursor.attribute('table:style-name'))
  const get = (name: string): string | undefined => styles.attribute(style, name)
  const padding = length(get('fo:padding'))
  const pad = (name: string): number | undefined => length(get(`fo:padding-${name}`)) ?? padding
  const vertical = get('style:vertical-align')
  const direction = textDirection(get)
  return compact<CellProperties>({
    span: span > 1 ? span : undefined,
    merge: rows > 1 ? 'start' : undefined,
    borders: readBorders(get),
    shading: backgroundColor(get('fo:background-color')),
    backdrop: backgroundOf(get, styles),
    margins: compact({ top: pad('top'), right: pad('right'), bottom: pad('bottom'), left: pad('left') }),
    align: vertical === 'middle' ? 'center' : vertical === 'bottom' ? 'bottom' : 'top',
    direction: direction === 'horizontal' ? undefined : direction,
  })
}

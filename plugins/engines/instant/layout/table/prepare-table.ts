import type { Sides } from '../../../../../shared/document/box.ts'
import type { Border } from '../../../../../shared/document/properties.ts'
import type { Table } from '../../../../../shared/document/table.ts'
import type {
  CellProperties,
  TableBorders,
  TableProperties,
} from '../../../../../shared/document/table-properties.ts'
import type { Writable } from '../../../../../shared/document/writable.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import { lineWidth, sideWidth } from '../../style/border-width.ts'
import { type CellFormat, computeCell, computeRow, solid } from '../../style/table-style.ts'
import type { LayoutContext, PrepareRequest } from '../context.ts'
import type { PreparedFlow } from '../flow/types.ts'
import type { Pt } from '../frame.ts'
import { type BorderedCell, noBorders, resolveBorders } from './borders.ts'
import { boxOf, cellGaps, separateBox, thickness } from './cell-boxes.ts'
import { columnWidths, type GridCell, gridCells } from './grid.ts'
import type { BorderGrid, CellBox, PreparedCell, PreparedRow, PreparedTable } from './types.ts'

/**
 * Resolves the columns and borders of a table and prepares the text of its cells. `first` says that nothing
 * precedes the table in its cell.
 */
export function prepareTable(
  context: LayoutContext,
  table: Table,
  request: PrepareRequest,
  first: boolean,
): PreparedTable {
  const computed = context.tableOf(table)
  const { properties } = computed
  const rows = table.rows.map(gridCells)
  const { endIndent, indent = 0 } = properties
  const line = endIndent === undefined ? request.width : Math.max(1, request.width - indent - endIndent)
  const widths = columnWidths(context, table, properties, rows, line)
  const count = widths.length
  const columns = [0]
  for (const width of widths) columns.push(columns.at(-1)! + width)
  const headers = leadingHeaders(table, computed.format)
  const facts = collectCells(table, rows, { columns: count, headers, format: computed.format })
  const gaps = cellGaps(table, properties)
  const isSeparate = properties.borderModel === 'separating'
  const borders =
    gaps === undefined && !isSeparate
      ? resolveBorders(facts.map(borderedOf), table.rows.length, count, properties)
      : noBorders(table.rows.length, count)
  const margins = {
    left: word.cellMargin,
    right: word.cellMargin,
    top: 0,
    bottom: 0,
    ...properties.cellMargins,
  }
  const shared = word.rowsShareCellMargins(context.document.settings)
    ? sharedMargins(table, facts, margins)
    : properties.borderModel === 'collapsing' && libreOffice.collapsedRowsShareSpace
      ? spaceOfRows(table, facts, margins, borders)
      : undefined
  const keepsHeight = word.bordersKeepCellHeight(context.document.settings)
  const byRow = table.rows.map((): CellFacts[] => [])
  for (const cell of facts) byRow[cell.row]!.push(cell)
  const prepared: PreparedRow[] = table.rows.map((row, index) => {
    const format = byRow[index]![0]?.format
    const rowProperties = format === undefined ? row.properties : computeRow(row, format)
    const cells = byRow[index]!.map((cell) =>
      prepareCell(context, cell, {
        columns,
        borders,
        margins,
        properties,
        request,
        shared: isDivided(cell) && properties.borderModel === 'collapsing' ? undefined : shared?.[index],
        row: rowProperties,
        box: boxIn(cell, {
          rows: table.rows.length,
          columns: count,
          gap: gaps?.[index],
          table: properties,
        }),
      }),
    )
    return {
      cells,
      height: hidesEndMarks(row)
        ? { rule: 'exact', value: rowProperties.height?.value ?? 0 }
        : rowProperties.height,
      cantSplit: rowProperties.cantSplit === true || properties.cantSplit === true,
      keepNext: keepsNext(cells[0]),
      topBorder: keepsHeight ? 0 : gaps === undefined ? topBorder(borders, index) : topOfBoxes(cells),
    }
  })
  const width = columns.at(-1)!
  const opensCell = libreOffice.tablesThatOpenCellsDoNotFloat && request.cell === true && first
  const floats = properties.float !== undefined && !opensCell
  const inset = margins.left + half(borders.vertical[0]?.[0])
  return {
    kind: 'table',
    properties,
    left: tableLeft(context, table, {
      properties,
      inset,
      width,
      available: request.width,
      nested: request.cell === true,
    }),
    width,
    columns,
    rows: prepared,
    headerRows: headers === table.rows.length ? 0 : headers,
    borders,
    ...(gaps !== undefined && { frame: properties.borders ?? none }),
    rightToLeft: properties.rightToLeft === true,
    floats,
    inset,
  }
}

type Format = ReturnType<LayoutContext['tableOf']>['format']

/** A cell before its borders and its width are known. */
interface CellFacts {
  readonly row: number
  readonly rows: number
  readonly gridCell: GridCell
  readonly properties: CellProperties
  /** The properties of the cell itself, without its style. */
  readonly direct: CellProperties
  readonly format: CellFormat
  readonly blocks: Table['rows'][number]['cells'][number]['blocks']
  readonly exceptions?: TableProperties
}

/**
 * Every cell that is drawn, with the number of rows it covers. Cells that continue a merge belong to the cell
 * above.
 */
function collectCells(
  table: Table,
  rows: readonly (readonly GridCell[])[],
  {
    columns,
    headers,
    format,
  }: { readonly columns: number; readonly headers: number; readonly format: Format },
): CellFacts[] {
  const facts: Writable<CellFacts>[] = []
  const open = new Map<number, (typeof facts)[number]>() // merged cells that may continue, by column
  table.rows.forEach((row, rowIndex) => {
    const seen = new Set<number>()
    for (const gridCell of rows[rowIndex]!) {
      const cell = row.cells[gridCell.index]!
      const above = open.get(gridCell.column)
      seen.add(gridCell.column)
      if (
        cell.properties.merge === 'continue' &&
        above !== undefined &&
        above.gridCell.span === gridCell.span
      ) {
        above.rows++
        continue
      }
      const cellFormat = format({
        row: rowIndex,
        rows: table.rows.length,
        headers,
        column: gridCell.column,
        span: gridCell.span,
        columns,
      })
      const entry = {
        row: rowIndex,
        rows: 1,
        gridCell,
        properties: computeCell(cell, cellFormat),
        direct: cell.properties,
        format: cellFormat,
        blocks: cell.blocks,
        exceptions: row.properties.exceptions,
      }
      facts.push(entry)
      if (cell.properties.merge === undefined) open.delete(gridCell.column)
      else open.set(gridCell.column, entry)
    }
    for (const column of open.keys()) if (!seen.has(column)) open.delete(column)
  })
  return facts
}

interface RowMargins {
  readonly top: Pt
  readonly bottom: Pt
}

/** The largest margins of each row; cells that continue a merge count, too. */
function sharedMargins(
  table: Table,
  facts: readonly CellFacts[],
  margins: Required<Sides>,
): readonly RowMargins[] {
  const rows = table.rows.map((row) => {
    const of = { top: 0, bottom: 0 }
    for (const { properties } of row.cells) {
      if (properties.merge === 'continue') widen(of, { ...margins, ...properties.margins })
    }
    return of
  })
  for (const { row, properties, exceptions } of facts) {
    const cellMargins = properties.margins
    if (cellMargins === undefined && exceptions === undefined) widen(rows[row]!, margins)
    else widen(rows[row]!, { ...margins, ...exceptions?.cellMargins, ...cellMargins })
  }
  return rows
}

/**
 * The space above and below the text of each row of an ODF table whose cells share borders. Above all cells of a row it is
 * the largest sum of a border and a padding, minus the widest border, which is added separately.
 */
function spaceOfRows(
  { rows }: Table,
  facts: readonly CellFacts[],
  margins: Required<Sides>,
  borders: BorderGrid,
): readonly RowMargins[] {
  const space = rows.map(() => ({ top: 0, bottom: 0 }))
  for (const { row, rows: covered, gridCell: place, properties } of facts) {
    const cellMargins = { ...margins, ...properties.margins }
    const edge = borders.horizontal[row]!.slice(place.column, place.column + place.span)
    const line = edge.reduce((width, border) => Math.max(width, thickness(border)), 0)
    const of = space[row]!
    of.top = Math.max(of.top, line + cellMargins.top)
    if (covered === 1) of.bottom = Math.max(of.bottom, cellMargins.bottom)
  }
  return space.map(({ top, bottom }, row) => ({ top: Math.max(0, top - topBorder(borders, row)), bottom }))
}

/**
 * Whether the cell contains a nested table and nothing else. Its rows have the space of their own cells, and the cell itself
 * has none.
 */
const isDivided = ({ blocks }: CellFacts): boolean => blocks.length === 1 && blocks[0]?.kind === 'table'

function widen(of: { top: Pt; bottom: Pt }, margins: Required<Sides>): void {
  of.top = Math.max(of.top, margins.top)
  of.bottom = Math.max(of.bottom, margins.bottom)
}

function borderedOf(cell: CellFacts): BorderedCell {
  const { format } = cell
  return {
    row: cell.row,
    rows: cell.rows,
    column: cell.gridCell.column,
    span: cell.gridCell.span,
    direct: cell.direct.borders ?? none,
    conditions: format.borders,
    exceptions: cell.exceptions?.borders,
  }
}

const none: TableBorders = {}

/** The settings that are the same for all cells of a table. */
interface CellSetting {
  readonly columns: readonly Pt[]
  readonly borders: BorderGrid
  readonly margins: Required<Sides>
  readonly properties: TableProperties
  readonly request: PrepareRequest
  readonly shared?: RowMargins
  readonly box: CellBox | undefined
  readonly row: { readonly height?: { readonly rule: string; readonly value: number } }
}

/**
 * The box of a cell with borders of its own; undefined in a table whose cells share borders. `gap` is the distance between
 * cells.
 */
function boxIn(
  cell: CellFacts,
  {
    gap,
    ...tableSize
  }: {
    readonly rows: number
    readonly columns: number
    readonly table: TableProperties
    readonly gap: Pt | undefined
  },
): CellBox | undefined {
  if (gap !== undefined) return boxOf(borderedOf(cell), { ...tableSize, gap })
  return tableSize.table.borderModel === 'separating' ? separateBox(borderedOf(cell), tableSize) : undefined
}

/** How far the borders at the left and right of a cell move its text inward, in points. */
function borderInsets(
  cell: CellFacts,
  { columns, borders, box, properties }: CellSetting,
): { readonly left: Pt; readonly right: Pt } {
  if (box?.holdsLines === true)
    return { left: thickness(box.borders.left), right: thickness(box.borders.right) }
  if (properties.borderModel === 'collapsing' && libreOffice.collapsedBordersCoverPadding)
    return { left: 0, right: 0 }
  const { column, span } = cell.gridCell
  const edges = borders.vertical[cell.row]!
  return {
    left: half(box?.borders.left ?? edges[column]),
    right: half(box?.borders.right ?? edges[Math.min(columns.length - 1, column + span)]),
  }
}

function prepareCell(context: LayoutContext, cell: CellFacts, setting: CellSetting): PreparedCell {
  const { columns, margins, request, box } = setting
  const { column, span } = cell.gridCell
  const { properties } = cell
  const { left, right } = borderInsets(cell, setting)
  const cellMargins = { ...margins, ...cell.exceptions?.cellMargins, ...properties.margins }
  const keepsWidth = box === undefined && word.bordersKeepCellWidth(context.document.settings)
  const insets = {
    left: cellMargins.left + left + (box?.insets.left ?? 0),
    right: (keepsWidth ? cellMargins.right - left : cellMargins.right + right) + (box?.insets.right ?? 0),
    top:
      (setting.shared?.top ?? cellMargins.top) + (box?.holdsLines === true ? thickness(box.borders.top) : 0),
    // A cell over several rows ends with its own margin.
    bottom:
      (cell.rows > 1 ? cellMargins.bottom : (setting.shared?.bottom ?? cellMargins.bottom)) +
      (box === undefined ? 0 : box.insets.bottom + thickness(box.borders.bottom)),
  }
  const width = (columns[column + span] ?? 0) - (columns[column] ?? 0)
  const direction = properties.direction ?? 'horizontal'
  const shading =
    solid(properties.shading) ?? solid(cell.exceptions?.shading) ?? solid(setting.properties.shading)
  const across =
    direction === 'horizontal' ? width - insets.left - insets.right : (setting.row.height?.value ?? 0)
  const prepare = (length: Pt): PreparedFlow =>
    context.flows.prepare(cell.blocks, {
      width: Math.max(1, length),
      format: cell.format.text,
      grid: request.grid,
      note: request.note,
      background: shading ?? request.background,
      inner: true,
      cell: true,
      inHeaderFooter: request.inHeaderFooter,
    })
  return {
    row: cell.row,
    column,
    span,
    rows: cell.rows,
    flow: prepare(across),
    ...insets,
    ...(box !== undefined && { box }),
    shading,
    backdrop: properties.backdrop,
    ...(properties.borders !== undefined && { diagonals: diagonalsOf(properties.borders) }),
    align: properties.align ?? 'top',
    direction,
    inHeaderFooter: request.inHeaderFooter === true,
    ...(direction !== 'horizontal' && { prepareVertical: prepare }),
  }
}

/** The lines from corner to corner of a cell; undefined for most cells. */
function diagonalsOf({ diagonalDown, diagonalUp }: TableBorders): PreparedCell['diagonals'] {
  const shown = (border: TableBorders['diagonalUp']) => (border?.style === 'none' ? undefined : border)
  const [down, up] = [shown(diagonalDown), shown(diagonalUp)]
  return down === undefined && up === undefined ? undefined : { down, up }
}

/** Whether a row keeps with the next one. `cell` is the first cell of the row. */
function keepsNext(cell: PreparedCell | undefined): boolean {
  const first = cell?.flow.blocks[0]
  return libreOffice.rowsKeepWithFirstParagraph && first?.kind === 'paragraph' && first.style.keepNext
}

/**
 * Whether a row is exactly as tall as declared, because all its cells are empty and hide their end marks
 * (w:hideMark).
 */
function hidesEndMarks({ cells, properties }: Table['rows'][number]): boolean {
  const fillsGrid = (properties.gridAfter ?? 0) + (properties.gridBefore ?? 0) === 0
  if (cells.length === 0 || (libreOffice.hiddenMarksNeedFullRow && !fillsGrid)) return false
  return cells.every((cell) => cell.properties.hideMark === true && isEmpty(cell.blocks))
}

function isEmpty(blocks: CellFacts['blocks']): boolean {
  return (
    blocks.length <= 1 && blocks.every((block) => block.kind === 'paragraph' && block.inlines.length === 0)
  )
}

/** Half of the width that a border takes from the cells beside it. */
const half = (border: Border | undefined): Pt => (border === undefined ? 0 : sideWidth(border) / 2)

/** The width of the widest border above a row. */
function topBorder(borders: BorderGrid, row: number): Pt {
  let width = 0
  for (const border of borders.horizontal[row]!)
    if (border !== undefined) width = Math.max(width, lineWidth(border))
  return width
}

/**
 * The space above the text of a row whose cells have boxes of their own: the space above the boxes plus their widest border.
 */
const topOfBoxes = (cells: readonly PreparedCell[]): Pt =>
  cells.reduce(
    (top, { box }) => (box === undefined ? top : Math.max(top, box.insets.top + thickness(box.borders.top))),
    0,
  )

/** The number of header rows, which are repeated on each page. */
function leadingHeaders({ rows }: Table, format: Format): number {
  let count = 0
  while (rows[count]?.properties.header === true) count++
  if (count > 0 || rows[0]?.properties.header === false) return count
  if (!libreOffice.stylesDeclareHeaderRow) return 0
  const first = { rows: rows.length, column: 0, span: 1, columns: 2 }
  const headed = (row: number): boolean => format({ ...first, row }).row.header === true
  return rows.length > 1 && headed(0) && !headed(1) ? 1 : 0
}

interface TablePlacement {
  readonly properties: TableProperties
  readonly inset: Pt
  readonly width: Pt
  readonly available: Pt
  readonly nested: boolean
}

/**
 * The left edge of the table, from the left edge of the region. If the indent refers to the text of the first cell, the table
 * is moved left so that its text is aligned with the text above.
 */
function tableLeft(context: LayoutContext, table: Table, placing: TablePlacement): Pt {
  const { properties, width, available } = placing
  const declared = properties.align ?? table.rows[0]?.properties.align
  // A floating table that is placed in the text keeps only its horizontal alignment.
  const align = typeof properties.float?.x === 'string' ? properties.float.x : declared
  if (align === 'center') return (available - width) / 2
  if (align === 'end' || align === 'right') return available - width
  const indent = properties.indent ?? 0
  // It also keeps its border at the margin instead of its text.
  const fromText =
    word.tableIndentFromText(context.document.settings) && !placing.nested && properties.float === undefined
  return indent - (fromText ? placing.inset : 0)
}

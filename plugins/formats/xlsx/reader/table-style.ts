/**
 * Table styles (ECMA-376-1 18.8.40, 18.5.1.5): which element of a style each cell of a table belongs to, and the formatting that
 * follows. What a cell sets itself takes precedence. LibreOffice 7 draws tables without their styles; Excel draws them.
 */
import type {
  Cell,
  CellArea,
  CellBorder,
  CellBorders,
  CellFormat,
  DifferentialFormat,
  Sheet,
  SheetRow,
} from '../../../../shared/document/sheet.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { areaOf } from './page-setup.ts'

/** The formatting of one part of a table. `borders` are those of its outline, `inner` those between its cells. */
export interface TableElement extends DifferentialFormat {
  readonly inner?: { readonly vertical?: CellBorder; readonly horizontal?: CellBorder }
}

/** The parts of a table that are drawn (ST_TableStyleType, 18.18.93). */
export type TablePart =
  | 'wholeTable'
  | 'firstColumnStripe'
  | 'secondColumnStripe'
  | 'firstRowStripe'
  | 'secondRowStripe'
  | 'lastColumn'
  | 'firstColumn'
  | 'headerRow'
  | 'totalRow'

export interface TableStyle {
  /** Later elements take precedence. */
  readonly elements: readonly (readonly [part: TablePart, element: TableElement])[]
  /** The number of rows and columns in the first and in the second stripe. */
  readonly bandSizes: {
    readonly rows: readonly [first: number, second: number]
    readonly columns: readonly [first: number, second: number]
  }
}

const partOrder: readonly TablePart[] = [
  'wholeTable',
  'firstColumnStripe',
  'secondColumnStripe',
  'firstRowStripe',
  'secondRowStripe',
  'lastColumn',
  'firstColumn',
  'headerRow',
  'totalRow',
]

/** CT_TableStyle (18.8.40) at the cursor. `differentials` are those that its elements refer to. */
export function readTableStyle(cursor: XmlCursor, differentials: readonly TableElement[]): TableStyle {
  const read = new Map<string, { readonly element: TableElement; readonly size: number }>()
  cursor.each(() => {
    const element = differentials[Number(cursor.attribute('dxfId'))]
    const size = Math.max(1, Math.min(9, Math.floor(Number(cursor.attribute('size') ?? 1)) || 1))
    if (element !== undefined) read.set(cursor.attribute('type') ?? '', { element, size })
  })
  const sizeOf = (part: TablePart): number => read.get(part)?.size ?? 1
  return {
    elements: partOrder.flatMap((part): TableStyle['elements'] => {
      const element = read.get(part)?.element
      return element === undefined ? [] : [[part, element]]
    }),
    bandSizes: {
      rows: [sizeOf('firstRowStripe'), sizeOf('secondRowStripe')],
      columns: [sizeOf('firstColumnStripe'), sizeOf('secondColumnStripe')],
    },
  }
}

/** A table part (18.5.1.2) at the root of the cursor; undefined if it has no style that is known. */
export function readTable(
  cursor: XmlCursor,
  styleOf: (name: string) => TableStyle | undefined,
): StyledTable | undefined {
  const area = areaOf(cursor.attribute('ref') ?? '')
  const count = (name: string, otherwise: number): number =>
    Math.max(0, Math.floor(Number(cursor.attribute(name) ?? otherwise)) || 0)
  const [headerRows, totalRows] = [count('headerRowCount', 1), count('totalsRowCount', 0)]
  let table: StyledTable | undefined
  cursor.each((child) => {
    const style = child === 's:tableStyleInfo' ? styleOf(cursor.attribute('name') ?? '') : undefined
    if (style === undefined || area === undefined) return
    const isOn = (name: string): boolean => /^(?:1|true)$/.test(cursor.attribute(name) ?? '')
    table = {
      area,
      headerRows,
      totalRows,
      style,
      shows: {
        firstColumn: isOn('showFirstColumn'),
        lastColumn: isOn('showLastColumn'),
        rowStripes: isOn('showRowStripes'),
        columnStripes: isOn('showColumnStripes'),
      },
    }
  })
  return table
}

/** A table of a sheet (18.5.1.2) with the style that it has, and the parts of the style that it shows. */
export interface StyledTable {
  readonly area: CellArea
  readonly headerRows: number
  readonly totalRows: number
  readonly style: TableStyle
  readonly shows: {
    readonly firstColumn: boolean
    readonly lastColumn: boolean
    readonly rowStripes: boolean
    readonly columnStripes: boolean
  }
}

/** The formats of a workbook, to which those of styled cells are added. */
export interface FormatList {
  readonly formats: CellFormat[]
  /** What cells have that set nothing. */
  readonly normal: CellFormat
  /** The number of cells that tables may still have: their empty cells are filled too. */
  cells: number
}

/** The sheet with the styles of its tables in the formats of its cells. */
export function withTableStyles(sheet: Sheet, tables: readonly StyledTable[], formats: FormatList): Sheet {
  if (tables.length === 0) return sheet
  const rows = new Map<number, SheetRow>(sheet.rows.map((row) => [row.row, row]))
  for (const table of tables) applyTable(sheet, table, rows, formats)
  return { ...sheet, rows: [...rows.values()].sort((a, b) => a.row - b.row) }
}

/** The formatting of a place in a table, and the indexes of the formats that lie over it by those of the cells. */
interface Place {
  readonly element: DifferentialFormat
  readonly indexes: Map<number, number>
}

function applyTable(
  sheet: Sheet,
  table: StyledTable,
  rows: Map<number, SheetRow>,
  formats: FormatList,
): void {
  const { top, left, bottom, right } = table.area
  const body = { top: top + table.headerRows, bottom: bottom - table.totalRows }
  const [first, second] = table.style.bandSizes.rows
  // Rows at the same place in the stripes are alike, so that what they look like is found once.
  const alike = new Map<string, (Place | undefined)[]>()
  // Excel counts the rows that are shown, so that stripes alternate in filtered tables too.
  let shown = 0
  for (let row = top; row <= bottom; row++) {
    const known = rows.get(row)
    if (known?.hidden === true) continue
    const inBody = row >= body.top && row <= body.bottom
    const edges = `${row === top} ${row === bottom} ${row === body.top} ${row === body.bottom}`
    const key = `${inBody ? shown % (first + second) : row < body.top ? 'head' : 'total'} ${edges}`
    const placesInRow = alike.get(key) ?? []
    alike.set(key, placesInRow)
    const cellAt = new Map(known?.cells.map((cell) => [cell.column, cell]))
    for (let column = left; column <= right; column++) {
      if (--formats.cells < 0) return
      const placeInTable = (placesInRow[column - left] ??= {
        element: elementAt(table, row, column, inBody ? shown : undefined),
        indexes: new Map(),
      })
      const cell: Cell = cellAt.get(column) ?? { column, format: formatOf(sheet, known, column) }
      cellAt.set(column, { ...cell, format: styledFormat(formats, cell.format, placeInTable) })
    }
    if (inBody) shown++
    const cells = [...cellAt.values()].sort((a, b) => a.column - b.column)
    rows.set(row, known === undefined ? { row, hidden: false, cells } : { ...known, cells })
  }
}

/** The format of a cell that a row does not list. */
const formatOf = ({ columns }: Sheet, row: SheetRow | undefined, column: number): number =>
  row?.format ?? columns.find(({ first, last }) => first <= column && column <= last)?.format ?? 0

/** The area of a part of a table that a cell belongs to; undefined if it does not. `shown`: the row of the body, from 0. */
function partAt(
  table: StyledTable,
  part: TablePart,
  row: number,
  column: number,
  shown: number | undefined,
): CellArea | undefined {
  const { area, headerRows, totalRows, shows, style } = table
  const body = { ...area, top: area.top + headerRows, bottom: area.bottom - totalRows }
  switch (part) {
    case 'wholeTable':
      return area
    case 'headerRow':
      return row < body.top ? { ...area, bottom: body.top - 1 } : undefined
    case 'totalRow':
      return row > body.bottom ? { ...area, top: body.bottom + 1 } : undefined
    case 'firstColumn':
      return shows.firstColumn && column === area.left ? { ...area, right: area.left } : undefined
    case 'lastColumn':
      return shows.lastColumn && column === area.right ? { ...area, left: area.right } : undefined
    case 'firstRowStripe':
    case 'secondRowStripe': {
      if (!shows.rowStripes || shown === undefined) return undefined
      const stripe = stripeAt(style.bandSizes.rows, shown, part === 'firstRowStripe')
      return stripe && { ...body, top: row - stripe.before, bottom: row + stripe.after }
    }
    case 'firstColumnStripe':
    case 'secondColumnStripe': {
      if (!shows.columnStripes || shown === undefined) return undefined
      const stripe = stripeAt(style.bandSizes.columns, column - area.left, part === 'firstColumnStripe')
      return stripe && { ...body, left: column - stripe.before, right: column + stripe.after }
    }
  }
}

/** How many rows or columns of its stripe are before and after the one at a place; undefined in the other stripe. */
function stripeAt(
  [first, second]: readonly [number, number],
  at: number,
  isFirst: boolean,
): { readonly before: number; readonly after: number } | undefined {
  const offset = at % (first + second)
  if (offset < first !== isFirst) return undefined
  const [before, size] = isFirst ? [offset, first] : [offset - first, second]
  return { before, after: size - before - 1 }
}

/** The formatting of a cell by all parts of its table. */
function elementAt(
  table: StyledTable,
  row: number,
  column: number,
  shown: number | undefined,
): DifferentialFormat {
  let format: DifferentialFormat = {}
  for (const [part, { font, fill, number, borders, inner }] of table.style.elements) {
    const area = partAt(table, part, row, column, shown)
    if (area === undefined) continue
    const sides: CellBorders = {
      ...side('left', column === area.left ? borders?.left : inner?.vertical),
      ...side('right', column === area.right ? borders?.right : inner?.vertical),
      ...side('top', row === area.top ? borders?.top : inner?.horizontal),
      ...side('bottom', row === area.bottom ? borders?.bottom : inner?.horizontal),
    }
    format = {
      ...format,
      ...(font !== undefined && { font: { ...format.font, ...font } }),
      ...(fill !== undefined && { fill }),
      ...(number !== undefined && { number }),
      borders: { ...format.borders, ...sides },
    }
  }
  return format
}

const side = (name: keyof CellBorders, border: CellBorder | undefined): CellBorders =>
  border === undefined ? {} : { [name]: border }

/** The index of the format of a cell with the formatting of its place in a table under it. */
function styledFormat({ formats, normal }: FormatList, index: number, { element, indexes }: Place): number {
  const known = indexes.get(index)
  if (known !== undefined) return known
  const declared = formats[index] ?? normal
  const { font, fill, number, borders } = element
  const isPlain = declared.font.color === undefined || declared.font.color === normal.font.color
  formats.push({
    ...declared,
    font: {
      ...declared.font,
      ...(font?.bold === true && { bold: true }),
      ...(font?.italic === true && { italic: true }),
      ...(isPlain && font?.color !== undefined && { color: font.color }),
    },
    number: declared.number === 'General' ? (number ?? declared.number) : declared.number,
    ...(declared.fill === undefined && fill !== undefined && { fill }),
    borders: { ...borders, ...declared.borders },
  })
  indexes.set(index, formats.length - 1)
  return formats.length - 1
}

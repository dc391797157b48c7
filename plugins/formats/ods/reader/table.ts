import type {
  Cell,
  CellArea,
  CellValue,
  Sheet,
  SheetColumns,
  SheetDrawing,
  SheetRow,
  TextRun,
} from '../../../../shared/document/sheet.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { exactLength } from '../../../../shared/office/opendocument/values.ts'
import { maxColumns, maxRows } from '../../../../shared/office/sheet/reference.ts'
import { isSamePixels } from '../../../../shared/office/sheet/row-height.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { a1Formula, areasOf } from './addresses.ts'
import { readConditions } from './conditions.ts'
import type { SheetReading } from './context.ts'
import { readDrawing } from './drawings.ts'
import { pageOf } from './pages.ts'
import { noteElement } from './shapes.ts'
import { readSparklines } from './sparklines.ts'
import { masterPageOf, propertiesOf, spanFont } from './styles.ts'

/** The maximum number of characters of a cell; further ones are dropped. */
const maxLetters = 32_767
const maxRuns = 4_000
/** The maximum number of rows that are kept of a run without values; layout only reads the first of them. */
const maxEmptyRun = 2_000
/** The maximum number of rows without cells that a sheet may list. */
const maxCellLessRows = 100_000
const defaultWidth = 64.0
const defaultHeight = 12.8

type RowSizes = Pick<SheetRow, 'height' | 'minHeight' | 'storedHeight'>

/** The state of reading one table. */
interface TableReading {
  readonly context: SheetReading
  readonly rows: SheetRow[]
  readonly columns: SheetColumns[]
  readonly merges: CellArea[]
  readonly drawings: SheetDrawing[]
  readonly rowBreaks: number[]
  readonly columnBreaks: number[]
  /** The number of rows of each height. */
  readonly heights: Map<number, number>
  /** The sizes of the rows after the last one with a value, which have not been counted yet. */
  readonly trailing: { readonly sizes: RowSizes; readonly count: number }[]
  /** The height that one line of text in the columns' default formats needs, for cells without a style, pt. */
  columnHeight: number
  /** The default formats of columns, by the first column of each run. */
  readonly columnFormats: {
    readonly first: number
    readonly last: number
    readonly style: string | undefined
  }[]
  row: number
  column: number
  headerRows?: readonly [number, number]
  headerColumns?: readonly [number, number]
}

/** A sheet, and whether the document enables printing it. */
export interface ReadTable {
  readonly sheet: Sheet
  readonly isPrinted: boolean
}

/** Reads table:table (ODF 1.3 part 3, 9.1.2) at the cursor. */
export function readTable(cursor: XmlCursor, context: SheetReading): ReadTable {
  const { styles, pages } = context
  const name = cursor.attribute('table:name') ?? ''
  const style = cursor.attribute('table:style-name')
  const ranges = cursor.attribute('table:print-ranges')
  const isPrinted = cursor.attribute('table:print') !== 'false'
  const of = propertiesOf(styles, 'table', style)
  const table: TableReading = {
    context,
    rows: [],
    columns: [],
    merges: [],
    drawings: [],
    rowBreaks: [],
    columnBreaks: [],
    heights: new Map(),
    trailing: [],
    columnHeight: context.lineHeightOf('Default'),
    columnFormats: [],
    row: 0,
    column: 0,
  }
  let conditions: Sheet['conditions']
  let sparklines: Sheet['sparklines']
  const visit = (child: string): void => {
    switch (child) {
      case 'table:table-columns':
      case 'table:table-column-group':
      case 'table:table-rows':
      case 'table:table-row-group':
        cursor.each(visit)
        break
      case 'table:table-header-columns': {
        const first = table.column
        cursor.each(visit)
        table.headerColumns = [first, table.column - 1]
        break
      }
      case 'table:table-header-rows': {
        const first = table.row
        cursor.each(visit)
        table.headerRows = [first, table.row - 1]
        break
      }
      case 'table:table-column':
        readColumn(cursor, table)
        break
      case 'table:table-row':
        readRow(cursor, table)
        break
      case 'office:forms':
        context.shapes.readForms(cursor)
        break
      case 'table:shapes':
        cursor.each(() => readDrawing(cursor, context, { row: 0, column: 0, isFree: true }, table.drawings))
        break
      case 'calcext:conditional-formats':
        conditions = readConditions(cursor, context)
        break
      case 'calcext:sparkline-groups':
        sparklines = readSparklines(cursor)
        break
    }
  }
  cursor.each(visit)
  const { headerRows, headerColumns } = table
  const rows = withTrailingHeights(table)
  const height = commonestHeight(table.heights)
  const sheet: Sheet = {
    name,
    hidden: of('table table:display') === 'false',
    rightToLeft: of('table style:writing-mode') === 'rl-tb',
    rows: rows.filter(
      (row) => row.cells.length > 0 || row.hidden || row.format !== undefined || likelyHeight(row) !== height,
    ),
    columns: table.columns,
    defaultWidth: { points: defaultWidth },
    defaultHeight: height,
    merges: table.merges,
    ...(conditions !== undefined && conditions.length > 0 && { conditions }),
    ...(table.drawings.length > 0 && { drawings: table.drawings }),
    ...(sparklines !== undefined && sparklines.length > 0 && { sparklines }),
    page: pageOf(pages, masterPageOf(styles, style), {
      areas: areasOf(ranges),
      rowBreaks: table.rowBreaks,
      columnBreaks: table.columnBreaks,
      ...(headerRows !== undefined && headerRows[1] >= headerRows[0] && { repeatRows: headerRows }),
      ...(headerColumns !== undefined &&
        headerColumns[1] >= headerColumns[0] && { repeatColumns: headerColumns }),
    }),
  }
  return { sheet, isPrinted }
}

/** Returns the rows. Rows after the last one with a value have the height that the file stores. */
function withTrailingHeights({ rows, trailing, heights }: TableReading): readonly SheetRow[] {
  for (const { sizes, count } of trailing) {
    const height = sizes.storedHeight ?? sizes.height ?? sizes.minHeight
    if (height !== undefined) heights.set(height, (heights.get(height) ?? 0) + count)
  }
  const last = rows.findLastIndex(({ cells }) => cells.some(({ value }) => value !== undefined))
  return rows.map((row, at) => {
    if (at <= last || row.storedHeight === undefined) return row
    const { storedHeight: height, minHeight: _, ...rest } = row
    return { ...rest, height }
  })
}

/** The most common height of a row, so that only other heights have to be listed. */
function commonestHeight(heights: ReadonlyMap<number, number>): number {
  let [height, maxCount] = [defaultHeight, 0]
  for (const [each, count] of heights) if (count > maxCount) [height, maxCount] = [each, count]
  return height
}

const repeats = (cursor: XmlCursor, name: string): number => {
  const value = Number(cursor.attribute(name) ?? 1)
  return value >= 1 ? Math.min(maxRows, Math.floor(value)) : 1
}
const isHidden = (cursor: XmlCursor): boolean => {
  const visibility = cursor.attribute('table:visibility')
  return visibility === 'collapse' || visibility === 'filter'
}

/** table:table-column (9.1.6). */
function readColumn(cursor: XmlCursor, table: TableReading): void {
  const { styles, formatIndex } = table.context
  const first = table.column
  const count = Math.min(repeats(cursor, 'table:number-columns-repeated'), maxColumns - first)
  if (count <= 0) return
  table.column += count
  const of = propertiesOf(styles, 'table-column', cursor.attribute('table:style-name'))
  const width = exactLength(of('table-column style:column-width'))
  const style = cursor.attribute('table:default-cell-style-name')
  const format = style === undefined ? 0 : formatIndex(style)
  const last = first + count - 1
  if (of('table-column fo:break-before') === 'page') table.columnBreaks.push(first)
  table.columnFormats.push({ first, last, style })
  if (style !== undefined)
    table.columnHeight = Math.max(table.columnHeight, table.context.lineHeightOf(style))
  table.columns.push({
    first,
    last,
    hidden: isHidden(cursor),
    ...(width !== undefined && width > 0 && { width: { points: Math.min(2_000, width) } }),
    ...(format > 0 && { format }),
  })
}

/** table:table-row (9.1.3). */
function readRow(cursor: XmlCursor, table: TableReading): void {
  const { context } = table
  const row = table.row
  const count = Math.min(repeats(cursor, 'table:number-rows-repeated'), maxRows - row)
  if (count <= 0) return
  table.row += count
  const of = propertiesOf(context.styles, 'table-row', cursor.attribute('table:style-name'))
  const size = exactLength(of('table-row style:row-height'))
  // Observed in LibreOffice: rows with optimal height are measured when the file is read.
  const isMeasured = size === undefined || of('table-row style:use-optimal-row-height') === 'true'
  const hidden = isHidden(cursor)
  const rowStyle = cursor.attribute('table:default-cell-style-name')
  if (of('table-row fo:break-before') === 'page' && table.rowBreaks.length < 10_000) table.rowBreaks.push(row)
  const { cells, lineHeight, isFolded } = readCells(cursor, table, row, rowStyle)
  const minHeight = Math.max(defaultHeight, lineHeight)
  const stored = size === undefined ? undefined : Math.min(2_000, Math.max(0, size))
  const sizes: RowSizes = isMeasured
    ? {
        ...(isFolded ? { minHeight } : { height: minHeight }),
        ...(stored !== undefined && { storedHeight: stored }),
      }
    : { height: stored ?? minHeight }
  if (!hidden)
    countHeight(
      table,
      sizes,
      count,
      cells.some(({ value }) => value !== undefined),
    )
  const format = rowStyle === undefined ? undefined : context.formatIndex(rowStyle)
  const hasValues = cells.some(({ value }) => value !== undefined)
  const hasNoCells = cells.length === 0
  const copies = hasValues ? count : Math.min(count, hasNoCells ? maxCellLessRows : maxEmptyRun)
  for (let at = 0; at < copies; at++) {
    if (hasNoCells && table.rows.length >= maxCellLessRows) return
    // The first copy was counted when it was read.
    if (at > 0 && (context.budget.cells -= cells.length) < 0) return
    table.rows.push({
      row: row + at,
      hidden,
      cells,
      ...sizes,
      ...(format !== undefined && { format }),
    })
  }
}

/** Counts the heights of rows. Rows after the last one with a value keep the stored height. Observed in LibreOffice 7.4. */
function countHeight(table: TableReading, sizes: RowSizes, count: number, hasValue: boolean): void {
  const add = (height: number | undefined, rows: number): void => {
    if (height !== undefined) table.heights.set(height, (table.heights.get(height) ?? 0) + rows)
  }
  if (!hasValue) {
    table.trailing.push({ sizes, count })
    return
  }
  for (const each of table.trailing.splice(0)) add(likelyHeight(each.sizes), each.count)
  add(likelyHeight(sizes), count)
}

/** The height of a row without regard to its neighbours; undefined if text has to be measured. */
const likelyHeight = ({ height, storedHeight }: RowSizes): number | undefined =>
  height !== undefined && storedHeight !== undefined && isSamePixels(height, storedHeight)
    ? storedHeight
    : height

/** The cells of a row. */
interface ReadCells {
  readonly cells: Cell[]
  /** The height that one line of text needs, including that of empty cells, pt. */
  lineHeight: number
  /** Whether wrapped or rotated text has to be measured. */
  isFolded: boolean
}

/** Reads the cells of a row. Cells without a value and formatting are omitted. */
function readCells(
  cursor: XmlCursor,
  table: TableReading,
  row: number,
  rowStyle: string | undefined,
): ReadCells {
  const { context } = table
  const cells: Cell[] = []
  const read: ReadCells = { cells, lineHeight: table.columnHeight, isFolded: false }
  let column = 0
  cursor.each((name) => {
    if (name !== 'table:table-cell' && name !== 'table:covered-table-cell') return
    const first = column
    const count = Math.min(repeats(cursor, 'table:number-columns-repeated'), maxColumns - first)
    if (count <= 0) return
    column += count
    addMerge(cursor, table, row, first)
    const directStyle = cursor.attribute('table:style-name') ?? rowStyle
    const value = readCell(cursor, table, directStyle, row, first)
    const style = directStyle ?? columnStyle(table, first)
    if (name === 'table:table-cell') {
      read.lineHeight = Math.max(read.lineHeight, context.lineHeightOf(style ?? 'Default'))
      read.isFolded ||= value.value !== undefined && (context.isFolded(style) || hasLines(value.value))
    }
    addCopies(cells, table, { first, count, directStyle, value })
  })
  return read
}

/** Records the area that a cell covers, where it spans several rows or columns. */
function addMerge(cursor: XmlCursor, { context, merges }: TableReading, row: number, column: number): void {
  const across = repeats(cursor, 'table:number-columns-spanned')
  const down = repeats(cursor, 'table:number-rows-spanned')
  if (across <= 1 && down <= 1) return
  if (context.budget.merges-- <= 0) return
  merges.push({
    top: row,
    left: column,
    bottom: Math.min(maxRows, row + down) - 1,
    right: Math.min(maxColumns, column + across) - 1,
  })
}

/** A cell that is repeated in adjacent columns. */
interface RepeatedCell {
  readonly first: number // column
  readonly count: number
  /** The style of the cell itself or of its row. Without one, each copy has the style of its column. */
  readonly directStyle: string | undefined
  readonly value: ReturnType<typeof readCell>
}

/** Adds the copies of a cell that show something. */
function addCopies(
  cells: Cell[],
  table: TableReading,
  { first, count, directStyle, value }: RepeatedCell,
): void {
  const { context } = table
  const hasContent = value.value !== undefined || value.formula !== undefined
  // Empty copies with the same style are equal: either all of them show something, or none does.
  if (!hasContent && directStyle !== undefined && !context.isVisible(context.formatIndex(directStyle))) return
  if (!hasContent && directStyle === undefined) return
  for (let at = 0; at < count; at++) {
    const style = directStyle ?? columnStyle(table, first + at)
    const format = style === undefined ? 0 : context.formatIndex(style)
    if (context.budget.cells-- <= 0) return
    cells.push({ column: first + at, format, ...value })
  }
}

const hasLines = (value: CellValue): boolean =>
  typeof value === 'string' ? value.includes('\n') : typeof value === 'object' && value.kind === 'rich'

function columnStyle({ columnFormats }: TableReading, column: number): string | undefined {
  let [low, high] = [0, columnFormats.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((columnFormats[middle]?.last ?? Infinity) < column) low = middle + 1
    else high = middle
  }
  return columnFormats[low]?.style
}

/** A formula that is an error itself. Excel stores 0 as its result (observed in its ODS). */
const errorFormula = /^(?:of:)?=\s*(#(?:DIV\/0!|N\/A|NAME\?|NULL!|NUM!|REF!|VALUE!))\s*$/

/** The value of a cell (19.385), and its text if it has its own formatting. */
function readCell(
  cursor: XmlCursor,
  table: TableReading,
  style: string | undefined,
  row: number,
  column: number,
): Pick<Cell, 'value' | 'formula' | 'link' | 'shown'> {
  const { context } = table
  const type = cursor.attribute('office:value-type')
  const isError = cursor.attribute('calcext:value-type') === 'error'
  const formula = cursor.attribute('table:formula')
  const hasFormula = formula !== undefined
  const stored = storedValue(cursor, type, context)
  const cellFont = context.fontOf(style ?? columnStyle(table, column))
  const text: CellText = { runs: [], letters: 0, isRich: false }
  let paragraphs = 0
  cursor.each((name) => {
    if (name === 'text:p') {
      if (paragraphs++ > 0) add(text, '\n')
      readParagraph(cursor, context, text, cellFont, undefined)
    } else if (name.startsWith('draw:')) readDrawing(cursor, context, { row, column }, table.drawings)
    else if (name === noteElement && cursor.attribute('office:display') === 'true')
      readDrawing(cursor, context, { row: 0, column: 0, isFree: true }, table.drawings)
  })
  const link = text.link === undefined ? {} : { link: text.link }
  const error = errorFormula.exec(formula ?? '')?.[1]
  if (error !== undefined) return { value: { kind: 'error', text: error }, ...link }
  if (isError) return { value: { kind: 'error', text: plainText(text) } }
  const joined = plainText(text)
  if (typeof stored === 'number' && hasTypedFormat(type) && joined !== '') {
    const format = context.formatIndex(style ?? columnStyle(table, column) ?? 'Default')
    if (context.isGeneral(format)) return { value: stored, shown: joined, ...link }
  }
  if (stored !== undefined && typeof stored !== 'string') return { value: stored, ...link }
  if (text.isRich && joined !== '') return { value: { kind: 'rich', runs: text.runs }, ...link }
  const result = joined === '' ? (stored ?? '') : joined
  // A formula that a merge has moved has neither a type nor a text.
  if (formula !== undefined && type === undefined && result === '')
    return { formula: { text: a1Formula(formula), down: 0, right: 0 }, ...link }
  // An empty text is kept only if a formula produced it.
  return result === '' && !hasFormula ? {} : { value: result, ...link }
}

/**
 * Whether a type of values has a number format of its own. A cell with the general format takes that of its type, and the file
 * stores how it looks (observed in LibreOffice).
 */
const hasTypedFormat = (type: string | undefined): boolean =>
  type === 'percentage' || type === 'currency' || type === 'date' || type === 'time'

function storedValue(
  cursor: XmlCursor,
  type: string | undefined,
  { dayZero }: SheetReading,
): CellValue | undefined {
  switch (type) {
    case 'float':
    case 'percentage':
    case 'currency': {
      const value = Number(cursor.attribute('office:value') ?? Number.NaN)
      return Number.isFinite(value) ? value : undefined
    }
    case 'date':
      return dateValue(cursor.attribute('office:date-value') ?? '', dayZero)
    case 'time':
      return timeValue(cursor.attribute('office:time-value') ?? '')
    case 'boolean':
      return isTrue(cursor.attribute('office:boolean-value') ?? '')
    case 'string':
      return cursor.attribute('office:string-value')?.slice(0, maxLetters)
    default:
      return undefined
  }
}

/** Files of LibreOffice have numbers for truth values of formulas. */
const isTrue = (text: string): boolean => text === 'true' || (Number(text) || 0) !== 0

const dayMs = 86_400_000
/** Converts a date to a serial number, in days since the first day of the document. */
function dateValue(text: string, dayZero: number): number | undefined {
  const match = /^(-?\d{4,6})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d(?:\.\d+)?))?/.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hours = 0, minutes = 0, seconds = 0] = match
  const days = Date.UTC(Number(year), Number(month) - 1, Number(day)) / dayMs - dayZero
  const value = days + (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) / 86_400
  return Number.isFinite(value) ? value : undefined
}
/** Converts a duration such as 'PT12H30M05S' to days. */
function timeValue(text: string): number | undefined {
  const match = /^(-)?P(?:(\d+)D)?T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?$/.exec(text)
  if (match === null) return undefined
  const [, sign, days = 0, hours = 0, minutes = 0, seconds = '0'] = match
  const value =
    Number(days) + (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'))) / 86_400
  return sign === undefined ? value : -value
}

/** The text of a cell that is being read. */
interface CellText {
  readonly runs: Writable<TextRun>[]
  letters: number
  isRich: boolean
  link?: string
}
const plainText = ({ runs }: CellText): string => runs.map(({ text }) => text).join('')

function add(into: CellText, text: string, font?: TextRun['font']): void {
  const rest = text.slice(0, maxLetters - into.letters)
  into.letters += rest.length
  if (rest === '') return
  into.isRich ||= font !== undefined
  const last = into.runs.at(-1)
  if (last !== undefined && last.font === font) last.text += rest
  else if (into.runs.length < maxRuns) into.runs.push({ text: rest, ...(font !== undefined && { font }) })
}

/**
 * Reads the text of a paragraph with its spans and links. Only line breaks and tabs collapse (6.1.2): LibreOffice prints as
 * many spaces as the cell contains.
 */
function readParagraph(
  cursor: XmlCursor,
  context: SheetReading,
  into: CellText,
  inherited: NonNullable<TextRun['font']>,
  font: TextRun['font'],
): void {
  cursor.each(
    (name) => {
      if (name === 'text:span') {
        const fontOfSpan = spanFont(context.styles, cursor.attribute('text:style-name'), font ?? inherited)
        readParagraph(cursor, context, into, inherited, fontOfSpan === inherited ? font : fontOfSpan)
      } else if (name === 'text:a') {
        into.link ??= cursor.attribute('xlink:href')
        readParagraph(cursor, context, into, inherited, font)
      } else if (name === 'text:s') {
        const count = Number(cursor.attribute('text:c') ?? 1)
        add(into, ' '.repeat(count >= 1 && count <= maxLetters ? Math.floor(count) : 1), font)
      } else if (name === 'text:tab') add(into, '\t', font)
      else if (name === 'text:line-break') add(into, '\n', font)
      else if (name !== 'office:annotation') readParagraph(cursor, context, into, inherited, font)
    },
    (text) => add(into, text.replace(/ *[\t\n\r][\t\n\r ]*/g, ' '), font),
  )
}

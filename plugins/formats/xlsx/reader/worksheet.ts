import type {
  Cell,
  CellArea,
  CellFont,
  CellFormula,
  CellValue,
  ColumnWidth,
  DifferentialFormat,
  Sheet,
  SheetColumns,
  SheetDrawing,
  SheetRow,
} from '../../../../shared/document/sheet.ts'
import type { SparklineGroup } from '../../../../shared/document/sparkline.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { entryOf } from '../../../../shared/entry-of.ts'
import { columnNumber, maxColumns, maxRows } from '../../../../shared/office/sheet/reference.ts'
import { XmlCursor } from '../../../../shared/xml/cursor.ts'
import type { Palette } from './colors.ts'
import { type ConditionsReading, newConditionsReading, readConditions, rulesOf } from './conditions.ts'
import { areaOf, newPageReading, type PrintNames, pageOf, readPageElement } from './page-setup.ts'
import { plainCells } from './plain-cells.ts'
import { readSparklines } from './sparklines.ts'
import { maxLetters, stringReader, unescaped } from './strings.ts'
import { workbookVocabulary } from './vocabulary.ts'

/** The context that the cells of all sheets share. */
export interface SheetContext {
  readonly strings: readonly CellValue[]
  readonly palette: Palette
  readonly differentials: readonly DifferentialFormat[]
  readonly defaultFont: CellFont
  readonly date1904: boolean
  /** Whether the workbook declares Excel as its producer. */
  readonly isOfExcel: boolean
  /** The number of cells and merged areas of the workbook that may still be read. */
  readonly budget: { cells: number; merges: number }
  /** The cells with a stored result and a formula, in all sheets. */
  readonly formulas: StoredFormulas
  readonly warn: (code: string, message: string) => void
}

/** The formulas whose results are stored. */
export interface StoredFormulas {
  readonly cells: [cell: Cell, formula: CellFormula][]
  /**
   * Whether a sheet has a function of the time, so that its cells and those that depend on them have to be computed again. Only from
   * that sheet on, formulas are kept.
   */
  changeWithTime: boolean
}
/** The limit of such formulas: those beyond it keep their results, whatever they depend on. */
const maxStoredFormulas = 200_000
const changing = ['TODAY(', 'NOW(']

export interface SheetEntry {
  readonly name: string
  readonly hidden: boolean
  readonly names: PrintNames
  readonly drawings: readonly SheetDrawing[]
  /** Form controls were found in a VML part of the sheet. */
  readonly hasControls: boolean
  /** The targets of the relationships of the sheet by id. */
  readonly links: ReadonlyMap<string, string>
}

/** Unsupported elements, with the code and text of the warning about them. */
const undrawn: Readonly<Record<string, readonly [code: string, what: string]>> = {
  's:legacyDrawingHF': ['read.header-picture', 'Pictures in headers and footers'],
  's:picture': ['read.sheet-background', 'Background pictures of sheets'],
  's:oleObjects': ['read.sheet-object', 'Embedded objects on sheets'],
}

/** Reads a worksheet part (ECMA-376-1 18.3.1.99). */
export function readWorksheet(xml: string, entry: SheetEntry, context: SheetContext): Sheet | undefined {
  const cursor = new XmlCursor(xml, workbookVocabulary)
  if (!cursor.root() || !(cursor.name === 's:worksheet' || cursor.name === 's:chartsheet')) return undefined
  context.formulas.changeWithTime ||= changing.some((name) => xml.includes(name))
  const page = newPageReading()
  const rows: SheetRow[] = []
  const columns: SheetColumns[] = []
  const merges: CellArea[] = []
  const conditions = newConditionsReading()
  const sparklines: SparklineGroup[] = []
  let defaultWidth: ColumnWidth = { digits: defaultDigits, padding }
  let defaultHeight = 15
  let hidesUnlistedRows = false
  let rightToLeft = false
  let hidesZeros = false
  let printsComments = false
  cursor.each((name) => {
    const [code, what] = entryOf(undrawn, name) ?? []
    if (code !== undefined) context.warn(code, `${what} are not drawn.`)
    if (name === 's:controls' && !entry.hasControls)
      context.warn('read.sheet-control', 'Form controls on sheets are not drawn.')
    if (name === 's:pageSetup') printsComments = cursor.attribute('cellComments') === 'atEnd'
    if (name === 's:legacyDrawing' && printsComments)
      context.warn('read.sheet-comment', 'Comments that a sheet prints after its pages are not drawn.')
    if (name === 's:sheetFormatPr') {
      defaultWidth = defaultWidthOf(cursor)
      defaultHeight = heightOf(cursor.attribute('defaultRowHeight'), context) ?? defaultHeight
      hidesUnlistedRows = isOn(cursor.attribute('zeroHeight'))
    } else if (name === 's:sheetViews')
      cursor.each(() => {
        rightToLeft ||= isOn(cursor.attribute('rightToLeft'))
        hidesZeros ||= cursor.attribute('showZeros') !== undefined && !isOn(cursor.attribute('showZeros'))
      })
    else if (name === 's:cols') cursor.each(() => readColumns(cursor, columns))
    else if (name === 's:sheetData') readRows(cursor, rows, context)
    else if (name === 's:mergeCells')
      cursor.each(() => {
        const area = areaOf(cursor.attribute('ref') ?? '')
        if (area !== undefined && context.budget.merges-- > 0) merges.push(area)
      })
    else if (name === 's:hyperlinks') readLinks(cursor, rows, entry.links)
    else if (name === 's:conditionalFormatting') readConditions(cursor, conditions, context)
    else if (name === 's:extLst') readExtensions(cursor, { conditions, sparklines }, context)
    else readPageElement(cursor, name, page, context.defaultFont)
  })
  if (context.budget.merges < 0)
    context.warn('read.sheet-merges', `Merged cells beyond the first ${maxMerges} are drawn as single cells.`)
  if (conditions.hasUnknown)
    context.warn('read.conditional-format', 'Conditional formats of unsupported kinds are not drawn.')
  if (hidesUnlistedRows) context.warn('read.hidden-rows', 'Rows that a sheet hides by default are shown.')
  columns.sort((a, b) => a.first - b.first)
  let covered = -1
  return {
    name: entry.name,
    hidden: entry.hidden,
    rightToLeft,
    rows: hidesZeros ? withoutZeros(inOrder(rows)) : inOrder(rows),
    // If columns overlap, the first one applies.
    columns: columns.filter(({ first, last }) => {
      if (first <= covered) return false
      covered = last
      return true
    }),
    defaultWidth,
    defaultHeight,
    // Observed in LibreOffice: rows whose height the file does not store are not measured.
    keepsHeights: true,
    merges,
    ...(conditions.rules.length > 0 && { conditions: rulesOf(conditions) }),
    ...(entry.drawings.length > 0 && { drawings: entry.drawings }),
    ...(sparklines.length > 0 && { sparklines }),
    page: pageOf(page, entry.names),
  }
}

/** The maximum number of merged areas of one workbook. */
export const maxMerges = 200_000
/** 18.3.1.81: the default column is eight digits wide, plus five pixels at 96 dpi. */
const defaultDigits = 8
const padding = 3.75

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true'

/** One pixel at 96 dpi, in pt. */
const pixel = 0.75

/**
 * A row height in points, at most 409.5 (18.3.1.73). Excel rounds row heights to whole pixels, whatever it writes. Observed
 * in LibreOffice.
 */
function heightOf(text: string | undefined, { isOfExcel }: SheetContext): number | undefined {
  const value = Number(text)
  if (text === undefined || !(value >= 0)) return undefined
  const height = Math.min(409.5, value)
  return isOfExcel ? Math.floor(height / pixel + 1e-6) * pixel : height
}

function defaultWidthOf(cursor: XmlCursor): ColumnWidth {
  const width = Number(cursor.attribute('defaultColWidth'))
  if (width > 0) return { digits: Math.min(255, width) }
  const base = Number(cursor.attribute('baseColWidth') ?? defaultDigits)
  return { digits: base >= 0 ? Math.min(255, base) : defaultDigits, padding }
}

/** CT_Col (18.3.1.13). */
function readColumns(cursor: XmlCursor, columns: SheetColumns[]): void {
  const first = Number(cursor.attribute('min')) - 1
  const last = Math.min(maxColumns, Number(cursor.attribute('max'))) - 1
  if (!(first >= 0 && last >= first) || columns.length >= maxColumns) return
  const width = Number(cursor.attribute('width'))
  const format = Number(cursor.attribute('style') ?? 0)
  columns.push({
    first,
    last,
    hidden: isOn(cursor.attribute('hidden')) || width === 0,
    ...(width > 0 && { width: { digits: Math.min(255, width) } }),
    ...(format > 0 && { format }),
  })
}

/** CT_SheetData (18.3.1.80). Rows and cells without an address follow the previous one. */
function readRows(cursor: XmlCursor, rows: SheetRow[], context: SheetContext): void {
  let next = 0
  const readCell = cellReader(cursor, context)
  let cells: Cell[] = []
  let row = 0
  let column = 0
  let isOrdered = true
  const readChild = (name: string): void => {
    if (name !== 's:c') return
    const reference = cursor.attribute('r')
    if (reference !== undefined) column = columnOf(reference)
    if (column < 0 || column >= maxColumns) return
    if (context.budget.cells-- > 0) {
      isOrdered &&= column >= (cells.at(-1)?.column ?? 0)
      cells.push(readCell(row, column))
    }
    column++
  }
  const readPlain = plainCells(context, {
    skipsFormulas: !context.formulas.changeWithTime,
    next: () => column,
    /** Whether the cell was taken: the limit of cells is counted where one cell after the other is read. */
    add(at, format, value) {
      if (at >= maxColumns || context.budget.cells <= 0) return false
      context.budget.cells--
      isOrdered &&= at >= (cells.at(-1)?.column ?? 0)
      cells.push({ column: at, format, value })
      column = at + 1
      return true
    },
  })
  cursor.each((name) => {
    if (name !== 's:row') return
    const number = Number(cursor.attribute('r') ?? next + 1) - 1
    if (!(number >= 0 && number < maxRows)) return
    next = number + 1
    const height = heightOf(cursor.attribute('ht'), context)
    if (rows.length >= maxRows) return
    const format = isOn(cursor.attribute('customFormat')) ? Number(cursor.attribute('s') ?? 0) : undefined
    const hidden = isOn(cursor.attribute('hidden')) || height === 0
    cells = []
    row = number
    column = 0
    isOrdered = true
    cursor.each(readChild, undefined, cursor.reads('c', 's:c') ? readPlain : undefined)
    if (cells.length === 0 && height === undefined && format === undefined && !hidden) return
    if (!isOrdered) cells.sort((a, b) => a.column - b.column)
    rows.push({
      row: number,
      hidden,
      cells,
      ...(height !== undefined && { height }),
      ...(format !== undefined && { format }),
    })
  })
  if (context.budget.cells < 0)
    context.warn('read.sheet-cells', `Cells beyond the first ${maxCells} are not drawn.`)
}

/** The column of a reference such as 'AB12', from 0: -1 without letters. Only the first three letters count. */
function columnOf(reference: string): number {
  let end = 0
  while (end < 3 && isLetter(reference.charCodeAt(end))) end++
  return columnNumber(reference.slice(0, end)) - 1
}

const isLetter = (code: number): boolean => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)

/** The maximum number of cells of one workbook. */
export const maxCells = 1_000_000

/** The rows of a sheet that shows zeros as empty cells (18.3.1.87, showZeros). */
const withoutZeros = (rows: readonly SheetRow[]): SheetRow[] =>
  rows.map((row) => ({ ...row, cells: row.cells.map(withoutZero) }))
function withoutZero(cell: Cell): Cell {
  if (cell.value !== 0) return cell
  const { value: _, ...rest } = cell
  return rest
}

/** Sorts rows in ascending order. Of several rows with the same number, the last one is used. */
function inOrder(rows: SheetRow[]): SheetRow[] {
  if (rows.every(({ row }, at) => at === 0 || row > (rows[at - 1]?.row ?? -1))) return rows
  return [...new Map(rows.map((row) => [row.row, row])).values()].sort((a, b) => a.row - b.row)
}

/** Shared formulas (18.3.1.40) by index, with the cell that they are written for. */
type SharedFormulas = Map<string, { readonly text: string; readonly row: number; readonly column: number }>

/** Reads CT_CellFormula at the cursor; undefined if it shares a formula that has not been read. */
function readFormula(
  cursor: XmlCursor,
  { row, column }: { readonly row: number; readonly column: number }, // from 0
  shared: SharedFormulas,
): CellFormula | undefined {
  const index = cursor.attribute('t') === 'shared' ? cursor.attribute('si') : undefined
  const text = cursor.text().trim()
  if (index === undefined) return { text, down: 0, right: 0 }
  if (text !== '') shared.set(index, { text, row, column })
  const formula = shared.get(index)
  return formula && { text: formula.text, down: row - formula.row, right: column - formula.column }
}

/**
 * A function that reads CT_Cell (18.3.1.4) at the cursor, which is in this row and column, from 0. It is made once for a sheet,
 * since a sheet has up to a million cells.
 */
function cellReader(cursor: XmlCursor, context: SheetContext): (row: number, column: number) => Cell {
  const shared: SharedFormulas = new Map()
  const readString = stringReader(cursor, context.palette)
  const address = { row: 0, column: 0 }
  const keepsFormulas = context.formulas.changeWithTime
  let type = 'n'
  let hasFormula = false
  let formula: CellFormula | undefined
  let value: CellValue | undefined
  const readPart = (name: string): void => {
    if (name === 's:f') {
      hasFormula = true
      formula = readFormula(cursor, address, shared)
    } else if (name === 's:v') value = storedValue(cursor.text(), type, context)
    else if (name === 's:is') value = readString()
  }
  const withFormula = (cell: Cell, stored: CellFormula): Cell => {
    if (stored.text !== '' && context.formulas.cells.length < maxStoredFormulas)
      context.formulas.cells.push([cell, stored])
    return cell
  }
  const begin = (row: number, column: number): void => {
    address.row = row
    address.column = column
    type = cursor.attribute('t') ?? 'n'
    hasFormula = false
    formula = undefined
    value = undefined
  }
  return (row, column) => {
    begin(row, column)
    const format = Number(cursor.attribute('s') ?? 0) || 0
    cursor.each(readPart)
    // A formula keeps its cell even if its result is empty; an empty text does not.
    if (value !== undefined && (value !== '' || hasFormula))
      return formula === undefined || !keepsFormulas
        ? { column, format, value }
        : withFormula({ column, format, value }, formula)
    // A text without a value is computed, as one with an empty value is not (observed in LibreOffice).
    if (hasFormula && type === 'str' && !formula?.text) return { column, format, value: '' }
    if (hasFormula) return { column, format, formula: formula ?? { text: '', down: 0, right: 0 } }
    return { column, format }
  }
}

function storedValue(text: string, type: string, { strings, date1904 }: SheetContext): CellValue | undefined {
  switch (type) {
    case 's':
      return strings[Number(text)]
    case 'str':
    case 'inlineStr':
      return unescaped(text).slice(0, maxLetters)
    case 'b':
      return text.trim() === '1' || text.trim() === 'true'
    case 'e':
      return { kind: 'error', text }
    case 'd':
      return serialOf(text, date1904)
    default: {
      const number = Number(text)
      return text.trim() === '' || !Number.isFinite(number) ? undefined : number
    }
  }
}

/** The serial number of an ISO 8601 date (18.18.11), or the text itself if it is not a date. */
function serialOf(text: string, date1904: boolean): CellValue {
  const time = Date.parse(/[zZ]|T.*[+-]/.test(text) || !text.includes('T') ? text : `${text}Z`)
  if (Number.isNaN(time)) return text
  return time / 86_400_000 + 25_569 - (date1904 ? 1_462 : 0)
}

/** The maximum number of cells that are examined for all hyperlinks of a sheet. */
const maxLinkedCells = 2_000_000

/** CT_Hyperlink (18.3.1.47) to an address. Links into the workbook are omitted, since they have no target on the pages. */
function readLinks(cursor: XmlCursor, rows: readonly SheetRow[], links: ReadonlyMap<string, string>): void {
  const byNumber = new Map(rows.map((row) => [row.row, row]))
  let left = maxLinkedCells
  cursor.each(() => {
    const address = links.get(cursor.attribute('r:id') ?? '')
    const area = areaOf(cursor.attribute('ref') ?? '')
    if (address === undefined || area === undefined) return
    const location = cursor.attribute('location')
    const link = location === undefined ? address : `${address}#${location}`
    for (let row = area.top; row <= area.bottom && left-- > 0; row++)
      for (const cell of byNumber.get(row)?.cells ?? [])
        if (left-- > 0 && cell.column >= area.left && cell.column <= area.right)
          (cell as Writable<Cell>).link = link
  })
}

/** Reads extensions that are drawn: sparklines and the conditional formats of later versions. */
function readExtensions(
  cursor: XmlCursor,
  reading: { readonly conditions: ConditionsReading; readonly sparklines: SparklineGroup[] },
  context: SheetContext,
): void {
  cursor.each(() =>
    cursor.each((name) => {
      if (name === 'x14:sparklineGroups') readSparklines(cursor, context.palette, reading.sparklines)
      else if (name === 'x14:conditionalFormattings')
        cursor.each(() => readConditions(cursor, reading.conditions, context))
    }),
  )
}

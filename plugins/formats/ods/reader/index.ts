/**
 * Reads OpenDocument spreadsheets into the sheet model (ODF 1.3 part 3). A package has its styles in two parts and its tables
 * in one of them; a flat document has everything in one element. Each file of this folder covers one subject; `table.ts`
 * reads the cells.
 */

import type {
  CellFont,
  CellFormat,
  DifferentialFormat,
  Sheet,
  Workbook,
} from '../../../../shared/document/sheet.ts'
import { entryOf, setEntry } from '../../../../shared/entry-of.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { openVocabulary } from '../../../../shared/office/opendocument/vocabulary.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import { lineHeight } from '../../../../shared/office/sheet/row-height.ts'
import type { Outcome, Warning } from '../../../../shared/plugin/values.ts'
import { XmlCursor, XmlFault, xmlText } from '../../../../shared/xml/cursor.ts'
import { a1Formula } from './addresses.ts'
import type { SheetReading } from './context.ts'
import { readNumberStyle } from './number-styles.ts'
import { newPageStyles, type PageStyles, readMasterPage, readPageLayout } from './pages.ts'
import { ShapeReader } from './shapes.ts'
import {
  differentialOf,
  formatOf,
  generalDecimalsOf,
  newStyles,
  readFontFaces,
  readStyle,
  type SheetStyles,
} from './styles.ts'
import { type ReadTable, readTable } from './table.ts'

/** The number of cells, merged areas, drawings and sheets that one document may have. */
const maxCells = 1_000_000
const maxMerges = 200_000
const maxDrawings = 10_000
const maxSheets = 10_000
const maxNames = 10_000

/**
 * Reads a spreadsheet from the parts of a package. Throws AppError 'convert.document' if it is not readable; other damage
 * becomes a warning.
 */
export function readSpreadsheet(parts: ReadFile): Outcome<Workbook> {
  const [styles, content, meta] = ['styles.xml', 'content.xml', 'meta.xml'].map((name) => {
    const bytes = parts(name)
    return bytes === undefined ? undefined : xmlText(bytes)
  })
  if (content === undefined) throw refused('it has no content')
  return readParts(
    parts,
    [styles, content, meta].filter((xml) => xml !== undefined),
  )
}

/** Like `readSpreadsheet`, for a document in one XML file. */
export const readFlatSpreadsheet = (xml: string): Outcome<Workbook> => readParts(() => undefined, [xml])

const refused = (because: string): AppError =>
  new AppError('convert.document', { engine: 'The reader', from: 'ods', because })

/** The definitions that must be read before the tables, since styles refer to each other and parts come in any order. */
interface Preamble {
  readonly styles: SheetStyles
  readonly pages: PageStyles
  readonly information: Record<string, string>
  dayZero: number
}

function readParts(parts: ReadFile, texts: readonly string[]): Outcome<Workbook> {
  const warnings = new Map<string, Warning>()
  const warn = (code: string, message: string): void => void warnings.set(code, { code, message })
  const preamble: Preamble = {
    styles: newStyles(),
    pages: newPageStyles(),
    information: {},
    dayZero: dayZeroOf('1899-12-30'),
  }
  try {
    // Master pages refer to styles that may follow them, so they are read in a second pass.
    for (const xml of texts) readPreamble(xml, preamble, 'styles')
    for (const xml of texts) readPreamble(xml, preamble, 'masters')
    const formats: CellFormat[] = []
    const media = new Map<string, Uint8Array>()
    const shapes = new ShapeReader(parts, texts, media)
    const context = readingOf({ parts, media, shapes, warn }, preamble, formats)
    const tables: ReadTable[] = []
    const names = new Map<string, string>()
    for (const xml of texts) readTables(xml, context, { tables, names })
    for (const { code, message } of shapes.finish()) warn(code, message)
    const sheets = printedSheets(tables)
    if (sheets.length === 0) throw refused('it has no tables')
    if (context.budget.cells < 0)
      warn('read.sheet-cells', `Cells beyond the first ${maxCells} are not drawn.`)
    if (context.budget.merges < 0)
      warn('read.sheet-merges', `Merged cells beyond the first ${maxMerges} are drawn as single cells.`)
    const font = context.fontOf('Default')
    const generalDecimals = generalDecimalsOf(preamble.styles)
    const workbook: Workbook = {
      sheets,
      formats,
      defaultFont: font,
      // Dates count from the first day of Excel, or from that of old Macintosh files.
      date1904: preamble.dayZero === dayZeroOf('1904-01-01'),
      ...(generalDecimals !== undefined && { generalDecimals }),
      information: preamble.information,
      drawingText: { size: 12 },
      ...(shapes.textStyles !== undefined && { drawingStyles: shapes.textStyles }),
      media,
      ...(names.size > 0 && { names }),
    }
    return { value: workbook, warnings: [...warnings.values()] }
  } catch (fault) {
    if (!(fault instanceof XmlFault)) throw fault
    throw refused(fault.message)
  }
}

/** Creates the state for reading tables. Formats are numbered in the order of their first use. */
function readingOf(
  given: Pick<SheetReading, 'parts' | 'media' | 'shapes' | 'warn'>,
  { styles, pages, dayZero }: Preamble,
  formats: CellFormat[],
): SheetReading {
  const numbers = new Map<string, number>()
  const fonts = new Map<string, CellFont>()
  const differentials = new Map<string, DifferentialFormat>()
  const formatIndex = (style: string): number => {
    let index = numbers.get(style)
    if (index === undefined) {
      index = formats.length
      formats.push(formatOf(styles, style))
      numbers.set(style, index)
    }
    return index
  }
  formatIndex('Default')
  return {
    ...given,
    styles,
    pages,
    dayZero: dayZero === dayZeroOf('1904-01-01') ? dayZero : dayZeroOf('1899-12-30'),
    formatIndex,
    fontOf(style = 'Default') {
      let font = fonts.get(style)
      if (font === undefined) fonts.set(style, (font = formats[formatIndex(style)]?.font ?? defaultFont))
      return font
    },
    lineHeightOf(style) {
      const format = formats[formatIndex(style)]
      return lineHeight(format?.font.size ?? defaultFont.size, format?.align.padding)
    },
    isFolded(style = 'Default') {
      const align = formats[formatIndex(style)]?.align
      return align !== undefined && (align.wrap || align.across === 'justify' || align.rotation !== 0)
    },
    differential(style) {
      let cached = differentials.get(style)
      if (cached === undefined) differentials.set(style, (cached = differentialOf(styles, style)))
      return cached
    },
    isVisible(index) {
      const format = formats[index]
      return format !== undefined && (format.fill !== undefined || Object.keys(format.borders).length > 0)
    },
    isGeneral: (index) => /^(?:\[\$-[^\]]*\])?General$/.test(formats[index]?.number ?? ''),
    budget: { cells: maxCells, merges: maxMerges, drawings: maxDrawings },
  }
}
const defaultFont: CellFont = { family: 'Liberation Sans', size: 10 }

const dayZeroOf = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / 86_400_000)

/** Reads the styles in office:styles or office:automatic-styles, including page layouts. */
function readStyles(cursor: XmlCursor, styles: SheetStyles, pages: PageStyles): void {
  cursor.each((name) => {
    if (name === 'style:style' || name === 'style:default-style') readStyle(cursor, styles)
    else if (name === 'style:page-layout') readPageLayout(cursor, pages)
    else if (name.startsWith('number:')) readNumberStyle(cursor, styles.numbers)
  })
}

/** Reads the styles or the master pages of one part. */
function readPreamble(xml: string, { styles, pages, ...rest }: Preamble, what: 'styles' | 'masters'): void {
  const cursor = new XmlCursor(xml, openVocabulary)
  if (!cursor.root()) return
  cursor.each((name) => {
    if (what === 'masters') {
      if (name === 'office:master-styles')
        cursor.each((child) => child === 'style:master-page' && readMasterPage(cursor, pages, styles))
    } else if (name === 'office:font-face-decls') readFontFaces(cursor, styles)
    else if (name === 'office:styles' || name === 'office:automatic-styles') readStyles(cursor, styles, pages)
    else if (name === 'office:meta') readInformation(cursor, rest.information)
  })
}

const informationNames: Readonly<Record<string, string>> = {
  'dc:title': 'title',
  'meta:initial-creator': 'author',
  'dc:subject': 'subject',
  'meta:keyword': 'keywords',
}
function readInformation(cursor: XmlCursor, information: Record<string, string>): void {
  cursor.each((name) => {
    const key = entryOf(informationNames, name)
    const text = key === undefined ? '' : cursor.text()
    if (key !== undefined && text !== '') setEntry(information, key, text)
  })
}

/**
 * Returns the sheets. Those with table:print="false" (ODF 1.3 part 3, table:table) are hidden, unless that would hide all of
 * them (observed in LibreOffice 7.4).
 */
function printedSheets(tables: readonly ReadTable[]): readonly Sheet[] {
  const isAnyPrinted = tables.some(({ sheet, isPrinted }) => isPrinted && !sheet.hidden)
  return tables.map(({ sheet, isPrinted }) =>
    isPrinted || !isAnyPrinted ? sheet : { ...sheet, hidden: true },
  )
}

/** table:named-range and table:named-expression (ODF 1.3 part 3, 9.4.11 and 9.4.12), as `Workbook.names`. */
function readNames(cursor: XmlCursor, names: Map<string, string>): void {
  cursor.each((kind) => {
    const name = cursor.attribute('table:name')?.toUpperCase()
    const range = cursor.attribute('table:cell-range-address')
    const text =
      kind === 'table:named-range' && range !== undefined
        ? `[${range}]`
        : kind === 'table:named-expression'
          ? cursor.attribute('table:expression')
          : undefined
    if (name !== undefined && text !== undefined && names.size < maxNames) names.set(name, a1Formula(text))
  })
}

/** Reads the tables in office:spreadsheet, and its named ranges and expressions. */
function readTables(
  xml: string,
  context: SheetReading,
  { tables, names }: { readonly tables: ReadTable[]; readonly names: Map<string, string> },
): void {
  const cursor = new XmlCursor(xml, openVocabulary)
  if (!cursor.root()) return
  cursor.each((body) => {
    if (body !== 'office:body') return
    cursor.each((kind) => {
      if (kind !== 'office:spreadsheet') return
      cursor.each((name) => {
        if (name === 'table:table' && tables.length < maxSheets) tables.push(readTable(cursor, context))
        else if (name === 'table:named-expressions') readNames(cursor, names)
      })
    })
  })
}

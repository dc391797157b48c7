import type {
  CellArea,
  CellFont,
  PageMargins,
  PrintScale,
  SheetHeaders,
  SheetPage,
} from '../../../../shared/document/sheet.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { parseRange } from '../../../../shared/office/sheet/reference.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'
import { readHeader } from './headers.ts'

const inch = 72
const millimetre = 72 / 25.4

/** ST_PaperSize numbers (18.3.1.63) to width and height in points. */
const papers: Readonly<Record<number, readonly [number, number]>> = {
  1: [8.5 * inch, 11 * inch],
  2: [8.5 * inch, 11 * inch],
  3: [11 * inch, 17 * inch],
  4: [17 * inch, 11 * inch],
  5: [8.5 * inch, 14 * inch],
  6: [5.5 * inch, 8.5 * inch],
  7: [7.25 * inch, 10.5 * inch],
  8: [297 * millimetre, 420 * millimetre],
  9: [210 * millimetre, 297 * millimetre],
  10: [210 * millimetre, 297 * millimetre],
  11: [148 * millimetre, 210 * millimetre],
  12: [257 * millimetre, 364 * millimetre],
  13: [182 * millimetre, 257 * millimetre],
  14: [8.5 * inch, 13 * inch],
  15: [215 * millimetre, 275 * millimetre],
  16: [10 * inch, 14 * inch],
  17: [11 * inch, 17 * inch],
  18: [8.5 * inch, 11 * inch],
  19: [3.875 * inch, 8.875 * inch],
  20: [4.125 * inch, 9.5 * inch],
  21: [4.5 * inch, 10.375 * inch],
  22: [4.75 * inch, 11 * inch],
  23: [5 * inch, 11.5 * inch],
  24: [17 * inch, 22 * inch],
  25: [22 * inch, 34 * inch],
  26: [34 * inch, 44 * inch],
  27: [110 * millimetre, 220 * millimetre],
  28: [162 * millimetre, 229 * millimetre],
  29: [324 * millimetre, 458 * millimetre],
  30: [229 * millimetre, 324 * millimetre],
  31: [114 * millimetre, 162 * millimetre],
  32: [114 * millimetre, 229 * millimetre],
  33: [250 * millimetre, 353 * millimetre],
  34: [176 * millimetre, 250 * millimetre],
  35: [176 * millimetre, 125 * millimetre],
  36: [110 * millimetre, 230 * millimetre],
  37: [3.875 * inch, 7.5 * inch],
  38: [3.625 * inch, 6.5 * inch],
  39: [14.875 * inch, 11 * inch],
  40: [8.5 * inch, 12 * inch],
  41: [8.5 * inch, 13 * inch],
  42: [250 * millimetre, 353 * millimetre],
  43: [200 * millimetre, 148 * millimetre],
  44: [9 * inch, 11 * inch],
  45: [10 * inch, 11 * inch],
  46: [15 * inch, 11 * inch],
  47: [220 * millimetre, 220 * millimetre],
  50: [9.275 * inch, 12 * inch],
  51: [9.275 * inch, 15 * inch],
  52: [11.69 * inch, 18 * inch],
  53: [236 * millimetre, 322 * millimetre],
  54: [8.275 * inch, 11 * inch],
  55: [210 * millimetre, 297 * millimetre],
  56: [9.275 * inch, 12 * inch],
  57: [227 * millimetre, 356 * millimetre],
  58: [305 * millimetre, 487 * millimetre],
  59: [8.5 * inch, 12.69 * inch],
  60: [210 * millimetre, 330 * millimetre],
  61: [148 * millimetre, 210 * millimetre],
  62: [182 * millimetre, 257 * millimetre],
  63: [322 * millimetre, 445 * millimetre],
  64: [174 * millimetre, 235 * millimetre],
  65: [201 * millimetre, 276 * millimetre],
  66: [420 * millimetre, 594 * millimetre],
  67: [297 * millimetre, 420 * millimetre],
  68: [322 * millimetre, 445 * millimetre],
  70: [105 * millimetre, 148 * millimetre],
}
const letter = [8.5 * inch, 11 * inch] as const
/** The margins of a sheet that specifies none, and the defaults of the attributes. Observed in LibreOffice. */
const defaultMargins: PageMargins = {
  left: 0.748 * inch,
  right: 0.748 * inch,
  top: 0.984 * inch,
  bottom: 0.984 * inch,
  header: 0.512 * inch,
  footer: 0.512 * inch,
}
/** The maximum number of breaks; Excel allows 1,026. */
const maxBreaks = 2_000

/** The print settings of a sheet read so far. */
export interface PageReading {
  readonly page: Writable<Pick<SheetPage, 'gridLines' | 'headings' | 'centerAcross' | 'centerDown' | 'order'>>
  margins: PageMargins
  paper: readonly [number, number]
  factor: number
  fits: boolean
  wide: number
  tall: number
  firstPage: number | undefined
  readonly rowBreaks: number[]
  readonly columnBreaks: number[]
  header: SheetHeaders | undefined
  footer: SheetHeaders | undefined
}

export const newPageReading = (): PageReading => ({
  page: { gridLines: false, headings: false, centerAcross: false, centerDown: false, order: 'down' },
  margins: defaultMargins,
  paper: letter,
  factor: 1,
  fits: false,
  wide: 1,
  tall: 1,
  firstPage: undefined,
  rowBreaks: [],
  columnBreaks: [],
  header: undefined,
  footer: undefined,
})

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true'

/** Reads an element that describes printing; others are ignored. */
export function readPageElement(cursor: XmlCursor, name: string, reading: PageReading, font: CellFont): void {
  const number = (attribute: string, fallback: number): number => {
    const value = Number(cursor.attribute(attribute) ?? fallback)
    return Number.isFinite(value) ? value : fallback
  }
  if (name === 's:sheetPr')
    cursor.each((child) => {
      if (child === 's:pageSetUpPr') reading.fits = isOn(cursor.attribute('fitToPage'))
    })
  else if (name === 's:printOptions') {
    reading.page.gridLines = isOn(cursor.attribute('gridLines'))
    reading.page.headings = isOn(cursor.attribute('headings'))
    reading.page.centerAcross = isOn(cursor.attribute('horizontalCentered'))
    reading.page.centerDown = isOn(cursor.attribute('verticalCentered'))
  } else if (name === 's:pageMargins') {
    const margin = (side: keyof PageMargins): number =>
      Math.min(49, Math.max(0, number(side, defaultMargins[side] / inch))) * inch
    reading.margins = {
      left: margin('left'),
      right: margin('right'),
      top: margin('top'),
      bottom: margin('bottom'),
      header: margin('header'),
      footer: margin('footer'),
    }
  } else if (name === 's:pageSetup') {
    // The orientation applies to the paper, so it is ignored if the paper is unknown. Observed in LibreOffice.
    const [width, height] = papers[number('paperSize', 1)] ?? letter
    const isLandscape = cursor.attribute('orientation') === 'landscape' && number('paperSize', 1) in papers
    reading.paper = isLandscape ? [height, width] : [width, height]
    reading.factor = Math.min(4, Math.max(0.1, number('scale', 100) / 100))
    reading.wide = Math.min(32_767, Math.max(0, number('fitToWidth', 1)))
    reading.tall = Math.min(32_767, Math.max(0, number('fitToHeight', 1)))
    reading.page.order = cursor.attribute('pageOrder') === 'overThenDown' ? 'across' : 'down'
    if (isOn(cursor.attribute('useFirstPageNumber'))) reading.firstPage = number('firstPageNumber', 1)
  } else if (name === 's:rowBreaks' || name === 's:colBreaks') {
    const breaks = name === 's:rowBreaks' ? reading.rowBreaks : reading.columnBreaks
    cursor.each(() => {
      const id = number('id', 0)
      if (id > 0 && breaks.length < maxBreaks && isOn(cursor.attribute('man') ?? '0')) breaks.push(id)
    })
  } else if (name === 's:headerFooter') readHeaders(cursor, reading, font)
}

function readHeaders(cursor: XmlCursor, reading: PageReading, font: CellFont): void {
  const evenDiffers = isOn(cursor.attribute('differentOddEven'))
  const firstDiffers = isOn(cursor.attribute('differentFirst'))
  const texts = new Map<string, string>()
  cursor.each((name) => texts.set(name.slice(2), cursor.text()))
  const variants = (kind: 'Header' | 'Footer'): SheetHeaders | undefined => {
    const of = (name: string) => readHeader(texts.get(`${name}${kind}`) ?? '', font)
    const sources = ['odd', evenDiffers ? 'even' : '', firstDiffers ? 'first' : '']
    if (!sources.some((name) => (texts.get(`${name}${kind}`) ?? '') !== '')) return undefined
    return {
      all: of('odd'),
      ...(evenDiffers && { even: of('even') }),
      ...(firstDiffers && { first: of('first') }),
    }
  }
  reading.header = variants('Header')
  reading.footer = variants('Footer')
}

/** The areas and titles that the names of the workbook define for a sheet (18.2.5). */
export interface PrintNames {
  readonly areas?: string
  readonly titles?: string
}

/** Resolves the page set-up of a sheet. */
export function pageOf(reading: PageReading, names: PrintNames): SheetPage {
  const scale: PrintScale = reading.fits
    ? { pagesWide: reading.wide, pagesTall: reading.tall }
    : { factor: reading.factor }
  const page: Writable<SheetPage> = {
    ...reading.page,
    areas: areasOf(names.areas ?? ''),
    width: reading.paper[0],
    height: reading.paper[1],
    margins: reading.margins,
    scale,
    rowBreaks: [...new Set(reading.rowBreaks)].sort((a, b) => a - b),
    columnBreaks: [...new Set(reading.columnBreaks)].sort((a, b) => a - b),
  }
  if (reading.firstPage !== undefined) page.firstPage = reading.firstPage
  if (reading.header !== undefined) page.header = reading.header
  if (reading.footer !== undefined) page.footer = reading.footer
  for (const text of referencesIn(names.titles ?? '')) {
    const range = parseRange(text)
    const to = range?.to ?? range?.from
    if (range === undefined || to === undefined) continue
    if (range.from.column === undefined && range.from.row !== undefined && to.row !== undefined)
      page.repeatRows = [range.from.row - 1, to.row - 1]
    else if (range.from.row === undefined && range.from.column !== undefined && to.column !== undefined)
      page.repeatColumns = [range.from.column - 1, to.column - 1]
  }
  return page
}

/** The maximum number of characters of a defined name that are read. Excel allows 8,192. */
const maxReferences = 100_000

/** The references of a list such as "'A, B'!$A$1:$B$2,Sheet1!$1:$3", without sheet names. */
function referencesIn(list: string): string[] {
  const references = list.slice(0, maxReferences).match(/(?:'(?:[^']|'')*'|[^,'])+/g) ?? []
  return references.slice(0, 1_000).map((text) => text.slice(text.lastIndexOf('!') + 1).trim())
}

function areasOf(list: string): CellArea[] {
  return referencesIn(list).flatMap((text) => areaOf(text) ?? [])
}

/**
 * Parses a reference such as 'B2:D9'; undefined for anything else. Entire rows and columns extend to the end of the sheet.
 */
export function areaOf(text: string): CellArea | undefined {
  const range = parseRange(text)
  if (range === undefined) return undefined
  const { from } = range
  const to = range.to ?? from
  const rows = [from.row ?? 1, to.row ?? 1_048_576].sort((a, b) => a - b)
  const columns = [from.column ?? 1, to.column ?? 16_384].sort((a, b) => a - b)
  return {
    top: (rows[0] ?? 1) - 1,
    bottom: (rows[1] ?? 1) - 1,
    left: (columns[0] ?? 1) - 1,
    right: (columns[1] ?? 1) - 1,
  }
}

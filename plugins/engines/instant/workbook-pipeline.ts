/**
 * The stages for workbooks: the model of sheets comes in, sheets are laid out (`layout/sheet/`), pages are painted
 * (`paint/`), a PDF or pictures go out.
 */
import type { Workbook } from '../../../shared/document/sheet.ts'
import type { DecodeWebp } from '../../../shared/plugin/contract.ts'
import type { Codec, Warning } from '../../../shared/plugin/values.ts'
import type { DocumentFonts, FontRequest } from './fonts/font-book.ts'
import type { FontsReport } from './fonts/report.ts'
import { drawingFontRequests } from './fonts-needed.ts'
import type { Page } from './layout/frame.ts'
import { createCellOwners } from './layout/sheet/cell-owners.ts'
import { fontsOf } from './layout/sheet/context.ts'
import { sheetDrawingDocument } from './layout/sheet/drawing-context.ts'
import { workbookPages } from './layout/sheet/layout-workbook.ts'
import { type PaintPages, paintRequested } from './paint/paint-pages.ts'
import type { PdfConformance, PictureCache } from './paint/pdf/paint-pdf.ts'
import { sheetStructure } from './paint/pdf/sheet-structure.ts'
import { createBudget, imagesOf, type PaintedResult, vectorsOf, warnMissing } from './pipeline.ts'

/** Everything that the conversion of one workbook needs. */
export interface WorkbookPipelineRequest {
  readonly workbook: Workbook
  readonly fonts: DocumentFonts
  readonly codec: Codec
  /** The instant at which the work must be done, in ms since the epoch. */
  readonly deadline: number
  readonly now: () => number
  readonly signal?: AbortSignal
  readonly maxPages?: number
  /** A cache of encoded pictures that outlives one workbook. */
  readonly pictures?: PictureCache
  /** Without it, WebP pictures become boxes with a warning. */
  readonly decodeWebp?: DecodeWebp
  /** Write a tagged PDF. */
  readonly tagged?: boolean
  /** The archive or accessibility standard that the file has to declare. */
  readonly conformance?: PdfConformance
  /** Whether fields of forms can be filled; absent: they can. */
  readonly formFields?: boolean
  /** The version in the header of the PDF, for example '1.5'. */
  readonly version?: string
  /** What the pages become; absent: one PDF. */
  readonly paint?: PaintPages
}

/**
 * Lays a workbook out and paints it. Throws AppError 'convert.timeout', 'layout.too-many-pages', 'layout.too-many-cells',
 * 'font.none', 'pdf.promise', or the reason of the signal.
 */
export function paintWorkbook(request: WorkbookPipelineRequest): PaintedResult {
  const { workbook, fonts } = request
  const warnings = new Map<string, Warning>()
  const warn = (warning: Warning): void => void warnings.set(`${warning.code} ${warning.message}`, warning)
  const budget = createBudget(request)
  const media = workbook.media ?? new Map<string, Uint8Array>()
  const owners = request.tagged === true ? createCellOwners() : undefined
  const laidOut = workbookPages({
    ...(owners !== undefined && { owners }),
    workbook,
    fonts,
    budget,
    now: request.now(),
    image: imagesOf(media, warn),
    vector: vectorsOf(media, { fonts, check: budget.check }, warn),
    warn,
  })
  // The structure of a tagged PDF is known when all pages are laid out. Others are painted as they are laid out.
  const pages = owners === undefined ? counted(laidOut) : [...laidOut]
  const { information } = workbook
  const structure = owners && sheetStructure(owners, sheetDrawingDocument(workbook))
  const files = paintRequested(request, pages, {
    information,
    check: budget.check,
    ...(structure !== undefined && { structure }),
    language: information.language,
    warn,
  })
  const report: FontsReport = fonts.report()
  warnMissing(report, warn)
  return { files, pages, warnings: [...warnings.values()], fonts: report }
}

/** Pages that are counted when they are taken, and not kept. */
function counted(pages: Iterable<Page>): Iterable<Page> & { readonly length: number } {
  let length = 0
  return {
    get length() {
      return length
    },
    *[Symbol.iterator]() {
      for (const page of pages) {
        length++
        yield page
      }
    },
  }
}

/** The maximum number of faces that are looked up ahead; others are found when they are drawn, if the host has them. */
const maxRequests = 500

/** The maximum number of characters outside Latin that are looked up ahead. */
const maxCharacters = 2000

/** Whether a text has no other characters. Texts of cells are short, and an expression takes twice as long for them. */
function isLatin(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x24f) return false
  return true
}

/** The families and characters of a workbook, for hosts that fetch fonts. */
export function sheetFontRequests(workbook: Workbook): FontRequest[] {
  const characters = new Set<string>()
  const see = (text: string): void => {
    if (isLatin(text)) return
    for (const character of text)
      if (character > '\u024f' && characters.size < maxCharacters) characters.add(character)
  }
  for (const { rows } of workbook.sheets)
    for (const { cells } of rows)
      for (const { value, shown: display } of cells) {
        if (display !== undefined) see(display)
        if (typeof value === 'string') see(value)
        else if (typeof value === 'object' && value.kind === 'rich')
          for (const { text } of value.runs) see(text)
      }
  const text = [...characters].join('')
  const requestedFaces = new Map<string, FontRequest>()
  for (const { family, bold = false, italic = false } of fontsOf(workbook))
    if (requestedFaces.size < maxRequests)
      requestedFaces.set(`${family} ${bold} ${italic}`, { family, bold, italic, text })
  const drawings = workbook.sheets.flatMap((sheet) =>
    (sheet.drawings ?? []).flatMap(({ drawing }) => (drawing === undefined ? [] : [drawing.content])),
  )
  if (drawings.length === 0) return [...requestedFaces.values()]
  return [...requestedFaces.values(), ...drawingFontRequests(sheetDrawingDocument(workbook), drawings)]
}

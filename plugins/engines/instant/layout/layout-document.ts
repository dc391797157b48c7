/**
 * Lays the document model out into pages. Page numbers in the text depend on the layout and change it, so
 * layout passes repeat until those numbers are stable, at most `maxPasses` times. Then the last result is
 * kept, with a warning.
 */
import type { Document } from '../../../../shared/document/document.ts'
import type { Warning } from '../../../../shared/plugin/values.ts'
import type { DocumentFonts } from '../fonts/font-book.ts'
import type { Hyphenators } from '../hyphenation.ts'
import type { ImageRef } from '../images/image.ts'
import { countLabels } from '../style/labels.ts'
import { createStyler, type Styler } from '../style/styler.ts'
import { createTableStyler } from '../style/table-style.ts'
import type { VectorPicture } from '../vector/vector.ts'
import { createRecord, type LayoutRecord } from './audit/record.ts'
import type { LayoutBudget, LayoutContext, PageReference, PageValues } from './context.ts'
import type { Frame, OutlineEntry, Page } from './frame.ts'
import { layoutContext } from './layout-context.ts'
import type { Ownership } from './ownership.ts'
import { layOutPages } from './pages/run.ts'

/**
 * The maximum number of layout passes. Page numbers in the text normally settle in two or three; a document that
 * still changes after five may alternate between two states forever.
 */
const maxPasses = 5

/** A document with everything that its layout needs from outside. */
export interface LayoutRequest {
  readonly document: Document
  readonly fonts: DocumentFonts
  readonly image: (media: string) => ImageRef | undefined
  readonly vector: (media: string) => VectorPicture | undefined
  readonly hyphenators?: Hyphenators
  readonly budget: LayoutBudget
  /** The time that date fields show, in ms since the epoch. */
  readonly now: number
  readonly warn: (warning: Warning) => void
  /** Receives which element each drawn item belongs to, for tagged PDF. */
  readonly ownership?: Ownership
}
/** The result of the last layout pass. */
export interface LaidOut {
  readonly pages: readonly Page[]
  readonly outline: readonly OutlineEntry[]
  readonly record: LayoutRecord
  readonly styler: Styler
}

/** Lays out a document. Throws AppError 'layout.too-many-pages' and whatever `budget.check` throws. */
export function layoutDocument(request: LayoutRequest): LaidOut {
  const { document } = request
  const styler = createStyler(document)
  const labels = countLabels(document, styler)
  const tableOf = createTableStyler(document.styles)
  const textStyles: LayoutContext['textStyles'] = new Map()
  const values: PageValues = {
    page: 1,
    pageFormat: 'decimal',
    section: 1,
    pages: 0,
    sectionPages: 0,
    now: request.now,
    bookmarks: new Map(),
    noteNumbers: new Map(),
    used: { pages: false, page: false, chapter: false, bookmarks: false },
  }
  let laid: LaidOut = { pages: [], outline: [], record: createRecord(), styler }
  for (let pass = 0; pass < maxPasses; pass++) {
    const outline: OutlineEntry[] = []
    const assumed = values.pages
    const record = createRecord()
    const context = layoutContext({
      ...request,
      styler,
      labels,
      tableOf,
      textStyles: textStyles,
      values,
      outline,
      record,
    })
    const { pages, noteNumbers: noteMarks } = layOutPages(context)
    laid = { pages, outline, record, styler }
    const bookmarks = values.used.bookmarks ? pagesOfBookmarks(pages) : values.bookmarks
    const settled =
      (!values.used.pages || assumed === pages.length) &&
      sameEntries(bookmarks, values.bookmarks, samePage) &&
      sameEntries(noteMarks, values.noteNumbers)
    replaceEntries(values.bookmarks, bookmarks)
    replaceEntries(values.noteNumbers, noteMarks)
    if (settled) return laid
  }
  request.warn({
    code: 'layout.page-numbers',
    message: 'Page numbers in the text kept changing from one layout pass to the next, so some may be wrong.',
  })
  return laid
}

/** The page that each bookmark is on. Nested frames are searched too. */
function pagesOfBookmarks(pages: readonly Page[]): Map<string, PageReference> {
  const bookmarks = new Map<string, PageReference>()
  const visit = (frame: Frame, page: PageReference): void => {
    for (const { item } of frame.items) {
      if (item.kind === 'mark' && !bookmarks.has(item.id)) bookmarks.set(item.id, page)
      else if (item.kind === 'group') visit(item.frame, page)
    }
  }
  pages.forEach((page, index) => {
    const format = formatsOfLabels[page.label?.style ?? 'decimal']
    visit(page.frame, { number: page.label?.number ?? index + 1, format })
  })
  return bookmarks
}

/** The number formats of documents for the page label styles of PDF. */
const formatsOfLabels = {
  none: 'decimal',
  decimal: 'decimal',
  roman: 'lowerRoman',
  ROMAN: 'upperRoman',
  alpha: 'lowerLetter',
  ALPHA: 'upperLetter',
} as const

function replaceEntries<Value>(target: Map<string, Value>, source: ReadonlyMap<string, Value>): void {
  if (source === target) return
  target.clear()
  for (const [name, value] of source) target.set(name, value)
}

function sameEntries<Value>(
  a: ReadonlyMap<string, Value>,
  b: ReadonlyMap<string, Value>,
  same: (first: Value, second: Value | undefined) => boolean = Object.is,
): boolean {
  if (a === b) return true
  if (a.size !== b.size) return false
  for (const [name, value] of a) if (!same(value, b.get(name))) return false
  return true
}

const samePage = (first: PageReference, second: PageReference | undefined): boolean =>
  first.number === second?.number && first.format === second.format

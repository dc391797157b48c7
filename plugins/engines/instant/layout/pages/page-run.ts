import type { Section } from '../../../../../shared/document/section.ts'
import { word } from '../../compat/word.ts'
import type { LayoutContext } from '../context.ts'
import type { Placed, Pt } from '../frame.ts'
import { Chapters, type PageHeadings } from './chapters.ts'
import { HeaderFooterCache } from './header-cache.ts'
import { LineCounter } from './line-numbers.ts'
import { type ContinuedNote, Footnotes } from './notes.ts'
import type { OpenPage } from './page.ts'

/**
 * The state of one layout pass over the sections of a document. At most one page is open at a time, and text is
 * filled into it; closed pages wait in `closed` until the number of all pages is known. The fields that change
 * are `page`, `number`, `pageInStyle` and `continuedNotes`; the lists only grow.
 */
export interface PageRun {
  readonly context: LayoutContext
  readonly sections: readonly Section[]
  readonly headersAndFooters: HeaderFooterCache
  readonly lines: LineCounter
  readonly chapters: Chapters
  /** The footnotes by the width of the text area. */
  readonly footnotes: Map<Pt, Footnotes>
  /** The pages that are filled, in order. */
  readonly closed: ClosedPage[]
  /** Keys of the endnotes that the text refers to, in order. */
  readonly endnotes: string[]
  /** The numbers of footnotes that restart on each page; the next layout pass shows them in the text. */
  readonly noteNumbers: Map<string, string>
  /** The number of pages of each section, by its index. */
  readonly pagesInSection: number[]
  /** The page being filled. */
  page: OpenPage | undefined
  /** The displayed number of the page opened last. */
  number: number
  /** How many pages of the current page style precede the open page. */
  pageInStyle: number
  /** Footnotes that continue on the next page. */
  continuedNotes: readonly ContinuedNote[]
}

/** A page with all its text and notes, but without header and footer, which may show the number of pages. */
export interface ClosedPage {
  readonly page: OpenPage
  /** The items of the page in the order of the text, with the numbers of its lines. */
  readonly text: readonly Placed[]
  readonly headings: PageHeadings
  /** An empty page, inserted so that the next page is on the correct side of the sheet. */
  readonly isBlank?: boolean
}

export function startRun(context: LayoutContext): PageRun {
  const { sections, notes, comments } = context.document
  return {
    context,
    sections: word.notesAddNoParagraph
      ? sections
      : sections.map((section) => withParagraph(section, notes.size + (comments?.size ?? 0))),
    headersAndFooters: new HeaderFooterCache(context),
    lines: new LineCounter(context),
    chapters: new Chapters(),
    footnotes: new Map(),
    closed: [],
    endnotes: [],
    noteNumbers: new Map(),
    pagesInSection: [],
    page: undefined,
    number: 0,
    pageInStyle: 0,
    continuedNotes: [],
  }
}

/** Adds an empty paragraph before a table that begins the section, if the document has notes or comments. */
function withParagraph(section: Section, notes: number): Section {
  if (notes === 0 || section.blocks[0]?.kind !== 'table') return section
  return {
    ...section,
    blocks: [{ kind: 'paragraph', properties: {}, mark: {}, inlines: [] }, ...section.blocks],
  }
}

/** The footnotes laid out at one width. */
export function footnotesAt({ context, footnotes }: PageRun, width: Pt): Footnotes {
  let notes = footnotes.get(width)
  if (notes === undefined) footnotes.set(width, (notes = new Footnotes(context, width)))
  return notes
}

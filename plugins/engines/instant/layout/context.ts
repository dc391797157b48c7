/**
 * The shared state of all stages of the layout; one object for each document and layout pass. `flows` closes a cycle:
 * tables contain flows and flows contain tables, so both call it in place of importing each other.
 */
import type { Block } from '../../../../shared/document/content.ts'
import type { Document } from '../../../../shared/document/document.ts'
import type { Drawing } from '../../../../shared/document/drawing.ts'
import type { LineNumbers } from '../../../../shared/document/section.ts'
import type { Table } from '../../../../shared/document/table.ts'
import type { Warning } from '../../../../shared/plugin/values.ts'
import type { DocumentFonts } from '../fonts/font-book.ts'
import type { Hyphenators } from '../hyphenation.ts'
import type { ImageRef } from '../images/image.ts'
import type { CellTextFormat, ComputedRun } from '../style/computed.ts'
import type { ListLabels } from '../style/labels.ts'
import type { Styler } from '../style/styler.ts'
import type { ComputedTable } from '../style/table-style.ts'
import type { VectorPicture } from '../vector/vector.ts'
import type { LayoutRecord } from './audit/record.ts'
import type { FilledRegion, FillRequest, FlowPosition, PreparedFlow } from './flow/types.ts'
import type { OutlineEntry, Placed } from './frame.ts'
import type { TextStyle } from './inline/types.ts'
import type { Ownership } from './ownership.ts'

export interface LayoutContext {
  readonly document: Document
  readonly styler: Styler
  readonly tableOf: (table: Table) => ComputedTable
  readonly labels: ListLabels
  readonly fonts: DocumentFonts
  /** The text styles of each computed run, cached by `inline/text-style.ts`. */
  readonly textStyles: Map<ComputedRun, TextStyle[]>
  /** The raster image of a media name; undefined when it cannot be drawn. Decoded once. */
  readonly image: (media: string) => ImageRef | undefined
  /** The same for vector pictures: SVG and metafiles. */
  readonly vector: (media: string) => VectorPicture | undefined
  /** Where words may be divided; absent when the document is not hyphenated. */
  readonly hyphenators?: Hyphenators
  readonly values: PageValues
  readonly budget: LayoutBudget
  readonly warn: (warning: Warning) => void
  /** The headings in order, for the outline of the PDF. Preparing a heading appends to it. */
  readonly outline: OutlineEntry[]
  readonly flows: FlowLayout
  /** The facts about drawn items that the audit reads. */
  readonly record: LayoutRecord
  /** Present when the PDF is tagged. */
  readonly ownership?: Ownership
  /** A buffer that is reused for every paragraph; see `breakFlags` in `inline/cut-text.ts`. */
  readonly scratch: { flags: Uint8Array }
}

/** Layout of nested blocks: for cells, text boxes, headers and notes. */
export interface FlowLayout {
  prepare(blocks: readonly Block[], request: PrepareRequest): PreparedFlow
  fill(flow: PreparedFlow, from: FlowPosition, request: FillRequest): FilledRegion
  draw(drawing: Drawing, width: number, height: number): Placed[]
}
/** The surroundings in which blocks are prepared. */
export interface PrepareRequest {
  readonly width: number
  /** Formatting of the table style that applies to the cell. */
  readonly format?: CellTextFormat
  readonly grid?: number // line pitch of a document grid
  /** Text of a note: the key of the note, whose number `note-mark` shows. */
  readonly note?: string
  /** The colour behind the text. */
  readonly background?: string
  /** Inside a table cell, where text frames are laid out as ordinary paragraphs (observed in LibreOffice). */
  readonly cell?: boolean
  /** How the lines of the body are numbered. */
  readonly lineNumbers?: LineNumbers
  /** Set in headers, cells, boxes and notes, whose headings do not enter the outline and whose lines are not numbered. */
  readonly inner?: boolean
  /** Set in a header or footer, including the cells of its tables. */
  readonly inHeaderFooter?: boolean | undefined
}

/**
 * The values that fields show. The pager sets them while it opens and closes pages; `used` records which
 * kinds of fields occurred, and only those can require another layout pass.
 */
export interface PageValues {
  page: number // as displayed
  pageFormat: string
  section: number
  /**
   * The number of pages of the document, and below of the section; 0 until the first pass has counted them.
   */
  pages: number
  sectionPages: number
  /** Set while a header or footer is laid out: returns the heading of the page, down to an outline level. */
  chapter?: (level: number) => OutlineEntry | undefined
  /** The time that date fields show, in milliseconds since the epoch. */
  readonly now: number
  /** The page of each bookmark, as found in the previous pass. */
  readonly bookmarks: Map<string, PageReference>
  /** The numbers of footnotes that restart on each page, as found in the previous pass. */
  readonly noteNumbers: Map<string, string>
  readonly used: { pages: boolean; page: boolean; chapter: boolean; bookmarks: boolean }
}

/** The page of a bookmark: its number, and the format in which the page shows it. */
export interface PageReference {
  readonly number: number
  readonly format: string
}

/** Bounds the work. Every loop over content calls `check`, so no document can run forever. */
export interface LayoutBudget {
  /**
   * Throws AppError 'convert.timeout' or the abort reason. The call is cheap: it reads the clock only once in many steps.
   * `steps` is the amount of work since the previous call and defaults to 1.
   */
  check(steps?: number): void
  /** The maximum number of pages. */
  readonly pages: number
}

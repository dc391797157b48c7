/**
 * What every stage of the layout may ask for. One object for one document; `flow` is filled in by `pages/`, since
 * tables hold flows and flows tables.
 */
import type { Block, Document } from '../../../../shared/document/document.ts'
import type { Drawing } from '../../../../shared/document/drawing.ts'
import type { LineNumbers } from '../../../../shared/document/section.ts'
import type { Table } from '../../../../shared/document/table.ts'
import type { Warning } from '../../../../shared/plugin/contract.ts'
import type { DocumentFonts } from '../fonts/font-book.ts'
import type { Hyphenators } from '../hyphenation.ts'
import type { ImageRef } from '../images/image.ts'
import type { CellTextFormat, ComputedRun } from '../style/computed.ts'
import type { Labels } from '../style/labels.ts'
import type { Styler } from '../style/styler.ts'
import type { ComputedTable } from '../style/table-style.ts'
import type { VectorPicture } from '../vector/vector.ts'
import type { LayoutRecord } from './audit/record.ts'
import type { Filled, FillRequest, Flow, Position } from './flow/types.ts'
import type { OutlineEntry, Placed } from './frame.ts'
import type { Look } from './inline/look.ts'
import type { Ownership } from './ownership.ts'

export interface LayoutContext {
  readonly document: Document
  readonly styler: Styler
  readonly tableOf: (table: Table) => ComputedTable
  readonly labels: Labels
  readonly fonts: DocumentFonts
  readonly looks: Map<ComputedRun, Look[]>
  /** The picture behind a media name; undefined when it cannot be drawn. Read once. */
  readonly image: (media: string) => ImageRef | undefined
  /** The same for pictures of lines and text: SVG and metafiles. */
  readonly vector: (media: string) => VectorPicture | undefined
  /** Where words may be divided; absent when no text asks. */
  readonly hyphenators?: Hyphenators
  readonly values: PageValues
  readonly budget: Budget
  readonly warn: (warning: Warning) => void
  /** Headings of the text in order, for the outline of the PDF. */
  readonly outline: OutlineEntry[]
  readonly flows: FlowLayout
  readonly record: LayoutRecord
  /** Kept where the PDF is to know its structure. */
  readonly ownership?: Ownership
  /** Room that is used again and again. */
  readonly scratch: { flags: Uint8Array }
}

/** How blocks are laid out, for those who hold blocks: cells, text boxes, headers, notes. */
export interface FlowLayout {
  prepare(blocks: readonly Block[], request: PrepareRequest): Flow
  fill(flow: Flow, from: Position, request: FillRequest): Filled
  draw(drawing: Drawing, width: number, height: number): Placed[]
}
export interface PrepareRequest {
  readonly width: number
  readonly format?: CellTextFormat
  readonly grid?: number // pitch of the lines of a document grid
  /** Text of a note: the key that `note-mark` shows. */
  readonly note?: string
  /** Colour behind the text. */
  readonly ground?: string
  /** Inside a table cell: frames beside the text are not (observed in LibreOffice). */
  readonly cell?: boolean
  /** Lines of the text are numbered. */
  readonly lineNumbers?: LineNumbers
  /** Blocks inside headers, cells and boxes do not break pages. */
  readonly inner?: boolean
  /** In a header or footer, cells within included. */
  readonly inBand?: boolean | undefined
}

/** What fields show. Changed between passes; `used` remembers whether anything asked. */
export interface PageValues {
  page: number // as displayed
  pageFormat: string
  section: number
  pages: number
  sectionPages: number
  /** While a header or footer is laid out: the heading down to a level that it stands under. */
  chapter?: (level: number) => OutlineEntry | undefined
  /** ms since the epoch. */
  readonly now: number
  /** Pages of bookmarks, as found in the pass before. */
  readonly bookmarks: Map<string, string>
  /** Marks of the foot notes that count anew on each page, as found in the pass before. */
  readonly noteMarks: Map<string, string>
  readonly used: { pages: boolean; page: boolean; bookmarks: boolean }
}

/** Every loop over the document's content draws on this, so that none is endless. */
export interface Budget {
  /** Throws AppError 'convert.timeout' or the abort reason. Cheap: looks at the clock now and then. */
  check(): void
  readonly pages: number
}

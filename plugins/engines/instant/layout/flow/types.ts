import type { Inset } from '../../../../../shared/document/box.ts'
import type { Paragraph } from '../../../../../shared/document/content.ts'
import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { TextFrame } from '../../../../../shared/document/properties.ts'
import type { LineNumbers } from '../../../../../shared/document/section.ts'
import type { ComputedParagraph } from '../../style/computed.ts'
import type { Placed, Pt } from '../frame.ts'
import type { InlineContent, LineBox } from '../inline/types.ts'
import type { PreparedTable, TablePosition } from '../table/types.ts'
import type { Exclusion } from './exclusion.ts'

/** Blocks prepared for layout at one width. */
export interface PreparedFlow {
  readonly blocks: readonly PreparedBlock[]
  readonly width: Pt
}
export type PreparedBlock = PreparedParagraph | PreparedTable | PreparedFloating

/**
 * A paragraph ready for layout. `lines` and `around` are caches that breaking its lines fills (`break-lines.ts`,
 * `distribute/lines.ts`).
 */
export interface PreparedParagraph {
  readonly kind: 'paragraph'
  readonly source: Paragraph
  readonly style: ComputedParagraph
  /** The drop cap; computed when the paragraph is first placed, since its size depends on the lines. */
  readonly dropped?: (width: Pt) => DroppedLetters | undefined
  /**
   * The text segments; collected when the paragraph is first placed, so that page fields show the right page.
   */
  readonly content: () => InlineContent
  /** The lines at the full width of the flow; broken when they are first needed. */
  lines?: readonly LineBox[]
  /** The lines as they were last set around obstacles; the part on the next page continues from them. */
  around?: readonly LineBox[]
  /** The drawings that are anchored in the paragraph. */
  readonly anchors: readonly Drawing[]
  /** The paragraph shares its border box with the previous one. */
  readonly joinsAbove: boolean
  /** The paragraph shares its border box with the next one. */
  readonly joinsBelow: boolean
  /** The paragraph is the first one of its text section, or follows a section inside it (ODF). */
  readonly opensSection?: boolean
  /** The id of the heading for the outline. */
  readonly bookmark?: string
  readonly lineNumbers?: LineNumbers
  /** The line pitch of the document grid. */
  readonly grid?: Pt
  /** The colour behind the text, from which an automatic text colour follows. */
  readonly background?: string
  /** The margins of the section of the text that the paragraph is in. */
  readonly within?: Inset
}

/** The drop cap of a paragraph, drawn over several of its lines. */
export interface DroppedLetters {
  /** Positioned from the left of the text and the top of the first line. */
  readonly items: readonly Placed[]
  /** Includes the distance to the text. */
  readonly width: Pt
  readonly height: Pt
  /** How many lines the letters span. */
  readonly lines: number
  /** The paragraph without these letters. */
  readonly rest: Paragraph
}

/** The width of a block in a flow. */
export const widthOf = ({ width }: PreparedFlow, block: PreparedBlock): Pt =>
  block.within === undefined ? width : insetWidth(width, block.within)
/** A width without the margins of a section; at least one point. */
export const insetWidth = (width: Pt, { left, right }: Inset): Pt => Math.max(1, width - left - right)

/** A text frame: paragraphs beside the text, or a drop cap of Word. */
export interface PreparedFloating {
  readonly kind: 'floating'
  readonly frame: TextFrame
  readonly flow: PreparedFlow
  readonly width: Pt
  readonly within?: Inset
}

/** The position at which a flow continues: a block, and a line or table position inside it. */
export interface FlowPosition {
  readonly block: number
  readonly line: number
  readonly table?: TablePosition
  /** The page or column break before this position has been made already. */
  readonly broken?: boolean
}
export const flowStart: FlowPosition = { block: 0, line: 0 }

/** The page that a region belongs to, in points. In cells the page height is 0. */
export interface PageGeometry {
  readonly pageWidth: Pt
  readonly pageHeight: Pt
  readonly marginLeft: Pt
  readonly marginRight: Pt
  readonly marginTop: Pt
  readonly marginBottom: Pt
  /** Whether the page is an odd one, whose inside is at the left. */
  readonly odd: boolean
}

/** A region to fill and its surroundings. */
export interface FillRequest {
  /** The available height; Infinity to measure. */
  readonly height: Pt
  /**
   * The text above the region: none at the start of the document, an automatic page break, a manual one, or more text
   * of the same page.
   */
  readonly top: 'start' | 'natural' | 'forced' | 'after'
  /** The space after the text above; absent for none. */
  readonly above?: Pt
  /** The region is as large as it can get: something must be placed even if it does not fit. */
  readonly mustPlace: boolean
  /** The page position of the top left of the region. */
  readonly origin: { readonly x: Pt; readonly y: Pt }
  readonly geometry: PageGeometry
  /** Shared by the regions of a page: placing a float adds to it. */
  readonly exclusions: Exclusion[]
  /** The region is one of several columns. */
  readonly isColumn?: boolean
  /** Text runs through floats, as in most headers and footers. */
  readonly overlaps?: boolean
  /**
   * The region is a cell: a paragraph may be split after any line without regard to widows, and keeps its space
   * above on the next page.
   */
  readonly partsAnywhere?: boolean
  readonly notes?: NoteSpace
}

/** The height that footnotes need at the bottom of the region. */
export interface NoteSpace {
  /** The height for these notes in addition to those already on the page. */
  height(notes: readonly string[]): Pt
  /** The same when only the first line of the last note is shown and the rest moves to the next page. */
  minHeight(notes: readonly string[]): Pt
}

/**
 * The placed content of a region. Items are positioned from the top left of the region, in the layers behind, within
 * and in front of the text.
 */
export interface FilledRegion {
  readonly items: Placed[]
  readonly behind: Placed[]
  readonly front: Placed[]
  /** The used height, including the space after the last paragraph. */
  readonly height: Pt
  /** The part of the height that is only space after. */
  readonly trailing: Pt
  /** The part of the height that multiple line spacing adds below the last line. */
  readonly slack: Pt
  /** The slack of a line in the font of the last paragraph itself; 0 where `slack` is. */
  readonly fontSlack: Pt
  /** Where the next region continues; absent when all blocks are placed. */
  readonly next?: FlowPosition
  /** The manual break that ended the region. */
  readonly broke?: 'page' | 'column'
  /** Keys of the notes that the placed text refers to. */
  readonly notes: readonly string[]
  /** The bottom of the lowest float in the region, in page coordinates; 0 when there is none. */
  readonly reach: Pt
  /** Nothing was placed. */
  readonly empty: boolean
}

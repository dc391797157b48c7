import type { Inset, Paragraph } from '../../../../../shared/document/document.ts'
import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { TextFrame } from '../../../../../shared/document/properties.ts'
import type { LineNumbers } from '../../../../../shared/document/section.ts'
import type { ComputedParagraph } from '../../style/computed.ts'
import type { Placed, Pt } from '../frame.ts'
import type { Content } from '../inline/content.ts'
import type { Line } from '../inline/line.ts'
import type { PreparedTable, TablePosition } from '../table/types.ts'
import type { DroppedLetters } from './drop-cap.ts'

/** Blocks prepared for layout at one width. */
export interface Flow {
  readonly blocks: readonly Prepared[]
  readonly width: Pt
}
export type Prepared = PreparedParagraph | PreparedTable | PreparedFloating

/** A paragraph ready for layout. `lines` and `around` are caches that `fill.ts` and `paragraph.ts` write. */
export interface PreparedParagraph {
  readonly kind: 'paragraph'
  readonly source: Paragraph
  readonly style: ComputedParagraph
  /** The drop cap; computed when the paragraph is first placed, since its size depends on the lines. */
  readonly dropped?: (width: Pt) => DroppedLetters | undefined
  /**
   * The text segments; collected when the paragraph is first placed, so that page fields show the right page.
   */
  readonly content: () => Content
  /** The lines at the full width of the flow; broken when they are first needed. */
  lines?: readonly Line[]
  /** The lines as they were last set around obstacles; the part on the next page continues from them. */
  around?: readonly Line[]
  /** The drawings that are anchored in the paragraph. */
  readonly anchors: readonly Drawing[]
  /** The paragraph shares its border box with the previous one. */
  readonly joinsAbove: boolean
  /** The paragraph shares its border box with the next one. */
  readonly joinsBelow: boolean
  /** The id of the heading for the outline. */
  readonly mark?: string
  readonly lineNumbers?: LineNumbers
  /** The line pitch of the document grid. */
  readonly grid?: Pt
  /** The colour behind the text, from which an automatic text colour follows. */
  readonly ground?: string
  /** The margins of the section of the text that the paragraph is in. */
  readonly within?: Inset
}

/** The width of a block in a flow. */
export const widthOf = ({ width }: Flow, block: Prepared): Pt =>
  block.within === undefined ? width : insetWidth(width, block.within)
/** A width without the margins of a section; at least one point. */
export const insetWidth = (width: Pt, { left, right }: Inset): Pt => Math.max(1, width - left - right)

/** A text frame: paragraphs beside the text, or a drop cap of Word. */
export interface PreparedFloating {
  readonly kind: 'floating'
  readonly frame: TextFrame
  readonly flow: Flow
  readonly width: Pt
  readonly within?: Inset
}

/** The position at which a flow continues: a block, and a line or table position inside it. */
export interface Position {
  readonly block: number
  readonly line: number
  readonly table?: TablePosition
  /** The page or column break before this position has been made already. */
  readonly broken?: boolean
}
export const flowStart: Position = { block: 0, line: 0 }

/** A box that text must not enter, in page coordinates. */
export interface Exclusion {
  readonly left: Pt
  readonly top: Pt
  readonly right: Pt
  readonly bottom: Pt
  /**
   * The sides on which text may run: the wider one for 'largest' and 'roomy', for the latter only if it is
   * wide enough.
   */
  readonly side: 'both' | 'left' | 'right' | 'largest' | 'roomy' | 'none'
  /**
   * How a table avoids the box: below it, or to the right of it. `left` and `right` are the box without its
   * distances. Absent: tables run through.
   */
  readonly tables?: { readonly to: 'below' | 'behind'; readonly left: Pt; readonly right: Pt }
  /** The part of the box at its bottom that is only distance to the text. */
  readonly gap?: Pt
  /** Text comes as near as this outline inside the box, except for the distances at its sides. */
  readonly contour?: Contour
}

/** An outline on the page. `points` alternates x and y; `left` and `right` are distances to the text. */
export interface Contour {
  readonly points: readonly Pt[]
  readonly left: Pt
  readonly right: Pt
}

/** The page that a region belongs to, in points. In cells the page height is 0. */
export interface Geometry {
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
   * What is above the region: the start of the text, an automatic page break, a manual one, or more text of
   * the same page.
   */
  readonly top: 'start' | 'natural' | 'forced' | 'after'
  /** The space after the text above; absent for none. */
  readonly above?: Pt
  /** The region is as large as it can get: something must be placed even if it does not fit. */
  readonly mustPlace: boolean
  /** The page position of the top left of the region. */
  readonly origin: { readonly x: Pt; readonly y: Pt }
  readonly geometry: Geometry
  /** Shared by the regions of a page: placing a float adds to it. */
  readonly exclusions: Exclusion[]
  /** Text runs through floats: in headers and footers, as observed in LibreOffice. */
  readonly overlaps?: boolean
  /**
   * In cells a paragraph may be split after any line without regard to widows, and keeps its space above on
   * the next page (observed in LibreOffice).
   */
  readonly partsAnywhere?: boolean
  readonly notes?: NoteRoom
}

/** The height that footnotes need at the bottom of the region. */
export interface NoteRoom {
  /** The height for these notes in addition to those already on the page. */
  height(notes: readonly string[]): Pt
  /** The same when only the first line of the last note is shown and the rest moves to the next page. */
  least(notes: readonly string[]): Pt
}

/**
 * What was placed into a region. Items are positioned from the top left of the region, in the layers behind,
 * within and in front of the text.
 */
export interface Filled {
  readonly items: Placed[]
  readonly behind: Placed[]
  readonly front: Placed[]
  /** The used height, including the space after the last paragraph. */
  readonly height: Pt
  /** The part of the height that is only space after. */
  readonly trailing: Pt
  /** The part of the height that multiple line spacing adds below the last line. */
  readonly slack: Pt
  /** Where the next region continues; absent when all blocks are placed. */
  readonly next?: Position
  /** The manual break that ended the region. */
  readonly broke?: 'page' | 'column'
  /** Keys of the notes that the placed text refers to. */
  readonly notes: readonly string[]
  /** The bottom of the lowest float in the region, in page coordinates; 0 when there is none. */
  readonly reach: Pt
  /** Nothing was placed. */
  readonly empty: boolean
}

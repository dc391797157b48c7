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

/** Blocks made ready for one width. */
export interface Flow {
  readonly blocks: readonly Prepared[]
  readonly width: Pt
}
export type Prepared = PreparedParagraph | PreparedTable | PreparedFloating

export interface PreparedParagraph {
  readonly kind: 'paragraph'
  readonly source: Paragraph
  readonly style: ComputedParagraph
  /** Letters over several lines; known when the paragraph is first placed. */
  readonly dropped?: (width: Pt) => DroppedLetters | undefined
  /** Collected when first placed, so that page fields know their page. */
  readonly content: () => Content
  /** Lines at the flow's full width; made when first needed. */
  lines?: readonly Line[]
  /** Lines as they were last set around what floats; those on later pages go on from them. */
  around?: readonly Line[]
  readonly anchors: readonly Drawing[]
  readonly joinsAbove: boolean // shares its border box with the paragraph before
  readonly joinsBelow: boolean
  readonly mark?: string // id of the heading for the outline
  readonly lineNumbers?: LineNumbers
  readonly grid?: Pt
  readonly ground?: string
  readonly within?: Inset
}

/** The width of a block in a flow. */
export const widthOf = ({ width }: Flow, block: Prepared): Pt =>
  block.within === undefined ? width : insetWidth(width, block.within)
/** What margins leave of a width; never nothing. */
export const insetWidth = (width: Pt, { left, right }: Inset): Pt => Math.max(1, width - left - right)

/** Paragraphs that stand beside the text, or a drop cap. */
export interface PreparedFloating {
  readonly kind: 'floating'
  readonly frame: TextFrame
  readonly flow: Flow
  readonly width: Pt
  readonly within?: Inset
}

/** Where to go on: a block, and a line or table position inside it. */
export interface Position {
  readonly block: number
  readonly line: number
  readonly table?: TablePosition
  /** A page or column break has already been made for what follows. */
  readonly broken?: boolean
}
export const flowStart: Position = { block: 0, line: 0 }

/** A box of the page that text must not enter; page coordinates. */
export interface Exclusion {
  readonly left: Pt
  readonly top: Pt
  readonly right: Pt
  readonly bottom: Pt
  readonly side: 'both' | 'left' | 'right' | 'largest' | 'roomy' | 'none'
  /** Where a table goes that would stand in the box, its distances at the sides left out; absent: through it. */
  readonly tables?: { readonly to: 'below' | 'behind'; readonly left: Pt; readonly right: Pt }
  /** Of the box, what is only distance at its foot. */
  readonly gap?: Pt
  /** Inside the box: text comes as near as this outline, kept away by the distances at its sides. */
  readonly contour?: Contour
}

/** `points` are x, y pairs on the page. */
export interface Contour {
  readonly points: readonly Pt[]
  readonly left: Pt
  readonly right: Pt
}

export interface Geometry {
  readonly pageWidth: Pt
  readonly pageHeight: Pt
  readonly marginLeft: Pt
  readonly marginRight: Pt
  readonly marginTop: Pt
  readonly marginBottom: Pt
  /** Whether inside is left: an odd page. */
  readonly odd: boolean
}

export interface FillRequest {
  readonly height: Pt // room; Infinity to measure
  /** What is above: the start of the text, a natural page break, one made by hand, more text of the same flow. */
  readonly top: 'start' | 'natural' | 'forced' | 'after'
  /** Space after the text above; absent: none. */
  readonly above?: Pt
  /** The empty room is as large as it gets: something must be placed even if it does not fit. */
  readonly mustPlace: boolean
  readonly origin: { readonly x: Pt; readonly y: Pt } // of the region, on the page
  readonly geometry: Geometry
  /** Shared by the regions of a page; floats are added to it. */
  readonly exclusions: Exclusion[]
  /** Text goes through what floats: in headers and footers, as observed in LibreOffice. */
  readonly overlaps?: boolean
  /** In cells paragraphs part after any line, widows or not, and go on below their space above (observed in LibreOffice). */
  readonly partsAnywhere?: boolean
  readonly notes?: NoteRoom
}

/** How much of the region's foot notes would take. */
export interface NoteRoom {
  /** Height needed for these notes in addition to those on the page already. */
  height(notes: readonly string[]): Pt
  /** The same with only a first line of the last note; the rest goes on at the foot of the next page. */
  least(notes: readonly string[]): Pt
}

export interface Filled {
  readonly items: Placed[]
  readonly behind: Placed[]
  readonly front: Placed[]
  readonly height: Pt // used, with the space after the last paragraph
  /** Of the height, what is only space after. */
  readonly trailing: Pt
  /** Of the height, what a multiple of the line adds below the last text. */
  readonly slack: Pt
  readonly next?: Position
  readonly broke?: 'page' | 'column'
  readonly notes: readonly string[]
  /** Foot of what floats in the region, page coordinates; 0 when nothing does. */
  readonly reach: Pt
  readonly empty: boolean // nothing was placed
}

import type { Background } from './background.ts'
import type { Columns, Inset, Sides } from './box.ts'
import type { Block } from './content.ts'
import type { Color } from './paint.ts'
import type { Border, ParagraphBorders } from './properties.ts'

/** A part of the document with one page set-up. */
export interface Section {
  readonly properties: SectionProperties
  readonly headers: PageVariants
  readonly footers: PageVariants
  readonly blocks: readonly Block[]
  /**
   * ODF: page set-ups to apply one after the other, where page styles name a following style; absent: all
   * pages use the section's set-up.
   */
  readonly pages?: PageSequence
}

/** A sequence of page set-ups that ends in a cycle. */
export interface PageSequence {
  /** The first is that of the section itself; their `blocks` are empty. */
  readonly sets: readonly Section[]
  /** Index in `sets` at which the sequence continues after the last one. */
  readonly repeatFrom: number
}

/**
 * Headers or footers of a section. An absent one is inherited from the previous section; an empty list of
 * blocks hides it.
 */
export interface PageVariants {
  readonly default?: readonly Block[]
  readonly first?: readonly Block[]
  readonly even?: readonly Block[]
}

/** The page layout of a section. Lengths are in points. */
export interface SectionProperties {
  readonly start: 'next-page' | 'continuous' | 'even-page' | 'odd-page' | 'next-column'
  readonly width: number
  readonly height: number
  readonly margins: PageMargins
  readonly columns: Columns
  /** The first page has a header and footer of its own. */
  readonly titlePage: boolean
  readonly pageNumber: { readonly start?: number; readonly format: string }
  readonly verticalAlign: 'top' | 'center' | 'bottom' | 'justify'
  readonly grid?: { readonly type: 'lines' | 'lines-and-characters'; readonly linePitch: number }
  readonly borders?: PageBorders
  /** Exceptions of this section to the settings of the document. */
  readonly footnotes?: Partial<NoteSettings>
  readonly endnotes?: Partial<NoteSettings>
  readonly rightToLeft: boolean
  readonly lineNumbers?: LineNumbers
  readonly background?: Color
  /** Picture or hatch painted over the background colour (ODF). */
  readonly backdrop?: Background
  /** Distance between the edges of the page and those of the backdrop. */
  readonly backdropInsets?: Required<Sides>
  /**
   * Left and right margins are swapped on even pages (ODF page layouts; Word has one setting for the whole
   * document).
   */
  readonly mirrored?: boolean
  /** ODF: all pages are right or left ones; absent: both. */
  readonly side?: 'right' | 'left'
  /** ODF: set-up of the pages after the first, where the page style names a following style. */
  readonly following?: SectionProperties
  /** ODF: borders, padding and background of header and footer. */
  readonly headerBoxes?: { readonly header?: HeaderFooterBox; readonly footer?: HeaderFooterBox }
  /** ODF: this is a text section with columns; its indents and background apply on every page it spans. */
  readonly inset?: Inset
}

/** The box of a header or footer, which lies between the page margins. */
export interface HeaderFooterBox {
  readonly lines: ParagraphBorders
  /**
   * Distance from the edge of the box to the text: border width plus padding; at the sides also the margins.
   */
  readonly insets: Required<Sides>
  /** Distance from the left page margin to the edge of the box. */
  readonly left: number
  /** The same on the right. */
  readonly right: number
  readonly minHeight: number // minimum height
  readonly background?: Color
}

/** The distances between the edges of the page and its text, in points. */
export interface PageMargins {
  /**
   * A negative top or bottom is exact: a tall header or footer does not push the text (ECMA-376-1 17.6.11).
   */
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly left: number
  readonly header: number // page edge to header
  readonly footer: number
  readonly gutter: number
  /** The gutter is on the right, unless facing pages are mirrored. */
  readonly gutterAtRight?: boolean
  /** ODF: minimum distance between header and text. */
  readonly headerGap?: number
  /** ODF: minimum distance between text and footer. */
  readonly footerGap?: number
  /**
   * ODF: distance between text and a footer that starts at the top of its area; absent: the footer is aligned
   * with the bottom margin.
   */
  readonly footerSpacing?: number
}

export interface PageBorders {
  readonly top?: Border
  readonly right?: Border
  readonly bottom?: Border
  readonly left?: Border
  readonly from: 'page' | 'text'
  readonly show: 'all' | 'first' | 'not-first'
}

export interface LineNumbers {
  readonly every: number
  readonly start: number
  readonly distance?: number
  readonly restart: 'page' | 'section' | 'continuous'
  readonly format?: string // as in Level.format
  /** Id of the run style of the numbers. */
  readonly style?: string
  /** Empty lines are not counted (ODF). */
  readonly skipsEmpty?: boolean
}

/** Numbering of footnotes or endnotes, and the position where they are placed. */
export interface NoteSettings {
  readonly format: string // as in Level.format
  readonly start: number
  readonly restart: 'continuous' | 'section' | 'page'
  readonly place?: 'page' | 'text' | 'section' | 'document'
}

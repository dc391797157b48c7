import type { Block, Inset, NoteSettings } from './document.ts'
import type { Ground } from './ground.ts'
import type { Border, Color, ParagraphBorders } from './properties.ts'
import type { Sides } from './table.ts'

/** A stretch of the document with one page set-up. */
export interface Section {
  readonly properties: SectionProperties
  readonly headers: PageVariants
  readonly footers: PageVariants
  readonly blocks: readonly Block[]
  /** ODF: the set-up of each page in turn where page styles name one another; absent: all pages are like the section. */
  readonly pages?: PageTurns
}

export interface PageTurns {
  /** The first is the section's own; none holds text. */
  readonly sets: readonly Section[]
  /** Behind the last one it goes on here. */
  readonly again: number
}

/** Absent: taken from the section before; an empty list of blocks hides it. */
export interface PageVariants {
  readonly default?: readonly Block[]
  readonly first?: readonly Block[]
  readonly even?: readonly Block[]
}

export interface SectionProperties {
  readonly start: 'next-page' | 'continuous' | 'even-page' | 'odd-page' | 'next-column'
  readonly width: number
  readonly height: number
  readonly margins: PageMargins
  readonly columns: Columns
  /** The first page has its own header and footer. */
  readonly titlePage: boolean
  readonly pageNumber: { readonly start?: number; readonly format: string }
  readonly verticalAlign: 'top' | 'center' | 'bottom' | 'justify'
  readonly grid?: { readonly type: 'lines' | 'lines-and-characters'; readonly linePitch: number }
  readonly borders?: PageBorders
  readonly footnotes?: Partial<NoteSettings>
  readonly endnotes?: Partial<NoteSettings>
  readonly rightToLeft: boolean
  readonly lineNumbers?: LineNumbers
  readonly background?: Color
  /** Lies on the colour, behind all of the page (ODF). */
  readonly backdrop?: Ground
  /** How far from the edges of the page it ends. */
  readonly backdropInsets?: Required<Sides>
  /** Facing pages swap left and right (ODF page layouts; Word says it once for the document). */
  readonly mirrored?: boolean
  /** ODF: the set-up of the pages behind the first one, where a page style names another to follow it. */
  readonly following?: SectionProperties
  /** ODF: the boxes of header and footer. */
  readonly bands?: { readonly header?: BandBox; readonly footer?: BandBox }
  /** ODF: a section in the text, on whatever page it falls. */
  readonly inset?: Inset
}

/** The box around a header or footer, between the margins of the page. */
export interface BandBox {
  readonly lines: ParagraphBorders
  /** From its edge to the text: margins at the sides, lines and distances together. */
  readonly insets: Required<Sides>
  /** From the margins of the page to its edge. */
  readonly left: number
  readonly right: number
  readonly least: number // height
  readonly ground?: Color
}

export interface PageMargins {
  /** A negative top or bottom is exact: a tall header does not push the text. */
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly left: number
  readonly header: number // page edge to header
  readonly footer: number
  readonly gutter: number
  /** The gutter is at the right, unless facing pages mirror. */
  readonly gutterAtRight?: boolean
  /** ODF: least distance between header and text, footer and text. */
  readonly headerGap?: number
  readonly footerGap?: number
  /** ODF: the footer stands below this distance, at the top of its area; absent: at the foot of the page. */
  readonly footerSpacing?: number
}

export interface Columns {
  readonly count: number
  readonly gap: number
  /** Given when the columns differ. */
  readonly each?: readonly { readonly width: number; readonly gap: number }[]
  /** The widths are shares of the line rather than points, gaps included in them (ODF). */
  readonly shares?: boolean
  readonly separator: boolean
  readonly separatorLine?: Border
  readonly balanced?: boolean
  /** Columns of the page rather than of a section in it: each begins by itself (ODF). */
  readonly ofPage?: boolean
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
  /** The run style of the numbers. */
  readonly style?: string
  /** Empty lines are passed over (ODF). */
  readonly skipsEmpty?: boolean
}

/**
 * The model of an HTML text, independent of the format that it is written in: paragraphs, lists, tables and rules. `read.ts`
 * makes it, and the writers under `plugins/formats/<id>/template/html*.ts` turn it into native content.
 * Source: template language 22.5.
 */

export type HtmlBlock = HtmlParagraph | HtmlList | HtmlTable | HtmlRule

/** One paragraph. Lengths are in points unless a property states otherwise. */
export interface HtmlParagraph {
  readonly kind: 'paragraph'
  /** 1 to 6: a heading of this level. */
  readonly heading?: number
  /** Line breaks and blanks are kept as written. */
  readonly preformatted?: true
  readonly quote: number // levels of block quotes around it
  readonly align?: 'left' | 'center' | 'right' | 'justify'
  readonly background?: string // six hexadecimal digits
  readonly borders?: HtmlSides<HtmlBorder>
  /** Indentation beside that of block quotes, in px. */
  readonly indent?: number
  /** Written from right to left. `align` still names sides of the page. */
  readonly rtl?: true
  readonly breakBefore?: true
  readonly breakAfter?: true
  /** A block with space around it, as <p> is. Text between blocks is a paragraph without. */
  readonly spaced: boolean
  readonly inlines: readonly HtmlInline[]
}

/** A list with its items. Lists inside an item are blocks of the item. */
export interface HtmlList {
  readonly kind: 'list'
  readonly marker: ListMarker
  readonly start: number
  readonly quote: number
  readonly items: readonly HtmlListItem[]
}
/** How the items of a list are labelled. */
export type ListMarker = 'bullet' | 'decimal' | 'lowerLetter' | 'upperLetter' | 'lowerRoman' | 'upperRoman'

/** One item: blocks, of which the first carries the label. */
export interface HtmlListItem {
  /** The item has no list marker, because a check box takes its place. */
  readonly unmarked: boolean
  readonly blocks: readonly HtmlBlock[]
}

/** A table. Every row has a cell for each column, also where another cell covers it. */
export interface HtmlTable {
  readonly kind: 'table'
  readonly quote: number
  readonly columns: number
  /** Shares of the width, which add up to 1. Absent for equal shares. */
  readonly widths?: readonly number[]
  /** Absent for the width of the text. */
  readonly width?: HtmlWidth
  /** Where a table that is narrower than the text stands. */
  readonly align?: 'left' | 'center' | 'right'
  /** The first column is the rightmost. */
  readonly rtl?: true
  /** How many rows at the top are repeated on every page. */
  readonly headerRows: number
  readonly rows: readonly (readonly HtmlCell[])[]
}

/** A width in px, 96 to the inch, or in percent of the width around. */
export interface HtmlWidth {
  readonly unit: 'px' | 'percent'
  readonly value: number
}
/** One value for each side of the page; absent for a side that has none. */
export interface HtmlSides<T> {
  readonly top?: T
  readonly right?: T
  readonly bottom?: T
  readonly left?: T
}
/** A line beside a cell. Both neighbours of a line hold the same. */
export interface HtmlBorder {
  readonly style: 'solid' | 'double' | 'dashed' | 'dotted'
  readonly width: number // px
  readonly color?: string // six hexadecimal digits; absent for that of the text
}

/** The cells of a row cover all columns from left to right. A `covered` cell belongs to a cell above it or before it. */
export interface HtmlCell {
  readonly colspan: number
  readonly rowspan: number // 1 or more; for a covered cell, that of the cell that covers it
  readonly covered: boolean
  readonly header: boolean
  readonly background?: string
  /** The lines around this position; none inside what a cell covers. */
  readonly borders: HtmlSides<HtmlBorder>
  /** The distance of the text from the sides, in px, where the HTML declares it. */
  readonly padding?: HtmlSides<number>
  readonly verticalAlign?: 'top' | 'middle' | 'bottom'
  readonly blocks: readonly HtmlBlock[]
}

/** A horizontal line between blocks. */
export interface HtmlRule {
  readonly kind: 'rule'
  readonly quote: number
}

/** Text, a line break, a check box or a picture inside a paragraph. */
export type HtmlInline =
  | { readonly kind: 'text'; readonly text: string; readonly style: InlineStyle }
  | { readonly kind: 'break'; readonly style: InlineStyle }
  | { readonly kind: 'check'; readonly checked: boolean; readonly style: InlineStyle }
  | HtmlImage

/** A picture, with its address or data URL. */
export interface HtmlImage {
  readonly kind: 'image'
  readonly source: string
  readonly width?: number // px, 96 to the inch
  readonly height?: number
  /** The width in percent of that of the text, where it is given so. */
  readonly percent?: number
  readonly text: string // the alternative text
  readonly style: InlineStyle
}

/** Direct formatting of a text. What is absent is inherited from the text around it. */
export interface InlineStyle {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly strike?: boolean
  readonly position?: 'sup' | 'sub'
  readonly highlighted?: boolean
  readonly code?: boolean
  readonly color?: string // six hexadecimal digits
  readonly background?: string
  readonly size?: number // points
  readonly font?: string // the name of one family
  /** The target of a link, as written. */
  readonly link?: string
}

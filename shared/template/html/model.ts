/**
 * The model of HTML content, independent of the output format: paragraphs, lists, tables and rules. `read.ts` creates it, and
 * the writers in `plugins/formats/<id>/template/html*.ts` convert it to native content. Source: template language 22.5.
 */

export type HtmlBlock = HtmlParagraph | HtmlList | HtmlTable | HtmlRule

/** One paragraph. Lengths are in points unless a property states otherwise. */
export interface HtmlParagraph {
  readonly kind: 'paragraph'
  /** 1 to 6: a heading of this level. */
  readonly heading?: number
  /** White space is preserved. */
  readonly preformatted?: true
  readonly quote: number // the number of block quotes around it
  readonly align?: 'left' | 'center' | 'right' | 'justify'
  readonly background?: string // six hexadecimal digits
  readonly borders?: HtmlSides<HtmlBorder>
  /** The indentation in addition to that of block quotes, in px. */
  readonly indent?: number
  /** The paragraph is written from right to left. `align` still refers to sides of the page. */
  readonly rtl?: true
  readonly breakBefore?: true
  readonly breakAfter?: true
  /** The block has vertical margins, like <p>. Text between blocks is a paragraph without margins. */
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

/** One item: its blocks, of which the first carries the label. */
export interface HtmlListItem {
  /** The item has no list marker, because it begins with a check box. */
  readonly unmarked: boolean
  readonly blocks: readonly HtmlBlock[]
}

/** A table. Every row has a cell for each column, including covered ones. */
export interface HtmlTable {
  readonly kind: 'table'
  readonly quote: number
  readonly columns: number
  /** The column widths as fractions that add up to 1. Absent if the columns are equal. */
  readonly widths?: readonly number[]
  /** Absent if the table is as wide as the text. */
  readonly width?: HtmlWidth
  /** The horizontal alignment of a table that is narrower than the text. */
  readonly align?: 'left' | 'center' | 'right'
  /** The first column is the rightmost. */
  readonly rtl?: true
  /** The number of rows at the top that are repeated on every page. */
  readonly headerRows: number
  readonly rows: readonly (readonly HtmlCell[])[]
}

/** A width in px (96 per inch) or in percent of the containing width. */
export interface HtmlWidth {
  readonly unit: 'px' | 'percent'
  readonly value: number
}
/** One value for each side of the page; absent for a side without one. */
export interface HtmlSides<T> {
  readonly top?: T
  readonly right?: T
  readonly bottom?: T
  readonly left?: T
}
/** A line at the side of a cell. Both cells that share it have the same value. */
export interface HtmlBorder {
  readonly style: 'solid' | 'double' | 'dashed' | 'dotted'
  readonly width: number // px
  readonly color?: string // six hexadecimal digits; absent for the text colour
}

/** The cells of a row cover all columns from left to right. A `covered` cell belongs to the cell above it or before it. */
export interface HtmlCell {
  readonly colspan: number
  readonly rowspan: number // 1 or more; for a covered cell, that of the cell that covers it
  readonly covered: boolean
  readonly header: boolean
  readonly background?: string
  /** The lines around this slot; none inside the area of a spanning cell. */
  readonly borders: HtmlSides<HtmlBorder>
  /** The padding in px, if the HTML declares it. */
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
  readonly width?: number // px, 96 per inch
  readonly height?: number
  /** The width in percent of the text width, if it is declared in percent. */
  readonly percent?: number
  readonly text: string // the alternative text
  readonly style: InlineStyle
}

/** Direct formatting of text. Absent properties are inherited. */
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

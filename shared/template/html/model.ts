/**
 * What an HTML text means for a document, whatever the format it is written in: blocks of text, lists, tables and
 * rules. `read.ts` makes it, the writers under `plugins/formats/<id>/template/html*.ts` turn it into native content.
 * Source: template language 22.5.
 */

export type Block = HtmlParagraph | HtmlList | HtmlTable | HtmlRule

export interface HtmlParagraph {
  readonly kind: 'paragraph'
  /** 1 to 6: a heading of this level. */
  readonly heading?: number
  /** Line breaks and blanks are as written. */
  readonly preformatted?: true
  readonly quote: number // levels of quotations around it
  readonly align?: 'left' | 'center' | 'right' | 'justify'
  readonly background?: string // six hexadecimal digits
  /** How far it stands in beside quotations, in px. */
  readonly indent?: number
  /** Written from right to left; `align` names sides of the page all the same. */
  readonly rtl?: true
  readonly breakBefore?: true
  readonly breakAfter?: true
  /** A block of its own, as <p> is; text that stands loose between blocks is none. */
  readonly spaced: boolean
  readonly inlines: readonly Inline[]
}

export interface HtmlList {
  readonly kind: 'list'
  readonly marker: ListMarker
  readonly start: number
  readonly quote: number
  readonly items: readonly HtmlListItem[]
}
export type ListMarker = 'bullet' | 'decimal' | 'lowerLetter' | 'upperLetter' | 'lowerRoman' | 'upperRoman'

export interface HtmlListItem {
  /** A check box stands in for the mark of the item. */
  readonly unmarked: boolean
  readonly blocks: readonly Block[]
}

export interface HtmlTable {
  readonly kind: 'table'
  readonly quote: number
  readonly columns: number
  /** Shares of the width, 1 in all; absent: equal ones. */
  readonly widths?: readonly number[]
  /** The first column is the rightmost. */
  readonly rtl?: true
  readonly rows: readonly (readonly HtmlCell[])[]
}
/** The cells of a row cover all columns from left to right; `covered` ones belong to a cell of a row above. */
export interface HtmlCell {
  readonly colspan: number
  readonly rowspan: number // 1 or more; of the cell that covers it where `covered`
  readonly covered: boolean
  readonly header: boolean
  readonly background?: string
  readonly blocks: readonly Block[]
}

export interface HtmlRule {
  readonly kind: 'rule'
  readonly quote: number
}

export type Inline =
  | { readonly kind: 'text'; readonly text: string; readonly style: InlineStyle }
  | { readonly kind: 'break'; readonly style: InlineStyle }
  | { readonly kind: 'check'; readonly checked: boolean; readonly style: InlineStyle }
  | HtmlImage

export interface HtmlImage {
  readonly kind: 'image'
  readonly source: string
  readonly width?: number // px, 96 to the inch
  readonly height?: number
  readonly text: string // the alternative text
  readonly style: InlineStyle
}

/** Absent: as the text around it. */
export interface InlineStyle {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly strike?: boolean
  readonly position?: 'sup' | 'sub'
  readonly mark?: boolean
  readonly code?: boolean
  readonly color?: string // six hexadecimal digits
  readonly background?: string
  /** Where a link leads, as written. */
  readonly link?: string
}

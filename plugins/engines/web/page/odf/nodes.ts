/**
 * The nodes of a page: paragraphs, lists and tables of a text document, before their styles have names.
 * Lengths in pt.
 */

/** Values of OpenDocument attributes by their names. */
export type OdfAttributes = ReadonlyMap<string, string>

/** The named styles, which users can change in one place. */
export type ParagraphBase =
  | 'Text_20_body'
  | `Heading_20_${1 | 2 | 3 | 4 | 5 | 6}`
  | 'List_20_Contents'
  | 'Quotations'
  | 'Preformatted_20_Text'
  | 'Table_20_Contents'
  | 'Horizontal_20_Line'

export interface OdfParagraph {
  readonly kind: 'paragraph'
  readonly base: ParagraphBase
  readonly layout: OdfAttributes
  readonly text: OdfAttributes
  readonly content: string // XML
  /** Positions of its tab stops. */
  readonly tabs?: readonly number[]
  /** Space above and below. */
  above?: number
  below?: number
  breakBefore?: boolean
}

export interface List {
  readonly kind: 'list'
  readonly style: string
  readonly items: readonly OdfListItem[]
}

export interface OdfListItem {
  readonly start?: number
  /** Whether it continues the item before it. */
  readonly continued?: true
  readonly nodes: readonly OdfNode[]
}

export interface OdfTable {
  readonly kind: 'table'
  readonly layout: Map<string, string>
  readonly columns: readonly number[]
  readonly rows: readonly TableRow[]
  readonly headerRows: number
  breakBefore?: boolean
}

export interface TableRow {
  readonly layout: OdfAttributes
  readonly cells: readonly (TableCell | 'covered')[]
}

export interface TableCell {
  readonly layout: OdfAttributes
  readonly columns: number
  readonly rows: number
  readonly nodes: readonly OdfNode[]
}

export interface OdfColumns {
  readonly kind: 'columns'
  readonly count: number
  readonly left: number
  readonly right: number
  readonly gap: number
  readonly nodes: readonly OdfNode[]
}

export type OdfNode = OdfParagraph | List | OdfTable | OdfColumns

export function pt(value: number): string {
  return `${Math.round(value * 100) / 100}pt`
}

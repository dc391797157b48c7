/** What a page becomes: paragraphs, lists and tables of a text document, before their styles have names. Lengths in pt. */

/** Values of attributes of OpenDocument, by attribute. */
export type Values = ReadonlyMap<string, string>

/** Named styles, which people change in one place. */
export type Base =
  | 'Text_20_body'
  | `Heading_20_${1 | 2 | 3 | 4 | 5 | 6}`
  | 'List_20_Contents'
  | 'Quotations'
  | 'Preformatted_20_Text'
  | 'Table_20_Contents'
  | 'Horizontal_20_Line'

export interface Paragraph {
  readonly kind: 'paragraph'
  readonly base: Base
  readonly layout: Values
  readonly text: Values
  readonly content: string // XML
  /** Where its tabs lead to. */
  readonly tabs?: readonly number[]
  /** Space before and behind it. */
  above?: number
  below?: number
  breakBefore?: boolean
}

export interface List {
  readonly kind: 'list'
  readonly style: string
  readonly items: readonly ListItem[]
}

export interface ListItem {
  readonly start?: number
  /** It goes on with the item before it. */
  readonly continued?: true
  readonly nodes: readonly OdfNode[]
}

export interface Table {
  readonly kind: 'table'
  readonly layout: Map<string, string>
  readonly columns: readonly number[]
  readonly rows: readonly TableRow[]
  readonly headerRows: number
  breakBefore?: boolean
}

export interface TableRow {
  readonly layout: Values
  readonly cells: readonly (TableCell | 'covered')[]
}

export interface TableCell {
  readonly layout: Values
  readonly columns: number
  readonly rows: number
  readonly nodes: readonly OdfNode[]
}

export interface Columns {
  readonly kind: 'columns'
  readonly count: number
  readonly left: number
  readonly right: number
  readonly gap: number
  readonly nodes: readonly OdfNode[]
}

export type OdfNode = Paragraph | List | Table | Columns

export function pt(value: number): string {
  return `${Math.round(value * 100) / 100}pt`
}

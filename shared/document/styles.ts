import type { ParagraphProperties, RunProperties } from './properties.ts'
import type { CellProperties, RowProperties, TableProperties } from './table-properties.ts'

/**
 * Named formatting. `basedOn` may refer to a missing style or form a cycle, so code that resolves it must
 * guard against both.
 */
export interface StyleSheet {
  readonly styles: ReadonlyMap<string, Style>
  readonly defaults: {
    readonly paragraph: ParagraphProperties
    readonly run: RunProperties
  }
  /** Id of the style of paragraphs that name none. */
  readonly defaultParagraph?: string
  /** Id of the style of tables that name none. */
  readonly defaultTable?: string
}

/** A named style. */
export interface Style {
  readonly id: string
  readonly name: string // display name in lower case
  readonly kind: 'paragraph' | 'run' | 'table' | 'list'
  readonly basedOn?: string
  readonly paragraph: ParagraphProperties
  readonly run: RunProperties
  readonly table?: TableStyle
  /** ODF: an automatic style, which holds direct formatting and is not shown to users. */
  readonly automatic?: boolean
}

export interface TableStyle extends TableFormat {
  readonly properties: TableProperties
  readonly conditions: ReadonlyMap<TableCondition, TableFormat>
}

/** Formatting of a table, or of the cells to which one condition applies. */
export interface TableFormat {
  readonly properties?: TableProperties
  readonly row?: RowProperties
  readonly cell?: CellProperties
  readonly paragraph?: ParagraphProperties
  readonly run?: RunProperties
}

/**
 * Conditions in ascending order of precedence: a later one overrides an earlier one (ECMA-376-1 17.7.6.6).
 */
export const tableConditions = [
  'whole',
  'band-1-vertical',
  'band-2-vertical',
  'band-1-horizontal',
  'band-2-horizontal',
  'first-column',
  'last-column',
  'first-row',
  'last-row',
  'north-east',
  'north-west',
  'south-east',
  'south-west',
] as const
export type TableCondition = (typeof tableConditions)[number]

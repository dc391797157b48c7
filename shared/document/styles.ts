import type { ParagraphProperties, RunProperties } from './properties.ts'
import type { CellProperties, RowProperties, TableProperties } from './table.ts'

/** Named formatting. `basedOn` may name a missing style or run in a circle: whoever resolves it must cope. */
export interface StyleSheet {
  readonly styles: ReadonlyMap<string, Style>
  readonly defaults: {
    readonly paragraph: ParagraphProperties
    readonly run: RunProperties
  }
  /** The styles that apply where none is named. */
  readonly defaultParagraph?: string
  readonly defaultTable?: string
}

export interface Style {
  readonly id: string
  readonly name: string // as shown to people, lower case
  readonly kind: 'paragraph' | 'run' | 'table' | 'list'
  readonly basedOn?: string
  readonly paragraph: ParagraphProperties
  readonly run: RunProperties
  readonly table?: TableStyle
  /** ODF: the formatting of a few places, no style that people know. */
  readonly automatic?: boolean
}

export interface TableStyle extends TableFormat {
  readonly properties: TableProperties
  readonly conditions: ReadonlyMap<TableCondition, TableFormat>
}

export interface TableFormat {
  readonly properties?: TableProperties
  readonly row?: RowProperties
  readonly cell?: CellProperties
  readonly paragraph?: ParagraphProperties
  readonly run?: RunProperties
}

/** Weakest first: a later one wins over an earlier one (ECMA-376-1 17.7.6.6). */
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

/**
 * The document model of workbooks: readers produce it from XLSX, ODS and CSV bytes, and the instant engine lays it out.
 * Plain data. Rows and columns count from 0; lengths are in points unless a member says otherwise; colours are 'RRGGBB'.
 * Formatting is complete: readers have resolved named styles, themes and palettes, and cells refer to it by an index.
 */
import type { Document, DocumentInformation } from './document.ts'
import type { Drawing } from './drawing.ts'
import type { RunProperties } from './properties.ts'
import type { SparklineGroup } from './sparkline.ts'

/** A whole workbook. Its sheets are printed one after another. */
export interface Workbook {
  readonly sheets: readonly Sheet[]
  /** The formatting that cells, rows and columns refer to by index; 0 is that of everything else. */
  readonly formats: readonly CellFormat[]
  /** The font whose widest digit is the unit of column widths. */
  readonly defaultFont: CellFont
  /** Whether day 0 of dates is 1 January 1904 rather than 30 December 1899. */
  readonly date1904: boolean
  /** Truth values and errors are in the middle of their cells where the format specifies no side; absent: at the end. */
  readonly centersTruthValues?: true
  /** How many decimals the number format `General` shows at most; absent: as many as a number has. */
  readonly generalDecimals?: number
  /** The name that headers show for '&F'; absent when it is not known. */
  readonly fileName?: string
  readonly information: DocumentInformation
  /** The default formatting of text in drawings. */
  readonly drawingText?: RunProperties
  /** The styles that text in drawings refers to. */
  readonly drawingStyles?: Document['styles']
  /** The bytes of pictures by name. */
  readonly media?: ReadonlyMap<string, Uint8Array>
  /** What names of the whole workbook stand for in formulas, in A1 notation, by the name in upper case. */
  readonly names?: ReadonlyMap<string, string>
}

export interface Sheet {
  readonly name: string
  readonly hidden: boolean
  readonly rightToLeft: boolean
  /** The rows that have cells or formatting of their own, in ascending order. */
  readonly rows: readonly SheetRow[]
  /** The columns that have formatting of their own, in ascending order and without overlaps. */
  readonly columns: readonly SheetColumns[]
  readonly defaultWidth: ColumnWidth
  /** Columns with text are as wide as it, whatever `columns` says. */
  readonly fitsColumns?: boolean
  readonly defaultHeight: number
  /** Rows without a height of their own have the default one, however tall their text is. */
  readonly keepsHeights?: boolean
  readonly merges: readonly CellArea[]
  /** Formatting by rule, the rules that come first in order of their priority. */
  readonly conditions?: readonly ConditionalRule[]
  /** Pictures and other objects over the cells, from the lowest to the highest. */
  readonly drawings?: readonly SheetDrawing[]
  /** Small charts inside of cells. */
  readonly sparklines?: readonly SparklineGroup[]
  readonly page: SheetPage
}

/** An object over the cells. Without a drawing it is not drawn, but it takes its place on the pages. */
export interface SheetDrawing {
  readonly from: SheetCorner
  readonly to: SheetCorner | { readonly width: number; readonly height: number }
  /** Drawn in the size of its place. A size of its own is that of the coordinates in it. */
  readonly drawing?: Drawing
}
/** A point in a cell, in points from its top left. */
export interface SheetCorner {
  readonly row: number
  readonly column: number
  readonly x: number
  readonly y: number
  /** The point may be outside of its cell, as that of a drawing which is placed on the sheet and not in a cell. */
  readonly isFree?: true
}

/** A rectangle of cells; both ends belong to it. */
export interface CellArea {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

export interface SheetRow {
  readonly row: number
  /** Absent: as tall as its cells need. */
  readonly height?: number
  /** Without a height: at least as tall as this. */
  readonly minHeight?: number
  /** What the file has for a row that is measured when it is opened. It is kept where it is as many pixels. */
  readonly storedHeight?: number
  readonly hidden: boolean
  /** Formatting of the cells that the row does not list; absent: that of their columns. */
  readonly format?: number
  readonly cells: readonly Cell[] // in ascending order
}

export interface SheetColumns {
  readonly first: number
  readonly last: number
  readonly width?: ColumnWidth // absent: the default one
  readonly hidden: boolean
  readonly format?: number
}

/** A width in points, or in widths of the widest digit of the default font plus points of padding. */
export type ColumnWidth = { readonly points: number } | { readonly digits: number; readonly padding?: number }

export interface Cell {
  readonly column: number
  readonly format: number
  /** Absent in cells that have formatting only. */
  readonly value?: CellValue
  /** The formula of a cell whose result the file does not store, or whose result changes with the time. */
  readonly formula?: CellFormula
  /** The text as the file shows the value, where it stores that. It is printed in place of the formatted value. */
  readonly shown?: string
  /** The address that the cell links to. */
  readonly link?: string
}

/** A formula in A1 notation, written for the cell `down` rows above and `right` columns before the one that has it. */
export interface CellFormula {
  readonly text: string
  readonly down: number
  readonly right: number
}

/** A number, a truth value, text without or with formatting, or an error such as '#REF!'. */
export type CellValue = number | boolean | string | RichText | CellError
export interface RichText {
  readonly kind: 'rich'
  readonly runs: readonly TextRun[]
}
export interface TextRun {
  readonly text: string
  readonly font?: CellFont // absent: that of the cell
}
export interface CellError {
  readonly kind: 'error'
  readonly text: string
}

export interface CellFormat {
  readonly font: CellFont
  /** A code of ECMA-376-1 18.8.30, such as '#,##0.00'. */
  readonly number: string
  readonly fill?: string
  readonly borders: CellBorders
  readonly align: CellAlignment
}

export interface CellFont {
  readonly family: string
  readonly size: number
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underline?: 'single' | 'double'
  readonly strike?: boolean
  readonly color?: string
  readonly script?: 'super' | 'sub'
}

export interface CellBorders {
  readonly left?: CellBorder
  readonly right?: CellBorder
  readonly top?: CellBorder
  readonly bottom?: CellBorder
  /** From the bottom left to the top right, and from the top left to the bottom right. */
  readonly up?: CellBorder
  readonly down?: CellBorder
}
export interface CellBorder {
  readonly line: 'solid' | 'dotted' | 'dashed' | 'dot-dash' | 'dot-dot-dash' | 'double'
  readonly width: number
  readonly color: string
}

export interface CellAlignment {
  /** 'general': text at the start, numbers at the end, truth values and errors as `Workbook.centersTruthValues` says. */
  readonly across: 'general' | 'left' | 'center' | 'right' | 'fill' | 'justify' | 'distributed' | 'selection'
  readonly down: 'top' | 'center' | 'bottom' | 'justify'
  readonly wrap: boolean
  readonly shrink: boolean
  readonly indent: number // points
  /** Degrees counterclockwise, -90 to 90; 'stacked' puts letters below each other. */
  readonly rotation: number | 'stacked'
  /** Distances between the text and the edges of the cell, points; absent: 1 on each side. */
  readonly padding?: CellPadding
}
export interface CellPadding {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/**
 * One rule of a conditional format. Of rules that set the same property, the first one counts. Formulas are in A1 notation
 * and are written for the top left cell of the leftmost area.
 */
export interface ConditionalRule {
  /** Rules of one conditional format share this list. */
  readonly areas: readonly CellArea[]
  readonly effect: ConditionalStyle | ColorScale | DataBar | IconSet
}

/** Formatting of cells that meet a condition. */
export interface ConditionalStyle {
  readonly kind: 'style'
  readonly when: CellCondition
  readonly style: DifferentialFormat
  /** Rules after this one do not apply to cells that meet the condition. */
  readonly stops: boolean
}
/** The changes of a rule to the formatting of a cell. Sides that are not set, or fonts without a member, stay unchanged. */
export interface DifferentialFormat {
  readonly font?: Partial<CellFont>
  readonly number?: string
  readonly fill?: string
  readonly borders?: CellBorders
}

export type CellCondition =
  | {
      readonly kind: 'compare'
      readonly operator:
        | 'equal'
        | 'unequal'
        | 'less'
        | 'at-most'
        | 'greater'
        | 'at-least'
        | 'between'
        | 'outside'
      readonly operands: readonly string[] // formulas: one, or two for 'between' and 'outside'
    }
  | { readonly kind: 'formula'; readonly formula: string }
  /** The `rank` largest or smallest values, or percent of the values. */
  | { readonly kind: 'rank'; readonly rank: number; readonly percent: boolean; readonly smallest: boolean }
  /** Values above or below the mean, or so many standard deviations away from it. */
  | {
      readonly kind: 'average'
      readonly below: boolean
      readonly orEqual: boolean
      readonly deviations: number
    }
  | { readonly kind: 'duplicate' | 'unique' }
  | { readonly kind: 'text'; readonly match: 'contains' | 'lacks' | 'begins' | 'ends'; readonly text: string }
  | { readonly kind: 'blank' | 'filled' | 'error' | 'no-error' }
  | { readonly kind: 'period'; readonly period: DatePeriod }
export type DatePeriod =
  | 'yesterday'
  | 'today'
  | 'tomorrow'
  | 'last-7-days'
  | 'last-week'
  | 'this-week'
  | 'next-week'
  | 'last-month'
  | 'this-month'
  | 'next-month'
  | 'last-year'
  | 'this-year'
  | 'next-year'

/**
 * A value that a scale is divided at: the smallest or largest value of the cells, a number or formula, or a share in percent
 * of the range or of the count of the values. 'auto' of data bars is the extreme value, or 0 where all values are beyond it.
 */
export type ScalePoint =
  | { readonly kind: 'min' | 'max' | 'auto' }
  | { readonly kind: 'formula'; readonly formula: string }
  | { readonly kind: 'percent' | 'percentile'; readonly share: number } // 0 to 100

/** Fills whose colour is between those of two or three points. */
export interface ColorScale {
  readonly kind: 'scale'
  readonly points: readonly { readonly at: ScalePoint; readonly color: string }[]
}

/** A bar in the cell, as long as its value. */
export interface DataBar {
  readonly kind: 'bar'
  readonly from: ScalePoint
  readonly to: ScalePoint
  readonly color: string
  readonly negativeColor: string
  readonly axisColor: string
  /** The colour runs out to white. */
  readonly gradient: boolean
  /** Where 0 lies: with values at its place in their range, or always in the middle; 'none': bars begin at the left. */
  readonly axis: 'automatic' | 'middle' | 'none'
  /** The lengths of the bars of the smallest and of the largest value, percent of the cell. */
  readonly minLength: number
  readonly maxLength: number
  readonly showsValue: boolean
}

/** One of several icons by value. */
export interface IconSet {
  readonly kind: 'icons'
  /** The icons from the lowest values to the highest. The first point is not evaluated. */
  readonly icons: readonly {
    readonly from: ScalePoint
    /** The value at the point itself has this icon. */
    readonly inclusive: boolean
    readonly icon?: CellIcon
  }[]
  readonly showsValue: boolean
}
/** A set of ST_IconSetType (ECMA-376-1 18.18.42) and the position in it, from 0. */
export interface CellIcon {
  readonly set: string
  readonly index: number
}

/** How a sheet is printed. */
export interface SheetPage {
  /** The areas that are printed; empty: all that is used. */
  readonly areas: readonly CellArea[]
  readonly width: number
  readonly height: number
  /** The file has no size of the paper but says that it is turned: the width and height are those of turned paper. */
  readonly turnsPaper?: true
  readonly margins: PageMargins
  readonly scale: PrintScale
  readonly order: 'down' | 'across'
  readonly repeatRows?: readonly [first: number, last: number]
  readonly repeatColumns?: readonly [first: number, last: number]
  /** The rows and columns that begin a new page. */
  readonly rowBreaks: readonly number[]
  readonly columnBreaks: readonly number[]
  readonly centerAcross: boolean
  readonly centerDown: boolean
  readonly gridLines: boolean
  readonly headings: boolean
  readonly firstPage?: number
  readonly header?: SheetHeaders
  readonly footer?: SheetHeaders
}

export interface PageMargins {
  readonly left: number
  readonly right: number
  /** Between the edge of the paper and the cells. */
  readonly top: number
  readonly bottom: number
  /** Between the edge of the paper and the header or footer. */
  readonly header: number
  readonly footer: number
}

/** A factor, or the number of pages that the sheet has to fit in: across and down, 0 for any number, or all together. */
export type PrintScale =
  | { readonly factor: number }
  | { readonly pagesWide: number; readonly pagesTall: number }
  | { readonly pagesAll: number }

/** Headers or footers of the pages of a sheet. */
export interface SheetHeaders {
  /** The space between the text and the cells, pt; absent: what the sizes of the fonts leave of the margin. */
  readonly spacing?: number
  readonly all: SheetHeader
  readonly first?: SheetHeader
  readonly even?: SheetHeader
}
export interface SheetHeader {
  readonly left: readonly HeaderLine[]
  readonly center: readonly HeaderLine[]
  readonly right: readonly HeaderLine[]
}
export type HeaderLine = readonly HeaderRun[]
export interface HeaderRun {
  readonly font: CellFont
  readonly text: HeaderText
}
export type HeaderText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'page'; readonly add: number }
  | { readonly kind: 'pages' | 'sheet' | 'file' | 'date' | 'time' }

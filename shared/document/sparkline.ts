/**
 * Small charts inside of cells: x14:sparklineGroup ([MS-XLSX] 2.6.86) and calcext:sparkline-group of LibreOffice. Plain data;
 * rows and columns count from 0, lengths are in points, colours are 'RRGGBB'.
 */
import type { SheetArea } from './chart.ts'

/** Sparklines that look alike and may share the ends of their axes. */
export interface SparklineGroup {
  readonly kind: 'line' | 'column' | 'win-loss'
  readonly lineWidth: number
  readonly colors: SparklineColors
  /** The points that have a colour of their own. A line marks them; 'markers' are all of its points. */
  readonly marked: ReadonlySet<'markers' | 'high' | 'low' | 'first' | 'last' | 'negative'>
  /** Draws a line at 0 where the values reach it. */
  readonly hasAxis: boolean
  readonly emptyCells: 'gap' | 'zero' | 'span'
  /** Values of hidden rows and columns are drawn as well. */
  readonly includesHidden: boolean
  readonly rightToLeft: boolean
  readonly min: SparklineEnd
  readonly max: SparklineEnd
  /** The cells with the dates that give the points their distances; absent: all distances are equal. */
  readonly dates?: SheetArea
  readonly sparklines: readonly Sparkline[]
}

export interface SparklineColors {
  readonly series: string
  readonly negative: string
  readonly axis: string
  readonly markers: string
  readonly first: string
  readonly last: string
  readonly high: string
  readonly low: string
}

/** The end of the axis of values: that of the sparkline itself, that of all in its group, or a number. */
export type SparklineEnd = 'individual' | 'group' | number

/** The cell of a sparkline, and a row or a column of cells with its values. */
export interface Sparkline {
  readonly row: number
  readonly column: number
  readonly data: SheetArea
}

import type { Color, Gradient, Stroke } from './paint.ts'

/**
 * A chart with its data, independent of the file format. Lengths are in points. Source: ECMA-376-1, clause
 * 21.2; ODF 1.3 part 3, clause 11.
 */
export interface Chart {
  readonly title?: ChartTitle
  readonly subtitle?: ChartTitle
  readonly plots: readonly Plot[]
  readonly legend?: Legend
  readonly categories: Axis
  readonly values: Axis
  /** Present when some series use a secondary pair of axes. */
  readonly secondCategories?: Axis
  readonly secondValues?: Axis
  /** Theme colours, assigned to the series in order; the list repeats when there are more series. */
  readonly palette: readonly Color[]
  readonly formatting: ChartFormat // formatting of the chart area
  readonly wall: ChartFormat // formatting behind the plot area
  /** Formatting of text that has none of its own. */
  readonly letters: Letters
  /** Font size of titles that specify none, pt. */
  readonly titleSize: number
  /** Manual position of the plot area; absent: computed from the sizes of titles, legend and labels. */
  readonly plotLayout?: ManualLayout
  /**
   * Treatment of missing values in lines and areas: leave a gap, draw zero, or connect the neighbouring
   * points.
   */
  readonly blanks: 'gap' | 'zero' | 'span'
}

/**
 * A position and size as shares of the chart's width and height, measured from the top left. `inner`: the
 * size covers the plot area without the labels of its axes.
 */
export interface ManualLayout {
  readonly x: number
  readonly y: number
  readonly width?: number
  readonly height?: number
  readonly inner?: boolean
}

/** Direct formatting of chart text; absent values are inherited from `Chart.letters`. */
export interface Letters {
  readonly family?: string
  readonly size?: number // pt
  readonly bold?: boolean
  readonly italic?: boolean
  readonly color?: Color
}

/** Text of one formatting in a title. */
export interface TextRun {
  readonly text: string
  readonly letters: Letters
  /** In a data label: what is printed in place of `text`. */
  readonly field?: LabelField
}

/** What a field in a data label stands for: something of the point, or the cell beside it in `Series.labelCells`. */
export type LabelField = 'value' | 'category' | 'series' | 'share' | 'cell'

/** A title as lines of formatted text. */
export interface ChartTitle {
  readonly lines: readonly (readonly TextRun[])[]
  /** Manual position of the top left corner; `width` and `height` are unused. */
  readonly layout?: ManualLayout
  readonly rotation?: number // degrees, counter-clockwise
  readonly overlay?: boolean
  readonly formatting?: ChartFormat
}

/** Fill and outline of one element of a chart; absent values are automatic. */
export interface ChartFormat {
  readonly fill?: Color | 'none'
  readonly opacity?: number
  readonly gradient?: Gradient
  readonly line?: Color | 'none'
  readonly lineWidth?: number
  readonly dash?: Stroke['dash']
}

/** The legend of a chart. */
export interface Legend {
  readonly side: 'left' | 'right' | 'top' | 'bottom' | 'corner'
  readonly layout?: ManualLayout
  readonly letters: Letters
  readonly formatting: ChartFormat
  readonly overlay: boolean
  /** Indexes of deleted legend entries, from 0. */
  readonly without: ReadonlySet<number>
}

/** A group of series that are drawn the same way. A chart may combine several, such as lines over columns. */
export interface Plot {
  readonly kind: 'bar' | 'line' | 'area' | 'pie' | 'doughnut' | 'scatter' | 'bubble' | 'radar' | 'stock'
  readonly horizontal: boolean
  readonly grouping: 'side' | 'stacked' | 'share'
  /** Distance between groups of columns, as a multiple of the column width. */
  readonly gap: number
  /**
   * Overlap of the columns in a group as a share of the column width, from -1 (a gap) to 1 (full overlap).
   */
  readonly overlap: number
  readonly filled: boolean // radar
  /** Each point has its own colour; used for a plot with a single series, and for pies. */
  readonly varied: boolean
  /** The series use the secondary axes. */
  readonly second: boolean
  /** Angle at which the first slice begins, in degrees clockwise from the top. */
  readonly start: number
  /** Style of the high-low lines, which join the highest and lowest value of each category. */
  readonly spans?: ChartFormat
  /** Style of the drop lines, which run from each point down to the axis. */
  readonly drops?: ChartFormat
  /** Up and down bars between the first and the last series; `gap` is a multiple of the bar width. */
  readonly boxes?: { readonly gap: number; readonly up: ChartFormat; readonly down: ChartFormat }
  readonly series: readonly Series[]
}

/** The symbol of a data marker. */
export type MarkSymbol =
  | 'square'
  | 'diamond'
  | 'triangle'
  | 'triangle-down'
  | 'triangle-left'
  | 'triangle-right'
  | 'circle'
  | 'x'
  | 'plus'
  | 'star'
  | 'dash'
  | 'bar'
  | 'bowtie'
  | 'hourglass'

/** One series of values with its formatting. */
export interface Series {
  readonly name: string
  /** Index among all series of the chart, which selects the automatic colour. */
  readonly index: number
  readonly categories: readonly string[]
  /** Outer levels of multi-level categories, ordered from the innermost to the outermost. */
  readonly levels?: readonly (readonly (string | undefined)[])[]
  /** Categories that are numbers: dates as serial day numbers of a workbook. */
  readonly days?: readonly (number | undefined)[]
  readonly dayFormat?: string
  readonly values: readonly (number | undefined)[]
  /** Horizontal values of scatter and bubble charts. */
  readonly x?: readonly (number | undefined)[]
  readonly sizes?: readonly (number | undefined)[]
  readonly formatting: ChartFormat
  /** Formatting of single points, such as the slices of a pie, by point index. */
  readonly pointFormatting: ReadonlyMap<number, ChartFormat>
  readonly smooth: boolean
  /** Lines connect the points (line and scatter charts). */
  readonly joined: boolean
  readonly symbol: MarkSymbol | 'none'
  readonly symbolSize: number // pt
  readonly markerFormatting: ChartFormat
  readonly labels?: DataLabels
  /** Texts of cells for the fields of labels, by point. */
  readonly labelCells?: readonly string[]
  readonly pointLabels: ReadonlyMap<number, DataLabels | 'none'>
  readonly format?: string // number format of the values
  /** Distance that slices are moved out of the pie, as a share of the radius. */
  readonly explosion: number
  readonly explosions: ReadonlyMap<number, number>
  readonly trends: readonly Trend[]
  readonly errors: readonly ErrorBars[]
  /** Cells of the workbook that hold what the chart does not store. The layout of the workbook reads them. */
  readonly cells?: SeriesCells
  /** The cells that the values come from, whether the chart stores them or not. */
  readonly valuesAt?: SheetArea
}

/** Where a series of a chart in a workbook has its content from. */
export interface SeriesCells {
  readonly values?: SheetArea
  readonly name?: SheetArea
  readonly categories?: SheetArea
  /** Horizontal values of scatter charts. */
  readonly x?: SheetArea
}

/** A rectangle of cells of a sheet. Rows and columns count from 0; both ends belong to it. */
export interface SheetArea {
  readonly sheet: string
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

/** Data labels of a series or of one point: which values they show, where, and in what format. */
export interface DataLabels {
  readonly value: boolean
  readonly share: boolean
  readonly category: boolean
  readonly series: boolean
  readonly key: boolean
  /** Absent: a line break before shares without values, otherwise '; '. */
  readonly separator?: string
  readonly position?: 'outside' | 'inside' | 'centre' | 'base' | 'above' | 'below' | 'left' | 'right' | 'best'
  readonly format?: string
  readonly shareFormat?: string
  readonly letters: Letters
  readonly formatting: ChartFormat
  readonly rotation: number // degrees, counter-clockwise
  /** Custom text that replaces the generated label. */
  readonly text?: readonly (readonly TextRun[])[]
  /** Offset from the automatic position, as shares of the chart's width and height. */
  readonly moved?: ManualLayout
}

/**
 * A trend line. `order` is the degree of a polynomial, `period` the length of a moving average; `forward` and
 * `backward` extend the line beyond the data, in axis units.
 */
export interface Trend {
  readonly kind: 'linear' | 'exponential' | 'logarithmic' | 'polynomial' | 'power' | 'moving'
  readonly name?: string
  readonly order: number
  readonly period: number
  readonly forward: number
  readonly backward: number
  readonly intercept?: number
  readonly equation: boolean
  readonly fit: boolean // R²
  readonly format?: string
  readonly letters: Letters
  readonly formatting: ChartFormat
}

/**
 * Error bars. `plus` and `minus` return the length of a bar for a value and its point index; axis 'x' means
 * horizontal bars.
 */
export interface ErrorBars {
  readonly axis: 'x' | 'y'
  readonly caps: boolean
  readonly formatting: ChartFormat
  readonly plus: (value: number, n: number) => number
  readonly minus: (value: number, n: number) => number
}

export interface Axis {
  /** The axis is deleted: it has neither a line nor labels, but still scales the data. */
  readonly hidden: boolean
  readonly title?: ChartTitle
  readonly min?: number
  readonly max?: number
  readonly step?: number
  readonly minorStep?: number
  /** Base of a logarithmic scale; absent: linear. */
  readonly base?: number
  readonly reversed: boolean
  readonly format?: string
  readonly grid?: ChartFormat
  readonly minorGrid?: ChartFormat
  readonly ticks: Ticks
  readonly minorTicks: Ticks
  readonly labels: 'beside' | 'low' | 'high' | 'none'
  /** Rotation of the labels in degrees, counter-clockwise; absent: chosen so that they fit. */
  readonly rotation?: number
  readonly letters: Letters
  readonly formatting: ChartFormat
  /** Value of the crossing axis at which this axis is drawn. */
  readonly crosses: 'zero' | 'least' | 'most' | number
  /**
   * The value axis crosses between categories, so that points lie in the middle of their category rather than
   * on the ends of the axis; absent: the default of the chart type.
   */
  readonly between?: boolean
  /** Every how many categories a label is drawn. */
  readonly labelEvery?: number
  /** Every how many categories a tick is drawn. */
  readonly tickEvery?: number
  /** A date axis: categories are positioned by their dates, in this unit. */
  readonly dates?: 'days' | 'months' | 'years'
}

/** Where the ticks of an axis are, seen from the plot area. */
export type Ticks = 'none' | 'in' | 'out' | 'cross'

/** An axis that is not drawn: the starting point for readers and the fallback where a chart has no axis. */
export const noAxis: Axis = {
  hidden: true,
  reversed: false,
  ticks: 'none',
  minorTicks: 'none',
  labels: 'beside',
  letters: {},
  formatting: {},
  crosses: 'zero',
}

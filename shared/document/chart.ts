import type { Gradient, Stroke } from './drawing.ts'
import type { Color } from './properties.ts'

/** A chart with its data, whatever file it came from. Source: ECMA-376-1, clause 21.2; ODF 1.3 part 3, clause 11. */
export interface Chart {
  readonly title?: ChartTitle
  readonly subtitle?: ChartTitle
  readonly plots: readonly Plot[]
  readonly legend?: Legend
  readonly categories: Axis
  readonly values: Axis
  /** Where series are measured by axes of their own. */
  readonly secondCategories?: Axis
  readonly secondValues?: Axis
  /** Theme colours that series take in turn. */
  readonly palette: readonly Color[]
  readonly look: Look // of the whole
  readonly wall: Look // behind the series
  /** What texts take that do not say themselves. */
  readonly letters: Letters
  /** Titles' size when nothing says one, pt. */
  readonly titleSize: number
  readonly plotPlace?: Place
  readonly blanks: 'gap' | 'zero' | 'span'
}

/** Shares of the chart's width and height. `inner`: without the labels of the axes. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly width?: number
  readonly height?: number
  readonly inner?: boolean
}

export interface Letters {
  readonly family?: string
  readonly size?: number // pt
  readonly bold?: boolean
  readonly italic?: boolean
  readonly color?: Color
}

export interface TextRun {
  readonly text: string
  readonly letters: Letters
}

export interface ChartTitle {
  readonly lines: readonly (readonly TextRun[])[]
  /** Its top left. */
  readonly place?: Place
  readonly turn?: number // degrees, against the clock
  readonly overlay?: boolean
  readonly look?: Look
}

/** What is filled and how it is edged; absent parts are automatic. */
export interface Look {
  readonly fill?: Color | 'none'
  readonly opacity?: number
  readonly gradient?: Gradient
  readonly line?: Color | 'none'
  readonly lineWidth?: number
  readonly dash?: Stroke['dash']
}

export interface Legend {
  readonly side: 'left' | 'right' | 'top' | 'bottom' | 'corner'
  readonly place?: Place
  readonly letters: Letters
  readonly look: Look
  readonly overlay: boolean
  /** Entries that are left out, by their number. */
  readonly without: ReadonlySet<number>
}

/** Series drawn one way; a chart may have several, lines over columns. */
export interface Plot {
  readonly kind: 'bar' | 'line' | 'area' | 'pie' | 'doughnut' | 'scatter' | 'bubble' | 'radar' | 'stock'
  readonly horizontal: boolean
  readonly grouping: 'side' | 'stacked' | 'share'
  /** Between groups of columns, as a share of a column. */
  readonly gap: number
  /** How far columns of a group stand over each other, -1 to 1. */
  readonly overlap: number
  readonly filled: boolean // radar
  /** Each point of an only series has a colour of its own. */
  readonly varied: boolean
  /** Measured by the second axes. */
  readonly second: boolean
  /** Where the first slice begins, degrees clockwise from the top. */
  readonly start: number
  /** Lines between the highest and the lowest value of a category, and down to the axis. */
  readonly spans?: Look
  readonly drops?: Look
  /** Boxes between the first and the last series. */
  readonly boxes?: { readonly gap: number; readonly up: Look; readonly down: Look }
  readonly series: readonly Series[]
}

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

export interface Series {
  readonly name: string
  /** Its place among all series, which gives its colour. */
  readonly index: number
  readonly categories: readonly string[]
  /** Outer levels of the categories, from the innermost on. */
  readonly levels?: readonly (readonly (string | undefined)[])[]
  /** Categories that are numbers: days, as they are counted in workbooks. */
  readonly days?: readonly (number | undefined)[]
  readonly dayFormat?: string
  readonly values: readonly (number | undefined)[]
  /** Scatter and bubble. */
  readonly x?: readonly (number | undefined)[]
  readonly sizes?: readonly (number | undefined)[]
  readonly look: Look
  /** Of single points: slices of a pie. */
  readonly pointLooks: ReadonlyMap<number, Look>
  readonly smooth: boolean
  /** Points are joined: lines and scatters. */
  readonly joined: boolean
  readonly symbol: MarkSymbol | 'none'
  readonly symbolSize: number // pt
  readonly symbolLook: Look
  readonly labels?: Labels
  readonly pointLabels: ReadonlyMap<number, Labels | 'none'>
  readonly format?: string // of its values
  /** How far slices stand out, as a share of the radius. */
  readonly explosion: number
  readonly explosions: ReadonlyMap<number, number>
  readonly trends: readonly Trend[]
  readonly errors: readonly ErrorBars[]
}

export interface Labels {
  readonly value: boolean
  readonly share: boolean
  readonly category: boolean
  readonly series: boolean
  readonly key: boolean
  readonly separator: string
  readonly place?: 'outside' | 'inside' | 'centre' | 'base' | 'above' | 'below' | 'left' | 'right' | 'best'
  readonly format?: string
  readonly shareFormat?: string
  readonly letters: Letters
  readonly look: Look
  readonly turn: number // degrees, against the clock
  /** Said instead of what the values are. */
  readonly text?: readonly (readonly TextRun[])[]
  /** Moved by shares of the chart. */
  readonly moved?: Place
}

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
  readonly look: Look
}

/** Lengths of error bars by point; 'x' lies. */
export interface ErrorBars {
  readonly axis: 'x' | 'y'
  readonly caps: boolean
  readonly look: Look
  readonly plus: (value: number, n: number) => number
  readonly minus: (value: number, n: number) => number
}

export interface Axis {
  /** Neither drawn nor labelled. */
  readonly hidden: boolean
  readonly title?: ChartTitle
  readonly min?: number
  readonly max?: number
  readonly step?: number
  readonly minorStep?: number
  /** Logarithmic to this base. */
  readonly base?: number
  readonly reversed: boolean
  readonly format?: string
  readonly grid?: Look
  readonly minorGrid?: Look
  readonly ticks: Ticks
  readonly minorTicks: Ticks
  readonly labels: 'beside' | 'low' | 'high' | 'none'
  /** Of the labels, degrees against the clock; absent: as there is room. */
  readonly turn?: number
  readonly letters: Letters
  readonly look: Look
  /** Where it stands on the axis that it crosses. */
  readonly crosses: 'zero' | 'least' | 'most' | number
  /** Values stand in the middle of their categories rather than on the ends of the axis; absent: as the kind has it. */
  readonly between?: boolean
  /** Labels and ticks at each so manyth category. */
  readonly labelEvery?: number
  readonly tickEvery?: number
  /** Categories lie by their days. */
  readonly dates?: 'days' | 'months' | 'years'
}

export type Ticks = 'none' | 'in' | 'out' | 'cross'

export const noAxis: Axis = {
  hidden: true,
  reversed: false,
  ticks: 'none',
  minorTicks: 'none',
  labels: 'beside',
  letters: {},
  look: {},
  crosses: 'zero',
}

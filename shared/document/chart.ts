import type { Color } from './properties.ts'

/** A chart with its data, whatever file it came from. Source: ECMA-376-1, clause 21.2. */
export interface Chart {
  readonly title?: string
  readonly plots: readonly Plot[]
  readonly legend?: 'left' | 'right' | 'top' | 'bottom'
  readonly categories: Axis
  readonly values: Axis
  /** Theme colours that series take in turn. */
  readonly palette: readonly Color[]
  readonly background?: Color
}

/** Series drawn one way; a chart may have several, lines over columns. */
export interface Plot {
  readonly kind: 'bar' | 'line' | 'area' | 'pie' | 'doughnut' | 'scatter' | 'bubble' | 'radar'
  readonly horizontal: boolean
  readonly grouping: 'side' | 'stacked' | 'share'
  /** Between groups of columns, as a share of a column. */
  readonly gap: number
  /** How far columns of a group stand over each other, -1 to 1. */
  readonly overlap: number
  /** Of a doughnut's outer radius. */
  readonly hole: number
  readonly lines: boolean // scatter: points are joined
  readonly filled: boolean // radar
  readonly series: readonly Series[]
}

export interface Series {
  readonly name: string
  readonly categories: readonly string[]
  readonly values: readonly (number | undefined)[]
  /** Scatter and bubble. */
  readonly x?: readonly (number | undefined)[]
  readonly sizes?: readonly (number | undefined)[]
  readonly color?: Color
  readonly noFill?: boolean
  /** Of single points: slices of a pie. */
  readonly pointColors: ReadonlyMap<number, Color>
  readonly smooth: boolean
  readonly markers: boolean
  readonly labels?: { readonly value: boolean; readonly share: boolean; readonly category: boolean }
  readonly format?: string // of its values
}

export interface Axis {
  readonly hidden: boolean
  readonly title?: string
  readonly min?: number
  readonly max?: number
  readonly step?: number
  readonly reversed: boolean
  readonly format?: string
  readonly grid: boolean
}

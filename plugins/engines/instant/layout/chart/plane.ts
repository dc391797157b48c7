import type { Axis, Plot, Series } from '../../../../../shared/document/chart.ts'
import type { Pt } from '../frame.ts'
import type { ChartArea } from './canvas.ts'
import { dayOf } from './format.ts'
import type { AxisScale } from './scale.ts'

/** Series that share two axes. */
export interface PlotGroup {
  readonly plots: readonly Plot[]
  readonly categories: Axis
  readonly values: Axis
  readonly second: boolean
}

/** The coordinate system of a group of series. */
export interface Plane {
  readonly area: ChartArea
  /** Whether bars are horizontal: categories run upward, values to the right. */
  readonly horizontal: boolean
  readonly value: AxisScale
  /** Present when both axes are numeric. */
  readonly across: AxisScale | undefined
  readonly count: number
  readonly reversed: boolean
  /** Whether half a category is left free at both ends. */
  readonly between: boolean
  /** For categories that are dates, their offsets from the first one. */
  readonly days: readonly (number | undefined)[] | undefined
  /** Length of the category axis: the number of categories, or of days from the first to the last. */
  readonly length: number
}

export const axisLength = (count: number, days: Plane['days']): number =>
  days === undefined ? count : days.reduce<number>((max, day) => Math.max(max, day ?? 0), 0) + 1

/** The centre of a category, 0 to 1. `n` may be between two. */
export function categoryFraction({ length, between, reversed, days }: Plane, n: number): number {
  const at = days === undefined ? n : dayAt(days, n)
  const fraction = between ? (at + 0.5) / Math.max(1, length) : length > 1 ? at / (length - 1) : 0.5
  return reversed ? 1 - fraction : fraction
}

function dayAt(days: readonly (number | undefined)[], n: number): number {
  const index = Math.floor(n)
  return (days[index] ?? index) + (n - index)
}

/** The point of the plot area at the fraction `share` of the category axis and at a value. */
export function pointAt({ area, horizontal, value }: Plane, fraction: number, amount: number): [Pt, Pt] {
  const up = value.fractionOf(amount)
  return horizontal
    ? [area.x + up * area.width, area.y + (1 - fraction) * area.height]
    : [area.x + fraction * area.width, area.y + (1 - up) * area.height]
}

export interface AxisInterval {
  readonly from: number
  readonly to: number
}

/**
 * The interval of each series at each category. Stacks grow upward with positive and downward with negative
 * values.
 */
export function spansOf({ series, grouping, kind }: Plot, base: number): AxisInterval[][] {
  const count = series.reduce((max, { values }) => Math.max(max, values.length), 0)
  if (grouping === 'side')
    return series.map(({ values }) => values.map((value) => ({ from: base, to: value ?? base })))
  const sums = Array.from({ length: count }, (_, n) =>
    series.reduce((sum, { values }) => sum + Math.abs(values[n] ?? 0), 0),
  )
  const up = new Array<number>(count).fill(0)
  const down = new Array<number>(count).fill(0)
  return series.map(({ values }) =>
    Array.from({ length: count }, (_, n) => {
      const amount = values[n] ?? 0
      const value = grouping === 'share' ? amount / (sums[n] || 1) : amount
      // Lines and areas are cumulative; columns of negative values are stacked downward.
      const stack = value < 0 && kind === 'bar' ? down : up
      const from = stack[n] ?? 0
      stack[n] = from + value
      return { from, to: from + value }
    }),
  )
}

/** All values, as the axis shows them. */
export function valuesOf(plot: Plot): number[] {
  const errors = (series: Series): number[] =>
    series.errors.flatMap(({ axis, plus, minus }) =>
      axis === 'y'
        ? series.values.flatMap((value, n) =>
            value === undefined ? [] : [value + plus(value, n), value - minus(value, n)],
          )
        : [],
    )
  if (plot.grouping === 'side')
    return plot.series.flatMap((series) => [
      ...series.values.flatMap((value) => value ?? []),
      ...(plot.kind === 'bar' ? [] : errors(series)),
    ])
  return spansOf(plot, 0).flatMap((spans) => spans.map(({ to }) => to))
}

export const xsOf = ({ x, values }: Series): number[] =>
  (x ?? values.map((_, n) => n + 1)).flatMap((value) => value ?? [])

/** For categories that are dates: how many of `unit` each is after the first. */
export function daysOf(
  plots: readonly Plot[],
  unit: NonNullable<Axis['dates']>,
): { at: (number | undefined)[]; first: number; dayAt: (at: number) => number } | undefined {
  const days = plots
    .flatMap(({ series }) => series)
    .find(({ days }) => days?.some((day) => day !== undefined))?.days
  if (days === undefined) return undefined
  const counted = days.map((day) => (day === undefined ? undefined : unitOf(day, unit)))
  const first = counted.reduce<number>(
    (min, at) => Math.min(min, at ?? Number.POSITIVE_INFINITY),
    Number.POSITIVE_INFINITY,
  )
  const at = counted.map((value) => (value === undefined ? undefined : value - first))
  if (at.some((value) => (value ?? 0) > 100_000)) return undefined
  const serialDayAt = (n: number): number => {
    if (unit === 'days') return first + n
    const date =
      unit === 'years'
        ? Date.UTC(first + n, 0, 1)
        : Date.UTC(Math.floor((first + n) / 12), (first + n) % 12, 1)
    return Math.round(date / 86_400_000) + 25_569
  }
  return { at, first, dayAt: serialDayAt }
}

function unitOf(day: number, unit: NonNullable<Axis['dates']>): number {
  if (unit === 'days') return Math.floor(day)
  const date = dayOf(day)
  return unit === 'years' ? date.getUTCFullYear() : date.getUTCFullYear() * 12 + date.getUTCMonth()
}

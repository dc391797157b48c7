import type {
  CellIcon,
  ColorScale,
  DataBar,
  IconSet,
  ScalePoint,
} from '../../../../../../shared/document/sheet.ts'
import type { EvaluatedCell, Formulas } from './formulas.ts'
import type { AreaValues } from './values.ts'

/** A data bar; lengths are fractions of the cell width. */
export interface CellBar {
  /** The position of zero, from 0 to 1. */
  readonly zero: number
  /** The length from `zero`, as a fraction of the space to its right, or to its left if negative. */
  readonly length: number
  readonly color: string
  readonly gradient: boolean
  /** The colour of the line at `zero`. */
  readonly axis?: string
}

/** A number in a cell, and what a scale compares it with. */
export interface ScaledValue {
  readonly value: number
  readonly cell: EvaluatedCell
  /** The values of all cells to which the scale applies. */
  readonly values: AreaValues
  readonly formulas: Formulas
}

/** The value of a threshold of a scale; undefined if it cannot be computed. */
function numberAt(
  point: ScalePoint,
  { values: { numbers }, cell, formulas }: ScaledValue,
  side: 'low' | 'high',
): number | undefined {
  const [min, max] = [numbers[0] ?? 0, numbers.at(-1) ?? 0]
  switch (point.kind) {
    case 'min':
      return min
    case 'max':
      return max
    case 'auto':
      return side === 'low' ? Math.min(0, min) : Math.max(0, max)
    case 'percent':
      return min + ((max - min) * point.share) / 100
    case 'percentile': {
      const at = ((numbers.length - 1) * point.share) / 100
      const below = numbers[Math.floor(at)] ?? 0
      return below + ((numbers[Math.ceil(at)] ?? below) - below) * (at - Math.floor(at))
    }
    case 'formula': {
      // The references in thresholds are absolute, so the result is the same for all cells.
      const result = formulas.valueFor(point.formula, cell)?.value
      return typeof result === 'number' ? result : undefined
    }
    default:
      return point satisfies never
  }
}

/** Interpolates the colour of a value on a colour scale. */
export function colorOf({ points }: ColorScale, scaled: ScaledValue): string | undefined {
  const { value } = scaled
  let before: { readonly at: number; readonly color: string } | undefined
  for (const [index, { at, color }] of points.entries()) {
    const number = numberAt(at, scaled, index === 0 ? 'low' : 'high')
    if (number === undefined) return undefined
    if (value <= number)
      return before === undefined || number <= before.at
        ? color
        : between(before.color, color, (value - before.at) / (number - before.at))
    before = { at: number, color }
  }
  return before?.color
}

function between(from: string, to: string, share: number): string {
  const channel = (at: number): string => {
    const [a, b] = [Number.parseInt(from.slice(at, at + 2), 16), Number.parseInt(to.slice(at, at + 2), 16)]
    return Math.floor(a + (b - a) * share)
      .toString(16)
      .padStart(2, '0')
  }
  return `${channel(0)}${channel(2)}${channel(4)}`.toUpperCase()
}

/** The data bar of a value. Lengths as observed in LibreOffice. */
export function barOf(bar: DataBar, scaled: ScaledValue): CellBar | undefined {
  const { value } = scaled
  const min = numberAt(bar.from, scaled, 'low')
  const max = numberAt(bar.to, scaled, 'high')
  if (min === undefined || max === undefined) return undefined
  const { gradient } = bar
  const color = value < 0 ? bar.negativeColor : bar.color
  if (bar.axis === 'none') {
    const share = value <= min ? 0 : value >= max ? 1 : (value - min) / (max - min)
    return {
      zero: 0,
      length: (bar.minLength + share * (bar.maxLength - bar.minLength)) / 100,
      color,
      gradient,
    }
  }
  const zero = bar.axis === 'middle' ? 0.5 : min >= 0 ? 0 : max < 0 ? 1 : -min / (max - min)
  const length = lengthFromZero(bar, value, min, max)
  const isInside = zero > 0 && zero < 1
  return {
    zero,
    length: Number.isFinite(length) ? length : 0,
    color,
    gradient,
    ...(isInside && { axis: bar.axisColor }),
  }
}

/** The length of a bar with an axis: from -1 for the lowest value to 1 for the highest. May not be finite. */
function lengthFromZero(bar: DataBar, value: number, min: number, max: number): number {
  const isMiddle = bar.axis === 'middle'
  if (value < 0 && min < 0) {
    const largest = !isMiddle && bar.to.kind === 'max' && max < 0 ? max : 0
    return value < min ? -1 : -(value - largest) / (min - largest)
  }
  if (value > max) return 1
  if (value <= min) return 0
  const smallest = !isMiddle && bar.from.kind === 'min' && min > 0 ? min : 0
  return (value - smallest) / (max - smallest)
}

/** The icon of a value: that of the last threshold that it reaches. */
export function iconOf({ icons }: IconSet, scaled: ScaledValue): CellIcon | undefined {
  const { value } = scaled
  let chosen = icons[0]?.icon
  for (const [index, { from, inclusive, icon }] of icons.entries()) {
    if (index === 0) continue
    const number = numberAt(from, scaled, 'high')
    if (number === undefined) return undefined
    if (value > number || (inclusive && value === number)) chosen = icon
    else break
  }
  return chosen
}

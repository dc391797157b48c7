import type { Color } from '../../document/paint.ts'
import type { Border, BorderStyle } from '../../document/properties.ts'
import { entryOf } from '../../entry-of.ts'

/** Returns the value of an attribute of the element or style that is being read. */
export type AttributeGetter = (name: string) => string | undefined

/** Units of length in points. */
const units: Readonly<Record<string, number>> = {
  cm: 72 / 2.54,
  mm: 72 / 25.4,
  in: 72,
  inch: 72,
  pt: 1,
  pc: 12,
  px: 0.75,
}

/**
 * Parses a length such as '1.5cm' into points; undefined for percentages and anything else. Observed in
 * LibreOffice: lengths are rounded to hundredths of a millimetre when they are read, then to twentieths of a
 * point.
 */
export function length(text: string | undefined): number | undefined {
  const exact = exactLength(text)
  return exact === undefined ? undefined : Math.round((Math.round((exact * 2540) / 72) * 1440) / 2540) / 20
}

/** The same without rounding, for font sizes and line widths. Limited to 440 inches. */
export function exactLength(text: string | undefined): number | undefined {
  const match = text === undefined ? null : /^\s*(-?(?:\d+(?:\.\d*)?|\.\d+))\s*([a-z]+)\s*$/i.exec(text)
  const unit = match === null ? undefined : entryOf(units, (match[2] ?? '').toLowerCase())
  if (match === null || unit === undefined) return undefined
  return Math.max(-31_680, Math.min(31_680, Number(match[1]) * unit))
}

/** Parses a percentage: '50%' gives 0.5. */
export function percent(text: string | undefined): number | undefined {
  const match = text === undefined ? null : /^\s*(-?\d+(?:\.\d*)?)%\s*$/.exec(text)
  return match === null ? undefined : Number(match[1]) / 100
}

/** Parses '#rrggbb' into RRGGBB; undefined for anything else. */
export function color(text: string | undefined): Color | undefined {
  return text !== undefined && /^#[0-9a-f]{6}$/i.test(text) ? text.slice(1).toUpperCase() : undefined
}

/** Parses fo:background-color: a colour, or 'none' for transparent. */
export const backgroundColor = (text: string | undefined): Color | 'none' | undefined =>
  text === 'transparent' ? 'none' : color(text)

const borderStyles: Readonly<Record<string, BorderStyle>> = {
  none: 'none',
  hidden: 'none',
  solid: 'single',
  double: 'double',
  dotted: 'dotted',
  dashed: 'dashed',
  groove: 'single',
  ridge: 'single',
  inset: 'inset',
  outset: 'outset',
  'fine-dashed': 'dashed',
  'dash-dot': 'dot-dash',
  'dash-dot-dot': 'dot-dot-dash',
  'double-thin': 'double',
}

/**
 * Parses fo:border, such as '0.5pt solid #000000' (20.176). The width of a double border covers both lines and the gap, and is
 * the sum of `strips` where these are declared (style:border-line-width, 20.248); the result has that of one line.
 */
export function border(text: string | undefined, padding: number, strips?: string): Border | undefined {
  if (text === undefined) return undefined
  let style: BorderStyle = 'none'
  let width = 0
  let paint: Color = 'auto'
  for (const word of text.trim().split(/\s+/)) {
    const size = length(word)
    if (size !== undefined) width = Math.max(0, Math.min(72, size))
    else if (entryOf(borderStyles, word) !== undefined) style = entryOf(borderStyles, word)!
    else paint = color(word) ?? paint
  }
  if (style === 'double') width = (sumOf(strips) || width) / 3
  return { style, width: style === 'none' ? 0 : Math.max(0.05, width), color: paint, space: padding }
}

/** The sum of lengths in points, 72 at most; 0 where none is declared. */
function sumOf(lengths: string | undefined): number {
  const words = lengths?.split(/\s+/) ?? []
  return Math.min(
    72,
    words.reduce((total, word) => total + Math.max(0, length(word) ?? 0), 0),
  )
}

/** Parses a boolean attribute; undefined when it is absent. */
export const isTrue = (text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'true'

/**
 * Removes undefined properties in place, so that spreading one set of properties over another keeps the
 * values of the lower one.
 */
export function compact<T extends object>(properties: T): T {
  for (const key of Object.keys(properties) as (keyof T)[]) {
    if (properties[key] === undefined) delete properties[key]
  }
  return properties
}

/** Parses a whole number, limited to a million; undefined when it has another form. */
export function integer(text: string | undefined): number | undefined {
  const value = text === undefined ? Number.NaN : Number.parseInt(text, 10)
  return Number.isFinite(value) ? Math.max(-1_000_000, Math.min(1_000_000, value)) : undefined
}

/**
 * The direction of the lines of a frame or a cell: style:writing-mode (ODF 1.3 part 3, 20.404). LibreOffice writes text that runs
 * upwards in a namespace of its own, beside a value that others know.
 */
export function textDirection(get: AttributeGetter): 'horizontal' | 'up' | 'down' {
  const mode = get('loext:writing-mode') ?? get('style:writing-mode')
  return mode === 'bt-lr' ? 'up' : mode?.startsWith('tb') === true ? 'down' : 'horizontal'
}

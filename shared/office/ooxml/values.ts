import type { Color } from '../../document/paint.ts'
import type { Measure } from '../../document/table-properties.ts'
import { entryOf } from '../../entry-of.ts'
import type { XmlCursor } from '../../xml/cursor.ts'

/**
 * Maximum length taken from a file, pt (440 inches): more than any paper, and small enough that sums
 * stay exact.
 */
const maxLength = 31_680

function bounded(value: number): number | undefined {
  if (!Number.isFinite(value)) return undefined
  return Math.max(-maxLength, Math.min(maxLength, value))
}

/** Units of length in points; 'pi' is a pica as OOXML writes it. */
const unitsToPoints: Readonly<Record<string, number>> = {
  pt: 1,
  in: 72,
  cm: 72 / 2.54,
  mm: 72 / 25.4,
  pc: 12,
  pi: 12,
  px: 0.75,
}

/**
 * Parses '12pt', '1in' or a number without unit, which counts `unit` points each; ST_UniversalMeasure
 * (ECMA-376-1 22.9.2.15). Returns points; undefined when it is not a number.
 */
export function length(text: string | undefined, unit: number): number | undefined {
  if (text === undefined) return undefined
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)/i.exec(text)
  if (match === null) return undefined
  const suffix = match[2] === '' ? undefined : entryOf(unitsToPoints, (match[2] ?? '').toLowerCase())
  return bounded(Number(match[1]) * (suffix ?? unit))
}

/** Parses twentieths of a point, or a length with a unit, into points. */
export const twips = (text: string | undefined): number | undefined => length(text, 1 / 20)
/** Parses English Metric Units (12,700 per point), or a length with a unit, into points. */
export const emu = (text: string | undefined): number | undefined => length(text, 1 / 12700)

/** Parses a whole number, limited to 32 bits; undefined when it has another form. */
export function integer(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number.parseInt(text, 10)
  return Number.isFinite(value) ? Math.max(-2147483648, Math.min(2147483647, value)) : undefined
}

/** Thousandths of a percent, or a percentage with its sign (ST_TextSpacingPercentOrPercentString), as a fraction. */
export function percent(text: string | undefined): number | undefined {
  const value = Number.parseFloat(text ?? '')
  if (!Number.isFinite(value)) return undefined
  return Math.max(0, Math.min(100, value / (text!.trim().endsWith('%') ? 100 : 100_000)))
}

/** Returns w:val of the current element. */
export const val = (cursor: XmlCursor): string | undefined => cursor.attribute('w:val')

/** Reads a switch element (ST_OnOff, 22.9.2.7): without w:val it is on. */
export function onOff(cursor: XmlCursor): boolean {
  return isOn(val(cursor) ?? 'true')
}
/** Whether an attribute value of a switch means on; an absent attribute means off. */
export const isOn = (text: string | undefined): boolean =>
  text !== undefined && text !== '0' && text !== 'false' && text !== 'off' && text !== 'none'

/**
 * Parses 'auto' or a hexadecimal colour of six or three digits into 'auto' or RRGGBB; undefined for anything
 * else.
 */
export function color(text: string | undefined): Color | undefined {
  if (text === undefined) return undefined
  if (text === 'auto') return 'auto'
  const hex = text.startsWith('#') ? text.slice(1) : text
  if (/^[0-9a-f]{6}$/i.test(hex)) return hex.toUpperCase()
  if (/^[0-9a-f]{3}$/i.test(hex)) return hex.replace(/./g, '$&$&').toUpperCase()
  return undefined
}

/**
 * Reads a table measure such as w:tblW (17.18.90): twentieths of a point, fiftieths of a percent or '50%',
 * auto, nil.
 */
export function measure(cursor: XmlCursor): Measure | undefined {
  const text = cursor.attribute('w:w')
  const type = cursor.attribute('w:type')
  if (type === 'auto' || type === 'nil') return { kind: 'auto' }
  if (text === undefined) return undefined
  if (text.endsWith('%')) return { kind: 'share', value: (Number.parseFloat(text) || 0) / 100 }
  if (type === 'pct') return { kind: 'share', value: (Number.parseFloat(text) || 0) / 5000 }
  const value = twips(text)
  if (value === undefined) return undefined
  return { kind: 'pt', value }
}

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

/** ST_HighlightColor (17.18.40). */
export const highlights: Readonly<Record<string, Color | 'none'>> = {
  black: '000000',
  blue: '0000FF',
  cyan: '00FFFF',
  green: '00FF00',
  magenta: 'FF00FF',
  red: 'FF0000',
  yellow: 'FFFF00',
  white: 'FFFFFF',
  darkBlue: '000080',
  darkCyan: '008080',
  darkGreen: '008000',
  darkMagenta: '800080',
  darkRed: '800000',
  darkYellow: '808000',
  darkGray: '808080',
  lightGray: 'C0C0C0',
  none: 'none',
}

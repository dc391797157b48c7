import type { Color } from '../../../../shared/document/properties.ts'
import type { Measure } from '../../../../shared/document/table.ts'
import type { XmlCursor } from '../../../../shared/document/xml-cursor.ts'

/** Largest length taken from a file, pt: more than any paper, small enough that sums stay exact. */
const farthest = 31_680

function bounded(value: number): number | undefined {
  if (!Number.isFinite(value)) return undefined
  return Math.max(-farthest, Math.min(farthest, value))
}

const unitsToPoints: Readonly<Record<string, number>> = {
  pt: 1,
  in: 72,
  cm: 72 / 2.54,
  mm: 72 / 25.4,
  pc: 12,
  pi: 12,
  px: 0.75,
}

/** '12pt', '1in', or a bare number in `unit` pt; ST_UniversalMeasure (ECMA-376-1 22.9.2.15). */
export function length(text: string | undefined, unit: number): number | undefined {
  if (text === undefined) return undefined
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)/i.exec(text)
  if (match === null) return undefined
  const suffix = match[2] === '' ? undefined : unitsToPoints[match[2]!.toLowerCase()]
  return bounded(Number(match[1]) * (suffix ?? unit))
}

export const twips = (text: string | undefined): number | undefined => length(text, 1 / 20)
export const emu = (text: string | undefined): number | undefined => length(text, 1 / 12700)

export function integer(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number.parseInt(text, 10)
  return Number.isFinite(value) ? Math.max(-2147483648, Math.min(2147483647, value)) : undefined
}

/** The w:val of the current element. */
export const val = (cursor: XmlCursor): string | undefined => cursor.attribute('w:val')

/** ST_OnOff: an element without w:val is on. */
export function onOff(cursor: XmlCursor): boolean {
  return isOn(val(cursor) ?? 'true')
}
export const isOn = (text: string | undefined): boolean =>
  text !== undefined && text !== '0' && text !== 'false' && text !== 'off' && text !== 'none'

/** 'auto' or RRGGBB; undefined for anything else. */
export function color(text: string | undefined): Color | undefined {
  if (text === undefined) return undefined
  if (text === 'auto') return 'auto'
  const hex = text.startsWith('#') ? text.slice(1) : text
  if (/^[0-9a-f]{6}$/i.test(hex)) return hex.toUpperCase()
  if (/^[0-9a-f]{3}$/i.test(hex)) return hex.replace(/./g, '$&$&').toUpperCase()
  return undefined
}

/** w:tblW, w:tcW: dxa, pct (fiftieths of a percent or '50%'), auto, nil. */
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

/** Removes what is undefined, so that spreading one set of properties over another keeps the lower one's values. */
export function compact<T extends object>(properties: T): T {
  for (const key of Object.keys(properties) as (keyof T)[]) {
    if (properties[key] === undefined) delete properties[key]
  }
  return properties
}

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

import { DateValue } from './formatter.ts'
import { isoText } from './printed.ts'

/** Conversion of values and arguments to the type that a formatter expects. */

/** Text of a string or date; undefined for everything else. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return value instanceof DateValue ? isoText(value.epochMs) : undefined
}

/** Text of a string, number or date; undefined for everything else. */
export function asTextOrNumber(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : asText(value)
}

/** The leading number of a text, as parseFloat reads it; NaN when there is none. */
export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? Number.parseFloat(value) : Number.NaN
}

const numeric = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?\s*$/i

/** A number, or text that is a number from end to end; undefined for everything else. */
export function numericOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && numeric.test(value) ? Number(value) : undefined
}

/** An integer argument, the default when it is missing or not a number. Fractions are cut. */
export function integer(argument: unknown, otherwise: number): number {
  const number = typeof argument === 'number' ? argument : Number.parseInt(String(argument ?? ''), 10)
  return Number.isFinite(number) ? Math.trunc(number) : otherwise
}

/** A text argument; the default when it was not written. */
export function text(argument: unknown, otherwise: string): string {
  return asTextOrNumber(argument) ?? (typeof argument === 'boolean' ? String(argument) : otherwise)
}

/** Whether a value is absent: null or undefined. An empty text is a value. */
export const isMissing = (value: unknown): value is null | undefined => value === null || value === undefined

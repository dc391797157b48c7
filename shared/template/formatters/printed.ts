import {
  ColorValue,
  DateValue,
  DrawnPicture,
  HtmlValue,
  LinkValue,
  Markup,
  PictureValue,
  ShiftValue,
  SvgUpdate,
} from './formatter.ts'

/** Arrays inside arrays print as one list; below this depth nothing is printed. */
const maxDepth = 64

/**
 * The text of a value as a tag prints it, before escaping: nothing for null and undefined, the shortest decimal form
 * for numbers, items joined by commas for arrays, ISO 8601 UTC for dates. Never calls a method found in the data.
 */
export function printed(value: unknown, depth = 0): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'object':
      break
    default:
      return ''
  }
  if (value === null) return ''
  if (Array.isArray(value)) {
    return depth >= maxDepth ? '' : value.map((item) => printed(item, depth + 1)).join(',')
  }
  if (value instanceof DateValue) return isoText(value.epochMs)
  if (value instanceof Markup) return value.markup
  if (value instanceof DrawnPicture) return value.text
  if (value instanceof HtmlValue) return value.text()
  if (value instanceof PictureValue) return printed(value.source, depth)
  if (value instanceof ColorValue || value instanceof ShiftValue || value instanceof SvgUpdate) return ''
  if (value instanceof LinkValue) return printed(value.address, depth)
  return ofObject
}

const ofObject = '[object Object]'

/** Whether a value is an object of the data, or an array with such an object, which has no text of its own. */
export function printsObject(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value)
    ? depth < maxDepth && value.some((item) => printsObject(item, depth + 1))
    : printed(value) === ofObject
}

/** ISO 8601 in UTC with milliseconds; `Invalid Date` beyond the years a date can hold. */
export function isoText(epochMs: number): string {
  return Math.abs(epochMs) <= 8.64e15 ? new Date(epochMs).toISOString() : 'Invalid Date'
}

/** The text by which tests compare: as printed, but null and undefined are those words. */
export function compared(value: unknown): string {
  return value === null ? 'null' : value === undefined ? 'undefined' : printed(value)
}

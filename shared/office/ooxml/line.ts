import type { Stroke } from '../../document/paint.ts'
import type { Writable } from '../../document/writable.ts'
import { entryOf } from '../../entry-of.ts'
import type { XmlCursor } from '../../xml/cursor.ts'
import { readArrowHead } from './arrow-head.ts'
import { type Paint, readPaint } from './colors.ts'
import { readGradient } from './gradient.ts'
import type { Theme } from './theme.ts'
import { emu, integer } from './values.ts'

/** Lengths of dashes and gaps of a:prstDash, as multiples of the line width (ECMA-376-1 20.1.10.49). */
const patterns: Readonly<Record<string, readonly number[]>> = {
  dot: [1, 3],
  sysDot: [1, 1],
  dash: [4, 3],
  sysDash: [3, 1],
  lgDash: [8, 3],
  dashDot: [4, 3, 1, 3],
  sysDashDot: [3, 1, 1, 1],
  lgDashDot: [8, 3, 1, 3],
  lgDashDotDot: [8, 3, 1, 3, 1, 3],
  sysDashDotDot: [3, 1, 1, 1, 1, 1],
}
/** The same names reduced to the dash styles of the document model, for renderers without patterns. */
export const dashes: Readonly<Record<string, Stroke['dash']>> = Object.fromEntries(
  Object.entries(patterns).map(([name, { length, [0]: first }]): [string, Stroke['dash']] => [
    name,
    length > 2 ? 'dot-dash' : first === 1 ? 'dotted' : 'dashed',
  ]),
)

/** A line as a:ln specifies it; absent values come from the shape's style. */
export interface LineFormat {
  /** The line is switched off (a:noFill). */
  readonly none: boolean
  readonly width?: number // pt
  readonly paint?: Paint
  readonly stroke: Omit<Stroke, 'color' | 'width' | 'opacity'>
  /** The line consists of two or three parallel strokes. */
  readonly compound: boolean
}

/** Reads a:ln (20.1.2.2.24). `placeholderColor` is the colour of the style reference, for `phClr`. */
export function readLineFormat(
  cursor: XmlCursor,
  theme: Theme,
  placeholderColor: string | undefined,
): LineFormat {
  const width = emu(cursor.attribute('w'))
  const compound = (cursor.attribute('cmpd') ?? 'sng') !== 'sng'
  let none = false
  let paint: Paint | undefined
  const stroke: Writable<LineFormat['stroke']> = { dash: 'solid' }
  cursor.each((name) => {
    switch (name) {
      case 'a:noFill':
        none = true
        break
      case 'a:solidFill':
        paint = readPaint(cursor, theme, placeholderColor)
        break
      case 'a:gradFill': {
        // A line is drawn in one colour, so take that of the first stop.
        const [first] = readGradient(cursor, theme, placeholderColor)?.stops ?? []
        if (first !== undefined) paint = { color: first.color, opacity: 1 }
        break
      }
      case 'a:prstDash': {
        const kind = cursor.attribute('val') ?? ''
        stroke.dash = entryOf(dashes, kind) ?? 'solid'
        if (entryOf(patterns, kind) !== undefined) stroke.pattern = entryOf(patterns, kind)
        break
      }
      case 'a:custDash': {
        const pattern = customDash(cursor)
        if (pattern.length > 0) [stroke.dash, stroke.pattern] = ['dashed', pattern]
        break
      }
      case 'a:round':
      case 'a:bevel':
      case 'a:miter':
        stroke.join = name.slice(2) as 'round' | 'bevel' | 'miter'
        break
      case 'a:headEnd':
      case 'a:tailEnd': {
        const head = readArrowHead(cursor.attribute('type'), cursor.attribute('w'), cursor.attribute('len'))
        if (head !== undefined) stroke[name === 'a:headEnd' ? 'startArrow' : 'endArrow'] = head
        break
      }
    }
  })
  return {
    none,
    ...(width !== undefined && { width: Math.max(0, width) }),
    ...(paint !== undefined && { paint }),
    stroke,
    compound,
  }
}

/**
 * a:custDash (20.1.8.21): lengths of dashes and gaps in thousandths of a percent of the line width; empty
 * when they are all 0.
 */
function customDash(cursor: XmlCursor): number[] {
  const pattern: number[] = []
  cursor.each((name) => {
    if (name !== 'a:ds' || pattern.length >= 12) return
    const part = (key: string): number =>
      Math.min(1000, Math.max(0, (integer(cursor.attribute(key)) ?? 0) / 100_000))
    pattern.push(part('d'), part('sp'))
  })
  return pattern.some((part) => part > 0) ? pattern : []
}

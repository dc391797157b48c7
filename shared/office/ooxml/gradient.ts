import type { Color, Gradient } from '../../document/paint.ts'
import type { XmlCursor } from '../../xml/cursor.ts'
import { blended, readPaint } from './colors.ts'
import type { Theme } from './theme.ts'
import { integer } from './values.ts'

/** Maximum number of gradient stops. */
const maxStops = 64

/**
 * Reads a:gradFill (20.1.8.33): a linear gradient, or one around a rectangle, which is reduced to its centre.
 * The opacity is the average over all stops. Undefined without stops. `placeholderColor` is the colour of the style
 * reference, for `phClr`.
 */
export function readGradient(
  cursor: XmlCursor,
  theme: Theme,
  placeholderColor?: Color,
): Gradient | undefined {
  const stops: { at: number; color: Color; opacity: number }[] = []
  let kind: Gradient['kind'] = 'linear'
  let angle = 0
  let centre = { x: 0.5, y: 0.5 }
  const fractionAt = (key: string): number => (integer(cursor.attribute(key)) ?? 0) / 100_000
  cursor.each((child) => {
    if (child === 'a:gsLst') {
      cursor.each(() => {
        const at = Math.max(0, Math.min(1, fractionAt('pos')))
        const paint = readPaint(cursor, theme, placeholderColor)
        if (paint !== undefined && stops.length < maxStops) stops.push({ at, ...paint })
      })
    } else if (child === 'a:lin') angle = (integer(cursor.attribute('ang')) ?? 0) / 60_000
    else if (child === 'a:path') {
      kind = 'radial'
      cursor.each((inner) => {
        if (inner !== 'a:fillToRect') return
        const [left, top, right, bottom] = [
          fractionAt('l'),
          fractionAt('t'),
          fractionAt('r'),
          fractionAt('b'),
        ]
        centre = { x: (left + 1 - right) / 2, y: (top + 1 - bottom) / 2 }
      })
    }
  })
  if (stops.length === 0) return undefined
  stops.sort((a, b) => a.at - b.at)
  const opacity = stops.reduce((sum, stop) => sum + stop.opacity, 0) / stops.length
  return { kind, angle, centre, stops: stops.map(({ at, color }) => ({ at, color })), opacity }
}

/**
 * Reads a:pattFill (20.1.8.47) as one colour: the average of foreground and background in the proportion that
 * the pattern shows. Dark patterns without a percentage count as 50 %, others as 30 %.
 */
export function readPattern(cursor: XmlCursor, theme: Theme, placeholderColor?: Color): Color {
  const percent = /^pct(\d+)$/.exec(cursor.attribute('prst') ?? '')?.[1]
  const dense = (cursor.attribute('prst') ?? '').startsWith('dk')
  let [fore, back]: [Color, Color] = ['000000', 'FFFFFF']
  cursor.each((child) => {
    if (child === 'a:fgClr') fore = readPaint(cursor, theme, placeholderColor)?.color ?? fore
    else if (child === 'a:bgClr') back = readPaint(cursor, theme, placeholderColor)?.color ?? back
  })
  return blended(back, fore, percent === undefined ? (dense ? 0.5 : 0.3) : Number(percent) / 100)
}

/** Resolves the lengths and colours of computed styles for box layout. Source: CSS Box 4, CSS Sizing 3, CSS Backgrounds 3. */

import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import type { Colour, Pt } from '../frame.ts'
import { cornerRadiiOf } from './corners.ts'
import type { BorderSide, Borders, BoxPaint, BreakRule, Edges, LineStyle } from './fragment.ts'
import { gradientOf } from './gradient.ts'
import { shadowsOf } from './shadow.ts'
import { layoutUnit, pixel } from './text-font.ts'

const sides = ['top', 'right', 'bottom', 'left'] as const
export type Side = (typeof sides)[number]

export const edgesWidth = ({ left, right }: Edges): Pt => left + right
export const edgesHeight = ({ top, bottom }: Edges): Pt => top + bottom

const eachSide = <T>(of: (side: Side) => T): Readonly<Record<Side, T>> => ({
  top: of('top'),
  right: of('right'),
  bottom: of('bottom'),
  left: of('left'),
})

export function colourOf(style: ComputedStyle, name: string): Colour | undefined {
  const value = style.color(name)
  return value === undefined ? undefined : Number.parseInt(value, 16)
}
export const textColour = (style: ComputedStyle): Colour => colourOf(style, 'color') ?? 0

export const paddingOf = (style: ComputedStyle, width: Pt): Edges =>
  eachSide((side) => layoutUnit(Math.max(0, style.length(`padding-${side}`, width) ?? 0)))

/** The margins of a box; undefined stands for `auto`. */
export const marginOf = (style: ComputedStyle, width: Pt): Readonly<Record<Side, Pt | undefined>> =>
  eachSide((side) =>
    style.word(`margin-${side}`) === 'auto'
      ? undefined
      : layoutUnit(style.length(`margin-${side}`, width) ?? 0),
  )

const lineStyles: Readonly<Record<string, LineStyle>> = {
  dashed: 'dashed',
  dotted: 'dotted',
  double: 'double',
}

const borderSide = (style: ComputedStyle, side: Side): BorderSide | undefined =>
  lineOf(style, `border-${side}`)

/** The line of a border or of the rule between columns; undefined if there is none. */
export function lineOf(style: ComputedStyle, property: string): BorderSide | undefined {
  const line = style.word(`${property}-style`) ?? 'none'
  if (line === 'none' || line === 'hidden') return undefined
  const width = style.length(`${property}-width`) ?? 3 * pixel
  if (width <= 0) return undefined
  const named = style.get(`${property}-color`)
  const colour = named === undefined ? textColour(style) : colourOf(style, `${property}-color`)
  // Browsers round border widths down to whole pixels, but not below one pixel.
  const roundedWidth = Math.max(pixel, Math.floor(width / pixel + 1e-6) * pixel)
  if (colour === undefined) return { width: roundedWidth, style: 'solid', colour: -1 }
  return { width: roundedWidth, style: entryOf(lineStyles, line) ?? 'solid', colour }
}

export function bordersOf(style: ComputedStyle): Borders {
  return style.memoized('borders', () => {
    const all = eachSide((side) => borderSide(style, side))
    return {
      ...(all.top && { top: all.top }),
      ...(all.right && { right: all.right }),
      ...(all.bottom && { bottom: all.bottom }),
      ...(all.left && { left: all.left }),
    }
  })
}
export const borderWidths = (borders: Borders): Edges => eachSide((side) => borders[side]?.width ?? 0)

/** How the border box of an element is painted; undefined if nothing is painted. */
export function boxPaintOf(style: ComputedStyle): BoxPaint | undefined {
  return style.memoized('box-paint', () => {
    const background = colourOf(style, 'background-color')
    const borders = bordersOf(style)
    const radii = cornerRadiiOf(style)
    const gradient = gradientOf(style)
    const cast = shadowsOf(style)
    const shadows = cast === 'unknown' ? [] : cast
    const isPlain = background === undefined && gradient === undefined && shadows.length === 0
    if (isPlain && Object.keys(borders).length === 0) return undefined
    return {
      ...(background !== undefined && { background }),
      ...(gradient !== undefined && { gradient }),
      borders,
      ...(radii !== undefined && { radii }),
      ...(shadows.length > 0 && { shadows }),
    }
  })
}

/**
 * Resolves a `width` or `height` property to the size of the content box. `edges` is the sum of padding and borders, which
 * `box-sizing: border-box` includes.
 */
export function contentSize(
  style: ComputedStyle,
  name: string,
  containingSize: Pt | undefined,
  edges: Pt,
): Pt | undefined {
  const value = style.length(name, containingSize)
  if (value === undefined) return undefined
  return layoutUnit(Math.max(0, style.word('box-sizing') === 'border-box' ? value - edges : value))
}

/** The preferred ratio of width and height; undefined for `auto` (CSS Sizing 4, 5.1). */
export function ratioOf(style: ComputedStyle): number | undefined {
  const value = style.word('aspect-ratio')
  if (value === undefined || value.includes('auto')) return undefined
  const [width = Number.NaN, height = 1] = value.split('/').map(Number)
  return width > 0 && height > 0 && Number.isFinite(width / height) ? width / height : undefined
}

/** The side of a float or of `clear` that is relative to the direction of the text around it. */
export const sideOf = (style: ComputedStyle, side: 'inline-start' | 'inline-end'): 'left' | 'right' =>
  (side === 'inline-start') === (style.parent?.word('direction') !== 'rtl') ? 'left' : 'right'

export function breakRule(style: ComputedStyle, name: 'break-before' | 'break-after'): BreakRule {
  const value = style.word(name)
  if (value === 'page' || value === 'always' || value === 'left' || value === 'right') return 'page'
  if (value === 'recto' || value === 'verso') return 'page'
  if (value === 'column') return 'column'
  return value === 'avoid' || value === 'avoid-page' || value === 'avoid-column' ? 'avoid' : 'auto'
}
export function keepsInside(style: ComputedStyle): boolean {
  return /^avoid/.test(style.word('break-inside') ?? '')
}

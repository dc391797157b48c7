/** Linear gradients as backgrounds. Source: CSS Images 3, 3. */

import { colorOf } from '../../../../../shared/css/color.ts'
import { partsOf } from '../../../../../shared/css/declarations.ts'
import { splitOutside } from '../../../../../shared/css/selector.ts'
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { Colour, GradientFill, Pt } from '../frame.ts'

export interface Gradient {
  /**
   * The angle in radians, clockwise from upward. For a direction such as `to top right`, the signs of the corner's offset
   * from the centre.
   */
  readonly direction: number | { readonly x: number; readonly y: number }
  readonly stops: GradientFill['stops']
}

/** A gradient with more stops is reported as not drawn. */
const maxStops = 1000
const sides: Readonly<Record<string, { readonly x: number; readonly y: number }>> = {
  top: { x: 0, y: -1 },
  bottom: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
}
const turns: Readonly<Record<string, number>> = {
  deg: Math.PI / 180,
  grad: Math.PI / 200,
  rad: 1,
  turn: 2 * Math.PI,
}

/**
 * Parses the `linear-gradient()` of `background-image`. Returns undefined for other images and for syntax that is not
 * supported.
 */
export function gradientOf(style: ComputedStyle): Gradient | undefined {
  const value = style.get('background-image') ?? ''
  const match = /^linear-gradient\((.*)\)$/is.exec(value.trim())
  if (match === null) return undefined
  const parts = splitOutside(match[1] ?? '', ',').map((part) => part.trim())
  // Dropping stops would draw a different gradient.
  if (parts.length > maxStops + 1) return undefined
  const first = stopOf(style, parts[0] ?? '')
  const direction = first === undefined ? directionOf(parts[0] ?? '') : Math.PI
  const stops = (first === undefined ? parts.slice(1) : parts).map((part) => stopOf(style, part))
  const known = stops.filter((stop) => stop !== undefined)
  if (direction === undefined || known.length < 2 || known.length < stops.length) return undefined
  return { direction, stops: spaced(known) }
}

function directionOf(text: string): Gradient['direction'] | undefined {
  const to = /^to\s+(top|bottom|left|right)(?:\s+(top|bottom|left|right))?$/i.exec(text)
  if (to !== null) {
    const [one, two] = [sides[to[1]?.toLowerCase() ?? ''], sides[to[2]?.toLowerCase() ?? '']]
    if (one === undefined) return undefined
    if (two === undefined) return Math.atan2(one.x, -one.y)
    return { x: one.x + two.x, y: one.y + two.y }
  }
  const angle = /^([+-]?[\d.]+)(deg|grad|rad|turn)$/i.exec(text)
  if (angle === null) return undefined
  return Number(angle[1]) * (turns[angle[2]?.toLowerCase() ?? ''] ?? 0)
}

interface Stop {
  readonly at: number | undefined
  readonly colour: Colour
}

function stopOf(style: ComputedStyle, text: string): Stop | undefined {
  const [name = '', place] = partsOf(text)
  const colour = /^transparent$/i.test(name)
    ? 'ffffff'
    : colorOf(/^currentcolor$/i.test(name) ? `#${style.color('color')}` : name)
  if (colour === undefined) return undefined
  const percentage = /^([+-]?[\d.]+)%$/.exec(place ?? '')?.[1]
  if (place !== undefined && percentage === undefined) return undefined
  return {
    at: percentage === undefined ? undefined : Number(percentage) / 100,
    colour: Number.parseInt(colour, 16),
  }
}

/**
 * Resolves the positions of stops: missing ones are spread evenly, and none precedes an earlier one (CSS Images 3, 3.4.3).
 */
function spaced(stops: readonly Stop[]): GradientFill['stops'] {
  const at = stops.map((stop) => stop.at)
  at[0] ??= 0
  at[at.length - 1] ??= 1
  for (let index = 1, from = 0; index < at.length; index++) {
    const end = at[index]
    if (end === undefined) continue
    const start = at[from] ?? 0
    for (let between = from + 1; between < index; between++)
      at[between] = start + ((end - start) * (between - from)) / (index - from)
    from = index
  }
  let last = 0
  return stops.map(({ colour }, index) => {
    last = Math.min(1, Math.max(last, at[index] ?? 0))
    return { at: last, colour }
  })
}

/** The gradient fill for a box of this size, from its top left corner. */
export function fillOf({ direction, stops }: Gradient, width: Pt, height: Pt): GradientFill {
  const [x, y] = [width / 2, height / 2]
  // Toward a corner, the 50 % line runs through the two neighbouring corners.
  const angle =
    typeof direction === 'number' ? direction : Math.atan2(direction.x * height, -direction.y * width)
  const half = (Math.abs(width * Math.sin(angle)) + Math.abs(height * Math.cos(angle))) / 2
  const [dx, dy] = [Math.sin(angle) * half, -Math.cos(angle) * half]
  return { kind: 'linear', x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy, stops }
}

/** Gradients as backgrounds. Source: CSS Images 3, 3. */

import { colorOf } from '../../../../../shared/css/color.ts'
import { partsOf } from '../../../../../shared/css/declarations.ts'
import { splitOutside } from '../../../../../shared/css/selector.ts'
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import type { Colour, GradientFill, Pt } from '../frame.ts'

export type Gradient = LinearGradient | RadialGradient

export interface LinearGradient {
  readonly kind: 'linear'
  /**
   * The angle in radians, clockwise from upward. For a direction such as `to top right`, the signs of the corner's offset
   * from the centre.
   */
  readonly direction: number | { readonly x: number; readonly y: number }
  readonly stops: readonly Stop[]
}

export interface RadialGradient {
  readonly kind: 'radial'
  readonly isCircle: boolean
  /** A keyword such as `farthest-corner`, or the radii. */
  readonly size: Extent | readonly [Place, Place]
  readonly centre: readonly [Place, Place]
  readonly stops: readonly Stop[]
}
type Extent = 'closest-side' | 'farthest-side' | 'closest-corner' | 'farthest-corner'

/** A length and a share of the size that it refers to. */
interface Place {
  readonly length: Pt
  readonly share: number
}
interface Stop {
  readonly at: Place | undefined
  readonly colour: Colour
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
 * Parses the `linear-gradient()` or `radial-gradient()` of `background-image`. Returns undefined for other images and for
 * syntax that is not supported.
 */
export function gradientOf(style: ComputedStyle): Gradient | undefined {
  const value = style.get('background-image') ?? ''
  const [, name, content = ''] = /^(linear|radial)-gradient\((.*)\)$/is.exec(value.trim()) ?? []
  if (name === undefined) return undefined
  const parts = splitOutside(content, ',').map((part) => part.trim())
  // Dropping stops would draw a different gradient.
  if (parts.length > maxStops + 1) return undefined
  const first = parts[0] ?? ''
  const hasShape = stopOf(style, first) === undefined
  const stops = (hasShape ? parts.slice(1) : parts).map((part) => stopOf(style, part))
  const known = stops.filter((stop) => stop !== undefined)
  if (known.length < 2 || known.length < stops.length) return undefined
  if (name.toLowerCase() === 'radial') {
    const shape = radialShapeOf(style, hasShape ? first : '')
    return shape && { kind: 'radial', ...shape, stops: known }
  }
  const direction = hasShape ? directionOf(first) : Math.PI
  return direction === undefined ? undefined : { kind: 'linear', direction, stops: known }
}

/** The shape, size and centre before the stops. Source: CSS Images 3, 3.2. */
function radialShapeOf(
  style: ComputedStyle,
  text: string,
): Pick<RadialGradient, 'isCircle' | 'size' | 'centre'> | undefined {
  const words = partsOf(text.toLowerCase())
  const at = words.indexOf('at')
  const [before, after] = at < 0 ? [words, []] : [words.slice(0, at), words.slice(at + 1)]
  const centre = centreOf(style, after)
  const extent = before.find((word) => /^(?:closest|farthest)-(?:side|corner)$/.test(word)) as
    | Extent
    | undefined
  const lengths = before.filter((word) => /^[\d.]/.test(word)).map((word) => placeOf(style, word))
  const [across, down = across] = lengths
  const isKnown = before.every(
    (word) => word === 'circle' || word === 'ellipse' || word === extent || /^[\d.]/.test(word),
  )
  if (!isKnown || centre === undefined || lengths.includes(undefined)) return undefined
  const isCircle = before.includes('circle') || (lengths.length === 1 && !before.includes('ellipse'))
  const size =
    across !== undefined && down !== undefined ? ([across, down] as const) : (extent ?? 'farthest-corner')
  return { isCircle, size, centre }
}

const shares: Readonly<Record<string, number>> = { left: 0, top: 0, center: 0.5, right: 1, bottom: 1 }

function centreOf(style: ComputedStyle, words: readonly string[]): readonly [Place, Place] | undefined {
  if (words.length > 2) return undefined
  const isSwapped = /^(?:top|bottom)$/.test(words[0] ?? '') || /^(?:left|right)$/.test(words[1] ?? '')
  const [across = 'center', down = 'center'] = isSwapped ? [words[1], words[0]] : words
  const [x, y] = [placeOf(style, across), placeOf(style, down)]
  return x === undefined || y === undefined ? undefined : [x, y]
}

function placeOf(style: ComputedStyle, text: string): Place | undefined {
  const share = entryOf(shares, text)
  if (share !== undefined) return { length: 0, share }
  const percentage = /^([+-]?[\d.]+)%$/.exec(text)?.[1]
  if (percentage !== undefined) return { length: 0, share: Number(percentage) / 100 }
  const length = style.measure(text)
  return length === undefined ? undefined : { length, share: 0 }
}

const resolved = ({ length, share }: Place, whole: Pt): Pt => length + share * whole

function directionOf(text: string): LinearGradient['direction'] | undefined {
  const to = /^to\s+(top|bottom|left|right)(?:\s+(top|bottom|left|right))?$/i.exec(text)
  if (to !== null) {
    const [first, second] = [entryOf(sides, to[1]?.toLowerCase()), entryOf(sides, to[2]?.toLowerCase())]
    if (first === undefined) return undefined
    if (second === undefined) return Math.atan2(first.x, -first.y)
    return { x: first.x + second.x, y: first.y + second.y }
  }
  const angle = /^([+-]?[\d.]+)(deg|grad|rad|turn)$/i.exec(text)
  if (angle === null) return undefined
  return Number(angle[1]) * (entryOf(turns, angle[2]?.toLowerCase()) ?? 0)
}

function stopOf(style: ComputedStyle, text: string): Stop | undefined {
  const [name = '', place] = partsOf(text)
  const colour = /^transparent$/i.test(name)
    ? 'ffffff'
    : colorOf(/^currentcolor$/i.test(name) ? `#${style.color('color')}` : name)
  if (colour === undefined) return undefined
  const at = place === undefined ? undefined : placeOf(style, place)
  if (place !== undefined && at === undefined) return undefined
  return { at, colour: Number.parseInt(colour, 16) }
}

/**
 * Resolves the positions of stops: missing ones are spread evenly, and none precedes an earlier one (CSS Images 3, 3.4.3).
 */
function spaced(stops: readonly Stop[], length: Pt): GradientFill['stops'] {
  const at = stops.map((stop) => stop.at && resolved(stop.at, length) / Math.max(length, 0.01))
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
  const placed = stops.map(({ colour }, index) => {
    last = Math.min(1, Math.max(last, at[index] ?? 0))
    return { at: last, colour }
  })
  // The colours at the ends continue to the start and the end of the line.
  const [first, end] = [placed[0], placed.at(-1)]
  return [
    ...(first !== undefined && first.at > 0 ? [{ ...first, at: 0 }] : []),
    ...placed,
    ...(end !== undefined && end.at < 1 ? [{ ...end, at: 1 }] : []),
  ]
}

/** A gradient fill for a box, from its top left corner. */
export interface BoxFill {
  readonly fill: GradientFill
  /** The fill is stretched vertically by this factor, from the top edge: an ellipse is a stretched circle. */
  readonly scaleY: number
}

/** The gradient fill for a box of this size. */
export function fillOf(gradient: Gradient, width: Pt, height: Pt): BoxFill {
  if (gradient.kind === 'radial') return radialFill(gradient, width, height)
  const { direction, stops } = gradient
  const [x, y] = [width / 2, height / 2]
  // Toward a corner, the 50 % line runs through the two neighbouring corners.
  const angle =
    typeof direction === 'number' ? direction : Math.atan2(direction.x * height, -direction.y * width)
  const half = (Math.abs(width * Math.sin(angle)) + Math.abs(height * Math.cos(angle))) / 2
  const [dx, dy] = [Math.sin(angle) * half, -Math.cos(angle) * half]
  const line = { x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy }
  return { fill: { kind: 'linear', ...line, stops: spaced(stops, 2 * half) }, scaleY: 1 }
}

/** A radius of 0 is drawn as a very small one. */
const smallestRadius = 0.01

function radialFill({ isCircle, size, centre, stops }: RadialGradient, width: Pt, height: Pt): BoxFill {
  const [x, y] = [resolved(centre[0], width), resolved(centre[1], height)]
  const [across, down] = radiiOf(size, isCircle, { x, y, width, height }).map((radius) =>
    Math.max(smallestRadius, radius),
  ) as [Pt, Pt]
  const scaleY = down / across
  const middle = y / scaleY
  const circle = { x1: x, y1: middle, x2: x + across, y2: middle }
  return { fill: { kind: 'radial', ...circle, stops: spaced(stops, across) }, scaleY }
}

/** The horizontal and the vertical radius. Source: CSS Images 3, 3.2.1. */
function radiiOf(
  size: RadialGradient['size'],
  isCircle: boolean,
  { x, y, width, height }: { readonly x: Pt; readonly y: Pt; readonly width: Pt; readonly height: Pt },
): readonly [Pt, Pt] {
  if (typeof size !== 'string')
    return [resolved(size[0], width), resolved(size[1], isCircle ? width : height)]
  const isClosest = size.startsWith('closest')
  const pick = isClosest ? Math.min : Math.max
  const [across, down] = [pick(Math.abs(x), Math.abs(width - x)), pick(Math.abs(y), Math.abs(height - y))]
  if (size.endsWith('side')) return isCircle ? [pick(across, down), pick(across, down)] : [across, down]
  if (isCircle) return [Math.hypot(across, down), Math.hypot(across, down)]
  // The ellipse through the corner has the ratio of the one that touches the sides.
  return [across * Math.SQRT2, down * Math.SQRT2]
}

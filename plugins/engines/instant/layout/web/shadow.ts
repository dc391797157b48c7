/** Box shadows. Source: CSS Backgrounds 3, 6.1. */
import { alphaOf, colorOf } from '../../../../../shared/css/color.ts'
import { partsOf } from '../../../../../shared/css/declarations.ts'
import { splitOutside } from '../../../../../shared/css/selector.ts'
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { Colour, PathCommand, Placed, Pt } from '../frame.ts'

export interface Shadow {
  readonly x: Pt
  readonly y: Pt
  readonly blur: Pt
  readonly spread: Pt
  readonly colour: Colour
  readonly opacity: number
}

/** A style with more shadows is reported as not drawn. */
const maxShadows = 10
/** A blur is approximated by this many nested outlines, each with a fraction of the opacity. */
const blurSteps = 8

/** Parses `box-shadow`, topmost shadow first. Returns 'unknown' for inset shadows and for syntax that is not supported. */
export function shadowsOf(style: ComputedStyle): readonly Shadow[] | 'unknown' {
  const value = style.get('box-shadow') ?? 'none'
  if (value === 'none') return []
  const parts = splitOutside(value, ',')
  const shadows = parts.slice(0, maxShadows).map((part) => shadowOf(style, part))
  const known = shadows.filter((shadow) => shadow !== undefined)
  return known.length < parts.length ? 'unknown' : known.filter(({ opacity }) => opacity > 0.005)
}

function shadowOf(style: ComputedStyle, text: string): Shadow | undefined {
  const lengths: number[] = []
  let colour = { colour: style.color('color') ?? '000000', opacity: 1 }
  for (const part of partsOf(text)) {
    const length = style.measure(part)
    if (length !== undefined && lengths.length < 4) lengths.push(length)
    else if (/^transparent$/i.test(part)) colour = { colour: '000000', opacity: 0 }
    else if (!/^currentcolor$/i.test(part)) {
      const opaque = colorOf(part.replace(/^(rgb|hsl)a?\((.*)\)$/is, opaqueCall))
      if (opaque === undefined) return undefined
      colour = { colour: opaque, opacity: Math.min(1, Math.max(0, alphaOf(part))) }
    }
  }
  const [x, y, blur = 0, spread = 0] = lengths
  if (x === undefined || y === undefined) return undefined
  return {
    x,
    y,
    blur: Math.max(0, blur),
    spread,
    colour: Number.parseInt(colour.colour, 16),
    opacity: colour.opacity,
  }
}

/** Removes the alpha channel from a colour function. */
function opaqueCall(_: string, name: string, inside: string): string {
  const channels = inside.split(/[\s,/]+/).filter((channel) => channel !== '')
  return `${name}(${channels.slice(0, 3).join(', ')})`
}

/** Draws shadows outside of a box and behind it. `outline` returns the outline of the box enlarged on all sides. */
export function drawShadows(
  shadows: readonly Shadow[],
  box: { readonly x: Pt; readonly y: Pt; readonly width: Pt; readonly height: Pt },
  outline: (grown: Pt) => readonly PathCommand[],
): Placed[] {
  return shadows.toReversed().map((shadow): Placed => {
    const { blur, spread, colour } = shadow
    const steps = blur > 0 ? blurSteps : 1
    const items = Array.from({ length: steps }, (_, step): Placed => {
      const grown = spread + (blur / 2) * (1 - (2 * step + 1) / steps)
      const fill = { kind: 'solid', colour, opacity: shadow.opacity / steps } as const
      return { x: shadow.x, y: shadow.y, item: { kind: 'shape', path: { commands: outline(grown), fill } } }
    })
    // The clipping path excludes the box itself.
    const reach = Math.abs(shadow.x) + Math.abs(shadow.y) + blur + Math.abs(spread) + 1
    const outside: PathCommand = ['R', -reach, -reach, box.width + 2 * reach, box.height + 2 * reach]
    const frame = { width: box.width, height: box.height, items }
    const clipPath = [outside, ...outline(0)]
    return { x: box.x, y: box.y, item: { kind: 'group', frame, clip: true, clipPath, clipEvenOdd: true } }
  })
}

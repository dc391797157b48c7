/** Rounded corners of boxes. Source: CSS Backgrounds 3, 5. */
import { partsOf } from '../../../../../shared/css/declarations.ts'
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { PathCommand, Pt } from '../frame.ts'

/** A radius along one axis: a length and a share of the size of the box along that axis. */
interface AxisRadius {
  readonly length: Pt
  readonly share: number
}
interface CornerRadius {
  readonly x: AxisRadius
  readonly y: AxisRadius
}
/** The radii as they are declared, clockwise from the top left corner. */
export type CornerRadii = readonly [CornerRadius, CornerRadius, CornerRadius, CornerRadius]

/** The horizontal and the vertical radius of each corner in pt, clockwise from the top left corner. */
export type Corners = readonly [Corner, Corner, Corner, Corner]
interface Corner {
  readonly x: Pt
  readonly y: Pt
}

/** Returns the declared radii of a style; undefined if all corners are square. */
export function cornerRadiiOf(style: ComputedStyle): CornerRadii | undefined {
  const radiusOf = (name: string): CornerRadius => {
    const [across = '0', down = across] = partsOf(style.get(`border-${name}-radius`) ?? '0')
    return { x: axisRadiusOf(style, across), y: axisRadiusOf(style, down) }
  }
  const radii: CornerRadii = [
    radiusOf('top-left'),
    radiusOf('top-right'),
    radiusOf('bottom-right'),
    radiusOf('bottom-left'),
  ]
  const isRound = radii.some(({ x, y }) => x.length + x.share > 0 && y.length + y.share > 0)
  return isRound ? radii : undefined
}

function axisRadiusOf(style: ComputedStyle, value: string): AxisRadius {
  const percentage = /^([\d.]+)%$/.exec(value)?.[1]
  if (percentage !== undefined) return { length: 0, share: Number(percentage) / 100 }
  return { length: Math.max(0, style.measure(value) ?? 0), share: 0 }
}

/** Resolves radii for a box of this size. Corners that overlap become smaller in proportion (CSS Backgrounds 3, 5.5). */
export function cornersOf(radii: CornerRadii, width: Pt, height: Pt): Corners {
  const [a, b, c, d] = radii.map(({ x, y }) => ({
    x: x.length + x.share * width,
    y: y.length + y.share * height,
  })) as [Corner, Corner, Corner, Corner]
  const shares = [
    [a.x + b.x, width],
    [d.x + c.x, width],
    [a.y + d.y, height],
    [b.y + c.y, height],
  ] as const
  const scale = shares.reduce(
    (least, [sum, side]) => (sum > side ? Math.min(least, Math.max(0, side) / sum) : least),
    1,
  )
  return [scaled(a, scale), scaled(b, scale), scaled(c, scale), scaled(d, scale)]
}

const scaled = ({ x, y }: Corner, by: number): Corner => ({ x: x * by, y: y * by })

/** Returns corners that run at this distance outside of the given ones. Square corners stay square. */
export function grownCorners(corners: Corners, by: Pt): Corners {
  const grown = ({ x, y }: Corner): Corner =>
    x > 0 && y > 0 ? { x: Math.max(0, x + by), y: Math.max(0, y + by) } : { x: 0, y: 0 }
  const [a, b, c, d] = corners
  return [grown(a), grown(b), grown(c), grown(d)]
}

export const equalCorners = (radius: Pt): Corners => {
  const corner = { x: radius, y: radius }
  return [corner, corner, corner, corner]
}

/** The control-point distance that approximates a quarter circle by a cubic Bézier curve. */
const bezierCircle = 0.5523

/** The outline of a rectangle with these corners. */
export function roundedOutline(x: Pt, y: Pt, width: Pt, height: Pt, corners: Corners): PathCommand[] {
  const [a, b, c, d] = corners
  const [right, bottom] = [x + width, y + height]
  const k = 1 - bezierCircle
  return [
    ['M', x + a.x, y],
    ['L', right - b.x, y],
    ['C', right - b.x * k, y, right, y + b.y * k, right, y + b.y],
    ['L', right, bottom - c.y],
    ['C', right, bottom - c.y * k, right - c.x * k, bottom, right - c.x, bottom],
    ['L', x + d.x, bottom],
    ['C', x + d.x * k, bottom, x, bottom - d.y * k, x, bottom - d.y],
    ['L', x, y + a.y],
    ['C', x, y + a.y * k, x + a.x * k, y, x + a.x, y],
    ['Z'],
  ]
}

/** The outline of a rectangle whose corners have one radius, at most half of its shorter side. */
export function roundedBox(x: Pt, y: Pt, width: Pt, height: Pt, radius: Pt): PathCommand[] {
  const fitting = Math.max(0, Math.min(radius, width / 2, height / 2))
  return roundedOutline(x, y, width, height, equalCorners(fitting))
}

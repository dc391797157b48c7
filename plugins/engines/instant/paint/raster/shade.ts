/** Paints other than solid colours: gradients, pictures and tiles, as functions that colour one row of pixels. */
import type { Matrix } from '../../../../../shared/document/geometry.ts'
import type { GradientFill } from '../../layout/frame.ts'
import type { ShadeRow } from './layer.ts'
import { type Pixmap, samplePixmap } from './pixmap.ts'

/** The inverse of a matrix; undefined if it is singular, as for a shape without an extent. */
function inverse([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const determinant = a * d - b * c
  if (!(Math.abs(determinant) > 1e-12)) return undefined
  const [i, j, k, l] = [d / determinant, -b / determinant, -c / determinant, a / determinant]
  return [i, j, k, l, -(i * e + k * f), -(j * e + l * f)]
}

const transparent: ShadeRow = (_y, left, right, out) => out.fill(0, 0, (right - left) * 4)

/** The number of colours of a gradient, between which it is not interpolated further. */
const steps = 256

/** Colours pixels by a gradient. Beyond its ends it continues in the first and the last colour. */
export function gradientShade(fill: GradientFill, matrix: Matrix): ShadeRow {
  const back = inverse(matrix)
  const { kind, x1, y1, x2, y2 } = fill
  const length = Math.hypot(x2 - x1, y2 - y1)
  const colours = coloursOf(fill.stops)
  if (back === undefined) return transparent
  const [a, b, c, d, e, f] = back
  return (y, left, right, out) => {
    for (let x = left, to = 0; x < right; x++, to += 4) {
      const px = a * (x + 0.5) + c * (y + 0.5) + e - x1
      const py = b * (x + 0.5) + d * (y + 0.5) + f - y1
      const along = kind === 'radial' ? Math.hypot(px, py) * length : px * (x2 - x1) + py * (y2 - y1)
      const fraction = length > 0 ? along / (length * length) : 1
      const index = Math.round(Math.min(1, Math.max(0, fraction)) * (steps - 1)) * 3
      out[to] = colours[index] as number
      out[to + 1] = colours[index + 1] as number
      out[to + 2] = colours[index + 2] as number
      out[to + 3] = 255
    }
  }
}

function coloursOf(stops: GradientFill['stops']): Uint8ClampedArray {
  const colours = new Uint8ClampedArray(steps * 3)
  let next = 0
  for (let step = 0; step < steps; step++) {
    const at = step / (steps - 1)
    while (next < stops.length && (stops[next]?.at ?? 0) <= at) next++
    const before = stops[next - 1] ?? stops[0]
    const after = stops[next] ?? stops.at(-1)
    if (before === undefined || after === undefined) continue
    const span = after.at - before.at
    const fraction = span > 0 ? Math.min(1, Math.max(0, (at - before.at) / span)) : 0
    for (const [channel, shift] of [16, 8, 0].entries()) {
      const [from, to] = [(before.colour >> shift) & 255, (after.colour >> shift) & 255]
      colours[step * 3 + channel] = from + (to - from) * fraction
    }
  }
  return colours
}

/** Colours pixels by a picture. `matrix` maps its pixels to those of the canvas. */
export function pixmapShade(pixmap: Pixmap, matrix: Matrix): ShadeRow {
  const back = inverse(matrix)
  if (back === undefined) return transparent
  const [a, b, c, d, e, f] = back
  return (y, left, right, out) => {
    for (let x = left, to = 0; x < right; x++, to += 4)
      samplePixmap(pixmap, a * (x + 0.5) + c * (y + 0.5) + e, b * (x + 0.5) + d * (y + 0.5) + f, out, to)
  }
}

/** Colours pixels by a picture that repeats in both directions. */
export function tileShade({ width, height, pixels }: Pixmap, matrix: Matrix): ShadeRow {
  const back = inverse(matrix)
  if (back === undefined) return transparent
  const [a, b, c, d, e, f] = back
  const within = (value: number, size: number): number => {
    const rest = Math.floor(value) % size
    return rest < 0 ? rest + size : rest
  }
  return (y, left, right, out) => {
    for (let x = left, to = 0; x < right; x++, to += 4) {
      const u = within(a * (x + 0.5) + c * (y + 0.5) + e, width)
      const v = within(b * (x + 0.5) + d * (y + 0.5) + f, height)
      const from = (v * width + u) * 4
      const alpha = pixels[from + 3] as number
      const factor = alpha > 0 ? 255 / alpha : 0
      out[to] = (pixels[from] as number) * factor
      out[to + 1] = (pixels[from + 1] as number) * factor
      out[to + 2] = (pixels[from + 2] as number) * factor
      out[to + 3] = alpha
    }
  }
}

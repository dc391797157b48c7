/** Pixels that are painted on, and how paint is blended with them. */
import type { Colour } from '../../layout/frame.ts'
import { intersect, isEmpty, type PixelBox } from './coverage.ts'

/**
 * A rectangle of the canvas, with four bytes per pixel: red, green, blue and alpha. Colours are premultiplied by alpha, so
 * that layers can be blended with each other.
 */
export interface Layer {
  readonly box: PixelBox
  readonly pixels: Uint8ClampedArray<ArrayBuffer>
}

export function createLayer(box: PixelBox): Layer {
  const width = Math.max(0, box.right - box.left)
  const height = Math.max(0, box.bottom - box.top)
  return { box, pixels: new Uint8ClampedArray(width * height * 4) }
}

/** The area that may be painted: a box, and the coverage of a path or mask within it if the clip is not rectangular. */
export interface Clip {
  readonly box: PixelBox
  /** One byte for each pixel of `box`, row by row. */
  readonly mask?: Uint8Array
}

/** A paint: a solid colour, or a function that computes the colours of one row. */
export type Paint =
  | { readonly kind: 'solid'; readonly colour: Colour; readonly opacity: number }
  | { readonly kind: 'shaded'; readonly shade: ShadeRow; readonly opacity: number }

/** Writes the pixels from `left` up to `right` of row `y` to the start of `out`, as RGBA without premultiplied alpha. */
export type ShadeRow = (y: number, left: number, right: number, out: Uint8ClampedArray) => void

/** x / 255, rounded, for x up to 65,025. */
const by255 = (x: number): number => {
  const t = x + 128
  return (t + (t >> 8)) >> 8
}

/** Blends rows of coverage with a layer. Owns the buffer for the colours of one row. */
export class Blender {
  #shaded = new Uint8ClampedArray(0)

  /** Paints one row, limited by `coverage` (0 to 255, by x) and the clip. */
  row(
    layer: Layer,
    clip: Clip,
    paint: Paint,
    y: number,
    from: number,
    to: number,
    coverage: Uint8Array,
  ): void {
    const { box } = clip
    const left = Math.max(from, box.left)
    const right = Math.min(to, box.right)
    if (left >= right || y < box.top || y >= box.bottom) return
    const width = layer.box.right - layer.box.left
    const start = ((y - layer.box.top) * width - layer.box.left) * 4
    const maskStart = (y - box.top) * (box.right - box.left) - box.left
    const opacity = Math.round(Math.min(1, Math.max(0, paint.opacity)) * 255)
    if (opacity === 0) return
    const { pixels } = layer
    const { mask } = clip
    const isSolid = paint.kind === 'solid'
    let [red, green, blue] = [0, 0, 0]
    if (isSolid) {
      red = (paint.colour >> 16) & 255
      green = (paint.colour >> 8) & 255
      blue = paint.colour & 255
    } else {
      if (this.#shaded.length < (right - left) * 4) this.#shaded = new Uint8ClampedArray((right - left) * 4)
      paint.shade(y, left, right, this.#shaded)
    }
    const shaded = this.#shaded
    for (let x = left; x < right; x++) {
      let alpha = coverage[x] as number
      if (alpha === 0) continue
      if (opacity !== 255) alpha = by255(alpha * opacity)
      if (mask !== undefined) alpha = by255(alpha * (mask[maskStart + x] as number))
      if (!isSolid) {
        const at = (x - left) * 4
        red = shaded[at] as number
        green = shaded[at + 1] as number
        blue = shaded[at + 2] as number
        alpha = by255(alpha * (shaded[at + 3] as number))
      }
      if (alpha === 0) continue
      const to = start + x * 4
      if (alpha === 255) {
        pixels[to] = red
        pixels[to + 1] = green
        pixels[to + 2] = blue
        pixels[to + 3] = 255
        continue
      }
      const rest = 255 - alpha
      pixels[to] = by255(red * alpha + (pixels[to] as number) * rest)
      pixels[to + 1] = by255(green * alpha + (pixels[to + 1] as number) * rest)
      pixels[to + 2] = by255(blue * alpha + (pixels[to + 2] as number) * rest)
      pixels[to + 3] = by255(255 * alpha + (pixels[to + 3] as number) * rest)
    }
  }
}

/** Blends a layer with the one below it. `mask` has one byte for each pixel of `above`. */
export function blendLayer(below: Layer, above: Layer, opacity: number, mask: Uint8Array | undefined): void {
  const box = intersect(below.box, above.box)
  if (isEmpty(box)) return
  const alphaFactor = Math.round(Math.min(1, Math.max(0, opacity)) * 255)
  const [belowWidth, aboveWidth] = [below.box.right - below.box.left, above.box.right - above.box.left]
  for (let y = box.top; y < box.bottom; y++) {
    let to = ((y - below.box.top) * belowWidth + box.left - below.box.left) * 4
    let from = (y - above.box.top) * aboveWidth + box.left - above.box.left
    for (let x = box.left; x < box.right; x++, to += 4, from++) {
      const factor = mask === undefined ? alphaFactor : by255(alphaFactor * (mask[from] as number))
      const alpha = by255((above.pixels[from * 4 + 3] as number) * factor)
      if (alpha === 0) continue
      for (let channel = 0; channel < 4; channel++) {
        const added = by255((above.pixels[from * 4 + channel] as number) * factor)
        below.pixels[to + channel] = added + by255((below.pixels[to + channel] as number) * (255 - alpha))
      }
    }
  }
}

/**
 * The luminance of a layer over black, one byte per pixel, for a soft mask (ISO 32000-2, 11.5.3). The weights are those of
 * ISO 32000-2, 10.4.2.
 */
export function luminanceOf({ pixels }: Layer): Uint8Array {
  const mask = new Uint8Array(pixels.length / 4)
  for (let at = 0; at < mask.length; at++) {
    const from = at * 4
    mask[at] =
      0.3 * (pixels[from] as number) +
      0.59 * (pixels[from + 1] as number) +
      0.11 * (pixels[from + 2] as number) +
      0.5
  }
  return mask
}

/** Fills a layer with an opaque colour. */
export function fillLayer({ pixels }: Layer, colour: Colour): void {
  // The byte order is red, green, blue, alpha, since all supported machines are little-endian.
  const word = ((255 << 24) | ((colour & 255) << 16) | (colour & 0xff00) | ((colour >> 16) & 255)) >>> 0
  new Uint32Array(pixels.buffer).fill(word)
}

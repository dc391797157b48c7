import { maxOf } from '../../../../../shared/extremes.ts'
import { decodeBmp } from '../../images/bmp.ts'
import type { ImageRef } from '../../images/image.ts'
import type { Raster } from '../../images/raster.ts'
import type { VectorTools } from '../vector.ts'
import { bitmapOf } from './bitmap.ts'

/** How a blit combines with the pixels below it. Source: [MS-WMF] 2.1.1.31, TernaryRasterOperation. */
export const rasterOperations = {
  copy: 0x00cc0020,
  and: 0x008800c6,
  paint: 0x00ee0086,
  invert: 0x00660046,
  mergePaint: 0x00bb0226,
  pattern: 0x00f00021,
  patternInvert: 0x005a0049,
  patternAnd: 0x00a000c9,
  invertBelow: 0x00550009,
  black: 0x00000042,
  white: 0x00ff0062,
  nothing: 0x00aa0029,
} as const

/** One blit: a bitmap, or the colour of a brush. */
export interface RasterStep {
  readonly operation: number
  readonly image?: ImageRef
  /** Its crop, as shares of its size. */
  readonly crop?: {
    readonly left: number
    readonly top: number
    readonly right: number
    readonly bottom: number
  }
  readonly brush?: { readonly colour: number; readonly image?: ImageRef | undefined }
}

type Mix = (below: number, source: number) => number

/** Operations as functions of a byte below and a byte of the source. Others draw the source over what is below. */
const mixes: ReadonlyMap<number, Mix> = new Map<number, Mix>([
  [rasterOperations.and, (below, source) => below & source],
  [rasterOperations.patternAnd, (below, source) => below & source],
  [rasterOperations.paint, (below, source) => below | source],
  [rasterOperations.mergePaint, (below, source) => below | (255 - source)],
  [rasterOperations.invert, (below, source) => below ^ source],
  [rasterOperations.patternInvert, (below, source) => below ^ source],
  [rasterOperations.invertBelow, (below) => 255 - below],
])

export const mixesBelow = (operation: number): boolean => mixes.has(operation)

/**
 * Combines the blits on one box into one picture with transparency. The alpha of a pixel is computed from what the blits make of
 * white and of black, so the picture looks right above a white page. Undefined when a bitmap cannot be read.
 */
export function composed(
  steps: readonly RasterStep[],
  tools: Pick<VectorTools, 'check'>,
): ImageRef | undefined {
  const sources = steps.map((step) => sourceOf(step, tools))
  if (sources.some((source) => source === undefined)) return undefined
  const rasters = sources as Raster[]
  const width = maxOf(rasters.map((source) => source.width))
  const height = maxOf(rasters.map((source) => source.height))
  const scales = rasters.map(({ width: w, height: h }, index) =>
    steps[index]!.brush === undefined ? { across: w / width, down: h / height } : undefined,
  )
  const apply = steps.map(({ operation }) => mixes.get(operation) ?? ((_: number, source: number) => source))
  const pixel = (x: number, y: number): [number, number, number, number] => {
    const onWhite = [255, 255, 255]
    const onBlack = [0, 0, 0]
    for (const [index, { width: w, height: h, rgb }] of rasters.entries()) {
      const scale = scales[index]
      const column = scale === undefined ? x % w : Math.floor((x + 0.5) * scale.across)
      const row = scale === undefined ? y % h : Math.floor((y + 0.5) * scale.down)
      for (let part = 0; part < 3; part += 1) {
        const source = rgb[3 * (row * w + column) + part] ?? 0
        onWhite[part] = apply[index]!(onWhite[part] ?? 0, source)
        onBlack[part] = apply[index]!(onBlack[part] ?? 0, source)
      }
    }
    return pixelOf(onWhite, onBlack)
  }
  return bitmapOf(width, height, pixel, tools)
}

function pixelOf(onWhite: readonly number[], onBlack: readonly number[]): [number, number, number, number] {
  let alpha = 0
  for (let part = 0; part < 3; part += 1)
    alpha = Math.max(alpha, 255 - Math.max(0, (onWhite[part] ?? 0) - (onBlack[part] ?? 0)))
  if (alpha === 0) return [255, 255, 255, 0]
  const colour = onWhite.map((value) => Math.max(0, Math.round(255 - ((255 - value) * 255) / alpha)))
  return [colour[0] ?? 0, colour[1] ?? 0, colour[2] ?? 0, alpha]
}

function sourceOf(
  { image, brush, crop }: RasterStep,
  { check }: Pick<VectorTools, 'check'>,
): Raster | undefined {
  const picture = image ?? brush?.image
  if (picture === undefined) {
    const colour = brush?.colour ?? 0
    return { width: 1, height: 1, rgb: new Uint8Array([colour >> 16, (colour >> 8) & 255, colour & 255]) }
  }
  check(1 + Math.round((picture.width * picture.height) / 1000))
  try {
    const raster = decodeBmp(picture.bytes)
    return crop === undefined ? raster : cropped(raster, crop)
  } catch {
    return undefined
  }
}

function cropped(raster: Raster, crop: NonNullable<RasterStep['crop']>): Raster {
  const [left, top] = [Math.round(crop.left * raster.width), Math.round(crop.top * raster.height)]
  const width = Math.max(1, Math.round((1 - crop.right) * raster.width) - left)
  const height = Math.max(1, Math.round((1 - crop.bottom) * raster.height) - top)
  const rgb = new Uint8Array(3 * width * height)
  for (let row = 0; row < height; row += 1) {
    const from = 3 * ((top + row) * raster.width + left)
    rgb.set(raster.rgb.subarray(from, from + 3 * width), 3 * row * width)
  }
  return { width, height, rgb }
}

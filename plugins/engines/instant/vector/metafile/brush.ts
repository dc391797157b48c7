import type { ImageRef } from '../../images/image.ts'
import type { Fill, Frame, PathCommand, Placed } from '../../layout/frame.ts'
import type { Brush, DeviceState } from './state.ts'

/** Device units between the lines of a hatch. */
const hatchStep = 8

/** The fill of a brush; hatches and pictures repeat from the top left corner of the device. */
export function fillsOf(brush: Brush, state: DeviceState, step: number): Fill[] {
  if (brush.none === true) return []
  if (brush.image !== undefined) return [imageTiles(brush.image, step)]
  const { colour, opacity } = brush
  if (brush.hatch === undefined) return [{ kind: 'solid', colour, ...(opacity !== undefined && { opacity }) }]
  const lines = hatchTiles(brush.hatch, brush.colour, step * hatchStep, step)
  // An opaque background fills the space between the lines.
  return state.opaqueText ? [{ kind: 'solid', colour: state.backColour }, lines] : [lines]
}

/** Source: [MS-WMF] 2.1.1.12, HatchStyle. */
function hatchTiles(style: number, colour: number, size: number, width: number): Fill {
  // The line is centred on a row of pixels, not between two rows.
  const middle = (size + width) / 2
  const level: PathCommand[] = [
    ['M', 0, middle],
    ['L', size, middle],
  ]
  const vertical: PathCommand[] = [
    ['M', middle, 0],
    ['L', middle, size],
  ]
  // Slanted lines are longer than the tile and cover its corners, so that they continue from tile to tile.
  const falling = slanted(size, (x) => x)
  const rising = slanted(size, (x) => size - x)
  const lines = [level, vertical, falling, rising, [...level, ...vertical], [...falling, ...rising]][style]
  const path = { commands: lines ?? level, stroke: { colour, width } }
  const items: Placed[] = [{ x: 0, y: 0, item: { kind: 'shape', path } }]
  return { kind: 'tiles', tile: { width: size, height: size, items }, x: 0, y: 0 }
}

function slanted(size: number, at: (x: number) => number): PathCommand[] {
  return [-size, 0, size].flatMap((shift): PathCommand[] => [
    ['M', shift - size, at(-size)],
    ['L', shift + 2 * size, at(2 * size)],
  ])
}

const tilesOf = new WeakMap<ImageRef, Map<number, Frame>>()

/** One pixel of the pattern is one pixel of the device. */
function imageTiles(image: ImageRef, step: number): Fill {
  let cached = tilesOf.get(image)
  if (cached === undefined) tilesOf.set(image, (cached = new Map()))
  let tile = cached.get(step)
  if (tile === undefined) {
    const [width, height] = [image.width * step, image.height * step]
    const items: Placed[] = [{ x: 0, y: 0, item: { kind: 'image', image, width, height } }]
    cached.set(step, (tile = { width, height, items }))
  }
  return { kind: 'tiles', tile, x: 0, y: 0 }
}

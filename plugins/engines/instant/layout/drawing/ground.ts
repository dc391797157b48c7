import type {
  Ground,
  GroundLength,
  HatchGround,
  PictureGround,
} from '../../../../../shared/document/ground.ts'
import { placeVector } from '../../vector/vector.ts'
import type { LayoutContext } from '../context.ts'
import type { PathCommand, Placed, Pt, TilesFill } from '../frame.ts'
import { colourOf } from '../inline/look.ts'
import { gradientFill } from './gradient-fill.ts'

const mostLines = 3_000
/** A picture that cannot be read. */
const missing = { colour: 0xc0c0c0, width: 0.5 }

/** A ground within an outline, in a box of the given size. */
export function drawGround(
  context: LayoutContext,
  ground: Ground,
  { commands, width, height }: { commands: readonly PathCommand[]; width: Pt; height: Pt },
): Placed[] {
  if (!(width > 0 && height > 0)) return []
  const clipped = (items: readonly Placed[]): Placed[] => [
    {
      x: 0,
      y: 0,
      item: { kind: 'group', frame: { width, height, items }, clip: true, clipPath: commands },
    },
  ]
  switch (ground.kind) {
    case 'gradient': {
      const fill = gradientFill(ground.gradient, width, height)
      return fill === undefined ? [] : [{ x: 0, y: 0, item: { kind: 'shape', path: { commands, fill } } }]
    }
    case 'hatch':
      return clipped(hatchLines(ground, width, height))
    case 'picture': {
      const one = fitted(context, ground, width, height)
      // Its place is seen.
      if (one === undefined)
        return [{ x: 0, y: 0, item: { kind: 'shape', path: { commands, stroke: missing } } }]
      const { picture, x, y, across, down } = one
      if (ground.how === 'tile') {
        const tile = { width: across, height: down, items: [picture] }
        const opacity = ground.opacity === undefined ? {} : { opacity: ground.opacity }
        const fill: TilesFill = { kind: 'tiles', tile, x, y, ...opacity }
        return [{ x: 0, y: 0, item: { kind: 'shape', path: { commands, fill } } }]
      }
      const opacity = ground.opacity !== undefined && ground.opacity < 1 && { opacity: ground.opacity }
      const frame = { width: across, height: down, items: [picture] }
      return clipped([{ x, y, item: { kind: 'group', frame, clip: false, ...opacity } }])
    }
    default:
      return ground satisfies never
  }
}

/** A ground that fills a box, from where the box stands. */
export function backdropItems(
  context: LayoutContext,
  ground: Ground,
  { x, y, width, height }: { x: Pt; y: Pt; width: Pt; height: Pt },
): Placed[] {
  const commands: PathCommand[] = [['R', 0, 0, width, height]]
  return drawGround(context, ground, { commands, width, height }).map((placed) => ({
    ...placed,
    x: placed.x + x,
    y: placed.y + y,
  }))
}

interface Placing {
  readonly picture: Placed
  readonly x: Pt
  readonly y: Pt
  readonly across: Pt
  readonly down: Pt
}

/** The picture in its size, and where one of it stands. */
function fitted(context: LayoutContext, ground: PictureGround, width: Pt, height: Pt): Placing | undefined {
  const { how, at, shift } = ground
  const vector = context.vector(ground.media)
  const image = vector === undefined ? context.image(ground.media) : undefined
  if (vector === undefined && image === undefined) return undefined
  const own =
    vector ?? (image && { width: (image.width * 72) / image.dpiX, height: (image.height * 72) / image.dpiY })
  const size = (length: GroundLength | undefined, natural: Pt, room: Pt): Pt =>
    length === undefined ? natural : 'pt' in length ? length.pt : length.share * room
  const [across, down] =
    how === 'stretch'
      ? [width, height]
      : [
          size(ground.width, (own?.width ?? 1) * (ground.scale?.x ?? 1), width),
          size(ground.height, (own?.height ?? 1) * (ground.scale?.y ?? 1), height),
        ]
  if (!(across > 0.1 && down > 0.1)) return undefined
  const moved = (length: GroundLength | undefined, side: Pt): Pt =>
    length === undefined || how === 'stretch' ? 0 : 'pt' in length ? length.pt : length.share * side
  const picture: Placed =
    vector !== undefined
      ? placeVector(vector, across, down)
      : { x: 0, y: 0, item: { kind: 'image', image: image!, width: across, height: down } }
  const x = at.x * (width - across) + moved(shift?.x, across)
  const y = at.y * (height - down) + moved(shift?.y, down)
  return { picture, x, y, across, down }
}

/**
 * Observed in LibreOffice: lines are a tenth of a point; the first one is one distance from the side that is the top when
 * the box is turned by the angle.
 */
function hatchLines({ color, angles, distance, opacity }: HatchGround, width: Pt, height: Pt): Placed[] {
  const commands: PathCommand[] = []
  const reach = Math.hypot(width, height) / 2
  for (const angle of angles) {
    const turn = (angle * Math.PI) / 180
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
    const deep = width * Math.abs(sin) + height * Math.abs(cos)
    if (!(distance > 0) || deep / distance > mostLines) continue
    for (let from = distance; from < deep; from += distance) {
      const [x, y] = [width / 2 + sin * (from - deep / 2), height / 2 + cos * (from - deep / 2)]
      commands.push(['M', x - cos * reach, y + sin * reach], ['L', x + cos * reach, y - sin * reach])
    }
  }
  const stroke = { colour: colourOf(color), width: 0.1, ...(opacity !== undefined && { opacity }) }
  return commands.length === 0 ? [] : [{ x: 0, y: 0, item: { kind: 'shape', path: { commands, stroke } } }]
}

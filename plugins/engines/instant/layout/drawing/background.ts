import type {
  Background,
  BackgroundLength,
  HatchBackground,
  PictureBackground,
} from '../../../../../shared/document/background.ts'
import { fitVector } from '../../vector/vector.ts'
import type { LayoutContext } from '../context.ts'
import type { PathCommand, Placed, Pt, TilesFill } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'
import { gradientFill } from './gradient-fill.ts'

const maxLines = 3_000
/** The stroke of the outline that is drawn for a picture that cannot be read. */
const missing = { colour: 0xc0c0c0, width: 0.5 }

/** A background within an outline, in a box of the given size. */
export function drawBackground(
  context: LayoutContext,
  background: Background,
  {
    commands,
    evenOdd,
    width,
    height,
  }: { commands: readonly PathCommand[]; evenOdd?: boolean; width: Pt; height: Pt },
): Placed[] {
  if (!(width > 0 && height > 0)) return []
  const rule = evenOdd === true && { evenOdd }
  const clipped = (items: readonly Placed[]): Placed[] => [
    {
      x: 0,
      y: 0,
      item: {
        kind: 'group',
        frame: { width, height, items },
        clip: true,
        clipPath: commands,
        ...(evenOdd === true && { clipEvenOdd: true }),
      },
    },
  ]
  switch (background.kind) {
    case 'gradient': {
      const fill = gradientFill(background.gradient, width, height)
      return fill === undefined
        ? []
        : [{ x: 0, y: 0, item: { kind: 'shape', path: { commands, fill, ...rule } } }]
    }
    case 'hatch':
      return clipped(hatchLines(background, width, height))
    case 'picture': {
      const placement = fitted(context, background, width, height)
      // An outline marks the area of the missing picture.
      if (placement === undefined)
        return [{ x: 0, y: 0, item: { kind: 'shape', path: { commands, stroke: missing } } }]
      const { picture, x, y, across, down } = placement
      if (background.sizing === 'tile') {
        const tile = { width: across, height: down, items: [picture] }
        const opacity = background.opacity === undefined ? {} : { opacity: background.opacity }
        const fill: TilesFill = { kind: 'tiles', tile, x, y, ...opacity }
        return [{ x: 0, y: 0, item: { kind: 'shape', path: { commands, fill, ...rule } } }]
      }
      const opacity = background.opacity !== undefined &&
        background.opacity < 1 && { opacity: background.opacity }
      const frame = { width: across, height: down, items: [picture] }
      return clipped([{ x, y, item: { kind: 'group', frame, clip: false, ...opacity } }])
    }
    default:
      return background satisfies never
  }
}

/** A background that fills a box at the given position. */
export function backdropItems(
  context: LayoutContext,
  background: Background,
  { x, y, width, height }: { x: Pt; y: Pt; width: Pt; height: Pt },
): Placed[] {
  const commands: PathCommand[] = [['R', 0, 0, width, height]]
  return drawBackground(context, background, { commands, width, height }).map((placed) => ({
    ...placed,
    x: placed.x + x,
    y: placed.y + y,
  }))
}

interface PicturePlacement {
  readonly picture: Placed
  readonly x: Pt
  readonly y: Pt
  readonly across: Pt
  readonly down: Pt
}

/** The picture at the size of one tile, and the position of the first tile. */
function fitted(
  context: LayoutContext,
  background: PictureBackground,
  width: Pt,
  height: Pt,
): PicturePlacement | undefined {
  const { sizing, at, shift, adjust } = background
  const vector = context.vector(background.media)
  const image = vector === undefined ? context.image(background.media) : undefined
  if (vector === undefined && image === undefined) return undefined
  const natural =
    vector ?? (image && { width: (image.width * 72) / image.dpiX, height: (image.height * 72) / image.dpiY })
  const size = (length: BackgroundLength | undefined, natural: Pt, available: Pt): Pt =>
    length === undefined ? natural : 'pt' in length ? length.pt : length.share * available
  const [across, down] =
    sizing === 'stretch'
      ? [width, height]
      : [
          size(background.width, (natural?.width ?? 1) * (background.scale?.x ?? 1), width),
          size(background.height, (natural?.height ?? 1) * (background.scale?.y ?? 1), height),
        ]
  if (!(across > 0.1 && down > 0.1)) return undefined
  const moved = (length: BackgroundLength | undefined, extent: Pt): Pt =>
    length === undefined || sizing === 'stretch' ? 0 : 'pt' in length ? length.pt : length.share * extent
  const picture: Placed =
    vector !== undefined
      ? fitVector(vector, across, down)
      : {
          x: 0,
          y: 0,
          item: {
            kind: 'image',
            image: adjust === undefined ? image! : { ...image!, adjust },
            width: across,
            height: down,
          },
        }
  const x = at.x * (width - across) + moved(shift?.x, across)
  const y = at.y * (height - down) + moved(shift?.y, down)
  return { picture, x, y, across, down }
}

/**
 * Draws the lines of a hatch, a tenth of a point wide. The first line is one distance away from the side that is the top
 * after rotation by the hatch angle. Observed in LibreOffice.
 */
function hatchLines({ color, angles, distance, opacity }: HatchBackground, width: Pt, height: Pt): Placed[] {
  const commands: PathCommand[] = []
  const reach = Math.hypot(width, height) / 2
  for (const angle of angles) {
    const radians = (angle * Math.PI) / 180
    const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
    const deep = width * Math.abs(sin) + height * Math.abs(cos)
    if (!(distance > 0) || deep / distance > maxLines) continue
    for (let from = distance; from < deep; from += distance) {
      const [x, y] = [width / 2 + sin * (from - deep / 2), height / 2 + cos * (from - deep / 2)]
      commands.push(['M', x - cos * reach, y + sin * reach], ['L', x + cos * reach, y - sin * reach])
    }
  }
  const stroke = { colour: colourOf(color), width: 0.1, ...(opacity !== undefined && { opacity }) }
  return commands.length === 0 ? [] : [{ x: 0, y: 0, item: { kind: 'shape', path: { commands, stroke } } }]
}

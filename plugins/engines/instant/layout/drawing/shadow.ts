import type { DrawingShadow } from '../../../../../shared/document/drawing.ts'
import type { Path, PathCommand, PathStroke, Placed, Pt } from '../frame.ts'
import { colourOf } from '../inline/text-style.ts'

/** Number of outlines that a blurred edge is made of, each a little narrower than the one below it. */
const layers = 8

interface ShadowOutline {
  readonly commands: readonly PathCommand[]
  readonly evenOdd?: boolean
  readonly filled: boolean
  readonly stroke?: PathStroke | undefined
  readonly width: Pt
  readonly height: Pt
}

/**
 * Draws the shadow of an outline. A filled outline has a filled shadow, an unfilled one a line; a blurred shadow fades
 * outward (observed in LibreOffice).
 */
export function shadowOf(shadow: DrawingShadow | undefined, outline: ShadowOutline): Placed[] {
  if (shadow === undefined || shadow.opacity <= 0 || outline.commands.length === 0) return []
  const blurred = shadow.blur >= 0.5
  if (!blurred) return [shapeAt(shadow, pathOf(shadow, outline, 0, shadow.opacity))]
  // The layers add up to the opacity of the shadow in even steps; half of the blur is outside of the outline.
  const total = (count: number): number => (shadow.opacity * count) / layers
  return Array.from({ length: layers }, (_, index) => {
    const opacity = 1 - (1 - total(index + 1)) / Math.max(0.001, 1 - total(index))
    return shapeAt(shadow, pathOf(shadow, outline, shadow.blur * (0.5 - (index + 0.5) / layers), opacity))
  })
}

const shapeAt = ({ x, y }: DrawingShadow, path: Path): Placed => ({ x, y, item: { kind: 'shape', path } })

/** The outline, enlarged by a distance on all sides. */
function pathOf(
  { color }: DrawingShadow,
  { commands, evenOdd, filled, stroke, width, height }: ShadowOutline,
  by: Pt,
  opacity: number,
): Path {
  const colour = colourOf(color)
  const line = stroke?.width ?? 0
  if (!filled)
    return { commands, stroke: { colour, width: Math.max(0.1, line + by), opacity, join: 'round' } }
  const reach = by + line / 2
  const scale = (size: Pt): number => Math.max(0, size + 2 * reach) / Math.max(0.1, size)
  return {
    commands: commands.map((command) => scaled(command, scale(width), scale(height), reach)),
    fill: { kind: 'solid', colour, opacity },
    ...(evenOdd === true && { evenOdd }),
  }
}

function scaled(command: PathCommand, sx: number, sy: number, reach: Pt): PathCommand {
  const [x, y] = [(value: Pt): Pt => value * sx - reach, (value: Pt): Pt => value * sy - reach]
  switch (command[0]) {
    case 'M':
    case 'L':
      return [command[0], x(command[1]), y(command[2])]
    case 'C':
      return ['C', x(command[1]), y(command[2]), x(command[3]), y(command[4]), x(command[5]), y(command[6])]
    case 'R':
      return ['R', x(command[1]), y(command[2]), command[3] * sx, command[4] * sy]
    default:
      return command
  }
}

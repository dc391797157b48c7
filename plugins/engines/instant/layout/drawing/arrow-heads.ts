import { ellipse } from '../../../../../shared/document/ellipse.ts'
import type { Point } from '../../../../../shared/document/geometry.ts'
import type { ArrowHead, Stroke as DrawingStroke } from '../../../../../shared/document/paint.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import type { PathCommand, PathStroke, Placed, Pt } from '../frame.ts'

/** Minimum line width that the size of an arrow head is computed from (observed in LibreOffice). */
const minLineWidth: Pt = 1.98

/** Arrow heads at the ends of an open path (a:headEnd and a:tailEnd, ECMA-376-1 20.1.8.38 and 20.1.8.57). */
export function arrowHeads(
  commands: readonly PathCommand[],
  { startArrow, endArrow }: DrawingStroke,
  stroke: PathStroke,
): Placed[] {
  if (startArrow === undefined && endArrow === undefined) return []
  if (commands.length < 2 || commands.some(([kind]) => kind === 'Z' || kind === 'R')) return []
  const heads: Placed[] = []
  if (startArrow !== undefined) {
    const [tip, from] = startOf(commands)
    pushAll(heads, headAt(tip, from, startArrow, stroke))
  }
  if (endArrow !== undefined) {
    const [tip, from] = endOf(commands)
    pushAll(heads, headAt(tip, from, endArrow, stroke))
  }
  return heads
}

const different = (tip: Point, candidates: readonly Point[]): Point =>
  candidates.find(([x, y]) => Math.hypot(x - tip[0], y - tip[1]) > 0.01) ?? [tip[0] - 1, tip[1]]

/** The end point of a path, and a point before it that gives its direction. */
function endOf(commands: readonly PathCommand[]): [Point, Point] {
  const points = pointsOf(commands).reverse()
  return [points[0]!, different(points[0]!, points.slice(1))]
}
function startOf(commands: readonly PathCommand[]): [Point, Point] {
  const points = pointsOf(commands)
  return [points[0]!, different(points[0]!, points.slice(1))]
}
const pointsOf = (commands: readonly PathCommand[]): Point[] =>
  commands.flatMap((command): Point[] => {
    if (command[0] === 'C')
      return [
        [command[1], command[2]],
        [command[3], command[4]],
        [command[5], command[6]],
      ]
    return command[0] === 'M' || command[0] === 'L' ? [[command[1], command[2]]] : []
  })

function headAt([x, y]: Point, [fx, fy]: Point, head: ArrowHead, stroke: PathStroke): Placed[] {
  const unit = Math.max(minLineWidth, stroke.width)
  const [long, wide] = [unit * head.length, unit * head.width]
  const distance = Math.hypot(x - fx, y - fy) || 1
  const [dx, dy] = [(x - fx) / distance, (y - fy) / distance]
  /** The point at a distance `back` from the tip along the line, and `across` away from the line. */
  const at = (back: Pt, across: Pt): Point => [x - dx * back - dy * across, y - dy * back + dx * across]
  const half = wide / 2
  const line = (...points: readonly Point[]): PathCommand[] =>
    points.map(([px, py], n): PathCommand => [n === 0 ? 'M' : 'L', px, py])
  const fill = { kind: 'solid' as const, colour: stroke.colour, opacity: stroke.opacity }
  const filled = (commands: readonly PathCommand[]): Placed[] => [
    { x: 0, y: 0, item: { kind: 'shape', path: { commands: [...commands, ['Z']], fill } } },
  ]
  switch (head.kind) {
    case 'diamond':
      return filled(line(at(-long / 2, 0), at(0, half), at(long / 2, 0), at(0, -half)))
    case 'oval':
      return filled(
        ellipse({
          centre: { x, y },
          rx: long / 2,
          ry: half,
          turn: Math.atan2(dy, dx),
          start: 0,
          span: 2 * Math.PI,
        }),
      )
    case 'stealth':
      return filled(line([x, y], at(long, half), at(long * 0.6, 0), at(long, -half)))
    case 'open': {
      const { dash: _dash, ...solid } = stroke
      const commands = line(at(long, half), [x, y], at(long, -half))
      return [{ x: 0, y: 0, item: { kind: 'shape', path: { commands, stroke: solid } } }]
    }
    default:
      return filled(line([x, y], at(long, half), at(long, -half)))
  }
}

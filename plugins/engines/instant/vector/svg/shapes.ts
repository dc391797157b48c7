import { ellipse } from '../../../../../shared/document/ellipse.ts'
import { pathCommands } from '../../../../../shared/document/svg-path.ts'
import type { PathCommand } from '../../layout/frame.ts'
import type { SvgElement } from './element.ts'
import { numbers } from './numbers.ts'

export type LengthOf = (name: string, axis: 'x' | 'y' | 'r') => number | undefined

/** The outline of a basic shape; undefined for other elements. Source: SVG 2, clause 10. */
export function outline(element: SvgElement, measure: LengthOf): PathCommand[] | undefined {
  const { attributes, name } = element
  const x = (key: string) => measure(key, 'x') ?? 0
  const y = (key: string) => measure(key, 'y') ?? 0
  switch (name) {
    case 'path':
      return pathCommands(attributes.get('d') ?? '')
    case 'rect':
      return rectangle(x('x'), y('y'), x('width'), y('height'), [measure('rx', 'x'), measure('ry', 'y')])
    case 'circle': {
      const r = measure('r', 'r') ?? 0
      return ellipsePath(x('cx'), y('cy'), r, r)
    }
    case 'ellipse': {
      const [rx, ry] = [measure('rx', 'x'), measure('ry', 'y')]
      return ellipsePath(x('cx'), y('cy'), rx ?? ry ?? 0, ry ?? rx ?? 0)
    }
    case 'line':
      return [
        ['M', x('x1'), y('y1')],
        ['L', x('x2'), y('y2')],
      ]
    case 'polyline':
    case 'polygon':
      return polygon(numbers(attributes.get('points') ?? ''), name === 'polygon')
    default:
      return undefined
  }
}

function rectangle(
  x: number,
  y: number,
  width: number,
  height: number,
  [rx, ry]: readonly [number | undefined, number | undefined],
): PathCommand[] {
  if (!(width > 0 && height > 0)) return []
  const across = Math.min(Math.max(0, rx ?? ry ?? 0), width / 2)
  const down = Math.min(Math.max(0, ry ?? rx ?? 0), height / 2)
  if (across === 0 || down === 0) return [['R', x, y, width, height]]
  const corner = (cx: number, cy: number, start: number): PathCommand[] =>
    ellipse({ centre: { x: cx, y: cy }, rx: across, ry: down, turn: 0, start, span: Math.PI / 2 }).map(
      (command) => (command[0] === 'M' ? ['L', command[1], command[2]] : command),
    )
  const [right, bottom] = [x + width, y + height]
  return [
    ['M', x + across, y],
    ...corner(right - across, y + down, -Math.PI / 2),
    ...corner(right - across, bottom - down, 0),
    ...corner(x + across, bottom - down, Math.PI / 2),
    ...corner(x + across, y + down, Math.PI),
    ['Z'],
  ]
}

function ellipsePath(cx: number, cy: number, rx: number, ry: number): PathCommand[] {
  if (!(rx > 0 && ry > 0)) return []
  return [...ellipse({ centre: { x: cx, y: cy }, rx, ry, turn: 0, start: 0, span: 2 * Math.PI }), ['Z']]
}

function polygon(points: readonly number[], closed: boolean): PathCommand[] {
  const commands: PathCommand[] = []
  for (let at = 0; at + 1 < points.length; at += 2)
    commands.push([at === 0 ? 'M' : 'L', points[at] ?? 0, points[at + 1] ?? 0])
  if (closed && commands.length > 0) commands.push(['Z'])
  return commands
}

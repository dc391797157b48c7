import { arcFrom, cubicOf } from '../../../../../shared/document/arc.ts'
import type { Sides } from '../../../../../shared/document/box.ts'
import type {
  DefinedPath,
  Geometry,
  PathFill,
  PathSegment,
  ShapeDefinition,
} from '../../../../../shared/document/drawing.ts'
import type { Point } from '../../../../../shared/document/geometry.ts'
import type { PathCommand, Pt } from '../frame.ts'
import { Guides } from './guides.ts'
import { presetShape } from './preset-shape.ts'

/** The geometry of a shape in a box of a certain size: the paths to fill and stroke, and the text rectangle. */
export interface Outline {
  readonly paths: readonly OutlinePath[]
  /** Insets of the text rectangle from the sides of the box; absent if it is the box. */
  readonly text?: Required<Sides>
}
export interface OutlinePath {
  readonly commands: readonly PathCommand[]
  readonly fill: PathFill
  readonly stroked: boolean
}

/** Evaluates a geometry in a box of this size, in points; undefined for an unknown preset shape. */
export function outlineOf(geometry: Geometry, width: Pt, height: Pt): Outline | undefined {
  switch (geometry.kind) {
    case 'preset': {
      // Most text boxes and pictures are rectangles, so skip the evaluation of formulas for them.
      if (geometry.name === 'rect') return rectangle(width, height)
      const definition = presetShape(geometry.name)
      return definition && evaluate(definition, geometry.adjust, width, height)
    }
    case 'custom':
      return evaluate(geometry.definition, noValues, width, height)
    case 'path': {
      const { segments, lines = [], textArea } = geometry
      const path = (list: readonly PathSegment[], fill: PathFill): OutlinePath[] =>
        list.length === 0 ? [] : [{ commands: commandsOf(list, width, height), fill, stroked: true }]
      const paths = [...path(segments, 'norm'), ...path(lines, 'none')]
      return { paths, ...(textArea !== undefined && { text: areaInsets(textArea, width, height) }) }
    }
    default:
      return geometry satisfies never
  }
}

/** Converts a text rectangle from fractions of the box to insets. */
const areaInsets = (
  [left, top, right, bottom]: readonly [number, number, number, number],
  width: Pt,
  height: Pt,
): Required<Sides> => ({
  left: left * width,
  top: top * height,
  right: (1 - right) * width,
  bottom: (1 - bottom) * height,
})

export const rectangle = (width: Pt, height: Pt): Outline => ({
  paths: [{ commands: [['R', 0, 0, width, height]], fill: 'norm', stroked: true }],
})

function commandsOf(segments: readonly PathSegment[], width: Pt, height: Pt): PathCommand[] {
  const commands: PathCommand[] = []
  for (const { kind, points } of segments) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = points.map(
      (value, index) => value * (index % 2 === 0 ? width : height),
    )
    if (kind === 'move') commands.push(['M', x1, y1])
    else if (kind === 'line') commands.push(['L', x1, y1])
    else if (kind === 'curve') commands.push(['C', x1, y1, x2, y2, x3, y3])
    else commands.push(['Z'])
  }
  return commands
}

const noValues: ReadonlyMap<string, number> = new Map()
const emuPerPoint = 12_700
/** The maximum distance of a point from the box, in multiples of its size. */
const maxReach = 100

/** Evaluates a shape definition (ECMA-376-1 20.1.9) with the adjust values that a document sets. */
function evaluate(
  { adjust, guides, text, paths }: ShapeDefinition,
  values: ReadonlyMap<string, number>,
  width: Pt,
  height: Pt,
): Outline {
  const guideValues = new Guides(width * emuPerPoint, height * emuPerPoint)
  for (const guide of adjust) {
    const value = values.get(guide.name)
    if (value === undefined) guideValues.define(guide)
    else guideValues.set(guide.name, value)
  }
  for (const guide of guides) guideValues.define(guide)
  const insets = text && textInsets(text, guideValues, width, height)
  return {
    paths: paths.map((path) => ({
      commands: drawPath(path, guideValues, width, height),
      fill: path.fill,
      stroked: path.stroked,
    })),
    ...(insets !== undefined && { text: insets }),
  }
}

/**
 * The text rectangle (20.1.9.22) as insets; undefined if it is the box. A rectangle without an area counts as the box
 * (observed in LibreOffice).
 */
function textInsets(
  text: NonNullable<ShapeDefinition['text']>,
  guides: Guides,
  width: Pt,
  height: Pt,
): Required<Sides> | undefined {
  const [left, top, right, bottom] = text.map((operand) => guides.value(operand) / emuPerPoint)
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return undefined
  if (right <= left || bottom <= top) return undefined
  const limited = (inset: Pt, size: Pt): Pt => Math.max(-size, Math.min(size, inset))
  const insets = {
    left: limited(left, width),
    top: limited(top, height),
    right: limited(width - right, width),
    bottom: limited(height - bottom, height),
  }
  return Object.values(insets).some((inset) => Math.abs(inset) > 0.001) ? insets : undefined
}

function drawPath(path: DefinedPath, guides: Guides, width: Pt, height: Pt): PathCommand[] {
  const scale =
    (size: Pt, space: number | undefined) =>
    (value: number): Pt => {
      const scaled = space === undefined ? value / emuPerPoint : (value / space) * size
      return Math.max(-maxReach * size, Math.min(maxReach * size, scaled)) || 0
    }
  const [x, y] = [scale(width, path.width), scale(height, path.height)]
  const commands: PathCommand[] = []
  let current: Point = [0, 0]
  let start: Point = current
  const curve = ([x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0]: readonly number[]): void => {
    commands.push(['C', x(x1), y(y1), x(x2), y(y2), x(x3), y(y3)])
    current = [x3, y3]
  }
  for (const { kind, operands } of path.commands) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = operands.map((operand) => guides.value(operand))
    switch (kind) {
      case 'M':
      case 'L':
        commands.push([kind, x(a), y(b)])
        current = [a, b]
        if (kind === 'M') start = current
        break
      case 'C':
        curve([a, b, c, d, e, f])
        break
      case 'Q':
        curve(cubicOf(current, [a, b], [c, d]))
        break
      case 'A':
        for (const points of arcFrom(current, ellipticalArc(a, b, c, d))) curve(points)
        break
      case 'Z':
        commands.push(['Z'])
        current = start
        break
      default:
        kind satisfies never
    }
  }
  return commands
}

const degrees = (angle: number): number => angle / 60_000

/**
 * Converts a:arcTo (20.1.9.4). Its angles are those of rays from the centre of the ellipse, which differ from the parametric
 * angles except on the axes.
 */
function ellipticalArc(rx: number, ry: number, start: number, swing: number) {
  const parametric = (ray: number): number => {
    if (!(rx > 0 && ry > 0) || rx === ry) return ray
    const angle = (ray * Math.PI) / 180
    const parametricAngle = (Math.atan2(rx * Math.sin(angle), ry * Math.cos(angle)) * 180) / Math.PI
    return parametricAngle + 360 * Math.round((ray - parametricAngle) / 360)
  }
  const [from, sweep] = [degrees(start), Math.max(-360, Math.min(360, degrees(swing)))]
  return { rx, ry, start: parametric(from), sweep: parametric(from + sweep) - parametric(from) }
}

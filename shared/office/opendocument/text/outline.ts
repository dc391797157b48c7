import { arcFrom, cubicOf } from '../../../document/arc.ts'
import type { Geometry, PathSegment } from '../../../document/drawing.ts'
import type { Point } from '../../../document/geometry.ts'
import { pathCommands } from '../../../document/svg-path.ts'
import { entryOf } from '../../../entry-of.ts'
import { pushAll } from '../../../push-all.ts'
import type { XmlCursor } from '../../../xml/cursor.ts'
import { Formulas } from './formula.ts'

/** The coordinate space of a path: svg:viewBox. */
interface ViewBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Maximum number of segments of one path. */
const maxSegments = 20_000

/** Collects a path and converts its coordinates into shares of its space. */
class OutlineBuilder {
  readonly segments: PathSegment[] = []
  readonly #space: ViewBox
  /** The current point. */
  at: Point = [0, 0]
  /** Start of the current subpath. */
  #start: Point = [0, 0]

  constructor(space: ViewBox) {
    this.#space = space
  }

  #push(kind: PathSegment['kind'], points: readonly number[]): void {
    if (this.segments.length >= maxSegments) return
    const { x, y, width, height } = this.#space
    const fractionOf = (value: number, from: number, extent: number): number =>
      extent > 0 && Number.isFinite(value) ? Math.max(-100, Math.min(100, (value - from) / extent)) : 0
    this.segments.push({
      kind,
      points: points.map((value, index) =>
        index % 2 === 0 ? fractionOf(value, x, width) : fractionOf(value, y, height),
      ),
    })
  }

  move(to: Point): void {
    this.#push('move', to)
    this.at = this.#start = to
  }
  line(to: Point): void {
    this.#push('line', to)
    this.at = to
  }
  curve(points: readonly number[]): void {
    this.#push('curve', points)
    this.at = [points[4] ?? 0, points[5] ?? 0]
  }
  arc(rx: number, ry: number, start: number, sweep: number): void {
    for (const points of arcFrom(this.at, { rx, ry, start, sweep })) this.curve(points)
  }
  close(): void {
    this.#push('close', [])
    this.at = this.#start
  }
}

/** Parses svg:viewBox; undefined without a positive size. */
export function viewBox(text: string | undefined): ViewBox | undefined {
  const [x = 0, y = 0, width = 0, height = 0] = (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return width > 0 && height > 0 ? { x, y, width, height } : undefined
}

/** Converts draw:points of a polygon or polyline ('x,y x,y') into an outline. */
export function polygonOutline(points: string, space: ViewBox, closed: boolean): Geometry {
  const builder = new OutlineBuilder(space)
  for (const [index, pair] of points.trim().split(/\s+/).slice(0, maxSegments).entries()) {
    const [x = 0, y = 0] = pair.split(',').map(Number)
    if (index === 0) builder.move([x, y])
    else builder.line([x, y])
  }
  if (closed) builder.close()
  return { kind: 'path', segments: builder.segments }
}

/** Converts svg:d, SVG path data, into an outline. */
export function svgOutline(d: string, space: ViewBox): Geometry {
  const builder = new OutlineBuilder(space)
  for (const step of pathCommands(d)) {
    const [kind, ...points] = step
    if (kind === 'Z') builder.close()
    else if (kind === 'C') builder.curve(points)
    else if (kind === 'M') builder.move([step[1], step[2]])
    else builder.line([step[1], step[2]])
  }
  return { kind: 'path', segments: builder.segments }
}

/**
 * Reads draw:enhanced-geometry of a shape of the given size in points (ODF 1.3 part 3, 19.145). The cursor
 * stands on it. Undefined without a path.
 */
export function enhancedOutline(cursor: XmlCursor, width: number, height: number): Geometry | undefined {
  const path = cursor.attribute('drawooo:enhanced-path') ?? cursor.attribute('draw:enhanced-path')
  if (path === undefined) return undefined
  // The formulas of LibreOffice count in hundredths of a millimetre.
  const [across, down] = [(width * 2540) / 72, (height * 2540) / 72]
  const space = viewBox(cursor.attribute('svg:viewBox')) ?? { x: 0, y: 0, width: across, height: down }
  const sizes = (cursor.attribute('drawooo:sub-view-size') ?? '').trim().split(/\s+/).map(Number)
  const textAreas = cursor.attribute('draw:text-areas')
  const modifiers = (cursor.attribute('draw:modifiers') ?? '').trim().split(/\s+/).map(Number)
  const formulas = new Map<string, string>()
  cursor.each((name) => {
    if (name !== 'draw:equation' || formulas.size > 5000) return
    formulas.set(cursor.attribute('draw:name') ?? '', cursor.attribute('draw:formula') ?? '')
  })
  const names = new Map([
    ['pi', Math.PI],
    ['left', space.x],
    ['top', space.y],
    ['right', space.x + space.width],
    ['bottom', space.y + space.height],
    ['width', space.width],
    ['height', space.height],
    ['logwidth', across],
    ['logheight', down],
    ['hasstroke', 1],
    ['hasfill', 1],
  ])
  const values = new Formulas({ modifiers, formulas, names })
  const outline = drawEnhanced(path, values, space, sizes)
  const textArea = textAreaOf(textAreas, values, space)
  return textArea === undefined ? outline : { ...outline, textArea }
}

/** The first rectangle of draw:text-areas (19.222) as shares of the shape's box; undefined where it has no area. */
function textAreaOf(
  text: string | undefined,
  values: Formulas,
  { x, y, width, height }: ViewBox,
): PathGeometry['textArea'] {
  const operands = (text ?? '').trim().split(/\s+/)
  if (operands.length < 4) return undefined
  const [left = 0, top = 0, right = 0, bottom = 0] = operands.map((operand) => values.value(operand))
  const fractionOf = (value: number, from: number, extent: number): number =>
    extent > 0 && Number.isFinite(value) ? Math.max(-1, Math.min(2, (value - from) / extent)) : 0
  const area = [
    fractionOf(left, x, width),
    fractionOf(top, y, height),
    fractionOf(right, x, width),
    fractionOf(bottom, y, height),
  ]
  const [l = 0, t = 0, r = 0, b = 0] = area
  return r > l && b > t ? [l, t, r, b] : undefined
}

/** An outline of path segments. */
type PathGeometry = Extract<Geometry, { readonly kind: 'path' }>

/** Number of parameters of each command of draw:enhanced-path (19.145). */
const enhancedArguments: Readonly<Record<string, number>> = {
  M: 2,
  L: 2,
  C: 6,
  Q: 4,
  T: 6,
  U: 6,
  A: 8,
  B: 8,
  W: 8,
  V: 8,
  X: 2,
  Y: 2,
  G: 4,
}

/**
 * Interprets draw:enhanced-path. `sizes` holds width and height of the coordinate space of each subpath where
 * it differs from that of the shape.
 */
function drawEnhanced(
  path: string,
  formulas: Formulas,
  space: ViewBox,
  sizes: readonly number[],
): PathGeometry {
  const filled: PathSegment[] = []
  const lines: PathSegment[] = []
  let part = 0
  const spaceOf = (index: number): ViewBox => {
    const [width = 0, height = 0] = sizes.slice(index * 2, index * 2 + 2)
    return width > 0 && height > 0 ? { x: 0, y: 0, width, height } : space
  }
  let builder = new OutlineBuilder(spaceOf(0))
  /** Set by the command F: the current subpath is not filled. */
  let unfilled = false
  const finish = (): void => {
    pushAll(unfilled ? lines : filled, builder.segments)
    const { at } = builder
    builder = new OutlineBuilder(spaceOf(++part))
    builder.at = at
    unfilled = false
  }
  const tokens = path.match(/[A-Z]|[?$]?[\w.]+|-[\d.]+/g) ?? []
  let command = ''
  /** Times that the current command has been repeated, which X and Y depend on. */
  let repetitions = 0
  for (let at = 0; at < tokens.length && filled.length + lines.length < maxSegments; ) {
    const token = tokens[at] ?? ''
    if (/^[A-Z]$/.test(token)) {
      at++
      command = token
      repetitions = 0
      if (token === 'Z') builder.close()
      else if (token === 'N') finish()
      else if (token === 'F') unfilled = true
      continue
    }
    const count = entryOf(enhancedArguments, command)
    if (count === undefined || at + count > tokens.length) break
    const values = tokens.slice(at, at + count).map((value) => formulas.value(value))
    at += count
    draw(builder, command, values, repetitions++)
    if (command === 'M') command = 'L'
  }
  finish()
  return { kind: 'path', segments: filled, ...(lines.length > 0 && { lines }) }
}

function draw(builder: OutlineBuilder, command: string, v: readonly number[], repetition: number): void {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = v
  switch (command) {
    case 'M':
      builder.move([a, b])
      break
    case 'L':
      builder.line([a, b])
      break
    case 'C':
      builder.curve(v)
      break
    case 'Q':
      builder.curve(cubicOf(builder.at, [a, b], [c, d]))
      break
    case 'G':
      builder.arc(a, b, c, d)
      break
    case 'T':
    case 'U': {
      const start: Point = [a + c * Math.cos((e * Math.PI) / 180), b + d * Math.sin((e * Math.PI) / 180)]
      if (command === 'U') builder.move(start)
      else builder.line(start)
      builder.arc(c, d, e, f - e === 0 ? 360 : f - e)
      break
    }
    case 'A':
    case 'B':
    case 'W':
    case 'V':
      boxArc(builder, command, [a, b, c, d], [e, f, g, h])
      break
    case 'X':
    case 'Y': {
      // Quarter ellipses, whose starting direction alternates between x and y.
      const [x, y] = builder.at
      const alongX = (command === 'X') === (repetition % 2 === 0)
      // Control point distance that approximates a quarter circle, 4/3 (√2 - 1).
      const k = 0.5523
      builder.curve(
        alongX
          ? [x + (a - x) * k, y, a, b - (b - y) * k, a, b]
          : [x, y + (b - y) * k, a - (a - x) * k, b, a, b],
      )
      break
    }
  }
}

/**
 * Adds an arc of the ellipse inscribed in a box, between two rays from its centre. A and B run
 * counter-clockwise, W and V clockwise; A and W connect to the start with a line.
 */
function boxArc(
  builder: OutlineBuilder,
  command: string,
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  [sx, sy, ex, ey]: readonly [number, number, number, number],
): void {
  const [rx, ry] = [Math.abs(x2 - x1) / 2, Math.abs(y2 - y1) / 2]
  if (rx === 0 || ry === 0) return
  const [cx, cy] = [(x1 + x2) / 2, (y1 + y2) / 2]
  const angle = (x: number, y: number): number => (Math.atan2((y - cy) / ry, (x - cx) / rx) * 180) / Math.PI
  const [start, end] = [angle(sx, sy), angle(ex, ey)]
  const clockwise = command === 'W' || command === 'V'
  const sweep = clockwise ? (end - start + 360) % 360 || 360 : -((start - end + 360) % 360 || 360)
  const from: Point = [
    cx + rx * Math.cos((start * Math.PI) / 180),
    cy + ry * Math.sin((start * Math.PI) / 180),
  ]
  if (command === 'A' || command === 'W') builder.line(from)
  else builder.move(from)
  builder.arc(rx, ry, start, sweep)
}

import { arcFrom, cubicOf } from '../../../../shared/document/arc.ts'
import type { Geometry, PathSegment } from '../../../../shared/document/drawing.ts'
import { pathCommands } from '../../../../shared/document/svg-path.ts'
import type { XmlCursor } from '../../../../shared/document/xml-cursor.ts'
import { Formulas } from './formula.ts'

type Point = readonly [number, number]
interface Space {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const mostSegments = 20_000

/** Gathers a path; places become shares of the space it is drawn in. */
class PathPen {
  readonly segments: PathSegment[] = []
  readonly #space: Space
  at: Point = [0, 0]
  #start: Point = [0, 0]

  constructor(space: Space) {
    this.#space = space
  }

  #push(kind: PathSegment['kind'], points: readonly number[]): void {
    if (this.segments.length >= mostSegments) return
    const { x, y, width, height } = this.#space
    const share = (value: number, from: number, whole: number): number =>
      whole > 0 && Number.isFinite(value) ? Math.max(-100, Math.min(100, (value - from) / whole)) : 0
    this.segments.push({
      kind,
      points: points.map((value, index) =>
        index % 2 === 0 ? share(value, x, width) : share(value, y, height),
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

export function viewBox(text: string | undefined): Space | undefined {
  const [x = 0, y = 0, width = 0, height = 0] = (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return width > 0 && height > 0 ? { x, y, width, height } : undefined
}

/** draw:points of a polygon: 'x,y x,y'. */
export function polygonOutline(points: string, space: Space, closed: boolean): Geometry {
  const pen = new PathPen(space)
  for (const [index, pair] of points.trim().split(/\s+/).slice(0, mostSegments).entries()) {
    const [x = 0, y = 0] = pair.split(',').map(Number)
    if (index === 0) pen.move([x, y])
    else pen.line([x, y])
  }
  if (closed) pen.close()
  return { kind: 'path', segments: pen.segments }
}

/** svg:d, path data as SVG has it. */
export function svgOutline(d: string, space: Space): Geometry {
  const pen = new PathPen(space)
  for (const step of pathCommands(d)) {
    const [kind, ...points] = step
    if (kind === 'Z') pen.close()
    else if (kind === 'C') pen.curve(points)
    else if (kind === 'M') pen.move([step[1], step[2]])
    else pen.line([step[1], step[2]])
  }
  return { kind: 'path', segments: pen.segments }
}

/** draw:enhanced-geometry of a shape of the given size, pt (ODF 1.3 part 3, 19.145). The cursor stands on it. */
export function enhancedOutline(cursor: XmlCursor, width: number, height: number): Geometry | undefined {
  const path = cursor.attribute('drawooo:enhanced-path') ?? cursor.attribute('draw:enhanced-path')
  if (path === undefined) return undefined
  // Hundredths of a millimetre, as the formulas of LibreOffice count.
  const [across, down] = [(width * 2540) / 72, (height * 2540) / 72]
  const space = viewBox(cursor.attribute('svg:viewBox')) ?? { x: 0, y: 0, width: across, height: down }
  const sizes = (cursor.attribute('drawooo:sub-view-size') ?? '').trim().split(/\s+/).map(Number)
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
  return drawEnhanced(path, new Formulas({ modifiers, formulas, names }), space, sizes)
}

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

/** `sizes`: width and height that each part of the path counts in, where that is not the shape's own. */
function drawEnhanced(path: string, formulas: Formulas, space: Space, sizes: readonly number[]): Geometry {
  const filled: PathSegment[] = []
  const lines: PathSegment[] = []
  let part = 0
  const spaceOf = (index: number): Space => {
    const [width = 0, height = 0] = sizes.slice(index * 2, index * 2 + 2)
    return width > 0 && height > 0 ? { x: 0, y: 0, width, height } : space
  }
  let pen = new PathPen(spaceOf(0))
  let unfilled = false
  const finish = (): void => {
    ;(unfilled ? lines : filled).push(...pen.segments)
    const { at } = pen
    pen = new PathPen(spaceOf(++part))
    pen.at = at
    unfilled = false
  }
  const tokens = path.match(/[A-Z]|[?$]?[\w.]+|-[\d.]+/g) ?? []
  let command = ''
  let turns = 0
  for (let at = 0; at < tokens.length && filled.length + lines.length < mostSegments; ) {
    const token = tokens[at]!
    if (/^[A-Z]$/.test(token)) {
      at++
      command = token
      turns = 0
      if (token === 'Z') pen.close()
      else if (token === 'N') finish()
      else if (token === 'F') unfilled = true
      continue
    }
    const count = enhancedArguments[command]
    if (count === undefined || at + count > tokens.length) break
    const values = tokens.slice(at, at + count).map((value) => formulas.value(value))
    at += count
    draw(pen, command, values, turns++)
    if (command === 'M') command = 'L'
  }
  finish()
  return { kind: 'path', segments: filled, ...(lines.length > 0 && { lines }) }
}

function draw(pen: PathPen, command: string, v: readonly number[], turn: number): void {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = v
  switch (command) {
    case 'M':
      pen.move([a, b])
      break
    case 'L':
      pen.line([a, b])
      break
    case 'C':
      pen.curve(v)
      break
    case 'Q':
      pen.curve(cubicOf(pen.at, [a, b], [c, d]))
      break
    case 'G':
      pen.arc(a, b, c, d)
      break
    case 'T':
    case 'U': {
      const start: Point = [a + c * Math.cos((e * Math.PI) / 180), b + d * Math.sin((e * Math.PI) / 180)]
      if (command === 'U') pen.move(start)
      else pen.line(start)
      pen.arc(c, d, e, f - e === 0 ? 360 : f - e)
      break
    }
    case 'A':
    case 'B':
    case 'W':
    case 'V':
      boxArc(pen, command, [a, b, c, d], [e, f, g, h])
      break
    case 'X':
    case 'Y': {
      // Quarters of ellipses, which set out along x and y in turn.
      const [x, y] = pen.at
      const alongX = (command === 'X') === (turn % 2 === 0)
      const k = 0.5523
      pen.curve(
        alongX
          ? [x + (a - x) * k, y, a, b - (b - y) * k, a, b]
          : [x, y + (b - y) * k, a - (a - x) * k, b, a, b],
      )
      break
    }
  }
}

/** An arc of the ellipse in a box, from one ray to another; A and B run against the clock, A and W go there first by a line. */
function boxArc(
  pen: PathPen,
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
  if (command === 'A' || command === 'W') pen.line(from)
  else pen.move(from)
  pen.arc(rx, ry, start, sweep)
}

import { ellipse } from '../../../../../shared/document/ellipse.ts'
import { readImage } from '../../images/read-image.ts'
import type { Matrix, Path, PathCommand, Placed, Stroke } from '../../layout/frame.ts'
import { drawLine, mostItems, multiply, type VectorTools } from '../vector.ts'
import {
  type Brush,
  type GdiObject,
  mappingOf,
  newState,
  type Pen,
  type State,
  stockObject,
} from './state.ts'

const mostStates = 1_000
const mostObjects = 65_536

/** A device context that keeps what is drawn as items, in device units. Both kinds of metafile play on it. */
export class Canvas {
  readonly items: Placed[] = []
  readonly ignored = new Set<string>()
  state: State = newState()
  readonly #saved: State[] = []
  readonly #objects = new Map<number, GdiObject>()
  readonly #tools: VectorTools
  /** Between the beginning and the end of a path nothing is drawn. */
  #path: PathCommand[] | undefined
  #finished: readonly PathCommand[] = []

  constructor(tools: VectorTools) {
    this.#tools = tools
  }

  save(): void {
    if (this.#saved.length < mostStates) this.#saved.push({ ...this.state })
  }
  /** Negative: so many levels back; positive: to that level. */
  restore(level: number): void {
    const target = level < 0 ? this.#saved.length + level : level - 1
    const found = this.#saved[target]
    if (found === undefined) return
    this.state = found
    this.#saved.length = target
  }

  make(number: number, object: GdiObject): void {
    if (this.#objects.size < mostObjects) this.#objects.set(number, object)
  }
  /** The lowest number that is free: how WMF counts. */
  makeNext(object: GdiObject): void {
    let number = 0
    while (this.#objects.has(number) && number < mostObjects) number += 1
    this.make(number, object)
  }
  delete(number: number): void {
    this.#objects.delete(number)
  }
  select(number: number): void {
    const object = number >= 0x80000000 ? stockObject(number - 0x80000000) : this.#objects.get(number)
    if (object?.kind === 'pen') this.state.pen = object
    else if (object?.kind === 'brush') this.state.brush = object
    else if (object?.kind === 'font') this.state.font = object
  }

  get inPath(): boolean {
    return this.#path !== undefined
  }

  moveTo(x: number, y: number): void {
    this.state.x = x
    this.state.y = y
    this.#path?.push(['M', ...this.#place(x, y)])
  }
  lineTo(x: number, y: number): void {
    this.polyline([this.state.x, this.state.y, x, y], this.inPath)
    this.state.x = x
    this.state.y = y
  }
  /** `on`: the first point is where the pen stands already. */
  polyline(points: readonly number[], on = false): void {
    const commands = this.#lines(points)
    this.#draw(on ? commands.slice(1) : commands, { stroke: true })
  }
  polygons(list: readonly (readonly number[])[]): void {
    const commands = list.flatMap((points): PathCommand[] => [...this.#lines(points), ['Z']])
    this.#draw(commands, { fill: true, stroke: true })
  }
  /** Points in threes behind the first one. */
  bezier(points: readonly number[], on = false): void {
    const commands: PathCommand[] = on ? [] : [['M', ...this.#place(points[0] ?? 0, points[1] ?? 0)]]
    for (let at = 2; at + 5 < points.length; at += 6) {
      const [x1, y1, x2, y2, x, y] = points.slice(at, at + 6) as [
        number,
        number,
        number,
        number,
        number,
        number,
      ]
      commands.push(['C', ...this.#place(x1, y1), ...this.#place(x2, y2), ...this.#place(x, y)])
    }
    this.#draw(commands, { stroke: true })
  }
  rectangle(left: number, top: number, right: number, bottom: number, rx = 0, ry = 0): void {
    if (rx <= 0 || ry <= 0) {
      this.polygons([[left, top, right, top, right, bottom, left, bottom]])
      return
    }
    const [a, b] = [Math.min(rx, Math.abs(right - left) / 2), Math.min(ry, Math.abs(bottom - top) / 2)]
    const corner = (x: number, y: number, start: number): PathCommand[] =>
      ellipse({ centre: { x, y }, rx: a, ry: b, turn: 0, start, span: Math.PI / 2 })
    const [l, r] = [Math.min(left, right), Math.max(left, right)]
    const [t, u] = [Math.min(top, bottom), Math.max(top, bottom)]
    const round = [
      ...corner(r - a, t + b, -Math.PI / 2),
      ...corner(r - a, u - b, 0),
      ...corner(l + a, u - b, Math.PI / 2),
      ...corner(l + a, t + b, Math.PI),
    ].map(
      (command, n): PathCommand => (command[0] === 'M' && n > 0 ? ['L', command[1], command[2]] : command),
    )
    this.#draw([...this.#moved(round), ['Z']], { fill: true, stroke: true })
  }
  ellipse(left: number, top: number, right: number, bottom: number): void {
    const commands = ellipse({ ...circleIn(left, top, right, bottom), turn: 0, start: 0, span: 2 * Math.PI })
    this.#draw([...this.#moved(commands), ['Z']], { fill: true, stroke: true })
  }
  /** A stretch of the ellipse in a box, from the ray through one point to that through another. */
  arc(box: readonly number[], rays: readonly number[], kind: 'arc' | 'pie' | 'chord' | 'arcTo'): void {
    const [left = 0, top = 0, right = 0, bottom = 0] = box
    const [sx = 0, sy = 0, ex = 0, ey = 0] = rays
    const shape = circleIn(left, top, right, bottom)
    const { centre, rx, ry } = shape
    const angle = (x: number, y: number) => Math.atan2((y - centre.y) / (ry || 1), (x - centre.x) / (rx || 1))
    const start = angle(sx, sy)
    let span = angle(ex, ey) - start
    if (this.state.clockwise) while (span <= 0) span += 2 * Math.PI
    else while (span >= 0) span -= 2 * Math.PI
    const commands = ellipse({ ...shape, turn: 0, start, span })
    const last = commands.at(-1)!
    if (kind === 'pie') commands.push(['L', centre.x, centre.y], ['Z'])
    if (kind === 'chord') commands.push(['Z'])
    const moved = this.#moved(commands)
    if (kind !== 'arcTo') {
      this.#draw(moved, { fill: kind !== 'arc', stroke: true })
      return
    }
    const [first] = moved as [readonly ['M', number, number], ...PathCommand[]]
    const joined: PathCommand[] = [['L', first[1], first[2]], ...moved.slice(1)]
    this.#draw(
      this.#path === undefined ? [['M', ...this.#place(this.state.x, this.state.y)], ...joined] : joined,
      {
        stroke: true,
      },
    )
    if (last[0] === 'C') [this.state.x, this.state.y] = [last[5], last[6]]
  }

  beginPath(): void {
    this.#path = [['M', ...this.#place(this.state.x, this.state.y)]]
  }
  closeFigure(): void {
    this.#path?.push(['Z'])
  }
  endPath(): void {
    this.#finished = this.#path ?? []
    this.#path = undefined
  }
  drawPath(how: { fill?: boolean; stroke?: boolean }): void {
    this.#draw(this.#finished, how)
    this.#finished = []
  }
  clipToPath(): void {
    this.state.clip = this.#finished
    this.#finished = []
  }
  /** Device units. undefined: everything shows again. */
  clipTo(box: readonly [number, number, number, number] | undefined): void {
    this.state.clip =
      box === undefined ? undefined : [['R', box[0], box[1], box[2] - box[0], box[3] - box[1]]]
  }
  clipToRectangle(left: number, top: number, right: number, bottom: number): void {
    const [x1, y1] = this.#place(left, top)
    const [x2, y2] = this.#place(right, bottom)
    this.clipTo([Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)])
  }

  /** `advances`: of each character, logical units. */
  text(text: string, at: readonly [number, number] | undefined, advances: readonly number[]): void {
    const { font, textAlign } = this.state
    const keepsPosition = (textAlign & 1) === 0
    const [x, y] = keepsPosition && at !== undefined ? at : [this.state.x, this.state.y]
    const shown = text.replace(/[\u0000-\u001f]/g, '')
    const face = this.#tools.fonts.face(font.family, font.bold, font.italic)
    const tall = face.ascent + face.descent
    const size = font.height < 0 ? -font.height : font.height === 0 ? 12 : font.height / tall
    if (shown === '' || !(size > 0)) return
    const line = { text: shown, family: font.family, size, bold: font.bold, italic: font.italic }
    const plain = drawLine({ ...line, colour: this.state.textColour }, this.#tools)
    const whole = advances.length >= shown.length ? advances.reduce((sum, one) => sum + one, 0) : plain.width
    const letterSpacing = (whole - plain.width) / shown.length
    const drawn =
      Math.abs(letterSpacing) < 0.001 * size
        ? plain
        : drawLine({ ...line, colour: this.state.textColour, letterSpacing }, this.#tools)
    const horizontal = textAlign & 6
    const left = horizontal === 6 ? -whole / 2 : horizontal === 2 ? -whole : 0
    const vertical = textAlign & 24
    const down = vertical === 24 ? 0 : vertical === 8 ? -face.descent * size : face.ascent * size
    const items: Placed[] = drawn.items.map(({ x: ix, y: iy, item }) => ({
      x: ix + left,
      y: iy + down,
      item,
    }))
    if (font.underline) {
      const [thick, low] = [face.underlineThickness * size, face.underlineOffset * size]
      const commands: PathCommand[] = [['R', 0, 0, whole, thick]]
      const path: Path = { commands, fill: { kind: 'solid', colour: this.state.textColour } }
      items.push({ x: left, y: down + low - thick / 2, item: { kind: 'shape', path } })
    }
    const angle = (-font.angle * Math.PI) / 180
    const turn: Matrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), x, y]
    // Letters stand upright however the axes run.
    const [a, b, c, d, e, f] = multiply(mappingOf(this.state), turn)
    const upright: Matrix = a * d - b * c < 0 ? [a, b, -c, -d, e, f] : [a, b, c, d, e, f]
    this.#add([group(items, upright)])
    if (!keepsPosition) this.state.x = x + whole
  }

  /** A device independent bitmap, header and pixels together, in a box of logical units. */
  bitmap(dib: Uint8Array, pixelsAt: number, box: readonly [number, number, number, number]): void {
    const bytes = new Uint8Array(14 + dib.length)
    const view = new DataView(bytes.buffer)
    bytes.set([0x42, 0x4d])
    view.setUint32(2, bytes.length, true)
    view.setUint32(10, 14 + pixelsAt, true)
    bytes.set(dib, 14)
    const image = readImage(bytes)
    if (image === undefined) {
      this.ignored.add('bitmap')
      return
    }
    const [x, y, width, height] = box
    const [a, b, c, d, e, f] = mappingOf(this.state)
    const item = { kind: 'image', image, width: Math.abs(width), height: Math.abs(height) } as const
    const placed: Placed = { x: width < 0 ? x + width : x, y: height < 0 ? y + height : y, item }
    const upright: Matrix = d < 0 ? [a, b, c, -d, e, f + 2 * d * (y + height / 2)] : [a, b, c, d, e, f]
    this.#add([group([placed], upright)])
  }

  /** A filled box without an outline, logical units: what blits without a source do. */
  fillBox(x: number, y: number, width: number, height: number, brush: Brush = this.state.brush): void {
    if (brush.none === true) return
    const commands = this.#lines([x, y, x + width, y, x + width, y + height, x, y + height])
    const path: Path = { commands: [...commands, ['Z']], fill: fillOf(brush) }
    this.#add([{ x: 0, y: 0, item: { kind: 'shape', path } }])
  }

  #draw(commands: readonly PathCommand[], { fill = false, stroke = false }): void {
    if (this.#path !== undefined) {
      for (const command of commands) this.#path.push(command)
      return
    }
    const { pen, brush, evenOdd } = this.state
    const filled = fill && brush.none !== true
    const stroked = stroke && pen.none !== true
    if ((!filled && !stroked) || commands.length === 0) return
    const path: Path = {
      commands,
      ...(filled && { fill: fillOf(brush) }),
      ...(stroked && { stroke: this.#stroke(pen) }),
      ...(evenOdd && { evenOdd }),
    }
    this.#add([{ x: 0, y: 0, item: { kind: 'shape', path } }])
  }

  #stroke({ colour, width, dash, cap, join }: Pen): Stroke {
    const [a, b, c, d] = mappingOf(this.state)
    const wide = Math.max(1, width * Math.sqrt(Math.abs(a * d - b * c)))
    return {
      colour,
      width: wide,
      ...(dash && { dash: dash.map((share) => share * wide) }),
      ...(cap && { cap }),
      ...(join && { join }),
    }
  }

  #add(items: readonly Placed[]): void {
    this.#tools.check()
    if (this.items.length >= mostItems) return
    const { clip } = this.state
    if (clip === undefined) this.items.push(...items)
    else
      this.items.push({
        x: 0,
        y: 0,
        item: { kind: 'group', frame: { width: 0, height: 0, items }, clip: true, clipPath: clip },
      })
  }

  #lines(points: readonly number[]): PathCommand[] {
    const commands: PathCommand[] = []
    for (let at = 0; at + 1 < points.length; at += 2)
      commands.push([at === 0 ? 'M' : 'L', ...this.#place(points[at]!, points[at + 1]!)])
    return commands
  }

  #place(x: number, y: number): [number, number] {
    const [a, b, c, d, e, f] = mappingOf(this.state)
    return [a * x + c * y + e, b * x + d * y + f]
  }

  #moved(commands: readonly PathCommand[]): PathCommand[] {
    return commands.map((command): PathCommand => {
      if (command[0] === 'C')
        return [
          'C',
          ...this.#place(command[1], command[2]),
          ...this.#place(command[3], command[4]),
          ...this.#place(command[5], command[6]),
        ]
      if (command[0] === 'M' || command[0] === 'L')
        return [command[0], ...this.#place(command[1], command[2])]
      return command
    })
  }
}

const group = (items: readonly Placed[], transform: Matrix): Placed => ({
  x: 0,
  y: 0,
  item: { kind: 'group', frame: { width: 0, height: 0, items }, clip: false, transform },
})

const fillOf = ({ colour, opacity }: Brush) => ({
  kind: 'solid' as const,
  colour,
  ...(opacity !== undefined && { opacity }),
})

const circleIn = (left: number, top: number, right: number, bottom: number) => ({
  centre: { x: (left + right) / 2, y: (top + bottom) / 2 },
  rx: Math.abs(right - left) / 2,
  ry: Math.abs(bottom - top) / 2,
})

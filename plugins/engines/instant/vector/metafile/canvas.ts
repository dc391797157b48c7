import { ellipse } from '../../../../../shared/document/ellipse.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import type { ImageRef } from '../../images/image.ts'
import type { Fill, Matrix, Path, PathCommand, PathStroke, Placed } from '../../layout/frame.ts'
import { maxItems, type VectorTools } from '../vector.ts'
import { dibImage, unpremultiplied } from './bitmap.ts'
import { fillsOf } from './brush.ts'
import {
  boxPart,
  type Clip,
  type ClipArea,
  type ClipBox,
  combine,
  exclude,
  intersect,
  moveClip,
  regionModes,
} from './clip.ts'
import { drawText, type MetaText } from './letters.ts'
import { composed, mixesBelow, type RasterStep, rasterOperations } from './raster-operations.ts'
import {
  type Brush,
  colourBy,
  type DeviceState,
  type GdiObject,
  mappingOf,
  newState,
  type Pen,
  stockObject,
} from './state.ts'

const maxStates = 1_000
const maxObjects = 65_536
/** The maximum number of UTF-16 units of all texts. Many records may share one text. */
const maxLetters = 1_000_000

/** How a bitmap is drawn. */
export interface BitmapUse {
  readonly operation?: number
  /** The part of the bitmap that is drawn, in pixels from its top left corner. */
  readonly source?: ClipArea
  /** Set when the bitmap is drawn unscaled and cropped: where in the bitmap its visible part begins. */
  readonly from?: readonly [x: number, y: number]
  readonly opacity?: number
  /** The fourth byte of a pixel is its alpha. */
  readonly blend?: boolean
}
/** The box of a text in logical units, and whether it is filled with the background colour or clips the text. */
export interface TextBox {
  readonly box?: ClipBox
  readonly filled?: boolean
  readonly clipped?: boolean
}

/** A device context that collects what both kinds of metafile draw as items, in device units. */
export class MetafileCanvas {
  readonly items: Placed[] = []
  readonly ignored = new Set<string>()
  state: DeviceState = newState()
  /** Whether the pixels of bitmaps correspond to units of the device. */
  scaled = false
  readonly #saved: DeviceState[] = []
  readonly #objects = new Map<number, GdiObject>()
  /** Every object with a lower number exists. */
  #lowestFree = 0
  readonly #tools: VectorTools
  /** Set between the beginning and the end of a path, while nothing is drawn. */
  #path: PathCommand[] | undefined
  #finished: readonly PathCommand[] = []
  /** The clip of the last item, to which items with the same clip are added. */
  #clipped: { readonly clip: Clip; readonly items: Placed[] } | undefined
  #count = 0
  #letters = 0
  /** A box whose colours are inverted. */
  #inverted: { readonly area: ClipArea; readonly brush: Brush; used: boolean } | undefined
  /** Blits on the same box that are not drawn yet. */
  #blits: { readonly area: ClipArea; readonly steps: RasterStep[] } | undefined
  /** Width of one pixel of the device, in device units. */
  readonly #pixel: number

  constructor(tools: VectorTools, pixel = 1) {
    this.#tools = tools
    this.#pixel = pixel
  }

  /** Whether the picture has more items or letters than any that is read to its end. */
  get isFull(): boolean {
    const isFull = this.#count > maxItems || this.#letters > maxLetters
    if (isFull) this.ignored.add('most of it')
    return isFull
  }

  /** Counts the work of a record, which is in proportion to its size. */
  spendBytes(size: number): void {
    this.#tools.check(1 + (size >> 7))
  }

  save(): void {
    if (this.#saved.length < maxStates) this.#saved.push({ ...this.state })
  }
  /** A negative level counts back from the current one; a positive one is absolute. */
  restore(level: number): void {
    const target = level < 0 ? this.#saved.length + level : level - 1
    const saved = this.#saved[target]
    if (saved === undefined) return
    this.state = saved
    this.#saved.length = target
  }

  make(number: number, object: GdiObject): void {
    if (this.#objects.size < maxObjects) this.#objects.set(number, object)
  }
  /** The lowest free number, which is how WMF numbers its objects. */
  makeNext(object: GdiObject): void {
    const from = this.#lowestFree
    let number = from
    while (this.#objects.has(number) && number < maxObjects) number += 1
    this.#tools.check((number - from) >> 6)
    this.#lowestFree = number
    this.make(number, object)
  }
  delete(number: number): void {
    this.#objects.delete(number)
    this.#lowestFree = Math.min(this.#lowestFree, number)
  }
  select(number: number): void {
    const object = this.object(number)
    if (object?.kind === 'pen') this.state.pen = object
    else if (object?.kind === 'brush') this.state.brush = object
    else if (object?.kind === 'font') this.state.font = object
  }

  object(number: number): GdiObject | undefined {
    return number >= 0x80000000 ? stockObject(number - 0x80000000) : this.#objects.get(number)
  }

  get inPath(): boolean {
    return this.#path !== undefined
  }

  moveTo(x: number, y: number): void {
    this.state.x = x
    this.state.y = y
    this.#path?.push(['M', ...this.#toDevice(x, y)])
  }
  lineTo(x: number, y: number): void {
    this.polyline([this.state.x, this.state.y, x, y], this.inPath)
    this.state.x = x
    this.state.y = y
  }
  /** `on`: the line continues from the current position. */
  polyline(points: readonly number[], on = false): void {
    const commands = this.#lines(points)
    this.#draw(on ? commands.slice(1) : commands, { stroke: true })
  }
  polygons(list: readonly (readonly number[])[]): void {
    const commands = list.flatMap((points): PathCommand[] => [...this.#lines(points), ['Z']])
    this.#draw(commands, { fill: true, stroke: true })
  }
  /** Bézier curves: a start point, then three points for each curve. */
  bezier(points: readonly number[], on = false): void {
    const commands: PathCommand[] = on ? [] : [['M', ...this.#toDevice(points[0] ?? 0, points[1] ?? 0)]]
    for (let at = 2; at + 5 < points.length; at += 6) {
      const [x1, y1, x2, y2, x, y] = points.slice(at, at + 6) as [
        number,
        number,
        number,
        number,
        number,
        number,
      ]
      commands.push(['C', ...this.#toDevice(x1, y1), ...this.#toDevice(x2, y2), ...this.#toDevice(x, y)])
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
    const commands = [
      ...corner(r - a, t + b, -Math.PI / 2),
      ...corner(r - a, u - b, 0),
      ...corner(l + a, u - b, Math.PI / 2),
      ...corner(l + a, t + b, Math.PI),
    ].map(
      (command, n): PathCommand => (command[0] === 'M' && n > 0 ? ['L', command[1], command[2]] : command),
    )
    this.#draw([...this.#commandsToDevice(commands), ['Z']], { fill: true, stroke: true })
  }
  ellipse(left: number, top: number, right: number, bottom: number): void {
    const commands = ellipse({ ...circleIn(left, top, right, bottom), turn: 0, start: 0, span: 2 * Math.PI })
    this.#draw([...this.#commandsToDevice(commands), ['Z']], { fill: true, stroke: true })
  }
  /** An arc of the ellipse in a box, from the ray through one point to that through another. */
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
    const moved = this.#commandsToDevice(commands)
    if (kind !== 'arcTo') {
      this.#draw(moved, { fill: kind !== 'arc', stroke: true })
      return
    }
    const [first] = moved as [readonly ['M', number, number], ...PathCommand[]]
    const joined: PathCommand[] = [['L', first[1], first[2]], ...moved.slice(1)]
    this.#draw(
      this.#path === undefined ? [['M', ...this.#toDevice(this.state.x, this.state.y)], ...joined] : joined,
      {
        stroke: true,
      },
    )
    if (last[0] === 'C') [this.state.x, this.state.y] = [last[5], last[6]]
  }

  beginPath(): void {
    this.#path = [['M', ...this.#toDevice(this.state.x, this.state.y)]]
  }
  closeFigure(): void {
    this.#path?.push(['Z'])
  }
  endPath(): void {
    this.#finished = this.#path ?? []
    this.#path = undefined
  }
  dropPath(): void {
    this.#path = undefined
    this.#finished = []
  }
  drawPath(how: { fill?: boolean; stroke?: boolean }): void {
    this.#draw(this.#finished, how)
    this.#finished = []
  }
  clipToPath(mode: number = regionModes.and): void {
    const part = { commands: this.#finished, evenOdd: this.state.evenOdd }
    this.#finished = []
    this.#setClip(combine(this.state.clip, part, mode))
  }
  #setClip(clip: Clip): void {
    const commands = clip.reduce((sum, part) => sum + part.commands.length, 0)
    this.#tools.check(1 + (commands >> 6))
    this.state.clip = clip
  }
  /** Sets the clip, in device units; undefined removes it. */
  clipTo(boxes: readonly ClipBox[] | undefined, mode: number = regionModes.copy): void {
    this.#setClip(boxes === undefined ? [] : combine(this.state.clip, boxPart(boxes), mode))
  }
  /** Clips to the inside or the outside of a box in logical units. */
  clipToRectangle(left: number, top: number, right: number, bottom: number, inside = true): void {
    const part = boxPart([this.#deviceBox(left, top, right, bottom)])
    this.state.clip = inside ? intersect(this.state.clip, part) : exclude(this.state.clip, part)
  }
  moveClip(dx: number, dy: number): void {
    const [a, , , d] = mappingOf(this.state)
    this.#setClip(moveClip(this.state.clip, a * dx, d * dy))
  }

  #deviceBox(left: number, top: number, right: number, bottom: number): ClipBox {
    const [x1, y1] = this.#toDevice(left, top)
    const [x2, y2] = this.#toDevice(right, bottom)
    return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
  }

  text(text: MetaText, background: TextBox = {}): void {
    const { state } = this
    this.#letters += text.text.length
    if (this.isFull) return
    this.#tools.check(1 + (text.text.length >> 3))
    if (background.box !== undefined && background.filled === true) {
      const [left, top, right, bottom] = background.box
      this.fillBox(left, top, right - left, bottom - top, { kind: 'brush', colour: state.backColour })
    }
    const drawn = drawText(text, state, this.#tools)
    if (drawn === undefined) return
    const outerClip = state.clip
    if (background.box !== undefined && background.clipped === true) this.clipToRectangle(...background.box)
    this.#add([group(drawn.items, drawn.transform)])
    state.clip = outerClip
    if ((state.textAlign & 1) === 1) state.x += drawn.width
  }

  /** Draws a device-independent bitmap, header and pixels together, in a box of logical units. */
  bitmap(dib: Uint8Array, pixelsAt: number, box: ClipArea, how: BitmapUse = {}): void {
    const image = dibImage(dib, pixelsAt)
    if (image === undefined) {
      this.ignored.add('bitmap')
      return
    }
    const { operation = rasterOperations.copy } = how
    const source = how.source ?? this.#part(how, box)
    if (mixesBelow(operation)) {
      const crop = source === undefined ? undefined : cropOf(source, image)
      this.#step(box, { operation, image, ...(crop && { crop }) })
      return
    }
    if (operation !== rasterOperations.copy) this.ignored.add('raster operation')
    this.#image((how.blend === true ? unpremultiplied(image, this.#tools) : undefined) ?? image, box, {
      ...how,
      ...(source && { source }),
    })
  }

  /** The part of a bitmap that fits into a box of the device, in pixels of the bitmap. */
  #part({ from }: BitmapUse, [, , width, height]: ClipArea): ClipArea | undefined {
    if (from === undefined) return undefined
    const [a, b, c, d] = this.scaled ? mappingOf(this.state) : [1, 0, 0, 1]
    return [
      ...from,
      Math.round(Math.abs(width) * Math.hypot(a, b)),
      Math.round(Math.abs(height) * Math.hypot(c, d)),
    ]
  }

  /** A box is inverted twice; what is drawn between the two inversions gets the colour of the box. */
  #invert(area: ClipArea, brush: Brush): void {
    const step = { operation: rasterOperations.patternInvert, brush }
    const open = this.#inverted
    this.#inverted = undefined
    if (this.#blits !== undefined && sameArea(this.#blits.area, area)) this.#step(area, step)
    else if (open === undefined || !sameArea(open.area, area)) this.#inverted = { area, brush, used: false }
    if (open !== undefined && !open.used && this.#inverted !== undefined)
      this.#step(open.area, { ...step, brush: open.brush })
  }

  /** Blits on one box are drawn together: often the first ones only clear the pixels that the last one paints. */
  #step(area: ClipArea, step: RasterStep): void {
    const before = this.#blits
    const open = this.#inverted
    if (open !== undefined && !open.used && sameArea(open.area, area)) {
      this.#inverted = undefined
      this.finish()
      const first = { operation: rasterOperations.patternInvert, brush: open.brush }
      this.#blits = { area, steps: [first, step] }
      return
    }
    if (before !== undefined && sameArea(before.area, area) && before.steps.length < 8) {
      before.steps.push(step)
      return
    }
    this.finish()
    this.#blits = { area, steps: [step] }
  }

  /** Draws the blits that were collected for one box. */
  finish(): void {
    const waiting = this.#blits
    this.#blits = undefined
    if (waiting === undefined) return
    const image = composed(waiting.steps, this.#tools)
    if (image === undefined) this.ignored.add('bitmap')
    else this.#image(image, waiting.area, {})
  }

  #image(image: ImageRef, box: ClipArea, { source, opacity }: BitmapUse): void {
    const [x, y, width, height] = box
    const [a, b, c, d, e, f] = mappingOf(this.state)
    const crop = source === undefined ? undefined : cropOf(source, image)
    const item = {
      kind: 'image',
      image,
      width: Math.abs(width),
      height: Math.abs(height),
      ...(crop && { crop }),
      ...(opacity !== undefined && opacity < 1 && { opacity }),
    } as const
    const picture: Placed = { x: width < 0 ? x + width : x, y: height < 0 ? y + height : y, item }
    const unmirrored: Matrix = d < 0 ? [a, b, c, -d, e, f + 2 * d * (y + height / 2)] : [a, b, c, d, e, f]
    this.#add([group([picture], unmirrored)])
  }

  /** Fills a box in logical units without an outline, as blits without a source do. */
  fillBox(x: number, y: number, width: number, height: number, brush: Brush = this.state.brush): void {
    const commands = this.#lines([x, y, x + width, y, x + width, y + height, x, y + height])
    this.#fill([...commands, ['Z']], fillsOf(brush, this.state, this.#pixel))
  }
  /** A blit without a bitmap. */
  operate(operation: number, x: number, y: number, width: number, height: number): void {
    const { brush } = this.state
    const fillSolid = (colour: number) => this.fillBox(x, y, width, height, { kind: 'brush', colour })
    if (operation === rasterOperations.pattern) this.fillBox(x, y, width, height)
    else if (operation === rasterOperations.black) fillSolid(0)
    else if (operation === rasterOperations.white) fillSolid(0xffffff)
    else if (mixesBelow(operation)) {
      if (brush.none === true && operation !== rasterOperations.invertBelow) return
      if (operation === rasterOperations.patternInvert) this.#invert([x, y, width, height], brush)
      else this.#step([x, y, width, height], { operation, brush })
    } else if (operation !== rasterOperations.nothing) this.ignored.add('raster operation')
  }
  /** A gradient from the first corner of a box to the second; a triangle has one colour. */
  shade(corners: readonly { x: number; y: number; colour: number }[], down: boolean): void {
    const vertices = corners.map(({ x, y, colour }) => ({ at: this.#toDevice(x, y), colour }))
    const [from, to, third] = vertices
    if (from === undefined || to === undefined) return
    if (third !== undefined) {
      const [x, y] = vertices.map(({ at }) => at) as [[number, number], [number, number]]
      const lines: PathCommand[] = [['M', ...x], ['L', ...y], ['L', ...third.at], ['Z']]
      const mean = (shift: number) =>
        Math.round(vertices.reduce((sum, { colour }) => sum + ((colour >> shift) & 255), 0) / 3) << shift
      this.#fill(lines, [{ kind: 'solid', colour: mean(16) | mean(8) | mean(0) }])
      return
    }
    const [[x1, y1], [x2, y2]] = [from.at, to.at]
    const stops = [
      { at: 0, colour: from.colour },
      { at: 1, colour: to.colour },
    ]
    const ends = down ? { x1, y1, x2: x1, y2 } : { x1, y1, x2, y2: y1 }
    const box: PathCommand = ['R', Math.min(x1, x2), Math.min(y1, y2), Math.abs(x2 - x1), Math.abs(y2 - y1)]
    this.#fill([box], [{ kind: 'linear', ...ends, stops }])
  }
  /** Fills boxes in device units with a brush, or only their frames. */
  region(boxes: readonly ClipBox[], brush: number | undefined): void {
    const selected = brush === undefined ? this.state.brush : this.object(brush)
    if (selected?.kind !== 'brush' || boxes.length === 0) return
    this.#fill(boxPart(boxes).commands, fillsOf(selected, this.state, this.#pixel))
  }
  pixel(x: number, y: number, colour: number): void {
    const [px, py] = this.#toDevice(x, y)
    this.#fill([['R', px, py, this.#pixel, this.#pixel]], [{ kind: 'solid', colour }])
  }

  #fill(commands: readonly PathCommand[], fills: readonly Fill[], evenOdd = false): void {
    for (const fill of fills)
      this.#add([
        { x: 0, y: 0, item: { kind: 'shape', path: { commands, fill, ...(evenOdd && { evenOdd }) } } },
      ])
  }

  #draw(commands: readonly PathCommand[], { fill = false, stroke = false }): void {
    if (this.#path !== undefined) {
      for (const command of commands) this.#path.push(command)
      return
    }
    const { pen, brush, evenOdd, operation } = this.state
    if (commands.length === 0) return
    if (operation === 15 || operation === 8) this.ignored.add('raster operation')
    const ink = colourBy(operation, brush.colour)
    const fills = fill && ink !== undefined ? this.#fills({ ...brush, colour: ink }) : []
    const line = colourBy(operation, pen.colour)
    const stroked = stroke && pen.none !== true && line !== undefined
    const last = fills.at(-1)
    this.#fill(commands, last?.kind === 'solid' ? fills.slice(0, -1) : fills, evenOdd)
    if (last?.kind !== 'solid' && !stroked) return
    const path: Path = {
      commands,
      ...(last?.kind === 'solid' && { fill: last }),
      ...(stroked && { stroke: this.#stroke({ ...pen, colour: line }) }),
      ...(evenOdd && { evenOdd }),
    }
    this.#add([{ x: 0, y: 0, item: { kind: 'shape', path } }])
  }

  /** Black between two inversions becomes the inverting colour; a pattern of black and white becomes half of it. */
  #fills(brush: Brush): Fill[] {
    const open = this.#inverted
    const { operation } = this.state
    if (open === undefined || operation !== andOperation || (brush.image === undefined && brush.colour !== 0))
      return fillsOf(brush, this.state, this.#pixel)
    open.used = true
    const half = brush.image !== undefined && { opacity: 0.5 }
    return [{ kind: 'solid', colour: open.brush.colour, ...half }]
  }

  #stroke({ colour, width, dash, cap, join }: Pen): PathStroke {
    const [a, b, c, d] = mappingOf(this.state)
    // A pen of width 0 draws lines of one pixel.
    const wide = Math.max(1, width * Math.sqrt(Math.abs(a * d - b * c)))
    const dashed = Math.max(wide, this.#pixel)
    return {
      colour,
      width: wide,
      ...(dash && { dash: dash.map((dashLength) => dashLength * dashed) }),
      ...(cap && { cap }),
      ...(join && { join }),
    }
  }

  #add(items: readonly Placed[]): void {
    this.#tools.check()
    this.finish()
    this.#count += items.length
    if (this.isFull) return
    const { clip } = this.state
    if (this.#clipped !== undefined && this.#clipped.clip === clip) {
      pushAll(this.#clipped.items, items)
      return
    }
    this.#clipped = undefined
    if (clip.length === 0) {
      pushAll(this.items, items)
      return
    }
    // Consecutive items with the same clip share one group.
    const inner = [...items]
    this.#clipped = { clip, items: inner }
    let clipped: Placed[] = inner
    for (const { commands, evenOdd } of clip) {
      const frame = { width: 0, height: 0, items: clipped }
      const clipping = { clipPath: commands, ...(evenOdd === true && { clipEvenOdd: true }) }
      clipped = [{ x: 0, y: 0, item: { kind: 'group', frame, clip: true, ...clipping } }]
    }
    pushAll(this.items, clipped)
  }

  #lines(points: readonly number[]): PathCommand[] {
    const commands: PathCommand[] = []
    for (let at = 0; at + 1 < points.length; at += 2)
      commands.push([at === 0 ? 'M' : 'L', ...this.#toDevice(points[at] ?? 0, points[at + 1] ?? 0)])
    return commands
  }

  #toDevice(x: number, y: number): [number, number] {
    const [a, b, c, d, e, f] = mappingOf(this.state)
    return [a * x + c * y + e, b * x + d * y + f]
  }

  #commandsToDevice(commands: readonly PathCommand[]): PathCommand[] {
    return commands.map((command): PathCommand => {
      if (command[0] === 'C')
        return [
          'C',
          ...this.#toDevice(command[1], command[2]),
          ...this.#toDevice(command[3], command[4]),
          ...this.#toDevice(command[5], command[6]),
        ]
      if (command[0] === 'M' || command[0] === 'L')
        return [command[0], ...this.#toDevice(command[1], command[2])]
      return command
    })
  }
}

const group = (items: readonly Placed[], transform: Matrix): Placed => ({
  x: 0,
  y: 0,
  item: { kind: 'group', frame: { width: 0, height: 0, items }, clip: false, transform },
})

/** The crop of a picture, as shares of its size. */
function cropOf([x, y, width, height]: ClipArea, image: ImageRef) {
  const [across, down] = [image.width, image.height]
  const inside = width > 0 && height > 0 && x >= 0 && y >= 0 && x + width <= across && y + height <= down
  if (!inside || (width === across && height === down)) return undefined
  return {
    left: x / across,
    top: y / down,
    right: 1 - (x + width) / across,
    bottom: 1 - (y + height) / down,
  }
}

const andOperation = 9
const sameArea = (first: ClipArea, second: ClipArea): boolean =>
  first.every((value, at) => value === second[at])

const circleIn = (left: number, top: number, right: number, bottom: number) => ({
  centre: { x: (left + right) / 2, y: (top + bottom) / 2 },
  rx: Math.abs(right - left) / 2,
  ry: Math.abs(bottom - top) / 2,
})

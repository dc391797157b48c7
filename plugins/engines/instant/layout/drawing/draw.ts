import type {
  Drawing,
  Stroke as DrawingStroke,
  PathSegment,
  Picture,
  Shape,
  ShapeText,
} from '../../../../../shared/document/drawing.ts'
import type { Ground } from '../../../../../shared/document/ground.ts'
import type { Sides } from '../../../../../shared/document/table.ts'
import type { ImageRef } from '../../images/image.ts'
import { placeVector, type VectorPicture } from '../../vector/vector.ts'
import { drawChart } from '../chart/draw-chart.ts'
import type { LayoutContext } from '../context.ts'
import { innerRequest } from '../flow/floats.ts'
import { type Filled, flowStart, type Geometry } from '../flow/types.ts'
import type { Fill, Frame, Matrix, Path, PathCommand, Placed, Pt, Stroke } from '../frame.ts'
import { dashOf } from '../inline/dash.ts'
import { colourOf } from '../inline/look.ts'
import { drawMath } from '../math/draw-math.ts'
import { arrowHeads } from './arrow-heads.ts'
import { boxLines } from './box-lines.ts'
import { gradientFill } from './gradient-fill.ts'
import { drawGround } from './ground.ts'
import { presetDetails, presetPath } from './presets.ts'
import { withoutEdge } from './rest-presets.ts'
import { drawRuby } from './ruby.ts'
import { shadowOf } from './shadow.ts'
import { textInColumns } from './text-columns.ts'
import { textRectangle } from './text-rectangle.ts'
import { drawWordArt } from './word-art.ts'

/** A drawing as items in a box of the given size, from its top left. */
export function drawDrawing(context: LayoutContext, drawing: Drawing, width: Pt, height: Pt): Placed[] {
  const items = drawContent(context, drawing, width, height)
  const linked = drawing.link === undefined ? items : [...items, linkOver(drawing, width, height)]
  if (drawing.rotation % 360 === 0 || linked.length === 0) return linked
  return [rotated(linked, width, height, drawing.rotation)]
}

function linkOver(drawing: Drawing, width: Pt, height: Pt): Placed {
  const { link } = drawing
  return { x: 0, y: 0, item: { kind: 'link', href: link?.href ?? `#${link?.anchor ?? ''}`, width, height } }
}

/** Turns items around the middle of their box. */
function rotated(items: readonly Placed[], width: Pt, height: Pt, degrees: number): Placed {
  const angle = (degrees * Math.PI) / 180
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const cx = width / 2
  const cy = height / 2
  const transform: Matrix = [cos, sin, -sin, cos, cx - cos * cx + sin * cy, cy - sin * cx - cos * cy]
  return { x: 0, y: 0, item: { kind: 'group', frame: { width, height, items }, clip: false, transform } }
}

function drawContent(context: LayoutContext, drawing: Drawing, width: Pt, height: Pt): Placed[] {
  const { content } = drawing
  switch (content.kind) {
    case 'picture':
      return drawPicture(context, content, width, height)
    case 'shape':
      return drawShape(context, content, width, height)
    case 'group': {
      const sx = drawing.width > 0 ? width / drawing.width : 1
      const sy = drawing.height > 0 ? height / drawing.height : 1
      return content.children.flatMap((child) =>
        drawDrawing(context, child.drawing, child.drawing.width * sx, child.drawing.height * sy).map(
          (item) => ({
            x: item.x + child.x * sx,
            y: item.y + child.y * sy,
            item: item.item,
          }),
        ),
      )
    }
    case 'chart':
      return drawChart(content.chart, width, height, {
        fonts: context.fonts,
        check: () => context.budget.check(),
      })
    case 'math':
      return drawMath(context, content, width, height)
    case 'ruby':
      return drawRuby(context, content, height)
    case 'unknown':
      return placeholder(width, height)
    default:
      return content satisfies never
  }
}

/** What cannot be drawn shows as a thin grey outline, so that its place is seen. */
function placeholder(width: Pt, height: Pt): Placed[] {
  const stroke: Stroke = { colour: 0xc0c0c0, width: 0.5 }
  return [{ x: 0, y: 0, item: { kind: 'shape', path: { commands: [['R', 0, 0, width, height]], stroke } } }]
}

function drawPicture(context: LayoutContext, picture: Picture, width: Pt, height: Pt): Placed[] {
  if (picture.boxed !== undefined) {
    const { boxed, ...plain } = picture
    const { top, right, bottom, left } = boxed.insets
    const inner = [Math.max(1, width - left - right), Math.max(1, height - top - bottom)] as const
    const items = drawPicture(context, plain, ...inner).map((item) => ({
      ...item,
      x: item.x + left,
      y: item.y + top,
    }))
    return [...items, ...boxLines(boxed.lines, width, height)]
  }
  const vector = context.vector(picture.media)
  if (vector !== undefined) {
    if (picture.adjust !== undefined)
      context.warn({ code: 'image.colours', message: 'A picture is drawn in the colours it is stored in.' })
    const drawn = drawVector(vector, picture, width, height)
    return framed(context, picture, faded(drawn, picture.opacity, width, height), width, height)
  }
  const image = context.image(picture.media)
  if (image === undefined) return placeholder(width, height)
  const crop = picture.crop ?? shareOf(picture.cut, image)
  const placed: Placed = {
    x: 0,
    y: 0,
    item: {
      kind: 'image',
      image: picture.adjust === undefined ? image : { ...image, adjust: picture.adjust },
      width,
      height,
      opacity: picture.opacity,
      crop: crop && {
        left: crop.left ?? 0,
        top: crop.top ?? 0,
        right: crop.right ?? 0,
        bottom: crop.bottom ?? 0,
      },
    },
  }
  return framed(context, picture, placed, width, height)
}

/** What is cut off is left outside of the box, which clips. */
function drawVector(vector: VectorPicture, { crop }: Picture, width: Pt, height: Pt): Placed {
  if (crop === undefined) return placeVector(vector, width, height)
  const { left = 0, top = 0, right = 0, bottom = 0 } = crop
  const across = width / Math.max(0.001, 1 - left - right)
  const down = height / Math.max(0.001, 1 - top - bottom)
  const whole = { ...placeVector(vector, across, down), x: -left * across, y: -top * down }
  return { x: 0, y: 0, item: { kind: 'group', frame: { width, height, items: [whole] }, clip: true } }
}

/** What is cut off a picture in shares of it. */
function shareOf(cut: Picture['cut'], { width, height, dpiX, dpiY }: ImageRef): Picture['crop'] {
  if (cut === undefined) return undefined
  const share = (part: Pt | undefined, pixels: number, dpi: number): number =>
    Math.max(-1, Math.min(0.49, (part ?? 0) / Math.max(1, (pixels * 72) / dpi)))
  return {
    top: share(cut.top, height, dpiY),
    right: share(cut.right, width, dpiX),
    bottom: share(cut.bottom, height, dpiY),
    left: share(cut.left, width, dpiX),
  }
}

/** All of an item at less than full strength. */
function faded(item: Placed, opacity: number | undefined, width: Pt, height: Pt): Placed {
  if (opacity === undefined || opacity >= 1) return item
  return {
    x: 0,
    y: 0,
    item: { kind: 'group', frame: { width, height, items: [item] }, clip: false, opacity },
  }
}

function framed(context: LayoutContext, picture: Picture, drawn: Placed, width: Pt, height: Pt): Placed[] {
  const flipped = mirrored(drawn, width, height, picture.flipHorizontal, picture.flipVertical)
  const { outline } = picture
  if (outline !== undefined) return cutOut(context, { ...picture, outline }, flipped, width, height)
  const box: PathCommand[] = [['R', 0, 0, width, height]]
  const items: Placed[] = [
    ...shadowOf(picture.shadow, { commands: box, filled: true, width, height }),
    flipped,
  ]
  if (picture.border !== undefined) {
    const stroke: Stroke = { colour: colourOf(picture.border.color), width: picture.border.width }
    items.push({
      x: 0,
      y: 0,
      item: { kind: 'shape', path: { commands: [['R', 0, 0, width, height]], stroke } },
    })
  }
  return items
}

/** A picture cut to an outline, its border along it. */
function cutOut(
  context: LayoutContext,
  { outline, border, shadow }: Picture & { readonly outline: Shape['geometry'] },
  item: Placed,
  width: Pt,
  height: Pt,
): Placed[] {
  const commands = pathOf(context, { kind: 'shape', geometry: outline }, width, height)
  const frame: Frame = { width, height, items: [item] }
  const cut: Placed = { x: 0, y: 0, item: { kind: 'group', frame, clip: true, clipPath: commands } }
  const under = shadowOf(shadow, { commands, filled: true, width, height })
  if (border === undefined) return [...under, cut]
  const stroke: Stroke = { colour: colourOf(border.color), width: border.width }
  return [...under, cut, { x: 0, y: 0, item: { kind: 'shape', path: { commands, stroke } } }]
}

function mirrored(
  item: Placed,
  width: Pt,
  height: Pt,
  horizontal: boolean | undefined,
  vertical: boolean | undefined,
): Placed {
  if (horizontal !== true && vertical !== true) return item
  const transform: Matrix = [
    horizontal ? -1 : 1,
    0,
    0,
    vertical ? -1 : 1,
    horizontal ? width : 0,
    vertical ? height : 0,
  ]
  return {
    x: 0,
    y: 0,
    item: { kind: 'group', frame: { width, height, items: [item] }, clip: false, transform },
  }
}

function drawShape(context: LayoutContext, shape: Shape, width: Pt, height: Pt): Placed[] {
  const items: Placed[] = []
  const text =
    shape.text === undefined
      ? undefined
      : drawText(context, within(shape.text, textRectangle(shape.geometry, width, height)), width, height)
  const tall = text === undefined ? height : Math.max(height, text.height)
  const commands = pathOf(context, shape, width, tall)
  const fill = fillOf(shape, width, tall)
  const stroke = shape.stroke === undefined ? undefined : strokeOf(shape.stroke)
  const lines = stroke === undefined ? [] : linesOf(shape, width, tall)
  const { ground } = shape
  if (commands.length + lines.length > 0 && (fill ?? stroke ?? ground) !== undefined) {
    const open = shape.geometry.kind === 'preset' && openShapes.test(shape.geometry.name)
    const edge =
      shape.geometry.kind === 'preset' && withoutEdge.test(shape.geometry.name) ? undefined : stroke
    const filled = !open && (fill ?? ground) !== undefined
    const drawn: Placed[] = [
      ...shadowOf(shape.shadow, { commands, filled, stroke, width, height: tall }),
      ...bodyOf(context, commands, {
        fill: open ? undefined : fill,
        ground: open ? undefined : ground,
        stroke: edge,
        size: [width, tall],
      }),
    ]
    if (stroke !== undefined) {
      if (lines.length > 0)
        drawn.push({ x: 0, y: 0, item: { kind: 'shape', path: { commands: lines, stroke } } })
      drawn.push(...arrowHeads(commands.length === 0 ? lines : commands, shape.stroke!, stroke))
    }
    items.push(...drawn.map((item) => mirrored(item, width, tall, shape.flipHorizontal, shape.flipVertical)))
  }
  if (shape.boxed !== undefined) items.push(...boxLines(shape.boxed.lines, width, tall))
  if (shape.wordArt !== undefined) items.push(...drawWordArt(context, shape.wordArt, width, height))
  if (text !== undefined)
    items.push({
      x: 0,
      y: 0,
      item: { kind: 'group', frame: { width, height: tall, items: text.items }, clip: false },
    })
  return items
}

/** An outline filled and drawn, with what lies between its colour and its line. */
function bodyOf(
  context: LayoutContext,
  commands: readonly PathCommand[],
  look: {
    readonly fill: Fill | undefined
    readonly ground: Ground | undefined
    readonly stroke: Stroke | undefined
    readonly size: readonly [width: Pt, height: Pt]
  },
): Placed[] {
  const { fill, ground, stroke, size } = look
  const shape = (path: Path): Placed => ({ x: 0, y: 0, item: { kind: 'shape', path } })
  if (ground === undefined) return [shape({ commands, fill, stroke })]
  const [width, height] = size
  return [
    ...(fill === undefined ? [] : [shape({ commands, fill })]),
    ...drawGround(context, ground, { commands, width, height }),
    ...(stroke === undefined ? [] : [shape({ commands, stroke })]),
  ]
}

/** Shapes that are lines: nothing lies inside them. */
const openShapes = /^line|^(straight|bent|curved)Connector/

function fillOf({ fill, fillOpacity, gradient }: Shape, width: Pt, height: Pt): Fill | undefined {
  const shaded = gradient === undefined ? undefined : gradientFill(gradient, width, height)
  if (shaded !== undefined || fill === undefined) return shaded
  return { kind: 'solid', colour: colourOf(fill), opacity: fillOpacity }
}

function pathOf(context: LayoutContext, shape: Shape, width: Pt, height: Pt): PathCommand[] {
  if (shape.geometry.kind === 'preset') {
    const known = presetPath(shape.geometry.name, width, height, shape.geometry.adjust)
    if (known !== undefined) return known
    context.warn({
      code: 'layout.shape-outline',
      message: 'A drawn shape keeps its box but not its outline.',
    })
    return [['R', 0, 0, width, height]]
  }
  return commandsOf(shape.geometry.segments, width, height)
}

/** What is drawn on top of the outline and not filled. */
const linesOf = ({ geometry }: Shape, width: Pt, height: Pt): PathCommand[] =>
  geometry.kind === 'preset'
    ? presetDetails(geometry.name, width, height, geometry.adjust)
    : commandsOf(geometry.lines ?? [], width, height)

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

const strokeOf = (stroke: DrawingStroke): Stroke => ({
  colour: colourOf(stroke.color),
  width: Math.max(0.1, stroke.width),
  opacity: stroke.opacity,
  dash: dashOf(stroke.dash, stroke.width),
})

/** Text that the outline of its shape keeps further away from the sides. */
function within(text: ShapeText, room: Required<Sides> | undefined): ShapeText {
  if (room === undefined) return text
  const { left, top, right, bottom } = text.insets
  const insets = {
    left: left + room.left,
    top: top + room.top,
    right: right + room.right,
    bottom: bottom + room.bottom,
  }
  return { ...text, insets }
}

/** Observed in LibreOffice: boxes end with their last line; what follows it needs no room. */
const textHeight = ({ height, trailing, slack }: Filled): Pt => height - trailing - slack

/** The text of a box: laid out to its inner width, then moved to its place. */
function drawText(
  context: LayoutContext,
  text: ShapeText,
  width: Pt,
  height: Pt,
): { items: Placed[]; height: Pt } {
  const { insets, direction } = text
  const level = direction === 'horizontal'
  const inner = Math.max(1, level ? width - insets.left - insets.right : height - insets.top - insets.bottom)
  if (text.columns !== undefined && level) return drawColumns(context, text, text.columns, width, height)
  const flow = context.flows.prepare(text.blocks, {
    width: text.wraps ? inner : Math.max(inner, 2000),
    inner: true,
  })
  const geometry = boxGeometry(width, height)
  const request = innerRequest(geometry, { x: 0, y: 0 })
  let filled = context.flows.fill(flow, flowStart, request)
  let used = textHeight(filled)
  const items = [...filled.behind, ...filled.items, ...filled.front]
  // Breaks made by hand do not leave the box.
  let above = 0
  while (filled.next !== undefined && !filled.empty) {
    context.budget.check()
    above += filled.height
    filled = context.flows.fill(flow, filled.next, request)
    for (const item of [...filled.behind, ...filled.items, ...filled.front])
      items.push({ ...item, y: above + item.y })
    used = above + textHeight(filled)
  }
  const whole = above + filled.height
  if (!level) {
    const frame: Frame = { width: inner, height: whole, items }
    const transform: Matrix = direction === 'up' ? [0, -1, 1, 0, 0, 0] : [0, 1, -1, 0, 0, 0]
    // What is above and below in the text is at the sides of the box.
    const room = Math.max(0, width - insets.left - insets.right - used)
    const off = text.align === 'center' ? room / 2 : text.align === 'bottom' ? room : 0
    const x = direction === 'up' ? insets.left + off : width - insets.right - off
    const y = direction === 'up' ? height - insets.bottom : insets.top
    return { items: [{ x, y, item: { kind: 'group', frame, clip: false, transform } }], height }
  }
  const tall = text.grows ? Math.max(text.minHeight ?? 0, used + insets.top + insets.bottom) : height
  const free = Math.max(0, tall - insets.top - insets.bottom - used)
  const down = insets.top + (text.align === 'center' ? free / 2 : text.align === 'bottom' ? free : 0)
  return {
    items: items.map((item) => ({ x: item.x + insets.left, y: item.y + down, item: item.item })),
    height: tall,
  }
}

const boxGeometry = (pageWidth: Pt, pageHeight: Pt): Geometry => ({
  pageWidth,
  pageHeight,
  marginLeft: 0,
  marginRight: 0,
  marginTop: 0,
  marginBottom: 0,
  odd: true,
})

function drawColumns(
  context: LayoutContext,
  { blocks, insets, grows, minHeight = 0 }: ShapeText,
  columns: NonNullable<ShapeText['columns']>,
  width: Pt,
  height: Pt,
): { items: Placed[]; height: Pt } {
  const around = insets.top + insets.bottom
  const inner = {
    width: Math.max(1, width - insets.left - insets.right),
    height: Math.max(1, (grows ? minHeight : height) - around),
    grows,
    geometry: boxGeometry(width, height),
  }
  const { items, height: used } = textInColumns(context, blocks, columns, inner)
  return {
    items: items.map((item) => ({ ...item, x: item.x + insets.left, y: item.y + insets.top })),
    height: grows ? Math.max(minHeight, used + around) : height,
  }
}

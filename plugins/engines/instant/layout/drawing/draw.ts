import type { Background } from '../../../../../shared/document/background.ts'
import type { Sides } from '../../../../../shared/document/box.ts'
import type { Drawing, Picture, Shape, ShapeText } from '../../../../../shared/document/drawing.ts'
import type { Stroke as DrawingStroke } from '../../../../../shared/document/paint.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import type { ImageRef } from '../../images/image.ts'
import { fitVector, type VectorPicture } from '../../vector/vector.ts'
import { drawChart } from '../chart/draw-chart.ts'
import type { LayoutContext } from '../context.ts'
import type { Fill, Frame, Matrix, Path, PathCommand, PathStroke, Placed, Pt } from '../frame.ts'
import { dashOf } from '../inline/dash.ts'
import { colourOf } from '../inline/text-style.ts'
import { drawMath } from '../math/draw-math.ts'
import { arrowHeads } from './arrow-heads.ts'
import { drawBackground } from './background.ts'
import { boxLines } from './box-lines.ts'
import { drawField } from './form-field.ts'
import { gradientFill } from './gradient-fill.ts'
import { type Outline, type OutlinePath, outlineOf, rectangle } from './outline.ts'
import { drawRuby } from './ruby.ts'
import { shaded } from './shade.ts'
import { shadowOf } from './shadow.ts'
import { drawText } from './text-box.ts'
import { drawWordArt } from './word-art.ts'

/** Draws a drawing in a box of the given size. Items are positioned from its top left corner. */
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

/** Rotates items around the centre of their box. */
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

/** Draws a thin grey outline in place of something that cannot be drawn. */
function placeholder(width: Pt, height: Pt): Placed[] {
  const stroke: PathStroke = { colour: 0xc0c0c0, width: 0.5 }
  return [{ x: 0, y: 0, item: { kind: 'shape', path: { commands: [['R', 0, 0, width, height]], stroke } } }]
}

function drawPicture(context: LayoutContext, picture: Picture, width: Pt, height: Pt): Placed[] {
  if (picture.boxed !== undefined) {
    const { boxed, ...unboxed } = picture
    const { top, right, bottom, left } = boxed.insets
    const inner = [Math.max(1, width - left - right), Math.max(1, height - top - bottom)] as const
    const items = drawPicture(context, unboxed, ...inner).map((item) => ({
      ...item,
      x: item.x + left,
      y: item.y + top,
    }))
    return [...items, ...boxLines(boxed.lines, width, height)]
  }
  const vector = context.vector(picture.media)
  if (vector !== undefined) {
    if (picture.adjust !== undefined)
      context.warn({
        code: 'image.colours',
        message: 'A picture is drawn in its stored colours, without the adjustments of the document.',
      })
    const drawn = drawVector(vector, picture, width, height)
    return framed(context, picture, faded(drawn, picture.opacity, width, height), width, height)
  }
  const image = context.image(picture.media)
  if (image === undefined) return placeholder(width, height)
  const crop = picture.crop ?? cropFractions(picture.cut, image)
  const item: Placed = {
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
  return framed(context, picture, item, width, height)
}

/** Draws a vector picture. The cropped parts are outside of the box, which clips them. */
function drawVector(vector: VectorPicture, { crop }: Picture, width: Pt, height: Pt): Placed {
  if (crop === undefined) return fitVector(vector, width, height)
  const { left = 0, top = 0, right = 0, bottom = 0 } = crop
  const across = width / Math.max(0.001, 1 - left - right)
  const down = height / Math.max(0.001, 1 - top - bottom)
  const uncropped = { ...fitVector(vector, across, down), x: -left * across, y: -top * down }
  return { x: 0, y: 0, item: { kind: 'group', frame: { width, height, items: [uncropped] }, clip: true } }
}

/** Converts the crop of a picture from points into fractions of its natural size. */
function cropFractions(cut: Picture['cut'], { width, height, dpiX, dpiY }: ImageRef): Picture['crop'] {
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

/** An item with an opacity. */
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
    const stroke: PathStroke = { colour: colourOf(picture.border.color), width: picture.border.width }
    items.push({
      x: 0,
      y: 0,
      item: { kind: 'shape', path: { commands: [['R', 0, 0, width, height]], stroke } },
    })
  }
  return items
}

/** Clips a picture to an outline and draws its border along that outline. The faces of a solid are clipped one by one. */
function cutOut(
  context: LayoutContext,
  { outline, border, shadow }: Picture & { readonly outline: Shape['geometry'] },
  item: Placed,
  width: Pt,
  height: Pt,
): Placed[] {
  const { paths } = outlineIn(context, outline, width, height)
  const filled = paths.filter(({ fill }) => fill !== 'none')
  const frame: Frame = { width, height, items: [item] }
  const cut = filled.map(({ commands }): Placed => {
    return { x: 0, y: 0, item: { kind: 'group', frame, clip: true, clipPath: commands, clipEvenOdd: true } }
  })
  const commands = filled.flatMap((path) => path.commands)
  const under = shadowOf(shadow, { commands, filled: true, width, height })
  if (border === undefined) return [...under, ...cut]
  const stroke: PathStroke = { colour: colourOf(border.color), width: border.width }
  const edges = paths.filter(({ stroked }) => stroked)
  return [...under, ...cut, ...edges.map((path) => shapeItem({ commands: path.commands, stroke }))]
}

const shapeItem = (path: Path): Placed => ({ x: 0, y: 0, item: { kind: 'shape', path } })

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
  const outline = outlineIn(context, shape.geometry, width, height)
  const text =
    shape.text === undefined
      ? undefined
      : drawText(
          context,
          within(shape.text, shape.text.fillsBox === true ? undefined : outline.text),
          width,
          height,
        )
  const tall = text === undefined ? height : Math.max(height, text.height)
  const { paths } = tall === height ? outline : outlineIn(context, shape.geometry, width, tall)
  const items = drawPaths(context, shape, paths, [width, tall]).map((item) =>
    mirrored(item, width, tall, shape.flipHorizontal, shape.flipVertical),
  )
  if (shape.boxed !== undefined) pushAll(items, boxLines(shape.boxed.lines, width, tall))
  if (shape.wordArt !== undefined) pushAll(items, drawWordArt(context, shape.wordArt, width, height))
  if (text !== undefined)
    items.push({
      x: 0,
      y: 0,
      item: { kind: 'group', frame: { width, height: tall, items: text.items }, clip: false },
    })
  if (shape.field !== undefined) return drawField(shape, shape.field, { items, width, height: tall })
  const rise = shape.text === undefined ? 0 : riseOf(shape.text, tall - height)
  return rise === 0 ? items : items.map((item) => ({ ...item, y: item.y - rise }))
}

/**
 * The distance that a shape with automatic height grows upward on a slide. The edge or middle that its text is aligned to
 * keeps its position. Observed in LibreOffice.
 */
const riseOf = ({ align, sticksOut }: ShapeText, added: Pt): Pt =>
  sticksOut !== true || align === 'top' ? 0 : align === 'center' ? added / 2 : added

/** The outline of a shape. An unknown preset shape gets the outline of its box, with a warning. */
function outlineIn(context: LayoutContext, geometry: Shape['geometry'], width: Pt, height: Pt): Outline {
  const outline = outlineOf(geometry, width, height)
  if (outline !== undefined) return outline
  context.warn({
    code: 'layout.shape-outline',
    message: 'A shape with an unsupported outline is drawn as a rectangle.',
  })
  return rectangle(width, height)
}

/** Draws the paths of a shape in order, with its shadow below them and arrow heads on top. */
function drawPaths(
  context: LayoutContext,
  shape: Shape,
  paths: readonly OutlinePath[],
  [width, height]: readonly [width: Pt, height: Pt],
): Placed[] {
  const fill = fillOf(shape, width, height)
  const { background } = shape
  const stroke = shape.stroke === undefined ? undefined : strokeOf(shape.stroke)
  const isFilled = (path: OutlinePath): boolean => path.fill !== 'none' && (fill ?? background) !== undefined
  const isStroked = (path: OutlinePath): boolean => path.stroked && stroke !== undefined
  const visible = paths.filter((path) => path.commands.length > 0 && (isFilled(path) || isStroked(path)))
  const filled = visible.filter(isFilled)
  // Observed in LibreOffice: unfilled paths are drawn on top, such as the cross of 'chartPlus', its first path.
  const drawn = [...filled, ...visible.filter((path) => !isFilled(path))]
  const shadowed = filled.length > 0 ? filled : drawn
  return [
    ...shadowOf(shape.shadow, {
      commands: shadowed.flatMap(({ commands }) => commands),
      // Several paths may overlap, so the shadow is that of their union.
      ...(filled.length === 1 && fillRule(filled[0]?.commands ?? [])),
      filled: filled.length > 0,
      stroke,
      width,
      height,
    }),
    ...drawn.flatMap((path) =>
      drawPath(context, path.commands, {
        fill: isFilled(path) && fill !== undefined ? shaded(fill, path.fill) : undefined,
        background: isFilled(path) ? background : undefined,
        stroke: isStroked(path) ? stroke : undefined,
        size: [width, height],
      }),
    ),
    ...drawn.flatMap(({ commands, stroked }) =>
      shape.stroke !== undefined && stroke !== undefined && stroked
        ? arrowHeads(commands, shape.stroke, stroke)
        : [],
    ),
  ]
}

/** Fills and strokes a path. A picture or hatch is painted between the fill colour and the stroke. */
function drawPath(
  context: LayoutContext,
  commands: readonly PathCommand[],
  paint: {
    readonly fill: Fill | undefined
    readonly background: Background | undefined
    readonly stroke: PathStroke | undefined
    readonly size: readonly [width: Pt, height: Pt]
  },
): Placed[] {
  const { fill, background, stroke, size } = paint
  const rule = fillRule(commands)
  if (background === undefined) return [shapeItem({ commands, fill, stroke, ...rule })]
  const [width, height] = size
  return [
    ...(fill === undefined ? [] : [shapeItem({ commands, fill, ...rule })]),
    ...drawBackground(context, background, { commands, ...rule, width, height }),
    ...(stroke === undefined ? [] : [shapeItem({ commands, stroke })]),
  ]
}

/** Observed in LibreOffice: outlines are filled by the even-odd rule, so an inner subpath is a hole. */
const fillRule = (commands: readonly PathCommand[]): { readonly evenOdd?: boolean } =>
  commands.length > 1 ? { evenOdd: true } : {}

function fillOf({ fill, fillOpacity, gradient }: Shape, width: Pt, height: Pt): Fill | undefined {
  const shaded = gradient === undefined ? undefined : gradientFill(gradient, width, height)
  if (shaded !== undefined || fill === undefined) return shaded
  return { kind: 'solid', colour: colourOf(fill), opacity: fillOpacity }
}

const strokeOf = (stroke: DrawingStroke): PathStroke => ({
  colour: colourOf(stroke.color),
  // A line without width is the thinnest that a device draws (ISO 32000-1 8.4.3.2).
  width: Math.max(0, stroke.width),
  opacity: stroke.opacity,
  dash: dashOf(stroke.dash, stroke.width),
})

/** Returns the text of a shape with the insets of its text rectangle added. */
function within(text: ShapeText, rectangle: Required<Sides> | undefined): ShapeText {
  if (rectangle === undefined) return text
  const { left, top, right, bottom } = text.insets
  const insets = {
    left: left + rectangle.left,
    top: top + rectangle.top,
    right: right + rectangle.right,
    bottom: bottom + rectangle.bottom,
  }
  return { ...text, insets }
}

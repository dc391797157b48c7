/**
 * Paints a page as pixels. It draws the same items in the same order as `../pdf/content.ts`; `polygons.ts` and `stroke.ts`
 * turn paths into polygons, `coverage.ts` polygons into pixels, and `layer.ts` blends them.
 *
 * Edges of boxes and straight rules are moved to whole pixels, as viewers of PDF do: cells that touch leave no seam, and a
 * hairline stays visible.
 */

import { type Matrix, multiply } from '../../../../../shared/document/geometry.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import { maxOf, minOf } from '../../../../../shared/extremes.ts'
import { createGlyphShapes, type GlyphShapes } from '../../fonts/outlines/glyph-shapes.ts'
import type { Raster } from '../../images/raster.ts'
import type {
  Frame,
  GlyphsItem,
  GroupItem,
  ImageItem,
  Path,
  PathCommand,
  PathStroke,
  Placed,
  SolidFill,
} from '../../layout/frame.ts'
import { missingPicture } from '../missing-picture.ts'
import { maxFrameDepth } from '../pdf/glyph-usage.ts'
import { boldStroke, lean, outlineStroke } from '../synthetic-styles.ts'
import { CoverageBuffer, intersect, isEmpty, type PixelBox } from './coverage.ts'
import {
  Blender,
  blendLayer,
  type Clip,
  createLayer,
  fillLayer,
  type Layer,
  luminanceOf,
  type Paint,
} from './layer.ts'
import { decodePicture, type PictureDecoders, type Pixmap, reducedPixmap } from './pixmap.ts'
import { polygonsOf, scaleOf } from './polygons.ts'
import { gradientShade, pixmapShade, tileShade } from './shade.ts'
import { strokePolygons } from './stroke.ts'

export interface RasterSize {
  /** In pixels. The page is scaled to this size. */
  readonly width: number
  readonly height: number
}

/** The tools that all pages of a document share: caches of decoded pictures and outlines, and the receiver of warnings. */
export interface RasterTools {
  readonly decoders: PictureDecoders
  /** Called with the amount of work in thousands of pixels or path commands. Throws when the deadline has passed. */
  check(steps: number): void
  /** Called once for each picture that cannot be drawn. */
  warnPicture(error: AppError): void
  /** A transparent page instead of a white one. */
  readonly transparent?: boolean
}

/** Creates a painter for the pages of one document. Throws what `check` throws. */
export function createRasterPainter(tools: RasterTools): (frame: Frame, size: RasterSize) => Layer {
  const shared: Shared = {
    tools,
    coverage: new CoverageBuffer((steps) => tools.check(steps)),
    blender: new Blender(),
    shapes: createGlyphShapes(),
    pixmaps: new Map(),
    rasters: new Map(),
  }
  return (frame, { width, height }) => {
    const box = { left: 0, top: 0, right: width, bottom: height }
    const layer = createLayer(box)
    if (tools.transparent !== true) fillLayer(layer, 0xffffff)
    const matrix: Matrix = [width / frame.width, 0, 0, height / frame.height, 0, 0]
    paintItems({ shared, layer, clip: { box }, matrix, opacity: 1, depth: 0 }, frame.items)
    return layer
  }
}

interface Shared {
  readonly tools: RasterTools
  readonly coverage: CoverageBuffer
  readonly blender: Blender
  readonly shapes: GlyphShapes
  /** Pictures at the sizes at which they are drawn; undefined for those that cannot be decoded. */
  readonly pixmaps: Map<string, Pixmap | undefined>
  /** Numbers the pictures for the keys of `pixmaps`. */
  readonly rasters: Map<object, number>
}

interface Painter {
  readonly shared: Shared
  readonly layer: Layer
  readonly clip: Clip
  /** From the coordinates of the items to pixels. */
  readonly matrix: Matrix
  /** The product of the opacities of the enclosing groups. */
  readonly opacity: number
  readonly depth: number
}

const moved = ([a, b, c, d, e, f]: Matrix, x: number, y: number): Matrix => [
  a,
  b,
  c,
  d,
  a * x + c * y + e,
  b * x + d * y + f,
]

function paintItems(painter: Painter, items: readonly Placed[]): void {
  if (isEmpty(painter.clip.box)) return
  for (const { x, y, item } of items) {
    painter.shared.tools.check(1)
    const at = { ...painter, matrix: moved(painter.matrix, x, y) }
    switch (item.kind) {
      case 'glyphs':
        paintGlyphs(at, item)
        break
      case 'shape':
        paintShape(at, item.path)
        break
      case 'group':
        paintGroup(at, item)
        break
      case 'image':
        paintImage(at, item)
        break
      case 'link':
      case 'mark':
      case 'paragraph':
        break
      default:
        item satisfies never
    }
  }
}

/** Fills polygons given in pixels. */
function fill(
  { shared, layer, clip }: Painter,
  contours: ReturnType<typeof polygonsOf>,
  paint: Paint,
  evenOdd = false,
): void {
  shared.coverage.fill(contours, clip.box, evenOdd, (y, left, right, coverage) => {
    shared.blender.row(layer, clip, paint, y, left, right, coverage)
  })
}

const solid = ({ colour, opacity = 1 }: Pick<SolidFill, 'colour' | 'opacity'>, group: number): Paint => ({
  kind: 'solid',
  colour,
  opacity: opacity * group,
})

function paintShape(painter: Painter, { commands, fill: paint, stroke, evenOdd = false }: Path): void {
  const { matrix, shared } = painter
  shared.tools.check(1 + (commands.length >> 6))
  if (paint !== undefined) {
    const snapped = snappedBoxes(commands, matrix)
    const contours = snapped ?? polygonsOf(commands, matrix)
    if (paint.kind === 'solid') fill(painter, contours, solid(paint, painter.opacity), evenOdd)
    else if (paint.kind === 'tiles') paintTiles(painter, contours, paint, evenOdd)
    else {
      const opacity = (paint.opacity ?? 1) * painter.opacity
      fill(painter, contours, { kind: 'shaded', shade: gradientShade(paint, matrix), opacity }, evenOdd)
    }
  }
  if (stroke !== undefined) paintStroke(painter, commands, stroke)
}

const isUpright = ([a, b, c, d]: Matrix): boolean => (b === 0 && c === 0) || (a === 0 && d === 0)

/** Boxes whose edges are moved to whole pixels, at least one wide and high; undefined for paths of other shapes. */
function snappedBoxes(
  commands: readonly PathCommand[],
  matrix: Matrix,
): ReturnType<typeof polygonsOf> | undefined {
  if (!isUpright(matrix) || commands.length > 64 || commands.some(([kind]) => kind !== 'R')) return undefined
  return polygonsOf(commands, matrix).map(({ points }) => {
    const xs = [points[0] ?? 0, points[4] ?? 0]
    const ys = [points[1] ?? 0, points[5] ?? 0]
    const [left, right] = snappedRange(minOf(xs), maxOf(xs))
    const [top, bottom] = snappedRange(minOf(ys), maxOf(ys))
    return { points: [left, top, right, top, right, bottom, left, bottom], closed: true }
  })
}

function snappedRange(from: number, to: number): readonly [from: number, to: number] {
  if (to === from) return [from, to]
  const start = Math.round(from)
  return [start, Math.max(start + 1, Math.round(to))]
}

function paintStroke(painter: Painter, commands: readonly PathCommand[], stroke: PathStroke): void {
  const { matrix, shared } = painter
  const scale = scaleOf(matrix)
  if (!(scale > 0) || !(stroke.width >= 0)) return
  const paint = solid(stroke, painter.opacity)
  const rule = snappedRule(commands, matrix, stroke)
  if (rule !== undefined) {
    fill(painter, rule, paint)
    return
  }
  // Line widths are applied before the matrix, which may distort them. A line is at least one pixel wide.
  const style = { ...stroke, width: Math.max(stroke.width, 1 / scale) }
  const identity: Matrix = [1, 0, 0, 1, 0, 0]
  const outlines = strokePolygons(polygonsOf(commands, identity, 1 / scale), style, 1 / scale)
  shared.tools.check(1 + (outlines.length >> 6))
  const [a, b, c, d, e, f] = matrix
  const isMirrored = a * d - b * c < 0
  const contours = outlines.map(({ points }) => {
    const out: number[] = []
    for (let at = 0; at < points.length; at += 2) {
      const [x, y] = [points[at] as number, points[at + 1] as number]
      if (isMirrored) out.unshift(a * x + c * y + e, b * x + d * y + f)
      else out.push(a * x + c * y + e, b * x + d * y + f)
    }
    return { points: out, closed: true }
  })
  fill(painter, contours, paint)
}

/** A horizontal or vertical line on whole pixels; undefined for other paths. */
function snappedRule(
  commands: readonly PathCommand[],
  matrix: Matrix,
  { width, dash = [], cap = 'butt' }: PathStroke,
): ReturnType<typeof polygonsOf> | undefined {
  if (commands.length !== 2 || dash.length > 0 || cap === 'round' || !isUpright(matrix)) return undefined
  const [line] = polygonsOf(commands, matrix)
  if (line === undefined || line.points.length !== 4 || line.closed) return undefined
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = line.points
  const isHorizontal = y0 === y1
  if (isHorizontal === (x0 === x1)) return undefined
  const pixels = Math.max(1, Math.round(width * scaleOf(matrix)))
  const more = cap === 'square' ? (width * scaleOf(matrix)) / 2 : 0
  const along = isHorizontal ? [x0, x1] : [y0, y1]
  const across = isHorizontal ? y0 : x0
  const [from, to] = [Math.round(minOf(along) - more), Math.round(maxOf(along) + more)]
  const start = Math.round(across - pixels / 2)
  const end = start + pixels
  const points = isHorizontal
    ? [from, start, to, start, to, end, from, end]
    : [start, from, end, from, end, to, start, to]
  return [{ points, closed: true }]
}

function paintGlyphs(painter: Painter, { run, colour, opacity = 1, outline = false }: GlyphsItem): void {
  const { shared } = painter
  const { face, size, glyphs, advances, offsets, scaleX = 1 } = run
  if (!(size > 0)) return
  const em = size / face.unitsPerEm
  const slant = face.synthetic.slant ? lean : 0
  const paint = solid({ colour, opacity }, painter.opacity)
  shared.tools.check(1 + (glyphs.length >> 3))
  let penX = 0
  for (let index = 0; index < glyphs.length; index++) {
    const glyph = glyphs[index] ?? 0
    const x = penX + (offsets?.[2 * index] ?? 0)
    const y = offsets?.[2 * index + 1] ?? 0
    penX += advances[index] ?? 0
    const glyphMatrix = moved(painter.matrix, x, y)
    if (face.file.outlines === 'pictures') {
      paintGlyphPicture({ ...painter, matrix: glyphMatrix }, run, glyph, opacity)
      continue
    }
    const commands = shared.shapes.outlineOf(face.file, glyph)
    if (commands.length === 0) continue
    const matrix = multiply(glyphMatrix, [em * scaleX, 0, em * slant, -em, 0, 0])
    if (!outline) fill(painter, polygonsOf(commands, matrix), paint)
    if (outline || face.synthetic.bold) {
      const width = (outline ? outlineStroke : boldStroke) * face.unitsPerEm
      paintContours({ ...painter, matrix }, commands, width, paint)
    }
  }
}

/** Strokes the contours of a glyph, in font units. */
function paintContours(
  painter: Painter,
  commands: readonly PathCommand[],
  width: number,
  { opacity, ...paint }: Paint,
): void {
  if (paint.kind !== 'solid') return
  paintStroke({ ...painter, opacity: 1 }, commands, { width, colour: paint.colour, opacity, join: 'round' })
}

/** A glyph that is a picture, such as an emoji. */
function paintGlyphPicture(painter: Painter, run: GlyphsItem['run'], glyph: number, opacity: number): void {
  const picture = painter.shared.shapes.pictureOf(run.face.file, glyph)
  if (picture === undefined) return
  const { image } = picture
  const pixel = run.size / picture.perEm
  const matrix = moved(painter.matrix, picture.left * pixel, -picture.top * pixel)
  const [width, height] = [image.width * pixel, image.height * pixel]
  paintImage({ ...painter, matrix }, { kind: 'image', image, width, height, opacity })
}

function paintImage(painter: Painter, item: ImageItem): void {
  const { matrix } = painter
  const { width, height, crop, opacity = 1 } = item
  if (!(width > 0) || !(height > 0)) return
  const cropping = crop ?? { left: 0, top: 0, right: 0, bottom: 0 }
  const wide = width / Math.max(0.001, 1 - cropping.left - cropping.right)
  const high = height / Math.max(0.001, 1 - cropping.top - cropping.bottom)
  const pixels = { x: wide * Math.hypot(matrix[0], matrix[1]), y: high * Math.hypot(matrix[2], matrix[3]) }
  const pixmap = pixmapOf(painter.shared, item, pixels)
  if (pixmap === undefined) {
    paintShape(painter, missingPicture(width, height))
    return
  }
  const box: readonly PathCommand[] = [['R', 0, 0, width, height]]
  const contours = snappedBoxes(box, matrix) ?? polygonsOf(box, matrix)
  // From pixels of the picture to pixels of the canvas.
  const pictureMatrix = multiply(moved(matrix, -cropping.left * wide, -cropping.top * high), [
    wide / pixmap.width,
    0,
    0,
    high / pixmap.height,
    0,
    0,
  ])
  painter.shared.tools.check(1 + Math.round((pixels.x * pixels.y) / 1000))
  fill(painter, contours, {
    kind: 'shaded',
    shade: pixmapShade(pixmap, pictureMatrix),
    opacity: opacity * painter.opacity,
  })
}

/** The picture at about the size at which it is drawn, decoded once for each size. */
function pixmapOf(
  { tools, pixmaps, rasters }: Shared,
  { image }: ImageItem,
  drawn: { readonly x: number; readonly y: number },
): Pixmap | undefined {
  const factorX = Math.max(1, Math.floor(image.width / Math.max(1, drawn.x)))
  const factorY = Math.max(1, Math.floor(image.height / Math.max(1, drawn.y)))
  let number = rasters.get(image.bytes)
  if (number === undefined) rasters.set(image.bytes, (number = rasters.size))
  const key = `${number} ${factorX} ${factorY} ${JSON.stringify(image.adjust ?? null)}`
  if (pixmaps.has(key)) return pixmaps.get(key)
  let raster: Raster | undefined
  try {
    tools.check(1 + Math.round((image.width * image.height) / 1000))
    raster = decodePicture(image, tools.decoders)
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('image.')) throw error
    tools.warnPicture(error)
  }
  const pixmap = raster && reducedPixmap(raster, factorX, factorY, image.adjust)
  pixmaps.set(key, pixmap)
  return pixmap
}

function paintTiles(
  painter: Painter,
  contours: ReturnType<typeof polygonsOf>,
  { tile, x, y, opacity = 1 }: Extract<Path['fill'], { kind: 'tiles' }>,
  evenOdd: boolean,
): void {
  if (!(tile.width > 0 && tile.height > 0) || painter.depth >= maxFrameDepth) return
  const { matrix } = painter
  const pixels = (length: number, scale: number): number =>
    Math.min(2048, Math.max(1, Math.round(length * scale)))
  const width = pixels(tile.width, Math.hypot(matrix[0], matrix[1]))
  const height = pixels(tile.height, Math.hypot(matrix[2], matrix[3]))
  const box = { left: 0, top: 0, right: width, bottom: height }
  const layer = createLayer(box)
  const inside: Painter = {
    ...painter,
    layer,
    clip: { box },
    matrix: [width / tile.width, 0, 0, height / tile.height, 0, 0],
    opacity: 1,
    depth: painter.depth + 1,
  }
  paintItems(inside, tile.items)
  const pictureMatrix = multiply(moved(matrix, x, y), [tile.width / width, 0, 0, tile.height / height, 0, 0])
  const shade = tileShade({ width, height, pixels: layer.pixels }, pictureMatrix)
  fill(painter, contours, { kind: 'shaded', shade, opacity: opacity * painter.opacity }, evenOdd)
}

function paintGroup(painter: Painter, item: GroupItem): void {
  if (painter.depth >= maxFrameDepth) return
  const matrix = item.transform === undefined ? painter.matrix : multiply(painter.matrix, item.transform)
  const clip = item.clip ? clipped(painter, item, matrix) : painter.clip
  if (isEmpty(clip.box)) return
  const inside: Painter = { ...painter, matrix, clip, depth: painter.depth + 1 }
  if (item.mask === undefined) {
    paintItems({ ...inside, opacity: painter.opacity * (item.opacity ?? 1) }, item.frame.items)
    return
  }
  painter.shared.tools.check(1 + Math.round(areaOf(clip.box) / 500))
  const mask = createLayer(clip.box)
  paintItems({ ...inside, layer: mask, clip: { box: clip.box }, opacity: 1 }, item.mask)
  const content = createLayer(clip.box)
  paintItems({ ...inside, layer: content, opacity: 1 }, item.frame.items)
  blendLayer(painter.layer, content, painter.opacity * (item.opacity ?? 1), luminanceOf(mask))
}

const areaOf = ({ left, top, right, bottom }: PixelBox): number => (right - left) * (bottom - top)

/** The clip inside a group: a box on whole pixels if possible, otherwise a mask. */
function clipped({ clip, shared }: Painter, item: GroupItem, matrix: Matrix): Clip {
  const commands = item.clipPath ?? [['R', 0, 0, item.frame.width, item.frame.height] as const]
  const isBox = commands.length === 1
  const boxes = isBox ? snappedBoxes(commands, matrix) : undefined
  const [box] = boxes ?? []
  if (box !== undefined) {
    const [left = 0, top = 0, , , right = 0, bottom = 0] = box.points
    const narrowed = intersect(clip.box, { left, top, right, bottom })
    return clip.mask === undefined
      ? { box: narrowed }
      : { box: narrowed, mask: cropped(clip.box, clip.mask, narrowed) }
  }
  shared.tools.check(1 + Math.round(areaOf(clip.box) / 1000))
  const width = clip.box.right - clip.box.left
  const mask = new Uint8Array(Math.max(0, areaOf(clip.box)))
  const contours = polygonsOf(commands, matrix)
  shared.coverage.fill(contours, clip.box, item.clipEvenOdd === true, (y, left, right, coverage) => {
    const start = (y - clip.box.top) * width - clip.box.left
    for (let x = left; x < right; x++) {
      const outer = clip.mask === undefined ? 255 : (clip.mask[start + x] as number)
      mask[start + x] = Math.round(((coverage[x] as number) * outer) / 255)
    }
  })
  return { box: clip.box, mask }
}

function cropped(box: PixelBox, mask: Uint8Array, to: PixelBox): Uint8Array {
  if (isEmpty(to)) return new Uint8Array(0)
  const [width, wide] = [box.right - box.left, to.right - to.left]
  const out = new Uint8Array(wide * (to.bottom - to.top))
  for (let y = to.top; y < to.bottom; y++) {
    const start = (y - box.top) * width + to.left - box.left
    out.set(mask.subarray(start, start + wide), (y - to.top) * wide)
  }
  return out
}

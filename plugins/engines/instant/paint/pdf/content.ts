import type { FormField } from '../../../../../shared/document/form-field.ts'
import { multiply } from '../../../../../shared/document/geometry.ts'
import { maxOf, minOf } from '../../../../../shared/extremes.ts'
import type {
  DrawnField,
  Fill,
  Frame,
  GlyphsItem,
  GradientFill,
  GroupItem,
  ImageItem,
  Item,
  Matrix,
  Path,
  PathCommand,
  PathStroke,
  Placed,
  TilesFill,
} from '../../layout/frame.ts'
import { missingPicture } from '../missing-picture.ts'
import { maxFrameDepth } from './glyph-usage.ts'
import { createGraphics, type Graphics } from './graphics-state.ts'
import type { Resources } from './resources.ts'
import { isIllustration, type PageTags, type Structure } from './structure.ts'
import type { StructureElement } from './structure-tree.ts'
import { factor, num } from './syntax.ts'
import { writeGlyphs } from './text.ts'

/**
 * The links and named positions of a page, collected while it is painted. Coordinates are in points from the
 * bottom left of the page.
 */
export interface PageTargets {
  readonly links: {
    readonly href: string
    readonly box: readonly [number, number, number, number]
    readonly owner: StructureElement | undefined
  }[]
  readonly bookmarks: { readonly id: string; readonly x: number; readonly y: number }[]
  /** Absent: fields are drawn as part of the page. */
  readonly fields?: PaintedField[]
}

/** A field of a form with the content streams of what it looks like. */
export interface PaintedField {
  readonly drawn: DrawnField
  readonly box: readonly [left: number, bottom: number, right: number, top: number]
  readonly content: Uint8Array
  /** The content in the other state of a button. */
  readonly other?: Uint8Array
  /** Its element in a tagged PDF. */
  readonly element?: StructureElement
}

/**
 * Writes the content stream of a page. Layout counts down from the top left and PDF counts up from the bottom
 * left; this is the only place that converts between them. Groups without clip, transform, opacity or mask are
 * drawn straight into the page.
 */
export function pageContent(
  frame: Frame,
  resources: Resources,
  { tagging, check = () => undefined, fields = false, printedFields }: ContentOptions = {},
): { content: Uint8Array; targets: PageTargets } {
  const targets: PageTargets = { links: [], bookmarks: [], ...(fields && { fields: [] }) }
  const graphics = createGraphics(resources)
  const toPage: Matrix = [1, 0, 0, 1, 0, 0]
  const painter: Painter = { graphics, resources, targets, toPage, depth: 0, tagging, check, printedFields }
  paintItems(painter, frame.items, 0, frame.height)
  tagging?.tags.close(graphics.out)
  return { content: graphics.out.finish(), targets }
}

export interface ContentOptions {
  readonly tagging?: Tagging
  /** Whether fields of forms become fields of the PDF. */
  readonly fields?: boolean
  /** Fields that are drawn all the same. */
  readonly printedFields?: ReadonlySet<FormField>
  /** Throws after the deadline. Called with the steps of work since the previous call. */
  readonly check?: (steps: number) => void
}

interface Painter {
  readonly graphics: Graphics
  readonly resources: Resources
  readonly targets: PageTargets
  /**
   * The matrix from the coordinates of the content stream to those of the page, both with y upward. Links and
   * named positions need page coordinates, since no transform applies to them.
   */
  readonly toPage: Matrix
  readonly depth: number
  readonly tagging: Tagging | undefined
  readonly check: (steps: number) => void
  readonly printedFields: ReadonlySet<FormField> | undefined
  /** The structure element that the enclosing group belongs to. */
  readonly owner?: StructureElement | undefined
}

/** Present when the content is tagged. */
export interface Tagging {
  readonly structure: Structure
  readonly tags: PageTags
}

/**
 * Paints the items of a frame whose top left is at (`left`, `top`) in the coordinates of the content stream,
 * with y upward.
 */
function paintItems(painter: Painter, items: readonly Placed[], left: number, top: number): void {
  for (const { x, y, item } of items) {
    painter.check(workOf(item))
    const px = left + x
    const py = top - y
    const owner = painter.tagging?.structure.owner(item, painter.owner)
    if (
      painter.tagging !== undefined &&
      (item.kind === 'glyphs' || item.kind === 'shape' || item.kind === 'image')
    )
      tagItem(painter, painter.tagging.tags, { x: px, y: py, item }, owner)
    switch (item.kind) {
      case 'glyphs':
        paintGlyphs(painter, item, px, py)
        break
      case 'shape':
        paintShape(painter, item.path, px, py)
        break
      case 'group':
        paintGroup(painter, item, px, py, owner)
        break
      case 'image':
        paintImage(painter, item, px, py)
        break
      case 'link':
        painter.targets.links.push({
          href: item.href,
          owner,
          box: pageBox(painter, px, py, item.width, item.height),
        })
        break
      case 'mark': {
        const [mx, my] = pagePoint(painter, px, py)
        painter.targets.bookmarks.push({ id: item.id, x: mx, y: my })
        break
      }
      case 'paragraph':
        break
      default:
        item satisfies never
    }
  }
}

/** The steps of work of one item, without what is inside it: a step is some 64 path commands or glyphs. */
function workOf(item: Item): number {
  if (item.kind === 'glyphs') return 1 + (item.run.text.length >> 6)
  if (item.kind === 'shape') return 1 + (item.path.commands.length >> 6)
  return item.kind === 'group' && item.clipPath !== undefined ? 1 + (item.clipPath.length >> 6) : 1
}

function tagItem(
  painter: Painter,
  tags: PageTags,
  { x, y, item }: Placed,
  owner: StructureElement | undefined,
): void {
  tags.begin(painter.graphics.out, owner)
  if (owner === undefined || !isIllustration(owner)) return
  const [left, top, right, bottom] = extentOf(item)
  tags.cover(owner, pageBox(painter, x + left, y - top, right - left, bottom - top))
}

/** The left, top, right and bottom of an item relative to its position, downward. */
function extentOf(item: Item): readonly [number, number, number, number] {
  if (item.kind === 'image') return [0, 0, item.width, item.height]
  if (item.kind === 'glyphs') {
    const { face, size, width } = item.run
    return [0, -face.ascent * size, width, face.descent * size]
  }
  if (item.kind !== 'shape') return [0, 0, 0, 0]
  const xs: number[] = []
  const ys: number[] = []
  for (const command of item.path.commands) {
    if (command[0] === 'R') {
      xs.push(command[1], command[1] + command[3])
      ys.push(command[2], command[2] + command[4])
      continue
    }
    for (let at = 1; at + 1 < command.length; at += 2) {
      xs.push(command[at] as number)
      ys.push(command[at + 1] as number)
    }
  }
  const min = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), values[0] ?? 0)
  const max = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), values[0] ?? 0)
  return [min(xs), min(ys), max(xs), max(ys)]
}

function paintGlyphs({ graphics }: Painter, item: GlyphsItem, x: number, y: number): void {
  graphics.opacity(item.opacity ?? 1, item.opacity ?? 1)
  graphics.fillColour(item.colour)
  if (item.outline === true || item.run.face.synthetic.bold) graphics.strokeColour(item.colour)
  writeGlyphs(graphics, item.run, x, y, item.outline === true)
}

function paintShape(painter: Painter, path: Path, x: number, y: number): void {
  const { graphics } = painter
  const { fill, stroke } = path
  if (fill !== undefined && fill.kind !== 'solid') {
    if (fill.kind === 'tiles') paintTiles(painter, path, fill, x, y)
    else paintGradient(graphics, path, fill, x, y)
    if (stroke !== undefined) paintShape(painter, { commands: path.commands, stroke }, x, y)
    return
  }
  if (fill === undefined && stroke === undefined) return
  graphics.opacity(fill?.opacity ?? 1, stroke?.opacity ?? 1)
  if (fill !== undefined) graphics.fillColour(fill.colour)
  if (stroke !== undefined) applyStroke(graphics, stroke)
  writePath(graphics, path.commands, x, y)
  graphics.out.ascii(operatorFor(fill, stroke, path.evenOdd === true))
}

function operatorFor(fill: Fill | undefined, stroke: PathStroke | undefined, evenOdd: boolean): string {
  if (fill === undefined) return 'S\n'
  const operator = stroke === undefined ? 'f' : 'B'
  return evenOdd ? `${operator}*\n` : `${operator}\n`
}

const caps = { butt: 0, round: 1, square: 2 } as const
const joins = { miter: 0, round: 1, bevel: 2 } as const

function applyStroke(graphics: Graphics, stroke: PathStroke): void {
  graphics.strokeColour(stroke.colour)
  graphics.lineWidth(stroke.width)
  graphics.lineStyle(caps[stroke.cap ?? 'butt'], joins[stroke.join ?? 'miter'])
  graphics.dash(stroke.dash ?? [], stroke.dashPhase ?? 0)
}

function writePath({ out }: Graphics, commands: readonly PathCommand[], x: number, y: number): void {
  for (const command of commands) {
    switch (command[0]) {
      case 'M':
        out.num(x + command[1])
        out.num(y - command[2])
        out.ascii('m\n')
        break
      case 'L':
        out.num(x + command[1])
        out.num(y - command[2])
        out.ascii('l\n')
        break
      case 'C':
        for (let point = 1; point < 7; point += 2) {
          out.num(x + (command[point] as number))
          out.num(y - (command[point + 1] as number))
        }
        out.ascii('c\n')
        break
      case 'R':
        out.num(x + command[1])
        out.num(y - command[2] - command[4])
        out.num(command[3])
        out.num(command[4])
        out.ascii('re\n')
        break
      case 'Z':
        out.ascii('h\n')
        break
      default:
        command satisfies never
    }
  }
}

/** Paints a gradient by clipping at the path and filling the clip with a shading. */
function paintGradient(graphics: Graphics, path: Path, fill: GradientFill, x: number, y: number): void {
  graphics.save()
  graphics.opacity(fill.opacity ?? 1, fill.opacity ?? 1)
  writePath(graphics, path.commands, x, y)
  graphics.out.ascii(path.evenOdd === true ? 'W* n\n' : 'W n\n')
  graphics.shading(fill, x, y)
  graphics.restore()
}

/**
 * Fills a path with a tiling pattern. The matrix of a pattern maps to the page and ignores the current
 * transform (ISO 32000-2, 8.7.3), so `toPage` is part of it.
 */
function paintTiles(painter: Painter, path: Path, fill: TilesFill, x: number, y: number): void {
  const { graphics, resources } = painter
  const { tile } = fill
  if (!(tile.width > 0 && tile.height > 0) || painter.depth >= maxFrameDepth) return
  const matrix = multiply(painter.toPage, [1, 0, 0, 1, x + fill.x, y - fill.y])
  const pattern = resources.tiles(tile, matrix, () =>
    paintSeparately(painter, (inner) => paintItems(inner, tile.items, 0, tile.height)),
  )
  graphics.save()
  graphics.opacity(fill.opacity ?? 1, fill.opacity ?? 1)
  graphics.out.ascii(`/Pattern cs /${pattern} scn\n`)
  writePath(graphics, path.commands, x, y)
  graphics.out.ascii(path.evenOdd === true ? 'f*\n' : 'f\n')
  graphics.restore()
}

function paintGroup(
  painter: Painter,
  item: GroupItem,
  x: number,
  y: number,
  owner: StructureElement | undefined,
): void {
  if (painter.depth >= maxFrameDepth || takeField(painter, item, x, y, owner)) return
  const { graphics } = painter
  const deeper = { ...painter, depth: painter.depth + 1, owner }
  const opacity = item.opacity ?? 1
  if (!item.clip && item.transform === undefined && opacity >= 1 && item.mask === undefined) {
    paintItems(deeper, item.frame.items, x, y)
    return
  }
  painter.tagging?.tags.close(graphics.out)
  graphics.save()
  let left = x
  let top = y
  let toPage = painter.toPage
  if (item.transform !== undefined) {
    // The top left of the group becomes the origin. Signs change because y points up in a PDF and down in the
    // matrix.
    const [a, b, c, d, e, f] = item.transform
    graphics.out.ascii(
      `${factor(a)} ${factor(-b)} ${factor(-c)} ${factor(d)} ${num(x + e)} ${num(y - f)} cm\n`,
    )
    toPage = multiply(toPage, [a, -b, -c, d, x + e, y - f])
    left = 0
    top = 0
  }
  if (item.clip) {
    writePath(graphics, item.clipPath ?? [['R', 0, 0, item.frame.width, item.frame.height]], left, top)
    graphics.out.ascii(item.clipEvenOdd === true ? 'W* n\n' : 'W n\n')
  }
  if (item.mask !== undefined) {
    // Draw the items as one transparency group, so that covered items do not show through the ones above them.
    applyMask(deeper, item.mask, left, top)
    graphics.opacity(opacity, opacity)
    painter.tagging?.tags.begin(graphics.out, owner)
    const content = paintSeparately(deeper, (inner) => paintItems(inner, item.frame.items, left, top))
    graphics.out.ascii(`/${painter.resources.group(content)} Do\n`)
    painter.tagging?.tags.close(graphics.out)
    graphics.restore()
    return
  }
  graphics.groupOpacity(opacity)
  const inside = item.transform === undefined ? deeper : { ...deeper, toPage }
  paintItems(inside, item.frame.items, left, top)
  painter.tagging?.tags.close(graphics.out)
  graphics.restore()
}

/** Takes a field of a form out of the content of the page. Returns false for other groups, and for fields that are drawn or turned. */
function takeField(
  painter: Painter,
  { field: drawn, frame }: GroupItem,
  x: number,
  y: number,
  owner: StructureElement | undefined,
): boolean {
  const [a, b, c, d] = painter.toPage
  if (drawn === undefined || painter.targets.fields === undefined) return false
  if (painter.printedFields?.has(drawn.field)) return false
  if (a !== 1 || b !== 0 || c !== 0 || d !== 1 || !(frame.width > 0 && frame.height > 0)) return false
  const contentOf = ({ items }: Frame): Uint8Array =>
    paintSeparately(painter, (inner) => paintItems(inner, items, 0, frame.height))
  // Text after the field is read after it.
  painter.tagging?.tags.close(painter.graphics.out)
  const element = painter.tagging?.structure.formElement(owner)
  painter.targets.fields.push({
    drawn,
    box: pageBox(painter, x, y, frame.width, frame.height),
    content: contentOf(frame),
    ...(drawn.other !== undefined && { other: contentOf(drawn.other) }),
    ...(element !== undefined && { element }),
  })
  return true
}

/**
 * Sets a luminosity soft mask: what follows is visible to the degree that the mask is bright (ISO 32000-2,
 * 11.6.5.3).
 */
function applyMask(painter: Painter, items: readonly Placed[], left: number, top: number): void {
  const { resources, graphics } = painter
  const content = paintSeparately(painter, (inner) => paintItems(inner, items, left, top))
  graphics.out.ascii(`/${resources.mask(content)} gs\n`)
}

/**
 * Paints into a separate content stream, for a pattern, a mask or a group. Its links and tags are dropped,
 * because the same stream may be drawn several times.
 */
function paintSeparately(painter: Painter, paint: (inner: Painter) => void): Uint8Array {
  const graphics = createGraphics(painter.resources)
  paint({
    ...painter,
    graphics,
    targets: { links: [], bookmarks: [] },
    toPage: [1, 0, 0, 1, 0, 0],
    depth: painter.depth + 1,
    tagging: undefined,
    owner: undefined,
  })
  return graphics.out.finish()
}

function pagePoint({ toPage }: Painter, x: number, y: number): [number, number] {
  const [a, b, c, d, e, f] = toPage
  return [a * x + c * y + e, b * x + d * y + f]
}

function pageBox(
  painter: Painter,
  x: number,
  y: number,
  width: number,
  height: number,
): [number, number, number, number] {
  const corners = [
    pagePoint(painter, x, y),
    pagePoint(painter, x + width, y),
    pagePoint(painter, x, y - height),
    pagePoint(painter, x + width, y - height),
  ]
  const xs = corners.map(([cx]) => cx)
  const ys = corners.map(([, cy]) => cy)
  return [minOf(xs), minOf(ys), maxOf(xs), maxOf(ys)]
}

function paintImage(painter: Painter, item: ImageItem, x: number, y: number): void {
  const { graphics, resources } = painter
  const { width, height, crop } = item
  if (width <= 0 || height <= 0) return
  const resource = resources.image(item.image)
  if (resource === undefined) {
    paintShape(painter, missingPicture(width, height), x, y)
    return
  }
  graphics.save()
  graphics.opacity(item.opacity ?? 1, 1)
  let [left, bottom, w, h] = [x, y - height, width, height]
  if (crop !== undefined) {
    graphics.out.ascii(`${num(x)} ${num(y - height)} ${num(width)} ${num(height)} re W n\n`)
    w = width / Math.max(0.001, 1 - crop.left - crop.right)
    h = height / Math.max(0.001, 1 - crop.top - crop.bottom)
    left = x - crop.left * w
    bottom = y - height - crop.bottom * h
  }
  graphics.out.ascii(`${factor(w)} 0 0 ${factor(h)} ${num(left)} ${num(bottom)} cm /${resource} Do\n`)
  graphics.restore()
}

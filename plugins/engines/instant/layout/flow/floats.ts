import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { TableFloat } from '../../../../../shared/document/table-properties.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import { word } from '../../compat/word.ts'
import type { LayoutContext } from '../context.ts'
import type { Placed, Pt } from '../frame.ts'
import { fillTable } from '../table/fill-table.ts'
import type { PreparedTable } from '../table/types.ts'
import { contourOf, coversBox, outlinePath } from './contour.ts'
import type { Exclusion } from './exclusion.ts'
import { fillAll } from './fill-all.ts'
import { type AnchorPoint, alignX, alignY, framePosition, type Indents, relative } from './float-position.ts'
import type { FillRequest, PageGeometry, PreparedFloating, PreparedParagraph } from './types.ts'

/** The position of an anchor, and the lists and obstacles of the region it is in. */
export interface FloatAnchor extends AnchorPoint {
  readonly request: FillRequest
  readonly behind: Placed[]
  readonly front: Placed[]
  readonly floats: RegionFloats
}

/**
 * The floats of a region. Those that reach back over earlier text are known only when the region is filled
 * again.
 */
export interface RegionFloats {
  /**
   * Positions found in the previous pass, by drawing or block; their boxes are obstacles from the start of
   * this pass.
   */
  readonly pins: ReadonlyMap<object, Pin>
  /** Floats of this pass that cover text placed before them. */
  readonly back: Map<object, Pin>
  /** Floats whose anchor was reached in this pass. */
  readonly seen: Set<object>
  /** The bottom of the lowest float so far, in page coordinates. */
  reach: Pt
}
/** The page position of a float and the box around it that text avoids. */
export interface Pin {
  readonly x: Pt
  readonly y: Pt
  readonly box: Exclusion
}

/** Keeps a box free of text. Records it in `back` when text above its anchor was already placed there. */
function reserve(at: FloatAnchor, key: object, pin: Pin): void {
  const { floats, request } = at
  floats.seen.add(key)
  if (floats.pins.has(key)) return
  request.exclusions.push(pin.box)
  const { origin } = request
  const top = at.y - at.gap
  if (pin.box.top < origin.y + top - 0.05 && pin.box.bottom > origin.y && top > 0) floats.back.set(key, pin)
}

/** Places the drawings anchored to a paragraph and keeps their boxes free of text. */
export function placeAnchors(context: LayoutContext, block: PreparedParagraph, at: FloatAnchor): void {
  const anchors = [...block.anchors].sort((a, b) => a.anchor!.order - b.anchor!.order)
  for (const drawing of anchors) placeAnchor(context, drawing, block.style, at)
}

/**
 * Places drawings that belong to a page and not to its text. Positions count from the text area of the page.
 */
export function placeOnPage(
  context: LayoutContext,
  drawings: readonly Drawing[],
  region: Pick<FloatAnchor, 'width' | 'request' | 'behind' | 'front'>,
): void {
  const floats: RegionFloats = { pins: new Map(), back: new Map(), seen: new Set(), reach: 0 }
  for (const drawing of [...drawings].sort((a, b) => a.anchor!.order - b.anchor!.order))
    placeAnchor(context, drawing, unindented, { ...region, y: 0, gap: 0, floats })
}

const unindented: Indents = { indentStart: 0, indentEnd: 0, rightToLeft: false }

/** Draws one anchored drawing at its page position and, unless text runs through it, keeps its box free. */
function placeAnchor(context: LayoutContext, drawing: Drawing, indents: Indents, at: FloatAnchor): void {
  const anchor = drawing.anchor!
  const { geometry, origin } = at.request
  const width = relative(
    drawing.width,
    anchor.relativeWidth,
    geometry.pageWidth,
    geometry.pageWidth - geometry.marginLeft - geometry.marginRight,
  )
  const scaled = anchor.relativeWidth?.scales === true && drawing.width > 0 ? width / drawing.width : 1
  const height = relative(
    drawing.height * scaled,
    anchor.relativeHeight,
    geometry.pageHeight,
    geometry.pageHeight - geometry.marginTop - geometry.marginBottom,
  )
  const unclipped = context.flows.draw(drawing, width, height)
  const drawn = drawnHeight(unclipped, height, drawing)
  const items = cutAlong(drawing, unclipped, width, drawn)
  const pin = at.floats.pins.get(drawing)
  const x = pin?.x ?? onSheet(drawing, alignX(anchor.x, width, at, indents), width, geometry.pageWidth)
  const y = pin?.y ?? onSheet(drawing, alignY(anchor.y, drawn, at), drawn, geometry.pageHeight)
  if (word.drawingsStayInCells(anchor.layoutInCell, context.document.settings))
    at.floats.reach = Math.max(at.floats.reach, y + drawn)
  // The shading of paragraphs would cover a drawing behind the text, which text that goes around it does not (ECMA-376-1
  // 20.4.2.3: behindDoc counts where they overlap).
  const target = anchor.behind && anchor.wrap === 'none' ? at.behind : at.front
  if (anchor.wrap === 'none') for (const { item } of items) context.record.overlaid.add(item)
  for (const item of items)
    target.push({ x: x - origin.x + item.x, y: y - origin.y + item.y, item: item.item })
  if (anchor.wrap === 'none') return
  const { distance } = anchor
  const level = anchor.wrap === 'top-bottom'
  const over = overhang(width, drawn, drawing.rotation)
  const box: Exclusion = {
    left: x - over.x - distance.left,
    right: x + width + over.x + distance.right,
    top: y - over.y - distance.top,
    bottom: y + drawn + over.y + distance.bottom,
    side: level ? 'none' : anchor.wrapSide,
    ...(word.floatsPushBlocks(context.document.settings) && libreOffice.tablesAvoid.has(drawing.content.kind)
      ? {
          tables: {
            to: !level && anchor.x.align === 'start' ? 'behind' : 'below',
            left: x,
            right: x + width,
          },
        }
      : {}),
    ...(!level && anchor.outline !== undefined
      ? { contour: contourOf(anchor.outline, { x, y, width, height: drawn }, distance, drawing.rotation) }
      : {}),
  }
  reserve(at, drawing, { x, y, box })
}

/**
 * How far a box that is turned around its middle reaches over each of its sides; negative where it stays inside. Text keeps
 * clear of all of it.
 * @source wp:effectExtent (ECMA-376-1 20.4.2.6), which Word makes as large as this for a drawing that is turned
 */
function overhang(width: Pt, height: Pt, degrees: number): { readonly x: Pt; readonly y: Pt } {
  if (degrees % 180 === 0) return { x: 0, y: 0 }
  const angle = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  return { x: (width * cos + height * sin - width) / 2, y: (width * sin + height * cos - height) / 2 }
}

/** The items of a drawing. A picture with tight wrapping is clipped to the outline that the text follows. */
function cutAlong(
  { content, anchor }: Drawing,
  items: readonly Placed[],
  width: Pt,
  height: Pt,
): readonly Placed[] {
  const outline = anchor?.outline
  const follows =
    libreOffice.tightPicturesAreClipped && (anchor?.wrap === 'tight' || anchor?.wrap === 'through')
  if (content.kind !== 'picture' || outline === undefined || !follows || coversBox(outline)) return items
  const clipPath = outlinePath(outline, width, height)
  return [{ x: 0, y: 0, item: { kind: 'group', frame: { width, height, items }, clip: true, clipPath } }]
}

/** Moves a drawing back onto the page where it has to stay on it. Inside cells the page height is 0 and nothing moves. */
function onSheet({ content, anchor }: Drawing, at: Pt, size: Pt, sheet: Pt): Pt {
  if ((!libreOffice.staysOnPage(content.kind) && anchor?.staysOnSheet !== true) || sheet <= 0) return at
  return Math.max(0, Math.min(at, sheet - size))
}

/** The height of a drawing after layout: a text box with automatic height grows with its text. */
export function drawnHeight(items: readonly Placed[], height: Pt, drawing: Drawing): Pt {
  if (drawing.content.kind !== 'shape' || drawing.content.text?.grows !== true) return height
  const group = items.find((item) => item.item.kind === 'group')
  return group?.item.kind === 'group' ? Math.max(height, group.item.frame.height) : height
}

/** A request for content that is measured by itself, without page, notes or height limit. */
export function innerRequest(
  geometry: PageGeometry,
  origin: { readonly x: Pt; readonly y: Pt },
): FillRequest {
  return { height: Number.POSITIVE_INFINITY, top: 'start', mustPlace: true, origin, geometry, exclusions: [] }
}

/** Places a text frame or a drop cap. Returns the keys of the notes that its text refers to. */
export function placeFrame(
  context: LayoutContext,
  block: PreparedFloating,
  at: FloatAnchor,
): readonly string[] {
  const { frame } = block
  const { request } = at
  const filled = fillAll(context, block.flow, innerRequest(request.geometry, request.origin))
  const natural = filled.height
  const height =
    frame.heightRule === 'exact'
      ? (frame.height ?? natural)
      : frame.heightRule === 'at-least'
        ? Math.max(natural, frame.height ?? 0)
        : natural
  const { x, y } =
    at.floats.pins.get(block) ??
    (frame.dropCap === undefined
      ? framePosition(frame, { width: block.width, height }, at)
      : {
          x: request.origin.x - (frame.dropCap.place === 'margin' ? block.width + frame.horizontalGap : 0),
          y: request.origin.y + at.y,
        })
  at.floats.reach = Math.max(at.floats.reach, y + height)
  const items = [...filled.behind, ...filled.items, ...filled.front]
  const [left, top] = [x - request.origin.x, y - request.origin.y]
  if (
    libreOffice.exactFramesClip &&
    frame.heightRule === 'exact' &&
    frame.dropCap === undefined &&
    natural > height + 0.5
  )
    at.front.push({
      x: left,
      y: top,
      item: { kind: 'group', frame: { width: block.width, height, items }, clip: true },
    })
  else for (const item of items) at.front.push({ x: left + item.x, y: top + item.y, item: item.item })
  // Text wraps around a drop cap whatever the wrapping of the frame is.
  const side = frame.dropCap === undefined ? libreOffice.frameSides[frame.wrap] : 'both'
  if (side === undefined || frame.dropCap?.place === 'margin') return filled.notes
  const box: Exclusion = {
    left: x - frame.horizontalGap,
    right: x + block.width + frame.horizontalGap,
    top: y - frame.verticalGap,
    bottom: y + height + frame.verticalGap,
    side,
  }
  reserve(at, block, { x, y, box })
  return filled.notes
}

/**
 * Places a table beside the text. Returns the keys of the notes that its text refers to, or undefined when
 * the table is too wide or too tall and has to be placed in the text instead.
 */
export function placeFloatTable(
  context: LayoutContext,
  block: PreparedTable,
  at: FloatAnchor,
): readonly string[] | undefined {
  const { request } = at
  const float = block.properties.float!
  const page = request.geometry
  const across = float.xFrom === 'page' ? page.pageWidth : page.pageWidth - page.marginLeft - page.marginRight
  // In headers, footers and cells a table floats at any width.
  const body = request.overlaps !== true && page.pageHeight > 0
  if (body && block.width + libreOffice.minWidthBesideTable >= across) return undefined
  const filled = fillTable(context, block, undefined, { height: Number.POSITIVE_INFINITY, mustPlace: true })
  const sheet = page.pageHeight > 0 ? page.pageHeight : Number.POSITIVE_INFINITY
  const size = { width: block.width, height: filled.height }
  const declared = framePosition(float, size, at)
  const fits =
    filled.height <= sheet - page.marginTop - page.marginBottom ||
    (word.tablesReachIntoMargin(context.document.settings) && declared.y + filled.height <= sheet)
  if (!fits) return undefined
  const position = avoidTables(float, declared, size, at)
  const pin = at.floats.pins.get(block)
  const x = pin?.x ?? position.x + libreOffice.floatingTableShift(float, block.inset, page.odd)
  const onPage = libreOffice.floatingTablesStayOnPage
    ? Math.max(0, Math.min(position.y, sheet - filled.height))
    : position.y
  const y = pin?.y ?? onPage
  at.floats.reach = Math.max(at.floats.reach, y + filled.height)
  // The indent of the table does not apply to a floating table.
  const left = x - block.left
  for (const item of filled.items) {
    at.front.push({ x: left - request.origin.x + item.x, y: y - request.origin.y + item.y, item: item.item })
  }
  const box: Exclusion = {
    left: x - (float.gaps.left ?? 0),
    right: x + block.width + (float.gaps.right ?? 0),
    top: y - (float.gaps.top ?? 0),
    bottom: y + filled.height + (float.gaps.bottom ?? 0),
    gap: float.gaps.bottom,
    side: 'both',
    ofTable: true,
    ...(word.tablesKeepApart && {
      tables: { to: 'behind', left: x, right: x + block.width } as const,
    }),
  }
  reserve(at, block, { x, y, box })
  return filled.notes
}

/** How often a floating table is moved away from others, at most. */
const maxMoves = 16

/** Moves a table that must not overlap others to the right of those in its way, or else below them. */
function avoidTables(
  { avoidsOverlap, gaps }: TableFloat,
  position: { readonly x: Pt; readonly y: Pt },
  { width, height }: { readonly width: Pt; readonly height: Pt },
  { request, floats }: FloatAnchor,
): { readonly x: Pt; readonly y: Pt } {
  if (avoidsOverlap !== true || !word.tablesKeepApart) return position
  const tables = request.exclusions.filter(({ ofTable }) => ofTable === true)
  const end = request.geometry.pageWidth - request.geometry.marginRight
  let { x, y } = position
  for (let move = 0; move < maxMoves; move++) {
    const inWay = tables.find(
      (box) => box.left < x + width && box.right > x && box.top < y + height && box.bottom > y,
    )
    if (inWay === undefined) break
    if (inWay.right + width <= end) x = inWay.right
    else [x, y] = [position.x, inWay.bottom + (gaps.top ?? 0) + 0.01]
  }
  floats.reach = Math.max(floats.reach, y + height)
  return { x, y }
}

import type { Anchor, Drawing, Place } from '../../../../../shared/document/drawing.ts'
import type { TextFrame } from '../../../../../shared/document/properties.ts'
import type { TableFloat } from '../../../../../shared/document/table.ts'
import type { ComputedParagraph } from '../../style/computed.ts'
import type { LayoutContext } from '../context.ts'
import type { Placed, Pt } from '../frame.ts'
import { fillTable } from '../table/fill-table.ts'
import type { PreparedTable } from '../table/types.ts'
import { contourOf, coversBox, outlinePath } from './contour.ts'
import { fillWhole } from './fill-whole.ts'
import type { Exclusion, FillRequest, Geometry, PreparedFloating, PreparedParagraph } from './types.ts'

/** The position of an anchor and the region it is in. */
export interface FloatPlace {
  /** Top of the anchor paragraph, in the region. */
  readonly y: Pt
  /** Width of the region. */
  readonly width: Pt
  /** Space before the paragraph, above `y`. */
  readonly gap: Pt
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
function keepFree(at: FloatPlace, key: object, pin: Pin): void {
  const { floats, request } = at
  floats.seen.add(key)
  if (floats.pins.has(key)) return
  request.exclusions.push(pin.box)
  const { origin } = request
  const top = at.y - at.gap
  if (pin.box.top < origin.y + top - 0.05 && pin.box.bottom > origin.y && top > 0) floats.back.set(key, pin)
}

/** Places the drawings anchored to a paragraph and keeps their boxes free of text. */
export function placeAnchors(context: LayoutContext, block: PreparedParagraph, at: FloatPlace): void {
  const anchors = [...block.anchors].sort((a, b) => a.anchor!.order - b.anchor!.order)
  for (const drawing of anchors) placeAnchor(context, drawing, block.style, at)
}

/**
 * Places drawings that belong to a page and not to its text. Positions count from the text area of the page.
 */
export function placeOnSheet(
  context: LayoutContext,
  drawings: readonly Drawing[],
  place: Pick<FloatPlace, 'width' | 'request' | 'behind' | 'front'>,
): void {
  const floats: RegionFloats = { pins: new Map(), back: new Map(), seen: new Set(), reach: 0 }
  for (const drawing of [...drawings].sort((a, b) => a.anchor!.order - b.anchor!.order))
    placeAnchor(context, drawing, unindented, { ...place, y: 0, gap: 0, floats })
}

type Indents = Pick<ComputedParagraph, 'indentStart' | 'indentEnd' | 'rightToLeft'>
const unindented: Indents = { indentStart: 0, indentEnd: 0, rightToLeft: false }

/** Draws one anchored drawing at its page position and, unless text runs through it, keeps its box free. */
function placeAnchor(context: LayoutContext, drawing: Drawing, indents: Indents, at: FloatPlace): void {
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
  const whole = context.flows.draw(drawing, width, height)
  const drawn = drawnHeight(whole, height, drawing)
  const items = cutAlong(drawing, whole, width, drawn)
  const pin = at.floats.pins.get(drawing)
  const x = pin?.x ?? onSheet(drawing, alignX(anchor.x, width, at, indents), width, geometry.pageWidth)
  const y = pin?.y ?? onSheet(drawing, alignY(anchor.y, drawn, at), drawn, geometry.pageHeight)
  at.floats.reach = Math.max(at.floats.reach, y + drawn)
  const target = anchor.behind ? at.behind : at.front
  if (anchor.wrap === 'none') for (const { item } of items) context.record.overlaid.add(item)
  for (const item of items)
    target.push({ x: x - origin.x + item.x, y: y - origin.y + item.y, item: item.item })
  if (anchor.wrap === 'none') return
  const { distance } = anchor
  const level = anchor.wrap === 'top-bottom'
  const box: Exclusion = {
    left: x - distance.left,
    right: x + width + distance.right,
    top: y - distance.top,
    bottom: y + drawn + distance.bottom,
    side: level ? 'none' : anchor.wrapSide,
    ...(context.document.settings.floatsPushBlocks === true && pictured.has(drawing.content.kind)
      ? {
          tables: {
            to: !level && anchor.x.align === 'start' ? 'behind' : 'below',
            left: x,
            right: x + width,
          },
        }
      : {}),
    ...(!level && anchor.outline !== undefined && drawing.rotation % 360 === 0
      ? { contour: contourOf(anchor.outline, { x, y, width, height: drawn }, distance) }
      : {}),
  }
  keepFree(at, drawing, { x, y, box })
}

/** The drawings that tables avoid. Tables run through shapes and text boxes (observed in LibreOffice). */
const pictured: ReadonlySet<Drawing['content']['kind']> = new Set(['picture', 'chart'])

/** Observed in LibreOffice: a picture with tight wrapping is clipped to the outline that the text follows. */
function cutAlong(
  { content, anchor }: Drawing,
  items: readonly Placed[],
  width: Pt,
  height: Pt,
): readonly Placed[] {
  const outline = anchor?.outline
  const follows = anchor?.wrap === 'tight' || anchor?.wrap === 'through'
  if (content.kind !== 'picture' || outline === undefined || !follows || coversBox(outline)) return items
  const clipPath = outlinePath(outline, width, height)
  return [{ x: 0, y: 0, item: { kind: 'group', frame: { width, height, items }, clip: true, clipPath } }]
}

/**
 * Observed in LibreOffice: pictures are moved back onto the page, shapes of Word stay where the document puts
 * them. Inside cells the page height is 0 and nothing is moved.
 */
function onSheet({ content, anchor }: Drawing, at: Pt, size: Pt, sheet: Pt): Pt {
  if ((content.kind !== 'picture' && anchor?.staysOnSheet !== true) || sheet <= 0) return at
  return Math.max(0, Math.min(at, sheet - size))
}

/** The height of a drawing after layout: a text box with automatic height grows with its text. */
export function drawnHeight(items: readonly Placed[], height: Pt, drawing: Drawing): Pt {
  if (drawing.content.kind !== 'shape' || drawing.content.text?.grows !== true) return height
  const group = items.find((item) => item.item.kind === 'group')
  return group?.item.kind === 'group' ? Math.max(height, group.item.frame.height) : height
}

/** A size that may be given as a fraction of the page or of the area between its margins. */
function relative(own: Pt, share: Anchor['relativeWidth'], page: Pt, margin: Pt): Pt {
  return share === undefined ? own : share.share * (share.of === 'page' ? page : margin)
}

/** The left edge of a drawing, in page coordinates. */
function alignX(
  place: Place<Anchor['x']['from']>,
  width: Pt,
  at: FloatPlace,
  { indentStart, indentEnd, rightToLeft }: Indents,
): Pt {
  const { geometry: page, origin } = at.request
  const [start, extent] = ((): [Pt, Pt] => {
    switch (place.from) {
      case 'page':
        return [0, page.pageWidth]
      case 'margin':
        return [page.marginLeft, page.pageWidth - page.marginLeft - page.marginRight]
      case 'left-margin':
        return [0, page.marginLeft]
      case 'right-margin':
        return [page.pageWidth - page.marginRight, page.marginRight]
      case 'inside':
        return page.odd ? [0, page.marginLeft] : [page.pageWidth - page.marginRight, page.marginRight]
      case 'outside':
        return page.odd ? [page.pageWidth - page.marginRight, page.marginRight] : [0, page.marginLeft]
      case 'paragraph':
        return [origin.x + (rightToLeft ? indentEnd : indentStart), at.width - indentStart - indentEnd]
      case 'start-indent':
        return [origin.x, indentStart]
      case 'end-indent':
        return [origin.x + at.width - indentEnd, indentEnd]
      default:
        return [origin.x, at.width]
    }
  })()
  return start + within(place, width, extent, page)
}

/** The top edge of a drawing, in page coordinates. */
function alignY(place: Place<Anchor['y']['from']>, height: Pt, at: FloatPlace): Pt {
  const { geometry: page, origin } = at.request
  const [start, extent] = ((): [Pt, Pt] => {
    switch (place.from) {
      case 'page':
        return [0, page.pageHeight]
      case 'margin':
      case 'inside':
      case 'outside':
        return [page.marginTop, page.pageHeight - page.marginTop - page.marginBottom]
      case 'top-margin':
        return [0, page.marginTop]
      case 'bottom-margin':
        return [page.pageHeight - page.marginBottom, page.marginBottom]
      case 'line':
      case 'paragraph-text':
        return [origin.y + at.y, height]
      default:
        return [origin.y + at.y - at.gap, height]
    }
  })()
  return start + within(place, height, extent, page)
}

/** The distance from the start of a reference area of length `extent` to an object of length `size`. */
function within(place: Place<string>, size: Pt, extent: Pt, page: Geometry): Pt {
  if (place.share !== undefined) return place.share * extent
  switch (place.align) {
    case 'center':
      return (extent - size) / 2
    case 'end':
      return extent - size - (place.inset?.end ?? 0)
    case 'inside':
      return page.odd ? 0 : extent - size
    case 'outside':
      return page.odd ? extent - size : 0
    case 'start':
      return place.inset?.start ?? 0
    default:
      return place.offset ?? 0
  }
}

/** The page position of a frame or a floating table; each axis is a named alignment or a distance. */
function framePlace(
  frame: Pick<TextFrame, 'x' | 'y' | 'xFrom' | 'yFrom'> | TableFloat,
  size: { readonly width: Pt; readonly height: Pt },
  at: FloatPlace,
): { x: Pt; y: Pt } {
  const { geometry: page, origin } = at.request
  const [left, wide] =
    frame.xFrom === 'page'
      ? [0, page.pageWidth]
      : frame.xFrom === 'margin'
        ? [page.marginLeft, page.pageWidth - page.marginLeft - page.marginRight]
        : [origin.x, at.width]
  const [top, tall] =
    frame.yFrom === 'page'
      ? [0, page.pageHeight]
      : frame.yFrom === 'margin'
        ? [page.marginTop, page.pageHeight - page.marginTop - page.marginBottom]
        : [origin.y + at.y, size.height]
  return {
    x: left + named(frame.x, size.width, wide, page.odd),
    y: top + named(frame.y, size.height, tall, page.odd),
  }
}

/** The distance from the start of a reference area; `odd` pages have their inside at the left. */
function named(place: number | string, size: Pt, extent: Pt, odd: boolean): Pt {
  if (typeof place === 'number') return place
  switch (place) {
    case 'center':
      return (extent - size) / 2
    case 'right':
    case 'bottom':
      return extent - size
    case 'outside':
      return odd ? extent - size : 0
    case 'inside':
      return odd ? 0 : extent - size
    default:
      return 0
  }
}

/** A request for content that is measured by itself, without page, notes or height limit. */
export function innerRequest(geometry: Geometry, origin: { readonly x: Pt; readonly y: Pt }): FillRequest {
  return { height: Number.POSITIVE_INFINITY, top: 'start', mustPlace: true, origin, geometry, exclusions: [] }
}

/** How text wraps beside a frame, as observed in LibreOffice; undefined when it runs through the frame. */
const frameSides: Readonly<Record<TextFrame['wrap'], Exclusion['side'] | undefined>> = {
  around: 'both',
  auto: 'largest',
  through: 'largest',
  tight: 'none',
  'not-beside': 'none',
  none: undefined,
}

/** Places a text frame or a drop cap. Returns the keys of the notes that its text refers to. */
export function placeFrame(
  context: LayoutContext,
  block: PreparedFloating,
  at: FloatPlace,
): readonly string[] {
  const { frame } = block
  const { request } = at
  const filled = fillWhole(context, block.flow, innerRequest(request.geometry, request.origin))
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
      ? framePlace(frame, { width: block.width, height }, at)
      : {
          x: request.origin.x - (frame.dropCap.place === 'margin' ? block.width + frame.horizontalGap : 0),
          y: request.origin.y + at.y,
        })
  at.floats.reach = Math.max(at.floats.reach, y + height)
  const items = [...filled.behind, ...filled.items, ...filled.front]
  const [left, top] = [x - request.origin.x, y - request.origin.y]
  // Observed in LibreOffice: content that exceeds an exact height is clipped.
  if (frame.heightRule === 'exact' && frame.dropCap === undefined && natural > height + 0.5)
    at.front.push({
      x: left,
      y: top,
      item: { kind: 'group', frame: { width: block.width, height, items }, clip: true },
    })
  else for (const item of items) at.front.push({ x: left + item.x, y: top + item.y, item: item.item })
  // Text wraps around a drop cap whatever the wrapping of the frame is.
  const side = frame.dropCap === undefined ? frameSides[frame.wrap] : 'both'
  if (side === undefined || frame.dropCap?.place === 'margin') return filled.notes
  const box: Exclusion = {
    left: x - frame.horizontalGap,
    right: x + block.width + frame.horizontalGap,
    top: y - frame.verticalGap,
    bottom: y + height + frame.verticalGap,
    side,
  }
  keepFree(at, block, { x, y, box })
  return filled.notes
}

/**
 * The least width in points that a floating table must leave beside it. A wider table is placed in the text
 * like any other. 4.69 mm, measured in LibreOffice.
 */
const minWidthBeside = (4.69 * 72) / 25.4

/**
 * Places a table beside the text. Returns the keys of the notes that its text refers to, or undefined when
 * the table is too wide or too tall and has to be placed in the text instead.
 */
export function placeFloatTable(
  context: LayoutContext,
  block: PreparedTable,
  at: FloatPlace,
): readonly string[] | undefined {
  const { request } = at
  const float = block.properties.float!
  const page = request.geometry
  const across = float.xFrom === 'page' ? page.pageWidth : page.pageWidth - page.marginLeft - page.marginRight
  // In headers, footers and cells a table floats at any width.
  const body = request.overlaps !== true && page.pageHeight > 0
  if (body && block.width + minWidthBeside >= across) return undefined
  const filled = fillTable(context, block, undefined, { height: Number.POSITIVE_INFINITY, mustPlace: true })
  const sheet = page.pageHeight > 0 ? page.pageHeight : Number.POSITIVE_INFINITY
  if (filled.height > sheet - page.marginTop - page.marginBottom) return undefined
  const place = framePlace(float, { width: block.width, height: filled.height }, at)
  const pin = at.floats.pins.get(block)
  const x = pin?.x ?? place.x + besideText(float, block, page)
  // Observed in LibreOffice: a floating table stays on the page; it may cover the page margins.
  const y = pin?.y ?? Math.max(0, Math.min(place.y, sheet - filled.height))
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
  }
  keepFree(at, block, { x, y, box })
  return filled.notes
}

/**
 * The horizontal correction of a table position. Observed in LibreOffice: a distance counts to the text of
 * the first cell; a table aligned to an edge keeps its distance to the text.
 */
function besideText(float: TableFloat, block: PreparedTable, page: Geometry): Pt {
  if (typeof float.x === 'number') return -block.inset
  const side =
    float.x === 'inside'
      ? page.odd
        ? 'left'
        : 'right'
      : float.x === 'outside'
        ? page.odd
          ? 'right'
          : 'left'
        : float.x
  if (side === 'left') return float.gaps.left ?? 0
  return side === 'right' ? -(float.gaps.right ?? 0) : 0
}

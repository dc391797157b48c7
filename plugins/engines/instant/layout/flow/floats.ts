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

export interface FloatPlace {
  readonly y: Pt // of the anchor paragraph, in the region
  readonly width: Pt // of the region
  readonly gap: Pt // space before the paragraph, above `y`
  readonly request: FillRequest
  readonly behind: Placed[]
  readonly front: Placed[]
  readonly floats: RegionFloats
}

/** What floats in a region. Things that reach back over earlier text are known when the region is filled anew. */
export interface RegionFloats {
  /** Places found in the round before, by drawing or block; their boxes are kept free already. */
  readonly pins: ReadonlyMap<object, Pin>
  /** Things that stand where text was placed before them. */
  readonly back: Map<object, Pin>
  readonly seen: Set<object>
  reach: Pt
}
export interface Pin {
  readonly x: Pt
  readonly y: Pt
  readonly box: Exclusion
}

/** Keeps a box free of text and notes whether text above its anchor stands in it. */
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

/** Places drawings that belong to a page rather than to its text; the places count from the text of the page. */
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

/** What tables keep clear of; they go through shapes and text boxes (observed in LibreOffice). */
const pictured: ReadonlySet<Drawing['content']['kind']> = new Set(['picture', 'chart'])

/** Observed in LibreOffice: a picture that text follows closely is seen inside the outline that the text follows. */
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

/** Observed in LibreOffice: pictures stay on the sheet, Word's shapes stand where they are told. Cells have no sheet. */
function onSheet({ content, anchor }: Drawing, at: Pt, size: Pt, sheet: Pt): Pt {
  if ((content.kind !== 'picture' && anchor?.staysOnSheet !== true) || sheet <= 0) return at
  return Math.max(0, Math.min(at, sheet - size))
}

/** A text box that grew with its text is as tall as it became. */
export function drawnHeight(items: readonly Placed[], height: Pt, drawing: Drawing): Pt {
  if (drawing.content.kind !== 'shape' || drawing.content.text?.grows !== true) return height
  const group = items.find((item) => item.item.kind === 'group')
  return group?.item.kind === 'group' ? Math.max(height, group.item.frame.height) : height
}

function relative(own: Pt, share: Anchor['relativeWidth'], page: Pt, margin: Pt): Pt {
  return share === undefined ? own : share.share * (share.of === 'page' ? page : margin)
}

/** Left edge on the page. */
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

/** Where named and measured places of frames and floating tables are, on the page. */
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

/** A request for content that is measured on its own: no page, no notes, no limit. */
export function innerRequest(geometry: Geometry, origin: { readonly x: Pt; readonly y: Pt }): FillRequest {
  return { height: Number.POSITIVE_INFINITY, top: 'start', mustPlace: true, origin, geometry, exclusions: [] }
}

/** Where text goes beside a frame, as observed in LibreOffice; absent: through it. */
const frameSides: Readonly<Record<TextFrame['wrap'], Exclusion['side'] | undefined>> = {
  around: 'both',
  auto: 'largest',
  through: 'largest',
  tight: 'none',
  'not-beside': 'none',
  none: undefined,
}

/** Text frames and drop caps. Returns the notes that their text refers to. */
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
  // Observed in LibreOffice: what does not fit an exact height is cut off.
  if (frame.heightRule === 'exact' && frame.dropCap === undefined && natural > height + 0.5)
    at.front.push({
      x: left,
      y: top,
      item: { kind: 'group', frame: { width: block.width, height, items }, clip: true },
    })
  else for (const item of items) at.front.push({ x: left + item.x, y: top + item.y, item: item.item })
  // Only text around a drop cap goes by its side whatever the frame says.
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
 * A table leaves no room for text beside it when it is nearly as wide as the text: then it stands in the text like any
 * other. Observed in LibreOffice: 4.69 mm.
 */
const leastBeside = (4.69 * 72) / 25.4

/**
 * A table beside the text. Returns the notes that its text refers to; undefined when it has to flow with the text after
 * all.
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
  // In headers, footers and cells it floats at any width.
  const body = request.overlaps !== true && page.pageHeight > 0
  if (body && block.width + leastBeside >= across) return undefined
  const filled = fillTable(context, block, undefined, { height: Number.POSITIVE_INFINITY, mustPlace: true })
  const sheet = page.pageHeight > 0 ? page.pageHeight : Number.POSITIVE_INFINITY
  if (filled.height > sheet - page.marginTop - page.marginBottom) return undefined
  const place = framePlace(float, { width: block.width, height: filled.height }, at)
  const pin = at.floats.pins.get(block)
  const x = pin?.x ?? place.x + besideText(float, block, page)
  // Observed in LibreOffice: a floating table stays on the sheet, margins included.
  const y = pin?.y ?? Math.max(0, Math.min(place.y, sheet - filled.height))
  at.floats.reach = Math.max(at.floats.reach, y + filled.height)
  // The table's own indent is no part of a floating table's place.
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

/** Observed in LibreOffice: a measured place is that of the text in the first cell; at an edge the distance is kept. */
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

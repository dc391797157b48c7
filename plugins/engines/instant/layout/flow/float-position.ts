/** Where floats go: resolves the positions that documents declare into page coordinates, in points. */
import type { Anchor, AnchorPosition } from '../../../../../shared/document/drawing.ts'
import type { TextFrame } from '../../../../../shared/document/properties.ts'
import type { TableFloat } from '../../../../../shared/document/table-properties.ts'
import type { ComputedParagraph } from '../../style/computed.ts'
import type { Pt } from '../frame.ts'
import type { FillRequest, PageGeometry } from './types.ts'

/** The anchor of a float in the region that is being filled. */
export interface AnchorPoint {
  /** Top of the anchor paragraph, in the region. */
  readonly y: Pt
  /** Width of the region. */
  readonly width: Pt
  /** Space before the paragraph, above `y`. */
  readonly gap: Pt
  /** The page and the position of the region on it. */
  readonly request: Pick<FillRequest, 'geometry' | 'origin'>
}

/** The part of a paragraph style that horizontal positions count from. */
export type Indents = Pick<ComputedParagraph, 'indentStart' | 'indentEnd' | 'rightToLeft'>

/** A size that may be given as a fraction of the page or of the area between its margins. */
export function relative(length: Pt, fraction: Anchor['relativeWidth'], page: Pt, margin: Pt): Pt {
  return fraction === undefined ? length : fraction.share * (fraction.of === 'page' ? page : margin)
}

/** The left edge of a drawing, in page coordinates. */
export function alignX(
  position: AnchorPosition<Anchor['x']['from']>,
  width: Pt,
  at: AnchorPoint,
  { indentStart, indentEnd, rightToLeft }: Indents,
): Pt {
  const { geometry: page, origin } = at.request
  const [start, extent] = ((): [Pt, Pt] => {
    switch (position.from) {
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
  return start + within(position, width, extent, page)
}

/** The top edge of a drawing, in page coordinates. */
export function alignY(position: AnchorPosition<Anchor['y']['from']>, height: Pt, at: AnchorPoint): Pt {
  const { geometry: page, origin } = at.request
  const [start, extent] = ((): [Pt, Pt] => {
    switch (position.from) {
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
  return start + within(position, height, extent, page)
}

/** The distance from the start of a reference area of length `extent` to an object of length `size`. */
function within(position: AnchorPosition<string>, size: Pt, extent: Pt, page: PageGeometry): Pt {
  if (position.share !== undefined) return position.share * extent
  switch (position.align) {
    case 'center':
      return (extent - size) / 2
    case 'end':
      return extent - size - (position.inset?.end ?? 0)
    case 'inside':
      return page.odd ? 0 : extent - size
    case 'outside':
      return page.odd ? extent - size : 0
    case 'start':
      return position.inset?.start ?? 0
    default:
      return position.offset ?? 0
  }
}

/** The page position of a frame or a floating table; each axis is a named alignment or a distance. */
export function framePosition(
  frame: Pick<TextFrame, 'x' | 'y' | 'xFrom' | 'yFrom'> | TableFloat,
  size: { readonly width: Pt; readonly height: Pt },
  at: AnchorPoint,
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
function named(position: number | string, size: Pt, extent: Pt, odd: boolean): Pt {
  if (typeof position === 'number') return position
  switch (position) {
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

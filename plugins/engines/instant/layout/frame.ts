/**
 * The contract between layout and paint: pages made of frames, frames made of positioned items. It is data
 * only: layout does not draw and painters do not measure. Lengths are in points, y grows downward, and
 * positions count from the top left of the frame that holds the item. Painters are in `../paint/`; text runs
 * come from `../text/shape.ts`.
 */
import type { Inline } from '../../../../shared/document/content.ts'
import type { PathStep } from '../../../../shared/document/ellipse.ts'
import type { FormField } from '../../../../shared/document/form-field.ts'
import type { Matrix } from '../../../../shared/document/geometry.ts'
import type { LineNumbers } from '../../../../shared/document/section.ts'
import type { Face } from '../fonts/face.ts'
import type { ImageRef } from '../images/image.ts'

/** A length in points, 1/72 inch. */
export type Pt = number
/** A colour as 0xRRGGBB. */
export type Colour = number
/** A matrix with y downward before and after. */
export type { Matrix }

/** One printed page: its frame has the size of the paper. */
export interface Page {
  readonly frame: Frame
  /** The page number that viewers show; absent for 1, 2, 3 by page index. */
  readonly label?: FramePageLabel
  /** An empty page, inserted so that the next page is on the correct side of the sheet. */
  readonly isBlank?: boolean
}
export interface FramePageLabel {
  readonly style: 'decimal' | 'roman' | 'ROMAN' | 'alpha' | 'ALPHA' | 'none'
  readonly number: number
  readonly prefix?: string
}

/** A rectangle of the given size with positioned items. Later items are drawn over earlier ones. */
export interface Frame {
  readonly width: Pt
  readonly height: Pt
  readonly items: readonly Placed[]
}
/** An item and its position: the top left of boxes, the baseline origin (left end) of glyphs. */
export interface Placed {
  readonly x: Pt
  readonly y: Pt
  readonly item: Item
}

export type Item = GroupItem | GlyphsItem | ShapeItem | ImageItem | LinkItem | MarkItem | ParagraphItem

/**
 * A frame inside a frame. `transform` applies around the top left of the group, before the group is
 * positioned.
 */
export interface GroupItem {
  readonly kind: 'group'
  readonly frame: Frame
  /** Clips at the box of the frame, or at `clipPath` when that is present. */
  readonly clip: boolean
  readonly clipPath?: readonly PathCommand[]
  readonly clipEvenOdd?: boolean
  /** Luminance mask, in the coordinate space of the items: white shows them, black hides them. */
  readonly mask?: readonly Placed[]
  readonly transform?: Matrix
  readonly opacity?: number // 0..1, absent: 1
  /** The group is a field of a form, and its frame what it looks like. */
  readonly field?: DrawnField
}
export interface DrawnField {
  readonly field: FormField
  /** What a button looks like in its other state: not pressed when it is pressed. */
  readonly other?: Frame
  /** The size and colour of text that is written into the field. */
  readonly size: Pt
  readonly colour: Colour
  /** The colours of the background and the border, which viewers draw anew with a new value. */
  readonly fill?: Colour
  readonly stroke?: Colour
}
export interface GlyphsItem {
  readonly kind: 'glyphs'
  readonly run: GlyphRun
  readonly colour: Colour
  readonly opacity?: number
  /** Draws the contours only, for `w:outline`. */
  readonly outline?: boolean
}
export interface ShapeItem {
  readonly kind: 'shape'
  readonly path: Path
}
export interface ImageItem {
  readonly kind: 'image'
  readonly image: ImageRef
  readonly width: Pt
  readonly height: Pt
  /** The fraction (0..1) of the image that is cropped on each side; the remainder fills the box. */
  readonly crop?: {
    readonly left: number
    readonly top: number
    readonly right: number
    readonly bottom: number
  }
  readonly opacity?: number
}
/** A clickable area. `href` is an address, or '#' and the id of a mark item anywhere in the document. */
export interface LinkItem {
  readonly kind: 'link'
  readonly href: string
  readonly width: Pt
  readonly height: Pt
}
/** A named position: a heading, bookmark or field that links and the outline can point to. Draws nothing. */
export interface MarkItem {
  readonly kind: 'mark'
  readonly id: string
  /** Marks the baseline of a numbered line; the pager replaces the item with the number. */
  readonly line?: LineNumbers
  /** Marks a changed line of this height; the pager replaces the item with a change bar. */
  readonly changed?: Pt
}
/**
 * Begins a paragraph, or the part of it on a page. The glyph runs that follow in the same frame, up to the next such item,
 * are its text. It draws nothing; `audit/` uses it to compare the drawn text with the document.
 */
export interface ParagraphItem {
  readonly kind: 'paragraph'
  /** The inlines of the paragraph; they remain the same object when layout copies the paragraph. */
  readonly inlines: readonly Inline[]
}

/**
 * Shaped text of one face and size, left to right as seen. The arrays are parallel, one entry per glyph.
 *
 * text      the characters in logical order, for copying and searching
 * glyphs    glyph ids of the face
 * advances  pt, everything included: kerning, letter spacing, expanded spaces, `scaleX`
 * clusters  index in `text` of the first character of the cluster the glyph belongs to
 * offsets   x, y of each glyph from its pen position in pt (y downward): twice as long; absent: all zero
 */
export interface GlyphRun {
  readonly face: Face
  readonly size: Pt
  readonly text: string
  readonly glyphs: ArrayLike<number>
  readonly advances: ArrayLike<number>
  readonly clusters: ArrayLike<number>
  readonly offsets?: ArrayLike<number>
  readonly width: Pt // sum of the advances
  readonly rtl: boolean
  readonly scaleX?: number // horizontal scale of the glyphs, 1 when absent
}

/** The run with other advances. A run is copied by its members, since some of them may be worked out on demand (`PlainRun`). */
export const respaced = (
  { face, size, text, glyphs, clusters, offsets, rtl, scaleX }: GlyphRun,
  advances: ArrayLike<number>,
  width: Pt,
): GlyphRun => ({ face, size, text, glyphs, advances, clusters, offsets, width, rtl, scaleX })

/** A path in points, from the position of its item. */
export interface Path {
  readonly commands: readonly PathCommand[]
  readonly fill?: Fill
  readonly stroke?: PathStroke
  readonly evenOdd?: boolean
}
export type PathCommand = PathStep | readonly ['R', x: Pt, y: Pt, width: Pt, height: Pt]

export type Fill = SolidFill | GradientFill | TilesFill
export interface SolidFill {
  readonly kind: 'solid'
  readonly colour: Colour
  readonly opacity?: number
}
/**
 * Linear: from (x1, y1) to (x2, y2). Radial: from the centre (x1, y1) outward to the circle through (x2, y2).
 */
export interface GradientFill {
  readonly kind: 'linear' | 'radial'
  readonly x1: Pt
  readonly y1: Pt
  readonly x2: Pt
  readonly y2: Pt
  readonly stops: readonly { readonly at: number; readonly colour: Colour }[] // at: 0..1, growing
  readonly opacity?: number
}
/** A small frame that repeats in both directions; the top left of one of the tiles is at (x, y). */
export interface TilesFill {
  readonly kind: 'tiles'
  readonly tile: Frame
  readonly x: Pt
  readonly y: Pt
  readonly opacity?: number
}
export interface PathStroke {
  readonly colour: Colour
  readonly width: Pt
  readonly opacity?: number
  readonly dash?: readonly Pt[]
  readonly dashPhase?: Pt
  readonly cap?: 'butt' | 'round' | 'square'
  readonly join?: 'miter' | 'round' | 'bevel'
}

/**
 * One entry of the outline. Levels start at 1; an entry is a child of the nearest earlier one with a lower
 * level.
 */
export interface OutlineEntry {
  readonly title: string
  readonly level: number
  /** The id of the mark item that the entry links to. */
  readonly bookmark: string
  /** The number that `title` begins with. */
  readonly label?: string
}

/** A filled rectangle, in points: shading, cell backgrounds, text decoration. */
export function filledBox(x: Pt, y: Pt, width: Pt, height: Pt, colour: Colour, opacity?: number): Placed {
  const path: Path = { commands: [['R', 0, 0, width, height]], fill: { kind: 'solid', colour, opacity } }
  return { x, y, item: { kind: 'shape', path } }
}

/** A straight line from (x, y) by (dx, dy), in points. */
export function straightLine(x: Pt, y: Pt, dx: Pt, dy: Pt, stroke: PathStroke): Placed {
  const path: Path = {
    commands: [
      ['M', 0, 0],
      ['L', dx, dy],
    ],
    stroke,
  }
  return { x, y, item: { kind: 'shape', path } }
}

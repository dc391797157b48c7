/** What all parts of the layout of one page share. */

import type { DocumentFonts } from '../../fonts/font-book.ts'
import type { ImageRef } from '../../images/image.ts'
import type { VectorPicture } from '../../vector/vector.ts'
import type { LayoutBudget } from '../context.ts'
import type { Item, Pt } from '../frame.ts'
import type { ItemOwners } from '../ownership.ts'
import type { BlockBox, LayoutBox, LinesBox, OutOfFlowBox, PictureBox, WebLink } from './box.ts'
import type { FloatArea } from './floats.ts'
import type { Fragment } from './fragment.ts'
import type { Paragraph } from './segments.ts'

/** What drawn items belong to, recorded for a tagged PDF. */
export interface WebOwners extends ItemOwners<LinesBox, PictureBox, WebLink> {
  readonly paragraphs: Map<Item, LinesBox>
  readonly drawings: Map<Item, PictureBox>
  readonly links: Map<Item, WebLink>
  readonly labels: Set<Item>
}

export const createWebOwners = (): WebOwners => ({
  paragraphs: new Map(),
  drawings: new Map(),
  links: new Map(),
  labels: new Set(),
  leaders: new Set(),
})

export interface WebContext {
  readonly owners?: WebOwners
  readonly fonts: DocumentFonts
  readonly language: string | undefined
  readonly budget: LayoutBudget
  readonly image: (media: string) => ImageRef | undefined
  readonly vector: (media: string) => VectorPicture | undefined
  /** The segments and the widths of boxes, which are made once. */
  readonly paragraphs: Map<LinesBox, Paragraph>
  readonly widths: Map<LayoutBox, IntrinsicWidths>
  /** Boxes in lines, as they were last laid out. */
  readonly atomicInlines: Map<LayoutBox, { readonly containingWidth: Pt; readonly placed: PlacedBox }>
  /** The page has floats: how far down content begins decides how wide it is. */
  readonly hasFloats: boolean
  /**
   * absolute: how many boxes with a place of their own wait for the box that they refer to. again: how many containers around
   * are being laid out for a second time.
   */
  readonly pending: { unplacedBoxes: number; relayoutDepth: number }
  /** The fragments that hold the place of such boxes that have been placed. */
  readonly resolvedPlaceholders: WeakSet<Fragment>
  /** Closes a cycle: lines contain blocks, and blocks lines. */
  readonly layoutIndependent: (
    context: WebContext,
    box: LayoutBox,
    width: Pt,
    shrinksToFit: boolean,
  ) => PlacedBox
  /** Places a float at or below `y` of the content that begins at `space`. */
  readonly placeFloat: (
    context: WebContext,
    box: OutOfFlowBox,
    width: Pt,
    y: Pt,
    space: FormattingPosition,
  ) => Fragment
  /** The smallest and the preferred width of a box. */
  readonly intrinsicWidths: (context: WebContext, box: LayoutBox) => IntrinsicWidths
  /** An item of a container with a known width of its content, and a known height where it is stretched. */
  readonly layoutSizedItem: (
    context: WebContext,
    box: BlockBox,
    size: { readonly width: Pt; readonly containingWidth: Pt; readonly height?: Pt },
  ) => PlacedBox
  /** The same for what is in a block. */
  readonly contentWidths: (context: WebContext, box: BlockBox) => IntrinsicWidths
  /** Lays out the content of a cell in a content box of this width. */
  readonly layoutCellContent: (context: WebContext, box: BlockBox, inner: Pt) => Fragment
}

/** Where content is laid out in its block formatting context, from the top left of the content of the box that starts it. */
export interface FormattingPosition {
  readonly floats: FloatArea
  readonly x: Pt
  readonly y: Pt
}

/** The widths that content needs: where every opportunity to break a line is taken, and where none is. In pt. */
export interface IntrinsicWidths {
  readonly minContent: Pt
  readonly maxContent: Pt
}

/** A box as a unit with its margins: a box in a line or a cell. */
export interface PlacedBox {
  readonly fragment: Fragment
  readonly margin: { readonly top: Pt; readonly right: Pt; readonly bottom: Pt; readonly left: Pt }
}

/** The state that all parts of the layout of one page share. */

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

/** Maps drawn items to the boxes that they belong to, for the structure tree of a tagged PDF. */
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
  /** Caches of segmented paragraphs and of intrinsic widths. */
  readonly paragraphs: Map<LinesBox, Paragraph>
  readonly widths: Map<LayoutBox, IntrinsicWidths>
  /** The last layout of each atomic inline box, with the containing width that it was made for. */
  readonly atomicInlines: Map<LayoutBox, { readonly containingWidth: Pt; readonly placed: PlacedBox }>
  /** True if the page has floats, so that the width of content depends on its vertical position. */
  readonly hasFloats: boolean
  /** Inline boxes without text do not contribute to the height of a line (Quirks Mode Standard, 3.3). */
  readonly quirkLines: boolean
  /**
   * unplacedBoxes: how many placeholders still wait for their containing block.
   * relayoutDepth: how many enclosing containers are being laid out for the second time.
   * columnDepth: how many enclosing boxes have columns.
   */
  readonly pending: { unplacedBoxes: number; relayoutDepth: number; columnDepth: number }
  /** The placeholders whose boxes have been placed. */
  readonly resolvedPlaceholders: WeakSet<Fragment>
  /**
   * Lays out a box whose margins do not collapse. Passed in, as are the functions below, because blocks contain lines and
   * lines contain blocks.
   */
  readonly layoutIndependent: (
    context: WebContext,
    box: LayoutBox,
    width: Pt,
    shrinksToFit: boolean,
  ) => PlacedBox
  /** Lays out a float and places it at or below `y` in its block formatting context. */
  readonly placeFloat: (
    context: WebContext,
    box: OutOfFlowBox,
    width: Pt,
    y: Pt,
    space: FormattingPosition,
  ) => Fragment
  /** The min-content and max-content widths of a box, with its padding and borders. */
  readonly intrinsicWidths: (context: WebContext, box: LayoutBox) => IntrinsicWidths
  /** Lays out a flex or grid item of a known content width. `height` is the content height of a stretched item. */
  readonly layoutSizedItem: (
    context: WebContext,
    box: BlockBox,
    size: { readonly width: Pt; readonly containingWidth: Pt; readonly height?: Pt },
  ) => PlacedBox
  /** The min-content and max-content widths of the content of a block, without its padding and borders. */
  readonly contentWidths: (context: WebContext, box: BlockBox) => IntrinsicWidths
  /** Lays out the content of a table cell at this content width. */
  readonly layoutCellContent: (context: WebContext, box: BlockBox, inner: Pt) => Fragment
}

/** A position in a block formatting context, from the top left corner of the content of the box that establishes it. */
export interface FormattingPosition {
  readonly floats: FloatArea
  readonly x: Pt
  readonly y: Pt
}

/**
 * The intrinsic widths of content in pt: with a break at every opportunity (min-content), and with no break (max-content).
 * Source: CSS Sizing 3, 2.1.
 */
export interface IntrinsicWidths {
  readonly minContent: Pt
  readonly maxContent: Pt
}

/** A laid-out box with its margins. */
export interface PlacedBox {
  readonly fragment: Fragment
  readonly margin: { readonly top: Pt; readonly right: Pt; readonly bottom: Pt; readonly left: Pt }
}

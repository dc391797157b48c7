/** What all parts of the layout of one page share. */

import type { DocumentFonts } from '../../fonts/font-book.ts'
import type { ImageRef } from '../../images/image.ts'
import type { VectorPicture } from '../../vector/vector.ts'
import type { LayoutBudget } from '../context.ts'
import type { Pt } from '../frame.ts'
import type { BlockBox, Box, LinesBox } from './box.ts'
import type { Fragment } from './fragment.ts'
import type { Paragraph } from './segments.ts'

export interface WebContext {
  readonly fonts: DocumentFonts
  readonly language: string | undefined
  readonly budget: LayoutBudget
  readonly image: (media: string) => ImageRef | undefined
  readonly vector: (media: string) => VectorPicture | undefined
  /** The segments and the widths of boxes, which are made once. */
  readonly paragraphs: Map<LinesBox, Paragraph>
  readonly widths: Map<Box, IntrinsicWidths>
  /** Boxes in lines, as they were last laid out. */
  readonly atoms: Map<Box, { readonly whole: Pt; readonly placed: PlacedBox }>
  /** Closes a cycle: lines contain blocks, and blocks lines. */
  readonly place: (context: WebContext, box: Box, width: Pt, fits: boolean) => PlacedBox
  /** The smallest and the preferred width of a box. */
  readonly intrinsic: (context: WebContext, box: Box) => IntrinsicWidths
  /** Lays out the content of a cell in a content box of this width. */
  readonly fill: (context: WebContext, box: BlockBox, inner: Pt) => Fragment
}

/** The widths that content needs: where every opportunity to break a line is taken, and where none is. In pt. */
export interface IntrinsicWidths {
  readonly least: Pt
  readonly most: Pt
}

/** A box as a unit with its margins: a box in a line or a cell. */
export interface PlacedBox {
  readonly fragment: Fragment
  readonly margin: { readonly top: Pt; readonly right: Pt; readonly bottom: Pt; readonly left: Pt }
}

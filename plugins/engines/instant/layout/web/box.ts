/**
 * The box tree of a web page, built from its elements and computed styles. It is the input of the layout. A block contains
 * either blocks or inline content, never both. Source: CSS Display 3.
 */
import type { Element } from 'hast'
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { Colour, Pt } from '../frame.ts'

export type LayoutBox = BlockBox | LinesBox | TableBox | PictureBox | OutOfFlowBox

/** A float, or an absolutely or fixed positioned box. */
export interface OutOfFlowBox {
  readonly kind: 'out-of-flow'
  readonly style: ComputedStyle
  readonly placement: 'left' | 'right' | 'absolute' | 'fixed'
  readonly box: BlockBox | TableBox | PictureBox
}

export interface BlockBox {
  readonly kind: 'block'
  readonly style: ComputedStyle
  readonly children: readonly LayoutBox[]
  readonly id?: string
  /** The tag name of the element. */
  readonly tag?: string
  /** A rule for the first letter of this box has been applied, so those of the boxes around it are not. */
  readonly hasFirstLetter?: boolean
  /** Present if the element is a heading. */
  readonly heading?: { readonly level: number; readonly title: string; readonly bookmark: string }
}

/** The inline content of a block, which is laid out in line boxes. The style is that of the block. */
export interface LinesBox {
  readonly kind: 'lines'
  readonly style: ComputedStyle
  readonly items: readonly InlineItem[]
}

export interface PictureBox {
  readonly kind: 'picture'
  readonly style: ComputedStyle
  /** The name of the picture in `WebMedia`. Without it the alternative text is drawn. */
  readonly media?: string
  readonly alternative: string
  /** The picture is decorative: its `alt` is empty or it is hidden from assistive technology. */
  readonly isDecoration?: boolean
  /** The size from the attributes of the element or from its kind. The `width` and `height` of the style take precedence. */
  readonly width?: Pt
  readonly height?: Pt
  /** The picture has a ratio but no size of its own, so an automatic width fills the containing block (CSS 2.2, 10.3.2). */
  readonly fills?: boolean
  /** The form control to draw, or the icon in place of a picture that cannot be drawn. */
  readonly control?: 'checkbox' | 'checked' | 'radio' | 'selected' | 'arrow' | 'broken'
}

export interface TableBox {
  readonly kind: 'table'
  readonly style: ComputedStyle
  readonly captions: readonly BlockBox[]
  /** The styles of the `col` elements, one for each column. */
  readonly columns: readonly (ComputedStyle | undefined)[]
  readonly rows: readonly RowBox[]
  readonly id?: string
  /** The value of the `role` attribute. */
  readonly role?: string
}
export interface RowBox {
  readonly style: ComputedStyle
  readonly group: 'head' | 'body' | 'foot'
  readonly groupStyle?: ComputedStyle
  readonly cells: readonly CellBox[]
}
export interface CellBox {
  readonly box: BlockBox
  readonly columns: number
  readonly rows: number
  readonly element: Element
}

export interface TextDecoration {
  readonly kind: 'underline' | 'line-through' | 'overline'
  readonly colour: Colour
}

export interface WebLink {
  readonly href: string
}

/** The properties that inline elements pass on to their content. */
export interface InlineState {
  readonly style: ComputedStyle
  /** The shift above the baseline of the block, in pt; negative for subscripts. */
  readonly rise: Pt
  readonly decorations: readonly TextDecoration[]
  /** The surrounding link. All content of one link shares the same object. */
  readonly link?: WebLink
}

export type InlineItem =
  | { readonly kind: 'text'; readonly text: string; readonly state: InlineState }
  | { readonly kind: 'open' | 'close'; readonly state: InlineState }
  | { readonly kind: 'break'; readonly state: InlineState }
  /** A line may be broken here, also where white space is not (`wbr`). */
  | { readonly kind: 'break-opportunity'; readonly state: InlineState }
  | { readonly kind: 'atomic'; readonly box: LayoutBox; readonly state: InlineState }
  | { readonly kind: 'out-of-flow'; readonly box: OutOfFlowBox; readonly state: InlineState }
  | { readonly kind: 'mark'; readonly id: string; readonly state: InlineState }
  /** The marker of a list item. Outside the item it is drawn before the first line and takes no width in it. */
  | { readonly kind: 'marker'; readonly marker: Marker; readonly state: InlineState }

export type Marker =
  | {
      /** The disclosure markers are triangles that point to the right and down (CSS Counter Styles 3, 6.3). */
      readonly shape: 'disc' | 'circle' | 'square' | 'disclosure-closed' | 'disclosure-open'
      readonly isInside: boolean
    }
  | { readonly shape: 'text'; readonly text: string; readonly isInside: boolean }

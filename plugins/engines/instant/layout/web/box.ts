/**
 * The boxes of a web page, as its elements and their styles ask for them: the input of the layout. A block holds either
 * blocks or lines. Source: CSS Display 3.
 */
import type { Element } from 'hast'
import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import type { Colour, Pt } from '../frame.ts'

export type LayoutBox = BlockBox | LinesBox | TableBox | PictureBox | OutOfFlowBox

/** A box that is out of the flow: it stands where the flow has come to, at a side of it or at a place of its own. */
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
  /** The name of its element. */
  readonly tag?: string
  /** The block is a heading of this level. */
  readonly heading?: { readonly level: number; readonly title: string; readonly bookmark: string }
}

/** Text and what stands in lines with it. The style is that of the block around it. */
export interface LinesBox {
  readonly kind: 'lines'
  readonly style: ComputedStyle
  readonly items: readonly InlineItem[]
}

export interface PictureBox {
  readonly kind: 'picture'
  readonly style: ComputedStyle
  /** A name of `WebMedia`. Without one the alternative text is shown. */
  readonly media?: string
  readonly alternative: string
  /** The page says that the picture means nothing. */
  readonly isDecoration?: boolean
  /** What attributes or the kind of the element say of its size; styles win. */
  readonly width?: Pt
  readonly height?: Pt
  /** A control of a form that is drawn as a box, or the icon of a picture that cannot be shown. */
  readonly control?: 'checkbox' | 'checked' | 'radio' | 'selected' | 'arrow' | 'broken'
}

export interface TableBox {
  readonly kind: 'table'
  readonly style: ComputedStyle
  readonly captions: readonly BlockBox[]
  /** The widths of columns as `col` elements declare them. */
  readonly columns: readonly (ComputedStyle | undefined)[]
  readonly rows: readonly RowBox[]
  readonly id?: string
  /** What its `role` attribute says. */
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

/** What an inline element gives to everything inside it. */
export interface InlineState {
  readonly style: ComputedStyle
  /** How far the text is raised above the baseline of the block, pt. */
  readonly rise: Pt
  readonly decorations: readonly TextDecoration[]
  /** The link around, one object for all of its parts. */
  readonly link?: WebLink
}

export type InlineItem =
  | { readonly kind: 'text'; readonly text: string; readonly state: InlineState }
  | { readonly kind: 'open' | 'close'; readonly state: InlineState }
  | { readonly kind: 'break'; readonly state: InlineState }
  | { readonly kind: 'atomic'; readonly box: LayoutBox; readonly state: InlineState }
  | { readonly kind: 'out-of-flow'; readonly box: OutOfFlowBox; readonly state: InlineState }
  | { readonly kind: 'mark'; readonly id: string; readonly state: InlineState }
  /** The marker of a list item, which stands before the first line and takes no width in it. */
  | { readonly kind: 'marker'; readonly marker: Marker; readonly state: InlineState }

export type Marker =
  | { readonly shape: 'disc' | 'circle' | 'square' }
  | { readonly shape: 'text'; readonly text: string }

/**
 * The fragment tree, which is the result of the layout of a web page: positioned boxes in one continuous column.
 * `paginate.ts` breaks the column into pages, and `draw-pages.ts` draws them. Plain data; lengths in pt, positions from the
 * top left corner of the parent's border box.
 */
import type { Colour, Matrix, Placed, Pt } from '../frame.ts'
import type { OutOfFlowBox } from './box.ts'
import type { CornerRadii } from './corners.ts'
import type { Gradient } from './gradient.ts'
import type { Shadow } from './shadow.ts'

export interface Edges {
  readonly top: Pt
  readonly right: Pt
  readonly bottom: Pt
  readonly left: Pt
}
export const noEdges: Edges = { top: 0, right: 0, bottom: 0, left: 0 }

export type LineStyle = 'solid' | 'dashed' | 'dotted' | 'double'
export interface BorderSide {
  readonly width: Pt
  readonly style: LineStyle
  readonly colour: Colour
}
export interface Borders {
  readonly top?: BorderSide
  readonly right?: BorderSide
  readonly bottom?: BorderSide
  readonly left?: BorderSide
}

/** How the border box of a fragment is painted. */
export interface BoxPaint {
  readonly background?: Colour
  readonly gradient?: Gradient
  readonly borders?: Borders
  /** Borders are centred on the edges of the box, as in a table with collapsed borders. */
  readonly centred?: boolean
  readonly radii?: CornerRadii
  readonly shadows?: readonly Shadow[]
}

/**
 * The fragment of a float or of a positioned box. It moves to the next page with the content after the first `after`
 * children.
 */
export interface OutOfFlowFragment {
  readonly fragment: Fragment
  readonly after: number
}

/** An effect that applies to a box with all its content. */
export interface Effect {
  readonly opacity?: number
  /** From the top left corner of the border box. */
  readonly transform?: Matrix
}

/** `column` breaks between columns only. A break between pages is one between columns too. */
export type BreakRule = 'auto' | 'page' | 'column' | 'avoid'

/** The columns of a multi-column box. Its one child is the content, laid out in one column. */
export interface ColumnSet {
  readonly count: number
  /** The distance between the left edges of two columns. */
  readonly step: Pt
  /** The line in the middle between two columns. */
  readonly rule?: BorderSide
}

export interface Fragment {
  /**
   * box: children below each other.
   * row: children side by side, each broken over pages independently.
   * lines: the line boxes of one paragraph.
   * leaf: never broken.
   * columns: one child, broken over the columns of `columnSet`. The height is that of the columns on a page that holds them.
   */
  readonly kind: 'box' | 'row' | 'lines' | 'leaf' | 'columns'
  x: Pt
  y: Pt
  readonly width: Pt
  readonly height: Pt
  readonly children: readonly Fragment[]
  readonly boxPaint?: BoxPaint
  readonly effect?: Effect
  /** Floats and positioned boxes, drawn above the children. */
  readonly outOfFlow?: readonly OutOfFlowFragment[]
  /** The offset of relative positioning, which does not affect the flow. */
  readonly shift?: { readonly x: Pt; readonly y: Pt }
  /** Marks an empty fragment as the static position of this box, until its containing block has been laid out. */
  readonly placeholderFor?: OutOfFlowBox
  /** The items of a leaf, from its top left corner. */
  readonly items?: readonly Placed[]
  readonly columnSet?: ColumnSet
  readonly breakBefore?: BreakRule
  readonly breakAfter?: BreakRule
  readonly avoidBreakInside?: boolean // `break-inside: avoid`
  /** The bottom padding and border, which stay on the page of the last line. Undefined if the height is not automatic. */
  readonly endEdge?: Pt
  /** The top margin, with those that collapse with it, which a page keeps after a forced break. */
  marginAbove?: Pt
  /**
   * The ends of the content and of the padding below it, where that may stand alone on the next page, but only if the box fills
   * its page.
   */
  readonly loneEdge?: { readonly from: Pt; readonly to: Pt }
  readonly orphans?: number
  readonly widows?: number
  /** The header rows to repeat at the top of each page on which the table continues. */
  readonly repeatedHeader?: Fragment
  /** The footer rows to repeat below the last row of each page from which the table continues. */
  readonly repeatedFooter?: Fragment
  /** The distance from the left edge of a line to the right end of its text. */
  readonly textExtent?: Pt
  /** Overflowing content is clipped. */
  readonly clips?: boolean
  /** The round corners of a box that clips its content. */
  readonly clipRadii?: CornerRadii
  /** The distance from the top of the fragment to its first baseline; undefined if it has none. */
  readonly baseline?: Pt
  /** The distance to its last baseline. */
  readonly lastBaseline?: Pt
}

/** Returns the fragment with its content moved by an offset. */
export function withContentMoved(fragment: Fragment, dx: Pt, dy: Pt): Fragment {
  if (dx === 0 && dy === 0) return fragment
  const moved = (inner: Fragment): Fragment => ({ ...inner, x: inner.x + dx, y: inner.y + dy })
  return {
    ...fragment,
    children: fragment.children.map(moved),
    ...(fragment.outOfFlow !== undefined && {
      outOfFlow: fragment.outOfFlow.map((outOfFlowFragment) => ({
        ...outOfFlowFragment,
        fragment: moved(outOfFlowFragment.fragment),
      })),
    }),
  }
}

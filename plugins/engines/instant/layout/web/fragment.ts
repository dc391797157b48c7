/**
 * What the layout of a web page makes: boxes with positions in one endless column. `paginate.ts` cuts the column into
 * pages, and `draw-pages.ts` turns both into frames. Plain data; lengths in points, positions from the top left of the
 * border box of the parent.
 */
import type { Colour, Matrix, Placed, Pt } from '../frame.ts'
import type { OutOfFlowBox } from './box.ts'
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
  /** Borders are centred on the edges of the box, as those of tables with collapsed borders. */
  readonly centred?: boolean
  readonly radius?: Pt
  readonly shadows?: readonly Shadow[]
}

/** A box out of the flow. It moves to the next page with what follows the first `after` children. */
export interface OutOfFlowFragment {
  readonly fragment: Fragment
  readonly after: number
}

/** What happens to a box with everything in it when it is drawn. */
export interface Effect {
  readonly opacity?: number
  /** Around the top left of its border box. */
  readonly transform?: Matrix
}

export type BreakRule = 'auto' | 'page' | 'avoid'

export interface Fragment {
  /**
   * box: its children follow each other. row: its children stand side by side and are cut independently of each other.
   * lines: its children are lines of one paragraph. leaf: it is never cut.
   */
  readonly kind: 'box' | 'row' | 'lines' | 'leaf'
  x: Pt
  y: Pt
  readonly width: Pt
  readonly height: Pt
  readonly children: readonly Fragment[]
  readonly boxPaint?: BoxPaint
  readonly effect?: Effect
  /** Boxes out of the flow, which are drawn over the children. */
  readonly outOfFlow?: readonly OutOfFlowFragment[]
  /** Where the box is drawn from the place that it takes in the flow. */
  readonly shift?: { readonly x: Pt; readonly y: Pt }
  /** Holds the place of a box whose position depends on a box around it. */
  readonly placeholderFor?: OutOfFlowBox
  /** What a leaf draws, from its top left. */
  readonly items?: readonly Placed[]
  readonly breakBefore?: BreakRule
  readonly breakAfter?: BreakRule
  readonly avoidBreakInside?: boolean // avoid a break inside
  readonly orphans?: number
  readonly widows?: number
  /** The rows that are drawn again at the top of each page on which the box continues. */
  readonly repeatedHeader?: Fragment
  /** How far text reaches to the right of the left side of a line. */
  readonly textExtent?: Pt
  /** What reaches out of the box is not shown. */
  readonly clips?: boolean
  /** The distance from the top of the fragment to the first baseline in it; absent where it has none. */
  readonly baseline?: Pt
}

/** The fragment with everything in it moved. */
export function withContentMoved(fragment: Fragment, dx: Pt, dy: Pt): Fragment {
  if (dx === 0 && dy === 0) return fragment
  const moved = (one: Fragment): Fragment => ({ ...one, x: one.x + dx, y: one.y + dy })
  return {
    ...fragment,
    children: fragment.children.map(moved),
    ...(fragment.outOfFlow !== undefined && {
      outOfFlow: fragment.outOfFlow.map((one) => ({ ...one, fragment: moved(one.fragment) })),
    }),
  }
}

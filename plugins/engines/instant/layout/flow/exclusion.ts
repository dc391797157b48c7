import type { Pt } from '../frame.ts'

/** A box that text must not enter, in page coordinates. */
export interface Exclusion {
  readonly left: Pt
  readonly top: Pt
  readonly right: Pt
  readonly bottom: Pt
  /**
   * The sides on which text may run: the wider one for 'largest' and 'wide-enough', for the latter only if it is
   * wide enough.
   */
  readonly side: 'both' | 'left' | 'right' | 'largest' | 'wide-enough' | 'none'
  /**
   * How a table avoids the box: below it, or to the right of it. `left` and `right` are the box without its
   * distances. Absent: tables run through.
   */
  readonly tables?: { readonly to: 'below' | 'behind'; readonly left: Pt; readonly right: Pt }
  /** The box is that of a floating table. */
  readonly ofTable?: boolean
  /** The part of the box at its bottom that is only distance to the text. */
  readonly gap?: Pt
  /** Text comes as near as this outline inside the box, except for the distances at its sides. */
  readonly contour?: Contour
}

/** An outline on the page. `points` alternates x and y; `left` and `right` are distances to the text. */
export interface Contour {
  readonly points: readonly Pt[]
  readonly left: Pt
  readonly right: Pt
}

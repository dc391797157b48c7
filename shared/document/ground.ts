import type { Gradient } from './drawing.ts'
import type { Color } from './properties.ts'

/** A fill of a shape, or a background of a page or text, that is more than one colour. */
export type Ground = PictureGround | HatchGround | { readonly kind: 'gradient'; readonly gradient: Gradient }

export interface PictureGround {
  readonly kind: 'picture'
  readonly media: string // name in Document.media
  /**
   * Whether one copy is scaled to the box, copies are tiled over all of it, or one copy is drawn at its size.
   */
  readonly how: 'stretch' | 'tile' | 'once'
  /** Size of one copy; absent: the natural size of the picture. */
  readonly width?: GroundLength
  readonly height?: GroundLength
  /** Scale factors of the natural size. */
  readonly scale?: { readonly x: number; readonly y: number }
  /**
   * Alignment point, as shares of width and height: this point of the first copy is placed on the same point
   * of the box.
   */
  readonly at: { readonly x: number; readonly y: number }
  /** Offset from the alignment point, in points or as a share of the size of one copy. */
  readonly shift?: { readonly x: GroundLength; readonly y: GroundLength }
  readonly opacity?: number
}
export type GroundLength = { readonly pt: number } | { readonly share: number }

/** Thin parallel lines drawn over the fill colour. */
export interface HatchGround {
  readonly kind: 'hatch'
  readonly color: Color
  /** One set of lines for each angle, in degrees counter-clockwise; 0 is horizontal. */
  readonly angles: readonly number[]
  readonly distance: number // pt
  readonly opacity?: number
}

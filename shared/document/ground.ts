import type { Gradient } from './drawing.ts'
import type { Color } from './properties.ts'

/** What fills a shape, or lies behind a page or text, where it is more than one colour. */
export type Ground = PictureGround | HatchGround | { readonly kind: 'gradient'; readonly gradient: Gradient }

export interface PictureGround {
  readonly kind: 'picture'
  readonly media: string // name in Document.media
  /** As large as its box, side by side over all of it, or one alone. */
  readonly how: 'stretch' | 'tile' | 'once'
  /** Absent: its own size. */
  readonly width?: GroundLength
  readonly height?: GroundLength
  /** Factors of its own size. */
  readonly scale?: { readonly x: number; readonly y: number }
  /** This point of a picture lies on the same point of the box; shares of both. */
  readonly at: { readonly x: number; readonly y: number }
  /** Moved on from there: pt, or a share of the size of a picture. */
  readonly shift?: { readonly x: GroundLength; readonly y: GroundLength }
  readonly opacity?: number
}
export type GroundLength = { readonly pt: number } | { readonly share: number }

/** Thin lines on what there is below. */
export interface HatchGround {
  readonly kind: 'hatch'
  readonly color: Color
  /** Of these angles, degrees against the clock; 0 is level. */
  readonly angles: readonly number[]
  readonly distance: number // pt
  readonly opacity?: number
}

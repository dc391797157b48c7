import type { Color, Gradient, PictureAdjust } from './paint.ts'

/** A fill of a shape, or a background of a page or text, that is more than one colour. */
export type Background =
  | PictureBackground
  | HatchBackground
  | { readonly kind: 'gradient'; readonly gradient: Gradient }

/** A picture behind content, repeated, stretched or placed once. */
export interface PictureBackground {
  readonly kind: 'picture'
  readonly media: string // name in Document.media
  /**
   * Whether one copy is scaled to the box, copies are tiled over all of it, or one copy is drawn at its size.
   */
  readonly sizing: 'stretch' | 'tile' | 'once'
  /** Size of one copy; absent: the natural size of the picture. */
  readonly width?: BackgroundLength
  readonly height?: BackgroundLength
  /** Scale factors of the natural size. */
  readonly scale?: { readonly x: number; readonly y: number }
  /**
   * Alignment point, as shares of width and height: this point of the first copy is placed on the same point
   * of the box.
   */
  readonly at: { readonly x: number; readonly y: number }
  /** Offset from the alignment point, in points or as a share of the size of one copy. */
  readonly shift?: { readonly x: BackgroundLength; readonly y: BackgroundLength }
  readonly opacity?: number
  readonly adjust?: PictureAdjust
}
export type BackgroundLength = { readonly pt: number } | { readonly share: number }

/** Thin parallel lines drawn over the fill colour. */
export interface HatchBackground {
  readonly kind: 'hatch'
  readonly color: Color
  /** One set of lines for each angle, in degrees counter-clockwise; 0 is horizontal. */
  readonly angles: readonly number[]
  readonly distance: number // pt
  readonly opacity?: number
}

/** One colour that what is behind it shines through. `opacity`: 0 to 1. */
export function translucent(color: Color, opacity: number): Background {
  const stops = [
    { at: 0, color },
    { at: 1, color },
  ]
  return {
    kind: 'gradient',
    gradient: { kind: 'linear', angle: 0, centre: { x: 0.5, y: 0.5 }, stops, opacity },
  }
}

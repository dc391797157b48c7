/** Colours, gradients and lines: what areas are filled and outlined with. */

/** 'auto' or six upper-case hexadecimal digits. */
export type Color = string

/** A gradient over the box that it fills. */
export interface Gradient {
  readonly kind: 'linear' | 'radial'
  /** Linear: direction from the first to the last stop, in degrees clockwise from the positive x axis. */
  readonly angle: number
  /** Radial: the centre, as shares of the box's width and height. */
  readonly centre: { readonly x: number; readonly y: number }
  /** Stops in ascending order of `at`, the share of the gradient's length, 0 to 1. */
  readonly stops: readonly { readonly at: number; readonly color: Color }[]
  readonly opacity?: number
}

/** The outline of a shape; `width` is in points. */
export interface Stroke {
  readonly color: Color
  readonly width: number
  readonly dash: 'solid' | 'dotted' | 'dashed' | 'dot-dash'
  /** Lengths of dashes and gaps as multiples of the line width; takes precedence over `dash`. */
  readonly pattern?: readonly number[]
  readonly join?: 'round' | 'bevel' | 'miter'
  readonly opacity?: number
  readonly startArrow?: ArrowHead
  readonly endArrow?: ArrowHead
}

/** An arrow head at the end of a line; sizes are multiples of the line width. */
export interface ArrowHead {
  readonly kind: 'triangle' | 'stealth' | 'diamond' | 'oval' | 'open'
  readonly width: number
  readonly length: number
}

/**
 * Colour changes of a picture. The `kind` is applied first, then brightness and contrast (-1 to 1; 0 leaves
 * the picture unchanged).
 */
export interface PictureAdjust {
  readonly kind?: 'grey' | 'two-tone' | 'duotone' | 'inverted'
  readonly threshold?: number // for 'two-tone': luminance that separates black from white, 0 to 1
  readonly dark?: Color // for 'duotone': colour of the darkest pixels
  readonly light?: Color
  readonly brightness: number
  readonly contrast: number
}

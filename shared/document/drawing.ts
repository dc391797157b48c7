import type { Chart } from './chart.ts'
import type { Block, Link } from './document.ts'
import type { Ground } from './ground.ts'
import type { MathNode } from './math.ts'
import type { Border, Color, ParagraphBorders } from './properties.ts'
import type { Columns } from './section.ts'
import type { Sides } from './table.ts'

/** A picture, shape, text box or group, in the text or beside it. */
export interface Drawing {
  readonly width: number
  readonly height: number
  /** Room around the drawing that effects need; part of an inline drawing's box. */
  readonly extent?: Sides
  readonly rotation: number // degrees, clockwise
  /** Inline: as wide as this share of the line. */
  readonly lineShare?: number
  /** The height keeps its proportion to that width (ODF). */
  readonly lineScales?: boolean
  /** Inline: how far its box reaches below the baseline (ODF); absent: it stands on it. */
  readonly drop?: number
  /** Inline: the share of what its text adds to its height that reaches below, too (ODF). */
  readonly dropGrows?: number
  /** Inline: in line with the top, middle or foot of its line (ODF). */
  readonly lineAlign?: 'top' | 'center' | 'bottom'
  readonly anchor?: Anchor // absent: inline, stands on the baseline
  readonly content: DrawingContent
  readonly description?: string
  readonly link?: Link
}

export type DrawingContent =
  | Picture
  | Shape
  | { readonly kind: 'group'; readonly children: readonly GroupChild[] }
  | { readonly kind: 'chart'; readonly chart: Chart }
  | MathContent
  | RubyContent
  | { readonly kind: 'unknown'; readonly what: string } // named in a warning, drawn as an empty box

/** A drawing of no width takes the size of its text, in the look of the text it stands in. */
export interface RubyContent {
  readonly kind: 'ruby'
  readonly base: string
  readonly above: string
  readonly look?: {
    readonly family: string
    readonly size: number
    readonly bold: boolean
    readonly italic: boolean
    readonly color: Color
  }
}

/** A drawing of no width takes the size of its equation. */
export interface MathContent {
  readonly kind: 'math'
  readonly math: MathNode
  readonly display: boolean // on a line of its own
  readonly size?: number // pt
  readonly color?: Color
}

export interface GroupChild {
  readonly x: number
  readonly y: number
  readonly drawing: Drawing
}

export interface Picture {
  readonly kind: 'picture'
  readonly media: string // name in Document.media; '' when the picture is missing
  /** Shares of the picture that are cut off, 0 to 1. */
  readonly crop?: Sides
  /** The same in points of the picture's own size (ODF). */
  readonly cut?: Sides
  readonly border?: Border
  readonly flipHorizontal?: boolean
  readonly flipVertical?: boolean
  readonly opacity?: number
  readonly adjust?: PictureAdjust
  /** ODF: lines inside its box, and how far in the picture stands. */
  readonly boxed?: Boxed
  /** The picture is cut to this outline; absent: its box. */
  readonly outline?: Geometry
  readonly shadow?: Shadow
}

/** What falls behind a shape: its outline, moved by this much; `blur` is how far its edge reaches out. */
export interface Shadow {
  readonly x: number
  readonly y: number
  readonly blur: number
  readonly color: Color
  readonly opacity: number
}

/** How the colours of a picture are changed: first the kind, then brightness and contrast (-1 to 1, 0 is none). */
export interface PictureAdjust {
  readonly kind?: 'grey' | 'two-tone' | 'duotone' | 'inverted'
  readonly threshold?: number // of two tones, 0 to 1
  readonly dark?: Color // of a duotone
  readonly light?: Color
  readonly brightness: number
  readonly contrast: number
}

export interface Shape {
  readonly kind: 'shape'
  readonly geometry: Geometry
  readonly fill?: Color
  readonly fillOpacity?: number
  /** Wins over `fill`, which stands for it where gradients cannot be drawn. */
  readonly gradient?: Gradient
  /** Lies on the colour. */
  readonly ground?: Ground
  readonly stroke?: Stroke
  readonly shadow?: Shadow
  /** ODF: lines inside the box. */
  readonly boxed?: Boxed
  readonly text?: ShapeText
  /** One line of text stretched over the box (watermarks). */
  readonly wordArt?: WordArt
  readonly flipHorizontal?: boolean
  readonly flipVertical?: boolean
}

export interface Boxed {
  readonly lines: ParagraphBorders
  /** Lines and distances together. */
  readonly insets: Required<Sides>
}

export interface Gradient {
  readonly kind: 'linear' | 'radial'
  /** Linear: the way the colours go, degrees clockwise from the right. */
  readonly angle: number
  /** Radial: the centre, as shares of the box. */
  readonly centre: { readonly x: number; readonly y: number }
  /** Growing shares of the way, at least two. */
  readonly stops: readonly { readonly at: number; readonly color: Color }[]
  readonly opacity?: number
}

export interface WordArt {
  readonly text: string
  readonly color: Color
  readonly stroke?: Stroke
  readonly opacity: number
  readonly family: string
  readonly bold: boolean
  readonly italic: boolean
}

export type Geometry =
  | { readonly kind: 'preset'; readonly name: string; readonly adjust: ReadonlyMap<string, number> }
  /** Points as shares of width and height. */
  | {
      readonly kind: 'path'
      readonly segments: readonly PathSegment[]
      /** Lines on top that nothing is filled by. */
      readonly lines?: readonly PathSegment[]
    }

/** `points` are x, y pairs as shares of the shape's box: one for move and line, three for curve, none for close. */
export interface PathSegment {
  readonly kind: 'move' | 'line' | 'curve' | 'close'
  readonly points: readonly number[]
}

export interface Stroke {
  readonly color: Color
  readonly width: number
  readonly dash: 'solid' | 'dotted' | 'dashed' | 'dot-dash'
  /** Lines and gaps in widths of the line; wins over `dash`. */
  readonly pattern?: readonly number[]
  readonly join?: 'round' | 'bevel' | 'miter'
  readonly opacity?: number
  readonly startArrow?: ArrowHead
  readonly endArrow?: ArrowHead
}

/** What stands at the end of a line; sizes in widths of the line. */
export interface ArrowHead {
  readonly kind: 'triangle' | 'stealth' | 'diamond' | 'oval' | 'open'
  readonly width: number
  readonly length: number
}

export interface ShapeText {
  readonly blocks: readonly Block[]
  readonly insets: Required<Sides>
  readonly align: 'top' | 'center' | 'bottom'
  /** The shape grows with its text. */
  readonly grows: boolean
  readonly direction: 'horizontal' | 'up' | 'down'
  readonly wraps: boolean
  /** ODF frames. */
  readonly columns?: Columns
  /** ODF frames: least height when it grows. */
  readonly minHeight?: number
}

export interface Anchor {
  readonly x: Place<
    | 'page'
    | 'margin'
    | 'column'
    | 'character'
    | 'left-margin'
    | 'right-margin'
    | 'inside'
    | 'outside'
    /** Between the indents of the paragraph, or in one of them (ODF). */
    | 'paragraph'
    | 'start-indent'
    | 'end-indent'
  >
  readonly y: Place<
    | 'page'
    | 'margin'
    /** With the paragraph's own space before, or without (ODF). */
    | 'paragraph'
    | 'paragraph-text'
    | 'line'
    | 'top-margin'
    | 'bottom-margin'
    | 'inside'
    | 'outside'
  >
  readonly wrap: 'none' | 'square' | 'tight' | 'through' | 'top-bottom'
  /** 'roomy': the wider side when it leaves text two centimetres (ODF). */
  readonly wrapSide: 'both' | 'left' | 'right' | 'largest' | 'roomy'
  readonly distance: Required<Sides>
  readonly behind: boolean
  readonly order: number // later is above
  /** ODF: stands on this sheet of the document, from 1, whatever text is there. */
  readonly sheet?: number
  /** ODF: moved as far as it takes to stand on the sheet as a whole. */
  readonly staysOnSheet?: boolean
  readonly allowOverlap: boolean
  readonly layoutInCell: boolean
  /** Outline for tight wrapping, as shares of the box. */
  readonly outline?: readonly number[]
  /** `scales`: the height keeps its proportion (ODF). */
  readonly relativeWidth?: {
    readonly of: 'page' | 'margin'
    readonly share: number
    readonly scales?: boolean
  }
  readonly relativeHeight?: { readonly of: 'page' | 'margin'; readonly share: number }
}

/** Either an offset or an alignment, within the thing named by `from`. */
export interface Place<From extends string> {
  readonly from: From
  readonly offset?: number
  readonly align?: 'start' | 'center' | 'end' | 'inside' | 'outside'
  readonly share?: number // offset as a share of `from`
  /** Distance kept from the edge it is aligned with (ODF). */
  readonly inset?: { readonly start: number; readonly end: number }
}

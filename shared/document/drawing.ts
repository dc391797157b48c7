import type { Background } from './background.ts'
import type { Columns, Sides } from './box.ts'
import type { Chart } from './chart.ts'
import type { Block } from './content.ts'
import type { FormField } from './form-field.ts'
import type { MathNode } from './math.ts'
import type { Color, Gradient, PictureAdjust, Stroke } from './paint.ts'
import type { Border, Link, ParagraphBorders } from './properties.ts'

/** A picture, shape, text box, group, chart or equation, either inline or anchored beside the text. */
export interface Drawing {
  readonly width: number
  readonly height: number
  /** Margins that shadows and other effects need; they are part of an inline drawing's box. */
  readonly extent?: Sides
  readonly rotation: number // degrees, clockwise
  /** Inline: width as a share of the available line width. */
  readonly lineShare?: number
  /** Inline: a horizontal rule, whose line is as tall as text at least (Word). */
  readonly isRule?: boolean
  /** The height scales with `lineShare`, so that the aspect ratio is kept (ODF). */
  readonly lineScales?: boolean
  /**
   * Inline: distance that the box reaches below the baseline (ODF); absent: its bottom edge lies on the
   * baseline.
   */
  readonly drop?: number
  /**
   * Inline: when the box grows with its text, the share of the added height that goes below the baseline
   * (ODF).
   */
  readonly dropGrows?: number
  /** Inline: vertical alignment within the line box (ODF). */
  readonly lineAlign?: 'top' | 'center' | 'bottom'
  readonly anchor?: Anchor // absent: inline, on the baseline
  readonly content: DrawingContent
  readonly description?: string
  readonly link?: Link
}

/** The content of a drawing. */
export type DrawingContent =
  | Picture
  | Shape
  | { readonly kind: 'group'; readonly children: readonly GroupChild[] }
  | { readonly kind: 'chart'; readonly chart: Chart }
  | MathContent
  | RubyContent
  | { readonly kind: 'unknown'; readonly what: string } // drawn as an empty box; `what` names it in a warning

/**
 * A phonetic guide. A drawing of width 0 takes the size of its text; without `look` it uses the text style of
 * the surrounding text.
 */
export interface RubyContent {
  readonly kind: 'ruby'
  readonly base: string
  readonly above: string
  readonly textStyle?: {
    readonly family: string
    readonly size: number
    readonly bold: boolean
    readonly italic: boolean
    readonly color: Color
  }
}

/** An equation. A drawing of width 0 takes the size of its equation. */
export interface MathContent {
  readonly kind: 'math'
  readonly math: MathNode
  readonly display: boolean // on a line of its own
  readonly size?: number // pt
  readonly color?: Color
}

/** A member of a group, positioned in points from the top left corner of the group. */
export interface GroupChild {
  readonly x: number
  readonly y: number
  readonly drawing: Drawing
}

/** A raster or vector picture. */
export interface Picture {
  readonly kind: 'picture'
  readonly media: string // name in Document.media; '' when the picture is missing
  /** Cropped shares of the picture's width and height, 0 to 1; negative values add empty space. */
  readonly crop?: Sides
  /** The same in points, at the natural size of the picture (ODF). */
  readonly cut?: Sides
  readonly border?: Border
  readonly flipHorizontal?: boolean
  readonly flipVertical?: boolean
  readonly opacity?: number
  readonly adjust?: PictureAdjust
  /** ODF: borders inside the drawing's box, and the insets of the picture. */
  readonly boxed?: Boxed
  /** The picture is clipped to this outline; absent: to its box. */
  readonly outline?: Geometry
  readonly shadow?: DrawingShadow
  /** What an equation editor shows of an equation that is embedded as an object. */
  readonly isEquation?: true
}

/**
 * A drop shadow: the outline of the shape, moved by `x` and `y` (pt). `blur` is the distance that its soft
 * edge extends.
 */
export interface DrawingShadow {
  readonly x: number
  readonly y: number
  readonly blur: number
  readonly color: Color
  readonly opacity: number
}

/** A shape, which may hold text. */
export interface Shape {
  readonly kind: 'shape'
  readonly geometry: Geometry
  readonly fill?: Color
  readonly fillOpacity?: number
  /** Takes precedence over `fill`, which renderers without gradients use instead. */
  readonly gradient?: Gradient
  /** A picture or hatch painted over the fill colour. */
  readonly background?: Background
  readonly stroke?: Stroke
  readonly shadow?: DrawingShadow
  /** ODF: borders inside the box. */
  readonly boxed?: Boxed
  readonly text?: ShapeText
  /** The shape is this field, or the label of this button. */
  readonly field?: FormField
  /** One line of text that is scaled to fill the box, as watermarks use it. */
  readonly wordArt?: WordArt
  readonly flipHorizontal?: boolean
  readonly flipVertical?: boolean
}

/** Borders and padding that lie inside a drawing's box (ODF frames, and VML text boxes). */
export interface Boxed {
  readonly lines: ParagraphBorders
  /** Border width plus padding of each side. */
  readonly insets: Required<Sides>
}

/** One line of text that is scaled to fill the box of its shape. */
export interface WordArt {
  readonly text: string
  readonly color: Color
  readonly stroke?: Stroke
  readonly opacity: number
  readonly family: string
  readonly bold: boolean
  readonly italic: boolean
}

/** The outline of a shape: a preset by name, or paths. */
export type Geometry =
  /** A shape of ST_ShapeType (ECMA-376-1 20.1.10.56). `adjust` holds the adjust values that the document sets. */
  | { readonly kind: 'preset'; readonly name: string; readonly adjust: ReadonlyMap<string, number> }
  /** A shape that the document defines by formulas, which depend on its size (a:custGeom). */
  | { readonly kind: 'custom'; readonly definition: ShapeDefinition }
  /** A path whose points are shares of the shape's width and height. */
  | {
      readonly kind: 'path'
      readonly segments: readonly PathSegment[]
      /** Segments that are stroked on top but not filled. */
      readonly lines?: readonly PathSegment[]
      /** Left, top, right and bottom of the text rectangle, as shares of the box; absent: the box. */
      readonly textArea?: readonly [left: number, top: number, right: number, bottom: number]
    }

/**
 * A shape defined by formulas (ECMA-376-1 20.1.9). Every operand is a number or the name of a guide, as it is
 * written in the file; the lengths that it stands for are EMU.
 */
export interface ShapeDefinition {
  /** Adjust values with their defaults (a:avLst). */
  readonly adjust: readonly Guide[]
  /** Guides in the order of evaluation: a formula refers to guides before it (a:gdLst). */
  readonly guides: readonly Guide[]
  /** Left, top, right and bottom of the text rectangle (a:rect); absent: the box of the shape. */
  readonly text?: readonly [left: string, top: string, right: string, bottom: string]
  readonly paths: readonly DefinedPath[]
}

/** A named value (a:gd, 20.1.9.11): the result of an operator, such as '+-', with up to three operands. */
export interface Guide {
  readonly name: string
  readonly operator: string
  readonly operands: readonly string[]
}

/** One path of a shape definition (a:path, 20.1.9.15). */
export interface DefinedPath {
  /** Size of the coordinate space of the path; absent: the size of the shape in EMU. */
  readonly width?: number
  readonly height?: number
  readonly fill: PathFill
  readonly stroked: boolean
  readonly commands: readonly DefinedCommand[]
}

/** Whether a path is filled, and with which shade of the shape's fill (ST_PathFillMode, 20.1.10.37). */
export type PathFill = 'norm' | 'none' | 'lighten' | 'lightenLess' | 'darken' | 'darkenLess'

/**
 * M, L, C, Q: points as in SVG paths, absolute. A: an elliptical arc from the current point, with both radii, the
 * start angle and the swing angle in 60,000ths of a degree (a:arcTo, 20.1.9.4). Z: closes the subpath.
 */
export interface DefinedCommand {
  readonly kind: 'M' | 'L' | 'C' | 'Q' | 'A' | 'Z'
  readonly operands: readonly string[]
}

/**
 * One segment of a path. `points` holds x, y pairs as shares of the shape's box: one pair for a move or line,
 * three for a curve, none for a close.
 */
export interface PathSegment {
  readonly kind: 'move' | 'line' | 'curve' | 'close'
  readonly points: readonly number[]
}

/** Text inside a shape or text box. */
export interface ShapeText {
  readonly blocks: readonly Block[]
  readonly insets: Required<Sides>
  readonly align: 'top' | 'center' | 'bottom'
  /** The shape grows in height with its text. */
  readonly grows: boolean
  readonly direction: 'horizontal' | 'up' | 'down'
  /** Degrees by which the text is rotated clockwise in its shape, around the middle of its box. */
  readonly turn?: number
  /** False: lines break only at manual breaks. */
  readonly wraps: boolean
  /** ODF frames: text columns. */
  readonly columns?: Columns
  /** ODF frames: minimum height when the frame grows with its text. */
  readonly minHeight?: number
  /** Slides: text that is taller than its box gets a smaller size, until it fits. */
  readonly shrinks?: boolean
  /** Slides: the lines stand as one block in the middle or at the end of the box. */
  readonly block?: 'center' | 'right'
  /** Slides: the text has the whole box of the shape, not the area that the outline leaves for text. */
  readonly fillsBox?: boolean
  /** Slides: text that is larger than its box keeps its alignment and sticks out on both sides. */
  readonly sticksOut?: boolean
}

/** Position of a floating drawing, and how text flows around it. */
export interface Anchor {
  readonly x: AnchorPosition<
    | 'page'
    | 'margin'
    | 'column'
    | 'character'
    | 'left-margin'
    | 'right-margin'
    | 'inside'
    | 'outside'
    /** The paragraph between its indents, or one of its indents (ODF). */
    | 'paragraph'
    | 'start-indent'
    | 'end-indent'
  >
  readonly y: AnchorPosition<
    | 'page'
    | 'margin'
    /** The top of the paragraph, including or excluding its space before (ODF). */
    | 'paragraph'
    | 'paragraph-text'
    | 'line'
    | 'top-margin'
    | 'bottom-margin'
    | 'inside'
    | 'outside'
  >
  readonly wrap: 'none' | 'square' | 'tight' | 'through' | 'top-bottom'
  /**
   * Side of the drawing that text may use. 'wide-enough': the wider side, if it is at least two centimetres wide
   * (ODF).
   */
  readonly wrapSide: 'both' | 'left' | 'right' | 'largest' | 'wide-enough'
  readonly distance: Required<Sides>
  readonly behind: boolean
  readonly order: number // stacking order: higher values are drawn on top
  /** ODF: number of the page that the drawing is anchored to, from 1, independent of the text. */
  readonly sheet?: number
  /** ODF: the drawing is moved so that it lies completely on the page. */
  readonly staysOnSheet?: boolean
  readonly allowOverlap: boolean
  readonly layoutInCell: boolean
  /** Outline for tight wrapping: x, y pairs as shares of the box. */
  readonly outline?: readonly number[]
  /**
   * Width as a share of the page or of the text area between the margins. `scales`: the height follows, so
   * that the aspect ratio is kept (ODF).
   */
  readonly relativeWidth?: {
    readonly of: 'page' | 'margin'
    readonly share: number
    readonly scales?: boolean
  }
  readonly relativeHeight?: { readonly of: 'page' | 'margin'; readonly share: number }
}

/**
 * A horizontal or vertical position: an offset in points or an alignment, relative to the area named by
 * `from`.
 */
export interface AnchorPosition<From extends string> {
  readonly from: From
  readonly offset?: number
  readonly align?: 'start' | 'center' | 'end' | 'inside' | 'outside'
  readonly share?: number // offset as a share of the size of `from`
  /** Distance to the edges of `from` that an aligned drawing keeps (ODF). */
  readonly inset?: { readonly start: number; readonly end: number }
}

import type { Inline, PositionedTab } from '../../../../../shared/document/content.ts'
import type { Drawing } from '../../../../../shared/document/drawing.ts'
import type { FormField } from '../../../../../shared/document/form-field.ts'
import type { Link, TabStop } from '../../../../../shared/document/properties.ts'
import type { Face } from '../../fonts/face.ts'
import type { ComputedParagraph, ComputedRun } from '../../style/computed.ts'
import type { ShapingStyle } from '../../text/shape.ts'
import type { Colour, Placed, Pt } from '../frame.ts'

/**
 * The text style of a run resolved to one face: what shaping, measuring and drawing need. One object for
 * equal styles, so compare by identity.
 */
export interface TextStyle {
  readonly run: ComputedRun
  /** The requested face; fallback faces do not make a line taller. */
  readonly face: Face
  readonly shaping: ShapingStyle
  /** The drawn size: smaller for small capitals, superscript and subscript. */
  readonly size: Pt
  /** Includes the line gap when the document settings ask for it. */
  readonly ascent: Pt
  readonly descent: Pt
  /** How far the baseline is raised; negative for subscript. */
  readonly rise: Pt
  readonly colour: Colour
  readonly kind: TextStyleKind
}
/**
 * Which font of the run applies: the one for Latin text, small capitals, East Asian, complex scripts, or
 * other characters.
 */
export type TextStyleKind = 'plain' | 'small' | 'east-asian' | 'complex' | 'other'

/**
 * A text segment: the smallest part of a line, such as a word or part of one, a run of spaces, a tab or a
 * box.
 */
export interface TextSegment {
  readonly kind: 'text' | 'space' | 'tab' | 'break' | 'object' | 'mark' | 'soft-hyphen'
  readonly textStyle: TextStyle
  readonly face: Face
  readonly text: string
  readonly width: Pt
  /** The part of the kerning of the space after a word that lies between its last letter and the space, in points. */
  readonly kerningAtEnd?: Pt
  /** A line may end after this segment. */
  breakAfter: boolean
  /** A soft hyphen that hyphenation added, not the author. */
  readonly automatic?: boolean
  /** The embedding level of the Unicode bidirectional algorithm. */
  readonly level: number
  readonly link?: Link
  /** The field of a form that the text is the content of. */
  readonly control?: FormField | undefined
  readonly drawing?: Drawing
  /** The key of the note whose reference this is. */
  readonly note?: string
  /** The name of a bookmark. */
  readonly bookmark?: string
  /** The kind of area that a break ends. */
  readonly at?: 'line' | 'page' | 'column'
  /** The side below whose floats the line after a break begins. */
  readonly clear?: ClearedSide
  /** The target of a tab with an explicit position. */
  readonly to?: PositionedTab
  /** The part of a list label that the segment belongs to. */
  readonly label?: 'text' | 'tab'
}

export type ClearedSide = 'left' | 'right' | 'all'

/** A range of the text with one text style, from `start` up to `end`, before it is divided into segments. */
export interface RunSpan {
  readonly start: number
  readonly end: number
  readonly run: ComputedRun
  readonly inline?: Inline
  readonly link?: Link
  readonly control?: FormField | undefined
  readonly note?: string
  readonly hidden?: boolean
}

/** A segment without text and width. */
export const blank = (textStyle: TextStyle): Omit<TextSegment, 'kind'> => ({
  textStyle,
  face: textStyle.face,
  text: '',
  width: 0,
  breakAfter: false,
  level: 0,
})

/**
 * The text of a paragraph, measured and ready for line breaking. Hyphenation and overlong words divide
 * `segments`.
 */
export interface InlineContent {
  readonly segments: TextSegment[]
  /** The text style of the paragraph mark: gives the height of an empty line. */
  readonly paragraphMark: TextStyle
  /** The text style of the paragraph: gives the height of a line that contains only spaces. */
  readonly base: TextStyle
  readonly bidi: boolean
  /** How a list label is aligned at its position. */
  readonly labelAlign: 'left' | 'center' | 'right'
  readonly hasNotes: boolean
  readonly hasText: boolean
}

/** A finished line box. Items are positioned from the left edge of the region and the baseline. */
export interface LineBox {
  readonly items: readonly Placed[]
  readonly height: Pt
  /** The distance from the top of the line to the baseline. */
  readonly ascent: Pt
  /**
   * The part of the height that multiple line spacing adds below the text; it may stick out at the bottom of a
   * page.
   */
  readonly slack: Pt
  /** What multiple line spacing adds between the line before it in its paragraph and this one. */
  readonly spaceAbove: Pt
  /** The first text segment of the line, and below the one after the last. */
  readonly from: number
  readonly to: number
  /** The manual break that ends the line. */
  readonly broke?: 'line' | 'page' | 'column'
  /** The side below whose floats the next line begins. */
  readonly clear?: ClearedSide
  /** Keys of the notes that the line refers to. */
  readonly notes: readonly string[]
  /** The line ends within a word. */
  readonly hyphenated?: boolean
  /** The line contains a tracked change. */
  readonly changed: boolean
}

/** A free interval of a line, from the left edge of the region. */
export interface Interval {
  readonly left: Pt
  readonly right: Pt
  /** Indents count from the start of the interval instead of the start of the region. */
  readonly indents?: boolean
}

/** The source of one line. `from` is its first text segment. */
export interface LineRequest {
  readonly content: InlineContent
  readonly style: ComputedParagraph
  readonly from: number
  readonly width: Pt
  readonly interval?: Interval
  /** When not even one word fits the interval, consume nothing instead of splitting a word. */
  readonly yields?: boolean
  readonly grid?: Pt
  /** How many of the lines right before this one end within a word. */
  readonly hyphens?: number
  /** The colour behind the text, from which an automatic text colour follows. */
  readonly background?: string
}

/** The text segments between two tabs. Positions count from the start edge. */
export interface TabPart {
  readonly start: Pt
  readonly segments: readonly TextSegment[]
  /** The tab before these segments, which reaches from `from` to their start. */
  readonly tab?: { readonly from: Pt; readonly leader: TabStop['leader']; readonly segment: TextSegment }
}

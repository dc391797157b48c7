import type { Background } from './background.ts'
import type { Color } from './paint.ts'

/**
 * Direct formatting of runs and paragraphs, which styles use as well. An absent property is inherited from
 * the style, then from the document defaults. Lengths are in points.
 */

export interface RunProperties {
  readonly style?: string // id of a run style
  readonly fonts?: FontNames
  readonly size?: number // pt
  /** Font size of complex scripts, pt; `complexBold` and `complexItalic` likewise. */
  readonly complexSize?: number
  readonly bold?: boolean
  readonly italic?: boolean
  readonly complexBold?: boolean
  readonly complexItalic?: boolean
  readonly underline?: Underline
  readonly strike?: 'none' | 'single' | 'double'
  readonly caps?: boolean
  readonly smallCaps?: boolean
  readonly letterCase?: 'as-is' | 'lower' | 'title'
  readonly hidden?: boolean
  /** Occupies its width but is not drawn in print. */
  readonly unprinted?: boolean
  /** The text is the box of a form that can be checked. */
  readonly isFormBox?: boolean
  readonly color?: Color
  readonly highlight?: Color | 'none'
  readonly shading?: Color | 'none'
  readonly script?: 'baseline' | 'super' | 'sub'
  /** ODF: baseline shift in percent of the font size, positive upwards. Takes precedence over `script`. */
  readonly scriptOffset?: number
  /** Size of the shifted text, as a fraction of the font size. */
  readonly scriptScale?: number
  readonly raise?: number // pt, positive upwards
  /** The line is as tall as the size of the text asks for, whatever its font (shapes of PowerPoint). */
  readonly lineIgnoresFont?: boolean
  /** Space added after each character, pt. */
  readonly letterSpacing?: number
  readonly kernFrom?: number // minimum font size for pair kerning, pt; 0 disables kerning
  readonly scale?: number // horizontal scale of the glyphs; 1 is their natural width
  readonly language?: string
  readonly eastAsiaLanguage?: string
  readonly rightToLeft?: boolean
  readonly complexScript?: boolean
  readonly border?: Border
  readonly outline?: boolean
  readonly shadow?: boolean
  readonly relief?: 'none' | 'embossed' | 'engraved'
  /** An emphasis mark over or under each character (ECMA-376-1 17.3.2.12). */
  readonly emphasis?: Emphasis | 'none'
  /** Two lines in one (ECMA-376-1 17.3.2.10). The layout sets the text on one line. */
  readonly combined?: boolean
  /** Changed while changes were tracked: a change bar is drawn beside the line. */
  readonly changed?: boolean
}

/** Emphasis marks beside each character (ECMA-376-1, 17.18.24). */
export interface Emphasis {
  readonly mark: 'dot' | 'circle' | 'comma'
  readonly below: boolean
}

/** Font families by script, as in w:rFonts (ECMA-376-1 17.3.2.26). */
export interface FontNames {
  readonly ascii?: string
  readonly other?: string // Latin text outside ASCII
  readonly eastAsia?: string
  readonly complex?: string
  readonly hint?: 'eastAsia' | 'default'
}

/** A line below text. */
export interface Underline {
  readonly style: UnderlineStyle
  readonly heavy?: boolean // twice as thick; 'thick' is a heavy 'single'
  readonly color?: Color
}
export type UnderlineStyle =
  | 'none'
  | 'single'
  | 'double'
  | 'thick'
  | 'dotted'
  | 'dashed'
  | 'long-dashed'
  | 'dot-dash'
  | 'dot-dot-dash'
  | 'wave'
  | 'words'

/** One border. */
export interface Border {
  readonly style: BorderStyle
  readonly width: number // of a single line of the border, pt
  readonly color: Color
  readonly space: number // between the line and the content, pt
  /** Gap between lines of different width (Word). */
  readonly gap?: 'small' | 'medium' | 'large'
  readonly shadow?: boolean
}
export type BorderStyle =
  | 'none'
  | 'single'
  | 'double'
  | 'triple'
  | 'thick'
  | 'dotted'
  | 'dashed'
  | 'dot-dash'
  | 'dot-dot-dash'
  | 'fine-dashed'
  | 'wave'
  | 'thin-thick'
  | 'thick-thin'
  | 'inset'
  | 'outset'
  | 'embossed'
  | 'engraved'

/** Direct formatting of a paragraph, or that of a style; absent values are inherited. */
export interface ParagraphProperties {
  readonly style?: string
  readonly align?: Alignment
  readonly indent?: Indent
  readonly spaceBefore?: number
  readonly spaceAfter?: number
  readonly spaceBeforeAuto?: boolean
  readonly spaceAfterAuto?: boolean
  readonly line?: LineSpacing
  readonly contextualSpacing?: boolean
  readonly keepNext?: boolean
  readonly keepLines?: boolean
  readonly pageBreakBefore?: boolean
  /** 'none' cancels a break that the style sets (ODF). */
  readonly breakBefore?: 'page' | 'column' | 'none'
  readonly breakAfter?: 'page' | 'column' | 'none'
  readonly widowControl?: boolean
  readonly widows?: number
  readonly orphans?: number
  readonly tabs?: readonly TabStop[]
  readonly borders?: ParagraphBorders
  readonly shading?: Color | 'none'
  /** Picture or hatch painted over the shading (ODF). */
  readonly backdrop?: Background | 'none'
  readonly list?: ListPosition
  readonly outlineLevel?: number // 0-8; 9 is body text
  readonly rightToLeft?: boolean
  /** 'none' cancels a frame that the style sets. */
  readonly frame?: TextFrame | 'none'
  readonly hyphenate?: boolean
  /** Minimum number of characters before a hyphen (ODF). */
  readonly hyphenRemain?: number
  /** Minimum number of characters after a hyphen (ODF). */
  readonly hyphenPush?: number
  /** Maximum number of consecutive lines that end with a hyphen (ODF). */
  readonly hyphenLadder?: number
  /** Lines are aligned to the document grid of the section. */
  readonly snapToGrid?: boolean
  readonly textAlign?: 'auto' | 'baseline' | 'top' | 'center' | 'bottom'
  readonly justifySingleWord?: boolean
  /** A drop cap: the first characters span several lines (ODF). */
  readonly dropCap?: DropCap
  /** Alignment of the last line of a justified paragraph. */
  readonly alignLast?: 'start' | 'center' | 'justify'
  /** The first line is indented by twice the font size, whatever `indent` specifies (ODF). */
  readonly autoIndent?: boolean
  /** Borders are not merged with those of a neighbour that has the same ones (ODF). */
  readonly separateBorders?: boolean
  /**
   * Shadow of the paragraph's box (ODF): positive `x` falls to the right, positive `y` downwards. Its width
   * is added to the padding of that side.
   */
  readonly shadow?: TextShadow | 'none'
  readonly defaultTab?: number
  /** Excluded from line numbering. */
  readonly uncounted?: boolean
  /** East Asian punctuation that does not fit the line may stand in the margin; true when absent. */
  readonly hangingPunctuation?: boolean
  /** Some characters of East Asian text may not begin or end a line; true when absent. */
  readonly eastAsianLineRules?: boolean
  /** East Asian text and Latin letters are set apart; true when absent. */
  readonly spaceBesideLetters?: boolean
  /** East Asian text and digits are set apart; true when absent. */
  readonly spaceBesideDigits?: boolean
}

export interface DropCap {
  readonly lines: number // fewer than two disable the drop cap
  readonly length: number | 'word' // number of characters
  readonly distance: number
  readonly style?: string // id of a run style
}

export interface TextShadow {
  readonly color: Color
  readonly x: number
  readonly y: number
}

export type Alignment = 'start' | 'end' | 'left' | 'right' | 'center' | 'justify' | 'distribute'

/**
 * Indents in the direction of reading, pt. `first` is added to `start`; a negative value is a hanging indent.
 */
export interface Indent {
  readonly start?: number
  readonly end?: number
  readonly first?: number
}

/** The distance between lines. */
export interface LineSpacing {
  readonly rule: 'multiple' | 'exact' | 'at-least' | 'leading'
  readonly value: number // 1 = single for 'multiple', else pt
}

/** One tab stop. */
export interface TabStop {
  readonly at: number // from the paragraph's margin edge
  readonly align: 'left' | 'center' | 'right' | 'decimal' | 'bar' | 'clear' | 'list'
  readonly leader: 'none' | 'dot' | 'hyphen' | 'underscore' | 'middle-dot' | 'heavy'
  readonly decimal?: string
  /**
   * The position is measured from the start indent if the document says so
   * (`DocumentSettings.tabsFromIndent`). ODF only, where a style lists all its tab stops.
   */
  readonly fromIndent?: boolean
}

/** The borders around a paragraph. */
export interface ParagraphBorders {
  readonly top?: Border
  readonly bottom?: Border
  readonly left?: Border
  readonly right?: Border
  readonly between?: Border
}

/** The list and level of a paragraph. */
export interface ListPosition {
  readonly list: string // id in Document.numbering; '' takes the paragraph out of its style's list
  readonly level: number // from 0
  /** The numbering restarts at this number. */
  readonly restart?: number
  /** A continuation paragraph of an item: indented, but without a label. */
  readonly unnumbered?: boolean
}

/** A frame that positions a paragraph beside the text, or a drop cap (w:framePr, ECMA-376-1 17.3.1.11). */
export interface TextFrame {
  readonly width?: number
  readonly height?: number
  readonly heightRule: 'auto' | 'exact' | 'at-least'
  readonly x: number | 'left' | 'center' | 'right' | 'inside' | 'outside'
  readonly y: number | 'top' | 'center' | 'bottom' | 'inside' | 'outside'
  readonly xFrom: 'page' | 'margin' | 'text'
  readonly yFrom: 'page' | 'margin' | 'text'
  readonly horizontalGap: number
  readonly verticalGap: number
  readonly wrap: 'around' | 'none' | 'not-beside' | 'through' | 'tight' | 'auto'
  readonly dropCap?: { readonly lines: number; readonly place: 'drop' | 'margin' }
}

/** A hyperlink. */
export interface Link {
  readonly href?: string // absolute address
  readonly anchor?: string // name of a bookmark
}

/** What runs and paragraphs say about themselves. Absent means: ask the style, then the defaults. */

import type { Ground } from './ground.ts'

/** 'auto' or six upper-case hexadecimal digits. */
export type Color = string

export interface RunProperties {
  readonly style?: string // a run style
  readonly fonts?: FontNames
  readonly size?: number // pt
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
  /** Takes its room, but shows nothing on paper. */
  readonly unprinted?: boolean
  readonly color?: Color
  readonly highlight?: Color | 'none'
  readonly shading?: Color | 'none'
  readonly script?: 'baseline' | 'super' | 'sub'
  /** ODF gives place and size itself: percent of the font size, up positive. Wins over `script`. */
  readonly scriptOffset?: number
  readonly scriptScale?: number
  readonly raise?: number // pt, up positive
  readonly letterSpacing?: number // pt added after each character
  readonly kernFrom?: number // pair kerning for this size and above; 0 is never
  readonly scale?: number // width of the glyphs, 1 as designed
  readonly language?: string
  readonly eastAsiaLanguage?: string
  readonly rightToLeft?: boolean
  readonly complexScript?: boolean
  readonly border?: Border
  readonly outline?: boolean
  readonly shadow?: boolean
  readonly relief?: 'none' | 'embossed' | 'engraved'
  /** A mark over (or under) each letter. */
  readonly emphasis?: Emphasis | 'none'
  /** Two lines in the height of one; the text is set on one line. */
  readonly combined?: boolean
  /** Changed while changes were tracked: a bar stands beside its line. */
  readonly changed?: boolean
}

export interface Emphasis {
  readonly mark: 'dot' | 'circle' | 'comma'
  readonly below: boolean
}

export interface FontNames {
  readonly ascii?: string
  readonly other?: string // Latin text outside ASCII
  readonly eastAsia?: string
  readonly complex?: string
  readonly hint?: 'eastAsia' | 'default'
}

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

export interface Border {
  readonly style: BorderStyle
  readonly width: number // of one line, pt
  readonly color: Color
  readonly space: number // between the line and what it surrounds
  /** Between lines that differ in width (Word). */
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
  /** 'none' undoes the break of a style (ODF). */
  readonly breakBefore?: 'page' | 'column' | 'none'
  readonly breakAfter?: 'page' | 'column' | 'none'
  readonly widowControl?: boolean
  readonly widows?: number
  readonly orphans?: number
  readonly tabs?: readonly TabStop[]
  readonly borders?: ParagraphBorders
  readonly shading?: Color | 'none'
  /** Lies on the shading (ODF). */
  readonly backdrop?: Ground | 'none'
  readonly list?: ListPlace
  readonly outlineLevel?: number // 0-8; 9 is body text
  readonly rightToLeft?: boolean
  /** 'none' undoes the frame of a style. */
  readonly frame?: TextFrame | 'none'
  readonly hyphenate?: boolean
  /** Least letters before and after a hyphen, most lines in a row that end with one (ODF). */
  readonly hyphenRemain?: number
  readonly hyphenPush?: number
  readonly hyphenLadder?: number
  readonly snapToGrid?: boolean
  readonly textAlign?: 'auto' | 'baseline' | 'top' | 'center' | 'bottom'
  readonly justifySingleWord?: boolean
  /** The first letters over several lines (ODF). */
  readonly dropCap?: DropCap
  /** How the last line of a justified paragraph stands. */
  readonly alignLast?: 'start' | 'center' | 'justify'
  /** The first line is indented by twice the size of the text, whatever `indent` says (ODF). */
  readonly autoIndent?: boolean
  /** Its borders are its own, also where the neighbour has the same (ODF). */
  readonly apart?: boolean
  /** Room taken at the sides that a shadow falls on (ODF): `x` right, `y` down. */
  readonly shadow?: Shadow | 'none'
  readonly defaultTab?: number
  /** Its lines are not counted where lines are numbered. */
  readonly uncounted?: boolean
}

export interface DropCap {
  readonly lines: number // fewer than two: none
  readonly length: number | 'word' // letters
  readonly distance: number
  readonly style?: string // a run style
}

export interface Shadow {
  readonly color: Color
  readonly x: number
  readonly y: number
}

export type Alignment = 'start' | 'end' | 'left' | 'right' | 'center' | 'justify' | 'distribute'

/** In the direction of reading. `first` is added to `start`; a hanging indent is negative. */
export interface Indent {
  readonly start?: number
  readonly end?: number
  readonly first?: number
}

export interface LineSpacing {
  readonly rule: 'multiple' | 'exact' | 'at-least' | 'leading'
  readonly value: number // 1 = single for 'multiple', else pt
}

export interface TabStop {
  readonly at: number // from the paragraph's margin edge
  readonly align: 'left' | 'center' | 'right' | 'decimal' | 'bar' | 'clear' | 'list'
  readonly leader: 'none' | 'dot' | 'hyphen' | 'underscore' | 'middle-dot' | 'heavy'
  readonly decimal?: string
  /** Of an ODF style: measured from the start indent where the document says so; a style names all its stops. */
  readonly fromIndent?: boolean
}

export interface ParagraphBorders {
  readonly top?: Border
  readonly bottom?: Border
  readonly left?: Border
  readonly right?: Border
  readonly between?: Border
}

export interface ListPlace {
  readonly list: string // id in Document.numbering; '' takes the paragraph out of its style's list
  readonly level: number // from 0
  /** An item that starts over at this number. */
  readonly restart?: number
  /** A further paragraph of an item: indented, without label. */
  readonly unnumbered?: boolean
}

/** A paragraph that stands beside the text (w:framePr), or a drop cap. */
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

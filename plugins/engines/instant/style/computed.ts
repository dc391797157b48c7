import type { Background } from '../../../../shared/document/background.ts'
import type { Color } from '../../../../shared/document/paint.ts'
import type {
  Border,
  DropCap,
  Emphasis,
  LineSpacing,
  ListPosition,
  ParagraphBorders,
  ParagraphProperties,
  RunProperties,
  TabStop,
  TextFrame,
  TextShadow,
  UnderlineStyle,
} from '../../../../shared/document/properties.ts'

/**
 * The computed style of a run after the cascade. Lengths are in points. Equal styles are one object, so
 * compare by identity.
 */
export interface ComputedRun {
  /**
   * The font family for ASCII characters; the three below are for other Latin, East Asian and complex
   * scripts.
   */
  readonly family: string
  readonly otherFamily: string
  readonly eastAsiaFamily: string
  readonly complexFamily: string
  /** Ambiguous characters use the East Asian family. */
  readonly eastAsiaHint: boolean
  readonly size: number
  readonly complexSize: number
  readonly bold: boolean
  readonly italic: boolean
  readonly complexBold: boolean
  readonly complexItalic: boolean
  readonly underline: UnderlineStyle
  readonly underlineHeavy?: boolean
  readonly underlineColor?: Color
  readonly strike: 'none' | 'single' | 'double'
  readonly caps: boolean
  readonly smallCaps: boolean
  readonly letterCase: 'as-is' | 'lower' | 'title'
  readonly hidden: boolean
  /** The text occupies its width but is not drawn. */
  readonly unprinted: boolean
  readonly isFormBox: boolean
  readonly color: Color
  readonly highlight?: Color
  readonly shading?: Color
  readonly script: 'baseline' | 'super' | 'sub'
  /**
   * How far superscript and subscript are moved, as a percentage of the line, and their size as a fraction of
   * the font size; absent for the automatic values.
   */
  readonly scriptOffset?: number
  readonly scriptScale?: number
  /** The height of the line depends on the size of the text alone. */
  readonly lineIgnoresFont: boolean
  /** How far the baseline is raised. */
  readonly raise: number
  readonly letterSpacing: number
  readonly kerning: boolean
  /** The horizontal scale, 1 for none. */
  readonly scale: number
  readonly language?: string
  readonly eastAsiaLanguage?: string
  readonly rightToLeft: boolean
  readonly border?: Border
  readonly outline: boolean
  readonly shadow: boolean
  readonly relief: 'none' | 'embossed' | 'engraved'
  readonly emphasis?: Emphasis
  /** Two lines in one: reported as unsupported and set on one line. */
  readonly combined: boolean
  /** The run is a tracked change. */
  readonly changed: boolean
}

/** The computed style of a paragraph after the cascade. Lengths are in points. */
export interface ComputedParagraph {
  readonly style: string
  /**
   * The style shown to users: `style`, or the style it is based on when `style` is an automatic one of ODF.
   */
  readonly named: string
  readonly align: 'start' | 'end' | 'center' | 'justify' | 'distribute'
  readonly indentStart: number
  readonly indentEnd: number
  readonly indentFirst: number
  readonly spaceBefore: number
  readonly spaceAfter: number
  readonly spaceBeforeAuto: boolean
  readonly spaceAfterAuto: boolean
  readonly line: LineSpacing
  readonly contextualSpacing: boolean
  readonly keepNext: boolean
  readonly keepLines: boolean
  readonly breakBefore?: 'page' | 'column'
  readonly breakAfter?: 'page' | 'column'
  /** The minimum number of lines after a page break, and below the one before it; 1 for no control. */
  readonly widows: number
  readonly orphans: number
  readonly tabs: readonly TabStop[]
  readonly borders?: ParagraphBorders
  readonly shading?: Color
  readonly backdrop?: Background | undefined
  readonly list?: ListPosition
  readonly outlineLevel?: number // 0 to 8
  readonly rightToLeft: boolean
  readonly frame?: TextFrame
  readonly hyphenation?: Hyphenation
  readonly snapToGrid: boolean
  /** How East Asian text is set. */
  readonly eastAsian: EastAsianLayout
  /** The lines of the paragraph are not numbered. */
  readonly suppressLineNumbers: boolean
  readonly defaultTab?: number
  readonly alignLast: 'start' | 'center' | 'justify'
  readonly justifySingleWord: boolean
  readonly textAlign?: 'top' | 'center' | 'bottom'
  /** The paragraph never shares its border box with a neighbour. */
  readonly separateBox: boolean
  readonly dropCap?: DropCap
  readonly shadow?: TextShadow
}

/** The switches of a paragraph that concern East Asian text. Compared by identity: one object for each combination. */
export interface EastAsianLayout {
  /** Punctuation that does not fit the line may stand in the margin. */
  readonly hangingPunctuation: boolean
  /** Some characters may not begin or end a line. */
  readonly lineRules: boolean
  /** Space is added beside Latin letters. */
  readonly spaceBesideLetters: boolean
  /** Space is added beside digits. */
  readonly spaceBesideDigits: boolean
}

/** The rules for hyphenating words at the end of lines. */
export interface Hyphenation {
  /** The minimum number of letters before the hyphen. */
  readonly remain: number
  /** The minimum number of letters after it. */
  readonly push: number
  /** The maximum number of consecutive lines that end with a hyphen; 0 for no limit. */
  readonly ladder: number
  /** Words in capitals are hyphenated, too. */
  readonly capitals: boolean
}

/** The formatting of a table style for the paragraphs and runs of one kind of cell. Compared by identity. */
export interface CellTextFormat {
  readonly paragraph: ParagraphProperties
  readonly run: RunProperties
  /** Whether the table names the style; else it is the default one of the document. */
  readonly isDeclared?: boolean
}

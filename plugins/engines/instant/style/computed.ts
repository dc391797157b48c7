import type { Ground } from '../../../../shared/document/ground.ts'
import type {
  Border,
  Color,
  DropCap,
  Emphasis,
  LineSpacing,
  ListPlace,
  ParagraphBorders,
  ParagraphProperties,
  RunProperties,
  Shadow,
  TabStop,
  TextFrame,
  UnderlineStyle,
} from '../../../../shared/document/properties.ts'

/** Everything a run looks like, nothing left to ask. One object for each distinct look: compare by identity. */
export interface ComputedRun {
  readonly family: string // Latin letters within ASCII
  readonly otherFamily: string
  readonly eastAsiaFamily: string
  readonly complexFamily: string
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
  readonly unprinted: boolean
  readonly color: Color
  readonly highlight?: Color
  readonly shading?: Color
  readonly script: 'baseline' | 'super' | 'sub'
  readonly scriptOffset?: number
  readonly scriptScale?: number
  readonly raise: number
  readonly letterSpacing: number
  readonly kerning: boolean
  readonly scale: number
  readonly language?: string
  readonly rightToLeft: boolean
  readonly border?: Border
  readonly outline: boolean
  readonly shadow: boolean
  readonly relief: 'none' | 'embossed' | 'engraved'
  readonly emphasis?: Emphasis
  readonly combined: boolean
  readonly changed: boolean
}

export interface ComputedParagraph {
  readonly style: string
  /** The style that people know: `style`, or what it is based on where it is automatic. */
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
  readonly widows: number // 1: no control
  readonly orphans: number
  readonly tabs: readonly TabStop[]
  readonly borders?: ParagraphBorders
  readonly shading?: Color
  readonly backdrop?: Ground | undefined
  readonly list?: ListPlace
  readonly outlineLevel?: number // 0-8
  readonly rightToLeft: boolean
  readonly frame?: TextFrame
  readonly hyphenation?: Hyphenation
  readonly snapToGrid: boolean
  readonly uncounted: boolean
  readonly defaultTab?: number
  readonly alignLast: 'start' | 'center' | 'justify'
  readonly justifySingleWord: boolean
  readonly textAlign?: 'top' | 'center' | 'bottom'
  readonly apart: boolean
  readonly dropCap?: DropCap
  readonly shadow?: Shadow
}

/** How words at line ends are divided. */
export interface Hyphenation {
  readonly remain: number // least letters before the hyphen
  readonly push: number // and behind it
  readonly ladder: number // most lines in a row that end with one; 0: any number
  readonly capitals: boolean // words in capitals, too
}

/** What a table's style gives the paragraphs and runs of one kind of cell. Compared by identity. */
export interface CellTextFormat {
  readonly paragraph: ParagraphProperties
  readonly run: RunProperties
}

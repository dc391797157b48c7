/**
 * The format-neutral document model: readers produce it from DOCX and ODT bytes, and the instant engine lays
 * it out. Plain data; lengths are in points. Read `properties.ts` next for the formatting of runs and
 * paragraphs.
 */
import type { Drawing, MathContent } from './drawing.ts'
import { type MathNode, mathWords } from './math.ts'
import type { Numbering } from './numbering.ts'
import type { Color, ParagraphProperties, RunProperties, TabStop } from './properties.ts'
import type { Section } from './section.ts'
import type { StyleSheet } from './styles.ts'
import type { Table } from './table.ts'

/** A whole document. */
export interface Document {
  readonly styles: StyleSheet
  /** List definitions by the id that paragraphs name. */
  readonly numbering: ReadonlyMap<string, Numbering>
  readonly sections: readonly Section[]
  readonly notes: ReadonlyMap<string, Note> // by 'footnote:2', 'endnote:1'
  /**
   * ODF: page set-up, headers and footers of the endnote pages; its `blocks` are empty. Absent: endnotes use
   * the page set-up of the last section.
   */
  readonly endnotePage?: Section
  /** ODF: drawings anchored to a page number of the document rather than to a position in the text. */
  readonly onSheets?: readonly Drawing[]
  /** Embedded font files, already decoded. */
  readonly fonts?: readonly Uint8Array[]
  /** Image files by the name that drawings refer to, as they are stored in the package. */
  readonly media: ReadonlyMap<string, Uint8Array>
  readonly settings: DocumentSettings
  readonly information: DocumentInformation
}

/**
 * Layout rules that differ between producers. Each setting selects one behaviour of the layout engine, so
 * that a document is laid out as by the program that wrote it.
 */
export interface DocumentSettings {
  /** Distance between default tab stops, pt. */
  readonly defaultTab: number
  readonly evenAndOddHeaders: boolean
  /** Word's compatibility mode (11-15); undefined for files that are not Word's. */
  readonly compatibility?: number
  /** Default tab stops count from the indent of the paragraph rather than from the margin (ODF). */
  readonly tabsFromIndent: boolean
  /**
   * Gap between two paragraphs: 'collapse' takes the larger of space after and space before (Word), 'add'
   * takes their sum.
   */
  readonly paragraphGap: 'collapse' | 'add'
  /** The line gap of the font face is part of the line height. */
  readonly externalLeading: boolean
  /**
   * The extra height of proportional line spacing is placed between paragraphs, and of two neighbours the
   * larger applies (ODF, older documents).
   */
  readonly sharedLineSpace?: boolean
  /** False: line spacing below 100 % does not reduce the first line of a paragraph (ODF, older documents). */
  readonly firstLinesShrink?: boolean
  /** Side of the text on which the extra height of proportional line spacing is added. */
  readonly proportionalSpacing: 'below' | 'above'
  /**
   * Space before the first paragraph of a page: always dropped, or only after an automatic page break. The
   * first page and pages after a manual break keep it.
   */
  readonly spaceAtPageTop: 'drop' | 'drop-after-natural-break'
  /**
   * A table's indent positions the text of its first cell rather than the edge of the table (Word before
   * compatibility mode 15).
   */
  readonly tableIndentFromText: boolean
  /** Space after the last paragraph of a cell adds to the height of the cell. */
  readonly spaceAtCellEnd: boolean
  /**
   * Together with `spaceAtCellEnd`: unless this is false, the extra height of proportional line spacing in
   * the last line counts as well.
   */
  readonly lineSpaceAtCellEnd?: boolean
  /**
   * Space after the last paragraph, and the extra height of its proportional line spacing, add to the height
   * of a header or footer.
   */
  readonly spaceEndsBands: boolean
  /**
   * Toggle properties such as bold cancel out when both the run style and the paragraph style set them (Word,
   * ECMA-376-1 17.7.3). Otherwise the nearest style wins.
   */
  readonly togglesCancel: boolean
  /** Paragraph borders and padding lie inside the paragraph's indents and narrow the text (ODF). */
  readonly bordersInside: boolean
  /**
   * Floats in headers and footers push away the text of the header or footer, not that of the page (ODF,
   * older documents).
   */
  readonly headersGoAround?: boolean
  /** Padding applies to sides without a border, too (ODF). */
  readonly paddingWithoutBorders?: boolean
  /**
   * Right, centred and decimal tab stops beyond the end of the line are moved to the end of the line (ODF).
   */
  readonly tabsInsideMargin?: boolean
  /**
   * A paragraph that is pushed below a float takes its space before along, and tables are placed below
   * floating pictures (Word).
   */
  readonly floatsPushBlocks?: boolean
  /** Font size of small capitals as a share of the text size; absent: 0.8. */
  readonly smallCapitals?: number
  /** All cells of a row use the largest top and bottom margin of any of them (Word). */
  readonly sharedCellMargins: boolean
  /** Lines that end with a manual line break are justified like others. */
  readonly justifyBrokenLines: boolean
  /** Trailing spaces of a paragraph count when its last line is aligned (ODF). */
  readonly blanksEndParagraphs?: boolean
  /** Spaces and tabs do not contribute to the line height (Word). */
  readonly blanksHaveNoHeight: boolean
  /**
   * Automatic hyphenation is enabled for the document. In Word it then applies to every paragraph that does
   * not suppress it, in ODF only to paragraphs that request it.
   */
  readonly hyphenate: boolean
  /** Largest number of consecutive lines that end with a hyphen; absent or 0: no limit. */
  readonly hyphenLadder?: number
  readonly hyphenateCapitals?: boolean
  readonly footnotes: NoteSettings
  readonly endnotes: NoteSettings
  readonly mirrorMargins: boolean
  /** Page borders positioned relative to the text exclude the header (Word). */
  readonly bordersSkipHeader?: boolean
  /** The same for the footer. */
  readonly bordersSkipFooter?: boolean
  readonly background?: string
  /**
   * The page background is printed, rather than only shown in the editor (Word's w:displayBackgroundShape).
   */
  readonly showsBackground?: boolean
}

/** Numbering of footnotes or endnotes, and the position where they are placed. */
export interface NoteSettings {
  readonly format: string // as in Level.format
  readonly start: number
  readonly restart: 'continuous' | 'section' | 'page'
  readonly place?: 'page' | 'text' | 'section' | 'document'
}

export interface DocumentInformation {
  readonly title?: string
  readonly author?: string
  readonly subject?: string
  readonly keywords?: string
  readonly description?: string
  readonly language?: string
}

export type Block = Paragraph | Table

export interface Paragraph {
  readonly kind: 'paragraph'
  readonly properties: ParagraphProperties
  /**
   * Formatting of the paragraph mark: it gives an empty paragraph its height and list labels their text
   * style.
   */
  readonly mark: RunProperties
  readonly inlines: readonly Inline[]
  /**
   * Tracked changes: the paragraph's formatting was changed ('whole'), or only its paragraph mark ('end').
   */
  readonly changed?: 'whole' | 'end'
  readonly inset?: Inset
}

/**
 * ODF: indents and background of the text section around a block. Blocks of one section share the same
 * object.
 */
export interface Inset {
  readonly left: number
  readonly right: number
  readonly ground?: string // six hexadecimal digits
}

export type Inline =
  | { readonly kind: 'text'; readonly text: string; readonly run: RunProperties; readonly link?: Link }
  | { readonly kind: 'tab'; readonly run: RunProperties; readonly link?: Link; readonly to?: PositionedTab }
  | {
      readonly kind: 'break'
      readonly at: 'line' | 'page' | 'column'
      readonly run: RunProperties
      /** Line breaks only: the next line starts below any float at this side. */
      readonly clear?: 'left' | 'right' | 'all'
    }
  | { readonly kind: 'drawing'; readonly drawing: Drawing; readonly run: RunProperties; readonly link?: Link }
  | { readonly kind: 'field'; readonly field: Field; readonly run: RunProperties; readonly link?: Link }
  | { readonly kind: 'note'; readonly note: string; readonly run: RunProperties; readonly mark?: string }
  | {
      readonly kind: 'note-mark'
      readonly run: RunProperties
      /** Text before an automatic number (ODF). */
      readonly prefix?: string
      /** Text after an automatic number (ODF). */
      readonly suffix?: string
      /**
       * In a paragraph with a hanging indent the number is padded to the start of the text, and the first tab
       * after it is dropped.
       */
      readonly replacesTab?: boolean
    }
  | { readonly kind: 'bookmark'; readonly name: string }
  | { readonly kind: 'soft-hyphen'; readonly run: RunProperties }

/** A phonetic guide: base text with small text above it, laid out as one box in the line. */
export function rubyOf(base: string, above: string, run: RunProperties, link?: Link): Inline {
  const drawing: Drawing = {
    width: 0,
    height: 0,
    rotation: 0,
    content: { kind: 'ruby', base, above },
    description: above === '' ? base : `${base} (${above})`,
  }
  return { kind: 'drawing', drawing, run, ...(link !== undefined && { link }) }
}

/**
 * An equation in the line. `size` (pt) and `color` override those of the surrounding text; `display` sets it
 * in display style.
 */
export function mathInline(
  math: MathNode,
  look: {
    readonly run: RunProperties
    readonly link?: Link | undefined
    readonly display?: boolean
    readonly size?: number | undefined
    readonly color?: Color | undefined
  },
): Inline {
  const { run, link, display = false, size, color } = look
  const content: MathContent = {
    kind: 'math',
    math,
    display,
    ...(size !== undefined && { size }),
    ...(color !== undefined && color !== 'auto' && { color }),
  }
  const drawing: Drawing = { width: 0, height: 0, rotation: 0, content, description: mathWords(math) }
  return { kind: 'drawing', drawing, run, link }
}

/**
 * A tab that moves to a position of the page rather than to a tab stop of the paragraph (w:ptab, ECMA-376-1
 * 17.3.3.23).
 */
export interface PositionedTab {
  readonly align: 'left' | 'center' | 'right'
  readonly from: 'margin' | 'indent'
  readonly leader?: TabStop['leader']
}

export interface Link {
  readonly href?: string // absolute address
  readonly anchor?: string // name of a bookmark
}

/** A value that depends on the layout or on the current date. `text` is the result saved in the file. */
export interface Field {
  /** 'moment' is the current date or time. */
  readonly name:
    | 'moment'
    | 'page'
    | 'pages'
    | 'section-pages'
    | 'page-of'
    | 'section'
    | 'number' // the number in `value`, formatted
    | 'label-of' // the list label of the paragraph that contains the bookmark
    | 'note-of' // the number of the note inside the bookmark
    | 'chapter' // the heading that applies to the page of a header or footer
  readonly of?: string // name of the bookmark referred to
  readonly value?: number
  readonly format?: string // as in Level.format
  readonly text: string
  readonly offset?: number // number of pages added to the page number (ODF)
  /** For 'chapter': the maximum outline level of the heading, from 1. */
  readonly level?: number
  /** For 'chapter': which part of the heading is shown. */
  readonly parts?: 'number' | 'name' | 'both'
  /** For 'moment': a date pattern in the letters of Unicode TR 35. */
  readonly pattern?: string
  readonly time?: boolean // without a pattern: show the time rather than the date
  /** For 'moment': language of the month and day names. */
  readonly language?: string
  /** For 'moment': milliseconds added to the current time. */
  readonly shift?: number
}

export interface Note {
  readonly kind: 'footnote' | 'endnote'
  readonly blocks: readonly Block[]
}

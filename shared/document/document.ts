import type { DocumentComment, Note } from './content.ts'
import type { Drawing } from './drawing.ts'
import type { GenericFont } from './generic-font.ts'
import type { Numbering } from './numbering.ts'
import type { NoteSettings, Section } from './section.ts'
import type { StyleSheet } from './styles.ts'

/**
 * The format-neutral document model: readers produce it from DOCX and ODT bytes, and the instant engine lays
 * it out. Plain data; lengths are in points. Read `properties.ts` next for the formatting of runs and
 * paragraphs.
 */

/** A whole document. */
export interface Document {
  readonly styles: StyleSheet
  /** List definitions by the id that paragraphs name. */
  readonly numbering: ReadonlyMap<string, Numbering>
  readonly sections: readonly Section[]
  readonly notes: ReadonlyMap<string, Note> // by 'footnote:2', 'endnote:1'
  readonly comments?: ReadonlyMap<string, DocumentComment>
  /**
   * ODF: page set-up, headers and footers of the endnote pages; its `blocks` are empty. Absent: endnotes use
   * the page set-up of the last section.
   */
  readonly endnotePage?: Section
  /** ODF: drawings anchored to a page number of the document rather than to a position in the text. */
  readonly onSheets?: readonly Drawing[]
  /** Embedded font files, already decoded. */
  readonly fonts?: readonly Uint8Array[]
  /**
   * The generic families that replace fonts that are not installed, by the lower-case names of families that the
   * document describes.
   */
  readonly genericFonts?: ReadonlyMap<string, GenericFont>
  /** Image files by the name that drawings refer to, as they are stored in the package. */
  readonly media: ReadonlyMap<string, Uint8Array>
  readonly settings: DocumentSettings
  readonly information: DocumentInformation
  /** Text of the file that is not in this model, although pages should show it. Absent where there is none. */
  readonly unread?: readonly UnreadText[]
}

/** Text that a reader did not find in a part of a package. */
export interface UnreadText {
  /** The name of the part, for example 'word/document.xml'. */
  readonly part: string
  /** The number of letters, in UTF-16 code units. */
  readonly letters: number
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
  /** Automatic space before and after paragraphs is a small space like any other (Word). */
  readonly plainAutomaticSpace?: boolean
  /** The line gap of the font face is part of the line height. */
  readonly externalLeading: boolean
  /**
   * The extra height of proportional line spacing is placed between paragraphs, and of two neighbours the
   * larger applies (ODF, older documents).
   */
  readonly sharedLineSpace?: boolean
  /** What proportional line spacing adds to a line is above its text, except in the first line (Impress). */
  readonly lineSpaceAbove?: boolean
  /** East Asian and other characters are set apart wherever they meet, not only letters (Impress). */
  readonly scriptsMeetAnywhere?: boolean
  /** Sizes of text are whole hundredths of a millimetre (Impress). */
  readonly roundsTextSize?: boolean
  /** List labels are painted beside their lines, whose height they do not change (Impress). */
  readonly labelsKeepLineHeight?: boolean
  /** False: line spacing below 100 % does not reduce the first line of a paragraph (ODF, older documents). */
  readonly firstLinesShrink?: boolean
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
  readonly spaceEndsHeaders: boolean
  /**
   * Toggle properties such as bold cancel out when both the run style and the paragraph style set them (Word,
   * ECMA-376-1 17.7.3). Otherwise the nearest style wins.
   */
  readonly togglesCancel: boolean
  /** Paragraph borders and padding lie inside the paragraph's indents and narrow the text (ODF). */
  readonly bordersInside: boolean
  /**
   * Such borders lie in the indent by which lines hang out, as far as it goes, and numbered paragraphs do not indent their first
   * line themselves (ODF, older documents).
   */
  readonly indentsHoldBorders?: boolean
  /** A column break divides nothing where the text has a single column (ODF). */
  readonly columnBreaksNeedColumns?: boolean
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
  /** Borders do not narrow the text of cells (Word). */
  readonly bordersKeepCellWidth?: boolean
  /** Size and left alignment of the default paragraph style give way to those of table styles (Word). */
  readonly defaultStyleYieldsToTables?: boolean
  /** Text of a cell is aligned at a decimal tab stop without a tab (Word). */
  readonly cellsAlignDecimals?: boolean
  /** Borders do not add to the height of rows (Impress). */
  readonly bordersKeepCellHeight?: boolean
  /** A line without text is as tall as the paragraph mark, whatever the paragraph style (Impress). */
  readonly marksGiveHeight?: boolean
  /** All cells of a row use the largest top and bottom margin of any of them (Word). */
  readonly sharedCellMargins: boolean
  /** Lines that end with a manual line break are justified like others. */
  readonly justifyBrokenLines: boolean
  /** Trailing spaces of a paragraph count when its last line is aligned (ODF). */
  readonly blanksEndParagraphs?: boolean
  /**
   * Whether a page is on a right or left side depends on its place in the document and not on its number (ODF).
   */
  readonly sidesFollowSheets?: boolean
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

export interface DocumentInformation {
  readonly title?: string
  readonly author?: string
  readonly subject?: string
  readonly keywords?: string
  readonly description?: string
  readonly language?: string
}

/**
 * Rules of layout that depend on what wrote a document: Word in one of its compatibility modes, or an ODF editor
 * with its switches. Readers translate both into `DocumentSettings`; layout asks a rule here what a setting means
 * for it, so that the meaning of each setting is written down in one place.
 *
 * The comment of each rule says what it is for. `@source` is where the setting or the number comes from, and
 * `@case` the test that fails without it (see test/plugins/engines/instant/compat). Lengths are in points.
 */
import type { DocumentSettings } from '../../../../shared/document/document.ts'
import type { Workbook } from '../../../../shared/document/sheet.ts'

/** Where a region of text begins, as in `FillRequest`. */
type Top = 'start' | 'natural' | 'forced' | 'after'

export const word = {
  // Defaults of documents that declare none

  /**
   * The font size of a document that declares none.
   * @source observed in Word: the default of `w:sz`
   * @case layout/document-without-defaults
   */
  sizeWithoutStyles: 10,

  /**
   * The font family of a document that declares none.
   * @source observed in Word; ECMA-376-1 leaves it to the application
   * @case layout/document-without-defaults
   */
  familyWithoutStyles: 'Times New Roman',

  /**
   * The margins at the left and right of a cell in a table that declares none.
   * @source observed in Word: 108 twentieths of a point
   * @case docx/table and its margins
   */
  cellMargin: 5.4,

  /**
   * Whether the size and the left alignment of the default paragraph style give way to those of a table that names its style.
   * @source overrideTableStyleFontSizeAndJustification ([MS-DOCX] 2.11.2.3); measured in LibreOffice, with the style named by
   *   its paragraphs and not, with styles based on it and in each mode
   * @case layout/default-style-in-tables
   */
  defaultStyleYieldsToTables: ({ defaultStyleYieldsToTables }: DocumentSettings): boolean =>
    defaultStyleYieldsToTables === true,

  /**
   * The size of text in such a table, given the size of the default paragraph style and that of the table style or else of the
   * document: only 11 and 12 points give way.
   * @source the same setting; measured in LibreOffice, with sizes from 10 to 13 points
   * @case layout/default-style-in-tables
   */
  sizeInTable: (size: number, ofTable: number): number => (size === 11 || size === 12 ? ofTable : size),

  // Space between paragraphs

  /**
   * The space between two blocks: the larger of the space after the first and the space before the second, or
   * the sum of both.
   * @source `w:doNotUseHTMLParagraphAutoSpacing`; LibreOffice's switch AddParaTableSpacing
   * @case docx/space between paragraphs of a document without settings
   */
  spaceBetween: (after: number, before: number, { paragraphGap }: DocumentSettings): number =>
    paragraphGap === 'add' ? after + before : Math.max(after, before),

  /**
   * The space of a footnote after its text, given the space before the next one that is counted already.
   * @source the same setting as that of paragraphs
   * @case docx/foot notes
   */
  spaceBetweenNotes: (after: number, before: number, { paragraphGap }: DocumentSettings): number =>
    paragraphGap === 'add' ? after : Math.max(0, after - before),

  /**
   * What remains of the space before a block at the top of a region. Automatic space is dropped at the start of
   * the text, too.
   * @source LibreOffice's switch AddParaTableSpacingAtStart; observed in LibreOffice for documents of Word
   * @case docx/page breaks
   */
  spaceAtTop: (
    before: number,
    isAutomatic: boolean,
    top: Top,
    { spaceAtPageTop, plainAutomaticSpace }: DocumentSettings,
  ): number =>
    top === 'natural' ||
    (top === 'start' && isAutomatic && plainAutomaticSpace !== true) ||
    spaceAtPageTop === 'drop'
      ? 0
      : before,

  /**
   * What automatic space is in documents that do not treat it as web pages do: a space in points that counts
   * at the start of the text and of cells, too. Undefined for others.
   * @source `w:doNotUseHTMLParagraphAutoSpacing` (ECMA-376-1 17.15.3.21); measured in LibreOffice
   * @case docx/automatic space that counts at the start
   */
  plainAutomaticSpace: ({ plainAutomaticSpace }: DocumentSettings): number | undefined =>
    plainAutomaticSpace === true ? 5 : undefined,

  /**
   * The extra height of proportional line spacing separates paragraphs, and of two neighbours the larger applies.
   * @source LibreOffice's switch UseFormerLineSpacing
   * @case odt/line spacing as it was
   */
  lineSpaceIsShared: ({ sharedLineSpace }: DocumentSettings): boolean => sharedLineSpace === true,

  /**
   * A paragraph that is pushed below a float takes its space before along, and tables avoid floating pictures.
   * @source observed in LibreOffice, for documents of Word
   * @case docx/space above text that goes below a picture
   */
  floatsPushBlocks: ({ floatsPushBlocks }: DocumentSettings): boolean => floatsPushBlocks === true,

  // Paragraphs

  /**
   * The first line of a paragraph may stay alone at the foot of a page when the document asks for no control of orphans.
   * LibreOffice takes it along to the next page in some places, which depend on how it built the pages before.
   * @source `w:widowControl` (ECMA-376-1 17.3.1.44), fo:orphans (ODF 1.3 part 3, 20.214); measured in LibreOffice, where
   *   the same paragraph is split or not depending on how many paragraphs follow
   * @case layout/first-line-alone-at-the-foot-of-a-page
   */
  loneLinesStay: true,

  /**
   * Borders and padding lie inside the indents of a paragraph and narrow its text.
   * @source observed in LibreOffice, for ODF
   * @case odt/borders inside the margins
   */
  bordersNarrowText: ({ bordersInside }: DocumentSettings): boolean => bordersInside,

  /**
   * Borders that narrow the text lie in the indent of the first line or of the lines that hang below it, as far as it goes, and what a
   * paragraph says of its first line does not add to the indent of its label.
   * @source LibreOffice's switch IgnoreFirstLineIndentInNumbering; measured in LibreOffice
   * @case odt/boxes around lines that hang as they did
   */
  indentsHoldBorders: ({ indentsHoldBorders }: DocumentSettings): boolean => indentsHoldBorders === true,

  /**
   * A column break where the text has a single column divides nothing. In Word it begins a page.
   * @source fo:break-before (ODF 1.3 part 3, 20.184); measured in LibreOffice, with paragraphs and tables
   * @case odt/column breaks without columns
   */
  columnBreaksNeedColumns: ({ columnBreaksNeedColumns }: DocumentSettings): boolean =>
    columnBreaksNeedColumns === true,

  /**
   * Padding applies to sides without a border, too.
   * @source LibreOffice's switch AllowPaddingWithoutBorders
   * @case odt/padding without a border
   */
  paddingNeedsNoBorder: ({ paddingWithoutBorders }: DocumentSettings): boolean =>
    paddingWithoutBorders === true,

  /**
   * A paragraph or a style without a list (`w:numId` 0) inherits no indent at its start, and none of its first line, whatever
   * indent the styles below it declare. What it declares itself counts.
   * @source measured in LibreOffice, which follows Word there (tdf#132752); ECMA-376-1 17.9.18 leaves it open
   * @case layout/indents-without-a-list
   */
  unnumberedTextIsNotIndented: true,

  /**
   * Toggle properties such as bold cancel each other when several styles set them; else the nearest style wins, as always in
   * LibreOffice where a character style meets a paragraph style.
   * @source ECMA-376-1 17.7.3; measured in LibreOffice
   * @case layout/toggles-that-cancel
   */
  togglesCancel: ({ togglesCancel }: DocumentSettings): boolean => togglesCancel,

  // Lines

  /**
   * The line gap of the font face is part of the height of a line.
   * @source LibreOffice's switch AddExternalLeading; observed in LibreOffice for documents of Word
   * @case docx/faces at their sizes
   */
  linesIncludeLineGap: ({ externalLeading }: DocumentSettings): boolean => externalLeading,

  /**
   * Lines that end with a manual line break are justified like others.
   * @source `w:doNotExpandShiftReturn`
   * @case docx/justified text
   */
  brokenLinesAreJustified: ({ justifyBrokenLines }: DocumentSettings): boolean => justifyBrokenLines,

  /**
   * Spaces at the end of a paragraph count for the alignment of its last line.
   * @source LibreOffice's switch MsWordCompTrailingBlanks
   * @case odt/blanks at the end of lines
   */
  blanksEndParagraphs: ({ blanksEndParagraphs }: DocumentSettings): boolean => blanksEndParagraphs === true,

  /**
   * Spaces and tabs do not contribute to the height of a line.
   * @source observed in LibreOffice, for documents of Word
   * @case layout/tall-blanks
   */
  blanksHaveNoHeight: ({ blanksHaveNoHeight }: DocumentSettings): boolean => blanksHaveNoHeight,

  /**
   * Line spacing below 100 % reduces the first line of a paragraph, too.
   * @source LibreOffice's switch PropLineSpacingShrinksFirstLine
   * @case odt/first lines that keep their height
   */
  firstLinesShrink: ({ firstLinesShrink }: DocumentSettings): boolean => firstLinesShrink !== false,

  /**
   * Whether a line without text, such as the one after a line break at the end, is as tall as the mark of its paragraph
   * rather than as the paragraph style asks for.
   * @source observed in LibreOffice's Impress, whose paragraphs have no styles
   * @case deck/line after a last break
   */
  marksGiveHeight: ({ marksGiveHeight }: DocumentSettings): boolean => marksGiveHeight === true,

  /**
   * Whether what proportional line spacing adds to a line is above its text rather than below it.
   * @source observed in LibreOffice, whose Impress lays out text so and whose Writer does not
   * @case deck/line spacing
   */
  lineSpaceAbove: ({ lineSpaceAbove }: DocumentSettings): boolean => lineSpaceAbove === true,

  /**
   * East Asian and other characters are set apart wherever they meet, by a fraction of the height of their text instead of
   * its size: punctuation and numbers too, not only letters.
   * @source observed in LibreOffice, whose Impress sets text so and whose Writer does not
   * @case deck/east-asian-beside-latin
   */
  scriptsMeetAnywhere: ({ scriptsMeetAnywhere }: DocumentSettings): boolean => scriptsMeetAnywhere === true,

  /**
   * The size of text in points, which drawings set in whole hundredths of a millimetre: 20 points are 706 of them. Lines that
   * are just full depend on it, above all in scripts whose letters are as wide as they are high.
   * @source observed in LibreOffice, whose Impress sets text so and whose Writer does not
   * @case deck/full line
   */
  textSize: (size: number, { roundsTextSize }: DocumentSettings): number =>
    roundsTextSize === true ? (Math.round((size * 2540) / 72) * 72) / 2540 : size,

  /**
   * List labels are painted beside their lines: a label that is larger than its text does not make the line taller.
   * @source observed in LibreOffice, whose Impress paints labels so and whose Writer does not
   * @case deck/labels
   */
  labelsKeepLineHeight: ({ labelsKeepLineHeight }: DocumentSettings): boolean =>
    labelsKeepLineHeight === true,

  /**
   * Right, centred and decimal tab stops beyond the end of the line are moved to its end.
   * @source LibreOffice's switch TabOverMargin
   * @case odt/right tab behind the margin
   */
  tabsStayInsideMargin: ({ tabsInsideMargin }: DocumentSettings): boolean => tabsInsideMargin === true,

  /**
   * Tab stops count from the indent of the paragraph rather than from the margin.
   * @source LibreOffice's switch TabsRelativeToIndent
   * @case odt/tab stops from the indent
   */
  tabsCountFromIndent: ({ tabsFromIndent }: Pick<DocumentSettings, 'tabsFromIndent'>): boolean =>
    tabsFromIndent,

  // Cells, headers and footers

  /**
   * All cells of a row use the largest top and bottom margin of any of them.
   * @source observed in LibreOffice, for documents of Word
   * @case docx/cell margins of a row
   */
  rowsShareCellMargins: ({ sharedCellMargins }: DocumentSettings): boolean => sharedCellMargins,

  /**
   * The indent of a table positions the text of its first cell rather than its edge. Nested and floating tables
   * are positioned by their edge.
   * @source `compatibilityMode` up to 14; observed in LibreOffice
   * @case docx/table before mode 15
   */
  tableIndentFromText: ({ tableIndentFromText }: DocumentSettings): boolean => tableIndentFromText,

  /**
   * A floating table that is taller than the text of the page may reach into its bottom margin rather than be divided.
   * @source `compatibilityMode` up to 14; measured in LibreOffice
   * @case layout/floating-table-into-the-bottom-margin
   */
  tablesReachIntoMargin: ({ tableIndentFromText }: DocumentSettings): boolean => tableIndentFromText,

  /**
   * A table in the text keeps clear of floating tables, beside them where it fits, else below them; a
   * floating table that must not overlap others (w:tblOverlap) does the same.
   * @source ECMA-376-1 17.4.55; observed in LibreOffice
   * @case layout/tables-beside-floating-tables
   */
  tablesKeepApart: true,

  /**
   * The distance between the cells of a table that declares a spacing: twice as much, as each cell keeps that
   * spacing from its neighbours, and the same between the cells and the edge of the table. Each cell then has borders
   * on all sides and the table has its own around them. LibreOffice puts the cells side by side.
   * @source ECMA-376-1 17.4.45; the dialog of Word shows twice the number that it saves
   * @case layout/cells-kept-apart
   */
  cellSpacing: (spacing: number): number => 2 * Math.max(0, spacing),

  /**
   * A cell is as tall as the drawings in it that say so, and from mode 15 on as all of them.
   * @source layoutInCell of wp:anchor (ECMA-376-1 20.4.2.3), style:flow-with-text (ODF 1.3 part 3, 20.275); measured in
   *   LibreOffice
   * @case odt/drawings that do not flow with the text of their cell
   */
  drawingsStayInCells: (isInCell: boolean, { compatibility }: DocumentSettings): boolean =>
    isInCell || (compatibility ?? 0) >= 15,

  /**
   * The text of a cell is as wide as the cell without its margins, whatever its borders: half of the border at its
   * left moves the text into the margin at its right.
   * @source measured in LibreOffice, for documents of Word, with borders of one and six points
   * @case layout/words-in-cells-with-wide-borders
   */
  bordersKeepCellWidth: ({ bordersKeepCellWidth }: DocumentSettings): boolean =>
    bordersKeepCellWidth === true,

  /**
   * The text of a cell is aligned at the tab stop of its paragraph where that is a decimal one and the only one, without
   * a tab that leads there.
   * @source decimal of ST_TabJc (ECMA-376-1 17.18.84); described in the help of Word; measured in LibreOffice
   * @case layout/numbers-at-decimal-tab-stops-of-cells
   */
  cellsAlignDecimals: ({ cellsAlignDecimals }: DocumentSettings): boolean => cellsAlignDecimals === true,

  /**
   * Whether the lines of a table leave the height of its rows to the text.
   * @source observed in LibreOffice's Impress
   * @case deck/table with lines
   */
  bordersKeepCellHeight: ({ bordersKeepCellHeight }: DocumentSettings): boolean =>
    bordersKeepCellHeight === true,

  /**
   * The space after the last paragraph of a cell counts for the height of the cell.
   * @source LibreOffice's switch AddParaSpacingToTableCells
   * @case docx/space below a row finds no room
   */
  cellsEndWithSpace: ({ spaceAtCellEnd }: DocumentSettings): boolean => spaceAtCellEnd,

  /**
   * What line spacing adds to the last line of a cell counts for the height of the cell.
   * @source LibreOffice's switch AddParaLineSpacingToTableCells
   * @case odt/cells that end with their last line
   */
  cellsEndWithLineSpace: ({ spaceAtCellEnd, lineSpaceAtCellEnd }: DocumentSettings): boolean =>
    spaceAtCellEnd && lineSpaceAtCellEnd !== false,

  /**
   * The space after the text of a header or footer counts for its height.
   * @source LibreOffice's switch HeaderSpacingBelowLastPara; observed in LibreOffice for documents of Word
   * @case odt/header and footer without the space below their text
   */
  spaceEndsHeaders: ({ spaceEndsHeaders: spaceEndsBands }: DocumentSettings): boolean => spaceEndsBands,

  /**
   * Floats in headers and footers push away the text of the header or footer, not that of the page.
   * @source LibreOffice's switch UseFormerTextWrapping
   * @case odt/a frame in a header, as it was
   */
  headersAvoidTheirFloats: ({ headersGoAround }: DocumentSettings): boolean => headersGoAround === true,

  /**
   * Whether a page is on a right or a left side because of its place in the document, as in ODF, rather than
   * because of its number. By numbers, a section of Word that begins on an odd or even page follows a blank page
   * where the page before has a number of the same kind; a number that begins anew asks for no side.
   * @source ECMA-376-1 17.18.77; observed in Word. LibreOffice counts sheets for documents of Word, too, and
   *   inserts a blank page before numbers that begin anew.
   * @case layout/numbers-that-begin-anew-on-odd-pages
   */
  sidesFollowSheets: ({ sidesFollowSheets }: DocumentSettings): boolean => sidesFollowSheets === true,

  /**
   * A section that begins in the middle of a page has its own margins, headers and footers from the next page on.
   * @source ECMA-376-1 17.18.77; observed in Word. LibreOffice keeps those of the section before.
   * @case layout/section-with-margins-of-its-own-in-the-middle-of-a-page
   */
  continuousSectionsChangePages: true,

  /**
   * The text of the last page of a section is in the middle or at the bottom of the page where the section asks for it.
   * LibreOffice begins all pages at the top.
   * @source `w:vAlign` of w:sectPr (ECMA-376-1 17.6.22)
   * @case layout/section-in-the-middle-of-its-page
   */
  sectionsAlignText: true,

  /**
   * A section that begins with a table begins so in a document with notes or comments, too. LibreOffice puts an empty line
   * above the table.
   * @source observed in Word; measured in LibreOffice, with notes in the table, in another one and in the text, and with comments
   * @case layout/table-with-a-note-at-the-start
   */
  notesAddNoParagraph: true,

  /**
   * The number at the start of a note looks as its run says. LibreOffice raises it, whatever the document says.
   * @source w:footnoteRef (ECMA-376-1 17.11.13); measured in LibreOffice, with four styles and without one
   * @case layout/note-number-on-the-line
   */
  noteNumbersLookAsRuns: true,

  /**
   * A tab stop of a list level that the paragraph clears holds for the label no more. LibreOffice places the text of the
   * item at it nevertheless, above all in documents that it wrote itself.
   * @source clear of ST_TabJc (ECMA-376-1 17.18.84); measured in LibreOffice, with other stops before and after it
   * @case layout/list-with-its-tab-stop-cleared
   */
  clearedTabsLeaveLabels: true,

  /**
   * A drawing that stands between two paragraphs although it is anchored to a paragraph or a letter is drawn with the
   * paragraph after it. LibreOffice leaves it out, with all its text.
   * @source text-content with shape (ODF 1.3 part 3, 5.1), text:anchor-type (19.770); measured in LibreOffice
   * @case odt/frames between paragraphs
   */
  drawingsBetweenParagraphs: true,

  /**
   * Text that its cell cuts off shows every letter that begins before the padding at the edge. LibreOffice estimates how many letters fit from the mean width
   * of all of them, so that letters are missing where those before the edge are narrower than the others.
   * @source observed in Excel; measured in LibreOffice, see `writtenLetters`
   */
  cutTextShowsAllLetters: true,

  /**
   * A sheet in landscape whose paper has no size, as Excel writes it in ODS, is printed on turned paper. LibreOffice takes the usual
   * paper in portrait.
   * @source style:print-orientation (ODF 1.3 part 3, 20.335); measured in LibreOffice
   */
  landscapeTurnsPaper: true,

  /**
   * Truth values and errors in cells of workbooks of Excel are centred. LibreOffice puts them at the end, as numbers, and does
   * so in its own files, too.
   * @source general of ST_HorizontalAlignment (ECMA-376-1 18.18.40); measured in LibreOffice, with and without formulas
   */
  truthValuesCentred: ({ centersTruthValues }: Pick<Workbook, 'centersTruthValues'>): boolean =>
    centersTruthValues === true,

  /**
   * The legend names series without a name by their number, as Excel does. LibreOffice names them by the column or row of
   * their values.
   * @source observed in Excel; measured in LibreOffice
   */
  unnamedSeriesAreNumbered: true,

  /**
   * The text of a content control that holds plain text looks as its runs say. LibreOffice draws it in the look of its
   * paragraph alone.
   * @source w:text of w:sdtPr (ECMA-376-1 17.5.2.44); measured in LibreOffice, with controls in paragraphs, around them and
   *   around cells, with data and without
   * @case layout/plain-text-controls
   */
  controlsKeepTheirLook: true,

  /**
   * Paragraphs can switch off hanging punctuation, the rules for line ends and the space beside letters of other scripts.
   * LibreOffice does so in OpenDocument files only and ignores the switches of Word's.
   * @source w:overflowPunct, w:kinsoku, w:autoSpaceDE and w:autoSpaceDN (ECMA-376-1 17.3.1.21, 17.3.1.16, 17.3.1.2 and
   *   17.3.1.3); measured in LibreOffice
   * @case layout/east-asian-switches
   */
  eastAsianSwitchesCount: true,

  /**
   * Page borders that are positioned relative to the text exclude the header.
   * @source `w:bordersDoNotSurroundHeader`
   * @case layout/page-borders-without-header-and-footer
   */
  pageBordersSkipHeader: ({ bordersSkipHeader }: DocumentSettings): boolean => bordersSkipHeader === true,

  /**
   * The same for the footer.
   * @source `w:bordersDoNotSurroundFooter`
   * @case layout/page-borders-without-header-and-footer
   */
  pageBordersSkipFooter: ({ bordersSkipFooter }: DocumentSettings): boolean => bordersSkipFooter === true,
}

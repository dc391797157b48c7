/**
 * Layout rules that follow LibreOffice, where the standards leave a behaviour open or LibreOffice departs from them: a
 * service with two engines must not answer with two layouts. Layout refers to a rule by name. A rule is a number, a table, a
 * pure function, or a switch. All switches are on; they mark what layout does only because LibreOffice does it.
 *
 * Each rule has a comment about its purpose. `@source` is how it was found, and `@case` the test that fails without it (see
 * test/plugins/engines/instant/compat). Lengths are in points.
 */
import type { DocumentSettings } from '../../../../shared/document/document.ts'
import type { Drawing } from '../../../../shared/document/drawing.ts'
import type { Border, TextFrame } from '../../../../shared/document/properties.ts'
import type { TableFloat } from '../../../../shared/document/table-properties.ts'
import type { Exclusion } from '../layout/flow/exclusion.ts'
import type { TextSegment } from '../layout/inline/types.ts'

/** The leader characters before a tab stop, in points. */
interface LeaderRow {
  readonly available: number
  /** How many characters there are. */
  readonly count: number
  /** The width of one of them. */
  readonly natural: number
  /** The font size. */
  readonly size: number
}

export const libreOffice = {
  // Paragraphs and the space between them

  /**
   * Automatic space before and after a paragraph, as between the paragraphs of web pages.
   * @source measured in LibreOffice
   * @case docx/automatic space in a list
   */
  automaticSpace: 14,

  /**
   * Automatic space counts at the top of headers, of footers and of sections other than the first one.
   * @source measured in LibreOffice
   * @case docx/automatic space in a header
   */
  sectionsStartWithSpace: true,

  /**
   * An explicit distance overrides an automatic one that a style declares.
   * @source observed in LibreOffice
   * @case layout/explicit-space-over-automatic
   */
  explicitSpaceOverridesAutomatic: true,

  /**
   * The leadings of two paragraphs do not add up: the larger one separates them.
   * @source observed in LibreOffice
   * @case odt/leading between lines
   */
  leadingBetween: (above: number, below: number): number => Math.max(above, below),

  /**
   * The space shared with the previous paragraph does not belong to a paragraph: positions of its drawings
   * count from below that space.
   * @source observed in LibreOffice
   * @case docx/text that finds no room beside a picture
   */
  sharedSpaceStaysAbove: true,

  /**
   * A paragraph that keeps with the next one is not split either.
   * @source observed in LibreOffice
   * @case docx/text that stays with the next is not cut
   */
  keptParagraphsStayWhole: true,

  /**
   * Only the upper one of two bordered paragraphs determines whether they share a box.
   * @source style:join-border (ODF 1.3 part 3, 20.302); measured in LibreOffice
   * @case odt/boxes that the upper paragraph joins
   */
  upperParagraphJoins: true,

  /**
   * Above the first paragraph of a text section, and above one that follows a section inside it, there is a space as
   * high as its upper border and padding, once more.
   * @source measured in LibreOffice, with sections in the text and in one another
   * @case odt/boxes that open a section
   */
  sectionsRepeatTopBorder: true,

  /**
   * Where a page cuts a paragraph, its borders close the box, and open it again on the next page.
   * @source observed in LibreOffice
   * @case docx/bordered paragraph cut by a page
   */
  cutBordersClose: true,

  /**
   * What multiple line spacing adds below a line may stick out at the bottom of a page.
   * @source observed in LibreOffice
   * @case odt/frames and notes end with their last line
   */
  lineSpaceHangsOverPage: true,

  /**
   * The ink of the letters, not the ascent and descent of the face, fills the height of a drop cap.
   * @source observed in LibreOffice
   * @case odt/letters over several lines
   */
  inkFillsDropCap: true,

  // Lines

  /**
   * A line with a picture is at least as tall as one in the font of the paragraph, however small the picture and the
   * letters beside it are.
   * @source measured in LibreOffice, with pictures of 0.75 to 30 points; Word takes the font of the paragraph mark
   * @case docx/pictures lower than a line
   */
  objectsKeepLineHeight: true,

  /**
   * The rule by which widths are rounded. The advance of each glyph is a whole number of steps of the reference
   * device (`stepsPerTwentieth`). A portion is text of one style without a tab or an object in it: those before it
   * on the line are rounded to twentieths of a point each, and the portion itself fits when the sum of its steps
   * does not reach beyond the end of the line, which lies on a twentieth. This says whether a portion from `start`
   * to `end` fits.
   * @source measured in LibreOffice, to the twentieth of a point, with 60 lines of one portion and 60 of six to nine
   * @case layout/lines-that-just-fit
   */
  portionFits: (start: number, end: number, right: number): boolean =>
    Math.round(start * 20) + Math.ceil((end - start) * 20 - 0.01) <= Math.round(right * 20),

  /**
   * The kerning between the last letter of a word and the space after it counts when the word must fit the line, although
   * the space hangs over its end.
   * @source measured in LibreOffice with lines of Caladea that end in a comma
   * @case layout/kerning-before-spaces-at-the-end-of-lines
   */
  spacesKernWordsAtLineEnds: true,

  /**
   * The width of a portion of a line that another one follows.
   * @source measured in LibreOffice, as above
   * @case layout/lines-that-just-fit
   */
  portionWidth: (width: number): number => Math.round(width * 20 + 0.001) / 20,

  /**
   * Letters that are set closer are not so after the last one of a portion, which is that much wider.
   * @source measured in LibreOffice, to the twentieth of a point, with lines of three portions
   * @case layout/lines-that-just-fit
   */
  unspacedEnd: (letterSpacing: number): number => Math.max(0, -letterSpacing),

  /**
   * Spaces at the end of a line count for its alignment when a manual line break follows them.
   * @source observed in LibreOffice
   * @case odt/blanks at the end of lines
   */
  blanksCountBeforeBreak: true,

  /**
   * From this many letters on, an address is split after a slash at the end of a line instead of moved to the next one. A
   * shorter one that fills a line alone is split anywhere, unless it begins the paragraph.
   * @source measured in LibreOffice
   * @case layout/addresses-at-the-end-of-lines
   */
  minSplitAddress: 66,

  /**
   * A line may end after a space that ends text of one style, even before a character that otherwise begins no line,
   * such as a slash, a full stop or a closing bracket. Word ends lines after every space.
   * @source measured in LibreOffice, with 28 characters after spaces within one style and between two
   * @case docx/signs of another style behind spaces
   */
  spacesAtStyleChangesBreak: true,

  /**
   * A tab moves to the next line together with the word after it, except at the start of a line.
   * @source observed in LibreOffice
   * @case docx/tabs that go with the word behind them
   */
  tabsMoveWithWord: true,

  /**
   * Tab stops move along with a line that is centred or aligned to its end.
   * @source observed in LibreOffice
   * @case odt/tabs in lines at the right and in the middle
   */
  tabsMoveWithLine: true,

  /**
   * In justified text a change from Latin letters to a script without spaces is stretched like a space.
   * @source observed in LibreOffice
   * @case layout/east-asian-beside-latin
   */
  scriptChangeStretches: true,

  /**
   * The space where East Asian and other letters meet, as a fraction of the font size, regardless of the setting
   * w:autoSpaceDE.
   * @source measured in LibreOffice
   * @case layout/east-asian-beside-latin
   */
  scriptSpace: 1 / 5,

  /**
   * The shortest word that is hyphenated, in letters.
   * @source observed in LibreOffice
   */
  minHyphenatedWord: 5,

  /**
   * The number of leader characters beyond those that fit: underscores get one more, so that no gap remains.
   * @source observed in LibreOffice
   * @case layout/tab-stops-and-leaders
   */
  extraLeaders: (character: string): number => (character === '_' ? 1 : 0),

  /**
   * The width of a row of leader characters. The remaining width is distributed between them in tenths of a
   * point; each step is then rounded to thousandths of the font size, down when it is wider than the character.
   * The row therefore ends a little before the tab stop, the more so the more characters there are.
   * @source measured in LibreOffice
   * @case layout/tab-stops-and-leaders
   */
  leaderWidth: ({ available, count, natural, size }: LeaderRow): number => {
    const naturalUnits = Math.floor((natural * 1000) / size + 0.001)
    const step = Math.floor((available / count) * 10 + 0.001) / 10
    const widerColumns = Math.min(count - 1, Math.round((available - count * step) * 10))
    const advance = (at: number): number =>
      naturalUnits - Math.trunc(0.5 - ((at * 1000) / size - naturalUnits))
    const sum = (count - 1 - widerColumns) * advance(step) + widerColumns * advance(step + 0.1) + naturalUnits
    return (sum * size) / 1000
  },

  /**
   * In right-to-left paragraphs the left and right alignment of list labels swap.
   * @source observed in LibreOffice, for DOCX and ODT
   * @case layout/labels-in-right-to-left-text
   */
  labelsSwapSides: true,

  /**
   * The number at the beginning of a note is as wide as the hanging indent of its paragraph.
   * @source observed in LibreOffice
   * @case docx/foot notes that hang
   */
  noteNumbersFillIndent: true,

  /**
   * A field that shows number and title of a chapter has a space between them even without a number.
   * @source observed in LibreOffice
   * @case odt/chapters in header and footer
   */
  chapterText: (number: string, title: string): string => `${number} ${title}`,

  // Heights of lines

  /**
   * Faces are measured in steps of this many to a twentieth of a point, in height and in the width of each glyph.
   * @source measured in LibreOffice with five families and sixteen sizes
   * @case odt/line spacing as it was
   */
  stepsPerTwentieth: 6,

  /**
   * Multiple line spacing as an integer percentage. It is converted to hundredths of a millimetre first (423 for
   * a single line): 278/240 becomes 115, 259/240 becomes 108.
   * @source measured in LibreOffice
   * @case docx/lines of one and a half to the foot of the page
   */
  linePercent: (multiple: number): number =>
    Math.max(1, Math.floor((Math.round((multiple * 240 * 127) / 72) * 100) / 423)),

  /**
   * A height times an integer percentage, rounded down to twentieths of a point.
   * @source measured in LibreOffice
   * @case docx/lines of one and a half to the foot of the page
   */
  multipliedHeight: (height: number, percent: number): number =>
    Math.floor((Math.round(height * 20) * percent) / 100 + 0.001) / 20,

  /**
   * What a multiple above one adds between two lines of a paragraph follows from the text of the lower one. Below the
   * last line of a paragraph it follows from that line itself.
   * @source measured in LibreOffice, with a face of another height at the beginning, in the middle and at the end of
   *   paragraphs of one to three lines
   * @case layout/line-spacing-between-lines-of-two-sizes
   */
  lineSpaceBetween: (_above: number, below: number): number => below,

  /**
   * A multiple above one scales the text of a line, not the objects in it.
   * @source observed in LibreOffice
   * @case docx/picture in a line of one and a half
   */
  multiplesScaleText: true,

  /**
   * The share of the height that is above the baseline in lines of an exact height, and in first lines that line
   * spacing makes smaller.
   * @source measured in LibreOffice
   * @case docx/line heights
   */
  ascentShare: 0.8,

  /**
   * The descent of a line that ignores its font, as a fraction of the size of the text; its ascent is the size.
   * @source measured in LibreOffice
   * @case deck/lines
   */
  descentWithoutFont: 0.2,

  /**
   * The size of text that is shrunk into its box, in points: rounded to a tenth.
   * @source measured in LibreOffice
   * @case deck/text that shrinks
   */
  shrunkSize: (size: number, scale: number): number => Math.max(1, Math.round(size * scale * 10) / 10),

  /**
   * A break is as tall as what it ends, spaces included, whatever its own text style.
   * @source observed in LibreOffice
   * @case docx/line breaks of another size
   */
  breaksHaveHeightOfLine: true,

  /**
   * Where spaces and tabs have no height (`blanksHaveNoHeight`), those in the lines after the first still have
   * theirs.
   * @source observed in LibreOffice, for documents of Word
   * @case layout/tall-blanks
   */
  blanksCountInLaterLines: true,

  /**
   * Whether the space or tab that ends a paragraph has its height where others have none (`blanksHaveNoHeight`): in
   * a line with a list label, and as a space whose letters are set closer.
   * @source measured in LibreOffice, for documents of Word, with larger blanks at the start, in the middle and at the
   *   end of lines with and without a label and a letter spacing
   * @case docx/blanks that end paragraphs
   */
  lastBlankHasHeight: (isLabelled: boolean, blank: TextSegment): boolean =>
    isLabelled || (blank.kind === 'space' && blank.textStyle.run.letterSpacing < 0),

  /**
   * What a multiple above one adds below the last line of a paragraph follows from the height of its text, to which spaces
   * and tabs belong that have no height otherwise. What it adds between two lines follows from the tallest text of the
   * lower one, spaces included.
   * @source measured in LibreOffice, as above
   * @case docx/blanks that end paragraphs
   */
  blanksCountForLineSpacing: true,

  /**
   * Hidden text among other text still contributes to the height of its line.
   * @source observed in LibreOffice
   * @case odt/hidden text
   */
  hiddenTextHasHeight: true,

  /**
   * In an empty paragraph the character style of the paragraph mark is ignored.
   * @source observed in LibreOffice
   * @case docx/marks of empty paragraphs
   */
  emptyLinesIgnoreMarkStyle: true,

  /**
   * The height above or below the baseline of a line with text that is moved by a fraction of the line: such text
   * can extend the line, but never shrinks it.
   * @source observed in LibreOffice
   * @case odt/letters raised by a share of the line
   */
  heightOfRaised: (line: number, raised: number): number => Math.max(line, raised),

  /**
   * Emphasis marks make a line taller by this share of the height of its text, on their side.
   * @source measured in LibreOffice
   * @case docx/marks over letters
   */
  emphasisHeight: 0.25,

  // Letters

  /**
   * Right-to-left text has the font and size of complex scripts, and so have numbers in it.
   * @source observed in LibreOffice
   * @case layout/numbers-beside-letters-from-right-to-left
   */
  numbersFollowDirection: true,

  /**
   * The size of small capitals as a fraction of the font size.
   * @source measured in LibreOffice
   * @case layout/underline-strike-script-highlight
   */
  smallCapitals: 0.8,

  /**
   * The size of automatic superscript and subscript as a fraction of the font size.
   * @source measured in LibreOffice
   * @case docx/foot notes
   */
  scriptSize: 0.58,

  /**
   * The lengths of the strokes and gaps of broken underlines, as multiples of their thickness.
   * @source measured in LibreOffice
   * @case layout/broken-lines-of-borders-and-underlines
   */
  underlineDashes: {
    dotted: [1, 1],
    dashed: [4, 2],
    'long-dashed': [8, 2],
    'dot-dash': [4, 2, 1, 2],
    'dot-dot-dash': [4, 2, 1, 2, 1, 2],
  } as Readonly<Record<string, readonly number[]>>,

  /**
   * The colour of embossed or engraved text: black becomes white between a light and a dark edge.
   * @source observed in LibreOffice
   * @case layout/relief-and-shadow-of-letters
   */
  reliefColour: (colour: number): number => (colour === 0 ? 0xffffff : colour),

  /**
   * The colour of the shadow of text: grey, or black when the text is not black.
   * @source observed in LibreOffice
   * @case layout/relief-and-shadow-of-letters
   */
  textShadowColour: (colour: number): number => (colour === 0 ? 0xa8a8a8 : 0),

  // Text beside floats

  /**
   * The minimum width of an interval beside an obstacle: text goes wherever a word fits.
   * @source observed in LibreOffice
   * @case docx/narrow gaps
   */
  minIntervalWidth: 1,

  /**
   * Optimal wrapping uses the wider side of a float only, and neither when both are narrower than this.
   * @source measured in LibreOffice: two centimetres
   * @case odt/picture with text on the larger side
   */
  minSideWidth: 56.7,

  /**
   * An obstacle may cover the space that multiple line spacing adds below the text.
   * @source observed in LibreOffice
   * @case docx/lines of a multiple above a picture
   */
  obstaclesCoverLineSpace: true,

  /**
   * When an obstacle covers the start of a line, indents count from the far edge of the obstacle.
   * @source observed in LibreOffice
   * @case docx/indents beside a picture
   */
  indentsCountFromObstacle: true,

  /**
   * A paragraph that moves below an obstacle is preceded by what multiple line spacing adds to its own lines and
   * to those of the previous paragraph.
   * @source observed in LibreOffice
   * @case docx/lines of a multiple below a picture
   */
  lineSpaceMovesBelowObstacle: true,

  // Floats

  /**
   * The drawings that tables avoid; tables run through shapes and text boxes.
   * @source observed in LibreOffice
   * @case docx/table below a picture
   */
  tablesAvoid: new Set<Drawing['content']['kind']>(['picture', 'chart']) as ReadonlySet<
    Drawing['content']['kind']
  >,

  /**
   * Rows that fit below a picture are placed above it where they would not touch it.
   * @source observed in LibreOffice
   */
  rowsMoveAbovePicture: true,

  /**
   * A picture with tight wrapping is clipped to the outline that the text follows.
   * @source observed in LibreOffice
   * @case docx/text along an outline
   */
  tightPicturesAreClipped: true,

  /**
   * Pictures are moved back onto the page. Shapes of Word stay where the document puts them.
   * @source observed in LibreOffice
   * @case docx/picture kept on the sheet at the right
   */
  staysOnPage: (content: Drawing['content']['kind']): boolean => content === 'picture',

  /**
   * On which sides of a text frame text may run, by its wrapping; undefined when it runs through the frame.
   * @source observed in LibreOffice
   * @case docx/frame with text above and below
   */
  frameSides: {
    around: 'both',
    auto: 'largest',
    through: 'largest',
    tight: 'none',
    'not-beside': 'none',
    none: undefined,
  } as Readonly<Record<TextFrame['wrap'], Exclusion['side'] | undefined>>,

  /**
   * Content that exceeds the exact height of a text frame is clipped.
   * @source observed in LibreOffice
   * @case layout/frame-of-exact-height
   */
  exactFramesClip: true,

  /**
   * The width that a floating table must leave beside it; a wider table is placed in the text like any other.
   * @source measured in LibreOffice: 4.69 mm
   * @case layout/floating-table-nearly-as-wide-as-the-text
   */
  minWidthBesideTable: (4.69 * 72) / 25.4,

  /**
   * A floating table stays on the page; it may cover the margins of the page.
   * @source observed in LibreOffice
   * @case layout/floating-table-below-the-page
   */
  floatingTablesStayOnPage: true,

  /**
   * The horizontal correction of a floating table: a distance counts to the text of the first cell, and a table
   * aligned to an edge keeps its distance to the text. `inset` is the distance from the edge of the table to the
   * text of its first cell.
   * @source observed in LibreOffice
   * @case docx/floating table by distance
   */
  floatingTableShift: ({ x, gaps }: TableFloat, inset: number, isOddPage: boolean): number => {
    if (typeof x === 'number') return -inset
    if (x === 'left' || (x === 'inside' && isOddPage) || (x === 'outside' && !isOddPage))
      return gaps.left ?? 0
    return x === 'right' || x === 'inside' || x === 'outside' ? -(gaps.right ?? 0) : 0
  },

  /**
   * A floating table at the beginning of a cell is placed in the text; only its alignment counts.
   * @source observed in LibreOffice
   * @case docx/floating table that opens a cell
   */
  tablesThatOpenCellsDoNotFloat: true,

  /**
   * In table cells, text frames are laid out as ordinary paragraphs.
   * @source observed in LibreOffice
   * @case layout/frame-in-a-cell
   */
  framesInCellsAreText: true,

  // Tables

  /**
   * A paragraph in a cell may be split after any line, without regard to widows and orphans.
   * @source observed in LibreOffice
   * @case docx/rows cut after one line
   */
  cellsSplitAnywhere: true,

  /**
   * A paragraph that continues in a cell on the next page keeps its space above.
   * @source observed in LibreOffice
   * @case docx/text that goes on in a cell
   */
  splitCellsKeepSpaceAbove: true,

  /**
   * In a cell, the space below a paragraph that is followed by more text belongs to its last line: without
   * height for it the line moves on.
   * @source observed in LibreOffice
   * @case docx/contextual space where a cell goes on
   */
  cellLinesCarrySpaceBelow: true,

  /**
   * When a row is split, a cell that lost its last line only for the space below it gets the line back when a
   * later cell makes the row taller, and a cell of a single line no longer continues.
   * @source measured in LibreOffice with 200 rows at the end of a page
   * @case docx/space below finds no room beside a cell that is cut
   */
  laterCellsGiveLinesBack: true,

  /**
   * What multiple line spacing adds below the last line of a cell is that of a line in the font size of the
   * paragraph, whatever the size of the text in the line.
   * @source measured in LibreOffice with text of 6, 8, 10 and 12 points in paragraphs of 10 points
   * @case layout/small-text-with-line-spacing-in-cells
   */
  cellsEndWithOwnLineSpace: true,

  /**
   * The height of that line as a share of the font size: Times New Roman's, whatever the font of the paragraph is.
   * @source measured in LibreOffice with rows of Arial, Calibri, DejaVu Sans and Times New Roman of 9 and 48 points
   * @case docx/multiple line spacing in cells of a tall font
   */
  cellLineHeight: 1.1494,

  /**
   * The empty paragraph that must follow a table at the end of a cell takes no height.
   * @source observed in LibreOffice
   * @case docx/nested table at the end of a cell
   */
  endOfCellIsHidden: true,

  /**
   * In the cells of a header or footer, the space that ends the header counts in addition to the space that ends
   * the cell.
   * @source observed in LibreOffice
   * @case docx/space in the cells of a header
   */
  headerCellsEndTwice: true,

  /**
   * A row keeps with the next one when the first paragraph of its first cell does.
   * @source observed in LibreOffice
   * @case docx/rows kept together
   */
  rowsKeepWithFirstParagraph: true,

  /**
   * Cells that hide their end marks (w:hideMark) give their row its declared height only if the row fills the
   * grid.
   * @source observed in LibreOffice
   * @case layout/hidden-marks-in-a-short-row
   */
  hiddenMarksNeedFullRow: true,

  /**
   * A row of at least the declared height moves to the next page as a whole when its content needs no more than that. A
   * row that its content makes taller is split.
   * @source measured in LibreOffice, with rows of 30 to 100 points above the end of a page
   * @case docx/rows as tall as declared at the end of a page
   */
  declaredHeightsKeepRowsWhole: true,

  /**
   * A table style that declares only first rows as headers makes the first row one; a style that declares all
   * rows does not.
   * @source observed in LibreOffice
   * @case docx/header rows by the style of the table
   */
  stylesDeclareHeaderRow: true,

  /**
   * All header rows are formatted like the first row.
   * @source observed in LibreOffice, and in files that Word wrote
   * @case docx/header rows look like the first
   */
  headerRowsLookLikeFirst: true,

  /**
   * The inside lines of a format for rows also separate a row from an equal one next to it.
   * @source observed in LibreOffice
   * @case docx/bands without lines between them
   */
  insideLinesSeparateEqualRows: true,

  /**
   * Saved column widths are used as they are, without fitting them to the text again.
   * @source observed in LibreOffice
   * @case docx/table and its margins
   */
  savedGridStays: true,

  /**
   * In documents of Word the edges between columns lie at whole ten-thousandths of the width of the table, rounded down to a
   * twentieth of a point.
   * @source measured in LibreOffice with 28 tables of two to four columns
   * @case layout/columns-at-ten-thousandths
   */
  columnsEndAtTenThousandths: ({ sharedCellMargins }: DocumentSettings): boolean => sharedCellMargins,

  /**
   * That place of the edge between two columns, in points from the left of a table of this width.
   * @source measured in LibreOffice, as above
   * @case layout/columns-at-ten-thousandths
   */
  columnEdge: (edge: number, width: number): number =>
    width <= 0
      ? edge
      : Math.floor((Math.round((edge * 10_000) / width) * Math.round(width * 20)) / 10_000) / 20,

  /**
   * The box of a form that can be checked is as wide as its text is high.
   * @source measured in LibreOffice, with text of 10 and 12 points
   * @case odt/boxes of forms
   */
  formBoxesAreSquare: true,

  // Borders

  /**
   * Where the cells of an ODF table share borders, those at the left and right lie over the padding: text begins at the
   * distance of the padding from the edge of its cell, however wide the border is.
   * @source measured in LibreOffice, with borders of one and five points and padding of 0 and 2 mm
   * @case odt/borders that cells share or have of their own
   */
  collapsedBordersCoverPadding: true,

  /**
   * The text of all cells of such a row begins at the same height, below the largest sum of a border and a padding, and
   * the largest padding is below all of them.
   * @source measured in LibreOffice, with rows whose cells differ in borders and padding
   * @case odt/borders that cells share or have of their own
   */
  collapsedRowsShareSpace: true,

  /**
   * The lengths of the strokes and gaps of broken lines, the same at any width.
   * @source measured in LibreOffice
   * @case layout/broken-lines-of-borders-and-underlines
   */
  borderDashes: {
    dotted: [0.5, 1],
    dashed: [8, 2.5],
    'dot-dash': [8, 2.5, 2.5, 2.5],
    'dot-dot-dash': [8, 2.5, 2.5, 2.5, 2.5, 2.5],
    'fine-dashed': [3, 1],
  } as Readonly<Partial<Record<Border['style'], readonly number[]>>>,

  /**
   * The width of a thin line that a border of unequal lines does not specify itself.
   * @source measured in LibreOffice
   * @case features/borders of several lines
   */
  thinLine: 0.75,

  /**
   * How much narrower than the declared width the line and the gap beside the thin line of an inset or outset border are, in points.
   * @source measured in LibreOffice, with borders of cells and paragraphs from 0.25 to 3 points
   * @case layout/inset-and-outset-borders
   */
  sunkenStrip: 0.35,

  /**
   * The width that such a border takes from its cell at the left and right, given the declared width: more than its lines have.
   * @source measured in LibreOffice, with the same borders
   * @case layout/inset-and-outset-borders
   */
  sunkenSide: (width: number): number => 2 * width + 0.75,

  /**
   * The border of a run makes its line taller and moves words apart by this much on each side.
   * @source observed in LibreOffice
   * @case features/borders of letters
   */
  runBorderWidth: (border: Border | undefined, lineWidth: (border: Border) => number): number =>
    border === undefined ? 0 : border.space + lineWidth(border),

  /**
   * The distance from the edge of the page to the outer edge of a page border: a distance from the page counts to
   * the outer edge of the line, a distance from the text to its inner edge.
   * @source observed in LibreOffice
   * @case layout/page-borders-from-the-text
   */
  pageBorderEdge: (from: 'page' | 'text', space: number, margin: number, lineWidth: number): number =>
    from === 'page' ? space : margin - space - lineWidth,

  // Pages

  /**
   * The lines of a document grid are centred on the page: half of the height that remains is above them. In a document
   * with footnotes or endnotes they begin at the top of the text.
   * @source observed in LibreOffice
   * @case docx/lines on a grid above a footnote
   */
  spaceAboveGrid: (height: number, pitch: number, hasNotes: boolean): number =>
    hasNotes ? 0 : (height % pitch) / 2,

  /**
   * All columns of a section start below the space before its first paragraph.
   * @source observed in LibreOffice
   * @case docx/columns broken by hand
   */
  columnsStartTogether: true,

  /**
   * A document has at least as many pages as the drawings that are anchored to pages by their number need.
   * @source observed in LibreOffice
   * @case odt/frames on sheets that they name
   */
  drawingsAddPages: true,

  /**
   * The line above footnotes: the space above and below it, its weight, and its share of the width of the text.
   * @source measured in LibreOffice: about a millimetre each, half a point, a quarter
   * @case docx/foot note cut by a page
   */
  noteSeparator: { gap: 2.85, weight: 0.5, share: 0.25 },

  /**
   * The space after the last footnote of a page is dropped.
   * @source observed in LibreOffice
   * @case docx/foot notes with space around them
   */
  lastNoteEndsWithText: true,

  /**
   * Endnotes are on pages of their own, which have these margins.
   * @source measured in LibreOffice: two centimetres
   * @case layout/endnotes-on-their-own-page
   */
  endnoteMargin: (2 * 72) / 2.54,

  /**
   * The index of the heading that counts for a header or footer: the first text of the page decides for headers,
   * the last one for footers; -1 before all headings. `from` up to `to` are the headings of the page, and
   * `opens` says that the first text of the page is a heading.
   * @source observed in LibreOffice
   * @case odt/chapters in header and footer
   */
  chapterIndex: (kind: 'header' | 'footer', from: number, to: number, opens: boolean): number =>
    (kind === 'footer' ? to : from + (opens ? 1 : 0)) - 1,

  /**
   * The default distance between line numbers and text.
   * @source measured in LibreOffice
   * @case features/numbers of lines at the usual distance
   */
  lineNumberDistance: 14.15,

  /**
   * Change bars are hairlines at this distance left of the text area, also for changes in cells and boxes.
   * @source measured in LibreOffice
   * @case layout/change-bars
   */
  changeBar: { distance: 7.1, weight: 0.1 },
}

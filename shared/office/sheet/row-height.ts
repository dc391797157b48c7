/**
 * Heights of rows that LibreOffice measures when it opens a workbook, in points. It counts in twentieths of a point (twips) and
 * in pixels of a screen, of which 1,000 twips are 67. Observed in LibreOffice 7.4.
 */
const pixelsPerTwip = 0.067
/** The space above and below the text of a cell, pixels. */
const margins = 2

/** A row whose text has one line in a font of this size, pt: the face of the font does not matter. */
export const lineHeight = (size: number): number => (Math.floor(size * 20 * 1.18) + 40 - 23) / 20

/** A row with lines that are so many pixels tall together. */
export const heightOfPixels = (pixels: number): number => Math.floor((pixels + margins) / pixelsPerTwip) / 20

/** Whether two heights are the same in pixels. */
export const isSamePixels = (one: number, other: number): boolean => pixelsOf(one) === pixelsOf(other)
const pixelsOf = (height: number): number => Math.floor(Math.round(height * 20) * pixelsPerTwip)

/**
 * The pixels of a line in a column of this width, pt. Columns are narrower than their width by the ratio of the widths that text
 * in the font of offices has on a printer and on the screen, and lose some pixels at their sides.
 */
export const lineWidthInPixels = (width: number): number =>
  (width * 20 * pixelsPerTwip) / printerRatio - sidePixels
const printerRatio = 1.0346
const sidePixels = 3.75

/**
 * Heights of rows, as LibreOffice measures them when it opens a workbook, in points. It calculates in twentieths of a
 * point (twips) and in screen pixels, of which 67 are 1,000 twips. Observed in LibreOffice 7.4.
 */
const pixelsPerTwip = 0.067
/** The space above and below the text of a cell, pixels. */
const margins = 2

/** The height of a row with one line of text in this font size, pt. The font family does not matter. */
export const lineHeight = (size: number): number => (Math.floor(size * 20 * 1.18) + 40 - 23) / 20

/** The height of a row whose lines have this total height in pixels. */
export const heightOfPixels = (pixels: number): number => Math.floor((pixels + margins) / pixelsPerTwip) / 20

/** Whether two heights are the same in pixels. */
export const isSamePixels = (one: number, other: number): boolean => pixelsOf(one) === pixelsOf(other)
const pixelsOf = (height: number): number => Math.floor(Math.round(height * 20) * pixelsPerTwip)

/**
 * The width available to a line in a column of this width, in pixels; `width` is in pt. Columns are narrower than
 * their nominal width by the ratio of printer to screen text widths in the default font, and lose some pixels at
 * their sides.
 */
export const lineWidthInPixels = (width: number): number =>
  (width * 20 * pixelsPerTwip) / printerRatio - sidePixels
const printerRatio = 1.0346
const sidePixels = 3.75

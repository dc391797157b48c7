import type { CellPadding } from '../../document/sheet.ts'

/**
 * Heights of rows, as LibreOffice measures them when it opens a workbook, in points. It calculates in twentieths of a
 * point (twips) and in screen pixels, of which 67 are 1,000 twips. Observed in LibreOffice 7.4.
 */
const pixelsPerTwip = 0.067
/** The padding of cells that specify none, pt. */
export const usualPadding: CellPadding = { left: 1, right: 1, top: 1, bottom: 1 }

const twipsOf = (length: number): number => Math.round(length * 20)

/** The height of a row with one line of text in this font size, pt. The font family does not matter. */
export const lineHeight = (size: number, { top, bottom } = usualPadding): number =>
  (Math.floor(size * 20 * 1.18) + twipsOf(top) + twipsOf(bottom) - 23) / 20

/** The height of a row whose lines have this total height in pixels. */
export function heightOfPixels(pixels: number, { top, bottom } = usualPadding): number {
  const margins = Math.floor(twipsOf(top) * pixelsPerTwip) + Math.floor(twipsOf(bottom) * pixelsPerTwip)
  return Math.floor((pixels + margins) / pixelsPerTwip) / 20
}

/** Whether two heights are the same in pixels. */
export const isSamePixels = (first: number, other: number): boolean => pixelsOf(first) === pixelsOf(other)
const pixelsOf = (height: number): number => Math.floor(Math.round(height * 20) * pixelsPerTwip)

/**
 * The width available to a line in a column of this width, in pixels; `width` is in pt. Columns are narrower than
 * their nominal width by the ratio of printer to screen text widths in the default font, and lose some pixels at
 * their sides.
 */
export const lineWidthInPixels = (width: number, { left, right } = usualPadding): number =>
  (width * 20 * pixelsPerTwip) / printerRatio - sidePixels - (left + right - 2) * 20 * pixelsPerTwip
const printerRatio = 1.0346
/** With the usual padding. */
const sidePixels = 3.75

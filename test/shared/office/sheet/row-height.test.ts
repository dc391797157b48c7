import { describe, expect, it } from 'vitest'
import {
  heightOfPixels,
  isSamePixels,
  lineHeight,
  lineWidthInPixels,
} from '../../../../shared/office/sheet/row-height.ts'

// The expected heights are those of rows that LibreOffice 7.4 wrote after measuring them.
describe('heights of measured rows', () => {
  it.each([
    [9, 11.45],
    [11, 13.8],
    [12, 15],
  ])('with one line of %d pt follow the size of the font', (size, height) => {
    expect(lineHeight(size)).toBeCloseTo(height, 1)
  })
  it.each([
    ['two lines of Liberation Sans 10', 30, 23.85],
    ['six lines of it', 90, 68.65],
    ['two lines of Liberation Sans 9', 28, 22.35],
  ])('are whole twips of the pixels of %s', (_, pixels, height) => {
    expect(heightOfPixels(pixels)).toBeCloseTo(height, 5)
  })
  it('are the same where they are as many pixels', () => {
    expect(isSamePixels(12.8, 13)).toBe(true)
    expect(isSamePixels(12.8, 14)).toBe(false)
  })
  it('leave 384 pixels to lines in a column of 300 pt', () => {
    expect(Math.floor(lineWidthInPixels(300))).toBe(384)
  })
})

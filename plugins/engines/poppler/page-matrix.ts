/** Positions in content streams. ISO 32000-2, 8.3.3 and 8.3.4. */

import type { Matrix, Point } from '../../../shared/document/geometry.ts'
import type { PdfDocument } from '../../../shared/pdf/model/document.ts'
import type { PdfPageGeometry } from '../../../shared/pdf/model/pages.ts'
import type { PdfValue } from '../../../shared/pdf/model/values.ts'

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** The numbers among the operands of an operator. */
export const numbersIn = (operands: string): readonly number[] =>
  (operands.match(/[-+]?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number)

/** The numbers of an array; none for other values. */
export function numbersOf(document: PdfDocument, value: PdfValue): readonly number[] {
  const resolved = document.resolve(value)
  return Array.isArray(resolved) ? resolved.map((entry) => Number(document.resolve(entry))) : []
}

/** The product of the operands of `cm` or `Tm` and a matrix. */
export function times(values: readonly number[], [a, b, c, d, e, f]: Matrix): Matrix {
  const [p = 1, q = 0, r = 0, s = 1, t = 0, u = 0] = values
  return [p * a + q * c, p * b + q * d, r * a + s * c, r * b + s * d, t * a + u * c + e, t * b + u * d + f]
}

/** A point of content in the units of its page. */
export function transformed([x = 0, y = 0]: readonly number[], [a, b, c, d, e, f]: Matrix): Point {
  return [x * a + y * c + e, x * b + y * d + f]
}

/** Converts units of the page to points from the top left corner of the displayed page. */
export function toDisplayed([px, py]: Point, { x, y, width, height, rotate, unit }: PdfPageGeometry): Point {
  const [left, up] = [(px - x) * unit, (py - y) * unit]
  switch (rotate) {
    case 0:
      return [left, height * unit - up]
    case 90:
      return [up, left]
    case 180:
      return [width * unit - left, up]
    case 270:
      return [height * unit - up, width * unit - left]
    default:
      return rotate satisfies never
  }
}

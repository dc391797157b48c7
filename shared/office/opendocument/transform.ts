import { identity, type Matrix, multiply } from '../../document/geometry.ts'
import { entryOf } from '../../entry-of.ts'
import { exactLength } from './values.ts'

/** The box of a shape before it is rotated around its centre, in points; `rotation` in degrees clockwise. */
export interface ShapePosition {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly rotation: number
}

/** The maximum number of operations in one transformation. */
const maxOperations = 50

/** The matrix of a transformation, whose operations apply to a shape at (0, 0) in order (ODF 1.3 part 3, 19.228). */
function matrixOf(text: string): Matrix {
  let matrix = identity
  for (const [, name = '', list = ''] of [...text.matchAll(/(\w+)\s*\(([^)]*)\)/g)].slice(0, maxOperations)) {
    const words = list.trim().split(/[\s,]+/)
    const number = (at: number): number => Number.parseFloat(words[at] ?? '') || 0
    const pt = (at: number): number => exactLength(words[at]) ?? 0
    // Angles in the file are counter-clockwise and in radians.
    const [cos, sin] = [Math.cos(-number(0)), Math.sin(-number(0))]
    const operations: Readonly<Record<string, () => Matrix>> = {
      rotate: () => [cos, sin, -sin, cos, 0, 0],
      translate: () => [1, 0, 0, 1, pt(0), pt(1)],
      scale: () => [number(0), 0, 0, words[1] === undefined ? number(0) : number(1), 0, 0],
      skewX: () => [1, 0, Math.tan(-number(0)), 1, 0, 0],
      skewY: () => [1, Math.tan(-number(0)), 0, 1, 0, 0],
      matrix: () => [number(0), number(1), number(2), number(3), pt(4), pt(5)],
    }
    const operation = entryOf(operations, name)?.()
    if (operation !== undefined) matrix = multiply(operation, matrix)
  }
  return matrix
}

/** The position of a shape of this size with a draw:transform. Skews are ignored. */
export function transformed(text: string, width: number, height: number): ShapePosition {
  const [a, b, c, d, e, f] = matrixOf(text)
  const [w, h] = [width * Math.hypot(a, b), height * Math.hypot(c, d)]
  const [x, y] = [(a * width + c * height) / 2 + e, (b * width + d * height) / 2 + f]
  return { x: x - w / 2, y: y - h / 2, width: w, height: h, rotation: (Math.atan2(b, a) * 180) / Math.PI }
}

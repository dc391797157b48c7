import { identity, multiply } from '../../../../../shared/document/geometry.ts'
import type { Matrix, Placed } from '../../layout/frame.ts'
import { type BoundingBox, boxOf } from './gradient.ts'

/** The bounding box of items without the width of their strokes; undefined for no items. Source: SVG 2, clause 8.10. */
export function boundsOf(items: readonly Placed[]): BoundingBox | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  const box = (x1: number, y1: number, x2: number, y2: number, [a, b, c, d, e, f]: Matrix): void => {
    for (const x of [x1, x2])
      for (const y of [y1, y2]) {
        const [px, py] = [a * x + c * y + e, b * x + d * y + f]
        left = Math.min(left, px)
        right = Math.max(right, px)
        top = Math.min(top, py)
        bottom = Math.max(bottom, py)
      }
  }
  const visit = (placed: readonly Placed[], matrix: Matrix): void => {
    for (const { x, y, item } of placed) {
      const here = multiply(matrix, [1, 0, 0, 1, x, y])
      if (item.kind === 'group') visit(item.frame.items, multiply(here, item.transform ?? identity))
      else if (item.kind === 'image') box(0, 0, item.width, item.height, here)
      else if (item.kind === 'glyphs') {
        const { face, size, width } = item.run
        box(0, -face.ascent * size, width, face.descent * size, here)
      } else if (item.kind === 'shape' && item.path.commands.length > 0) {
        const bounds = boxOf(item.path.commands)
        box(bounds.x, bounds.y, bounds.x + bounds.width, bounds.y + bounds.height, here)
      }
    }
  }
  visit(items, identity)
  return right > left && bottom > top
    ? { x: left, y: top, width: right - left, height: bottom - top }
    : undefined
}

/** The matrix from shares of a box to its coordinates. */
export const ofBounds = ({ x, y, width, height }: BoundingBox): Matrix => [width, 0, 0, height, x, y]

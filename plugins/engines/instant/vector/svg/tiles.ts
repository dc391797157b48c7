import { maxOf, minOf } from '../../../../../shared/extremes.ts'
import type { Matrix } from '../../layout/frame.ts'
import type { BoundingBox } from './gradient.ts'

/** Maximum number of tiles that are drawn as single cells. */
const maxTiles = 2500

/** Positions of the tiles of a pattern that cover a box; undefined when there are too many. Source: SVG 2, clause 14.3. */
export function tilesOver(
  box: BoundingBox,
  tile: BoundingBox,
  matrix: Matrix,
): (readonly [number, number])[] | undefined {
  const [a, b, c, d, e, f] = matrix
  const size = a * d - b * c
  if (!(tile.width > 0 && tile.height > 0) || Math.abs(size) < 1e-9) return []
  const corners = [
    [box.x, box.y],
    [box.x + box.width, box.y],
    [box.x, box.y + box.height],
    [box.x + box.width, box.y + box.height],
  ].map(([x = 0, y = 0]) => [(d * (x - e) - c * (y - f)) / size, (a * (y - f) - b * (x - e)) / size] as const)
  const range = (at: 0 | 1, from: number, step: number): [number, number] => {
    const all = corners.map((corner) => (corner[at] - from) / step)
    return [Math.floor(minOf(all) + 1e-9), Math.ceil(maxOf(all) - 1e-9)]
  }
  const [left, right] = range(0, tile.x, tile.width)
  const [top, bottom] = range(1, tile.y, tile.height)
  if (!((right - left) * (bottom - top) <= maxTiles)) return undefined
  const positions: (readonly [number, number])[] = []
  for (let row = top; row < bottom; row += 1)
    for (let column = left; column < right; column += 1)
      positions.push([tile.x + column * tile.width, tile.y + row * tile.height])
  return positions
}

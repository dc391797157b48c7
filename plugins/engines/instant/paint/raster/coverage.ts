/** Computes how much of each pixel a polygon covers. */
import type { Contour } from './polygons.ts'

/** A range of pixels from `left` and `top` up to, but not including, `right` and `bottom`. */
export interface PixelBox {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export function intersect(a: PixelBox, b: PixelBox): PixelBox {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  }
}

export const isEmpty = ({ left, top, right, bottom }: PixelBox): boolean => left >= right || top >= bottom

/**
 * Receives one row of pixels: `coverage[x]` from `left` up to `right` is 0 to 255. The array is reused for the next row.
 */
export type RowWriter = (y: number, left: number, right: number, coverage: Uint8Array) => void

/** The maximum number of cells that are computed at once. A larger polygon is processed in strips of rows. */
const maxCells = 1 << 20

/** Pixels, or rows of edges, that are one step of work: some microseconds. */
const workPerStep = 1000

/**
 * Computes the coverage of polygons by their signed area: each edge adds to the cells it crosses how much of the pixel, and
 * of all pixels right of it, lies beyond it; the sum along a row is the coverage. FreeType and AGG work the same way.
 *
 * Where parts of one polygon overlap within a pixel, the result may be up to the sum of both, at most full coverage.
 */
export class CoverageBuffer {
  #cells = new Float32Array(0)
  #row = new Uint8Array(0)
  /** Pixels of boxes, and rows that edges cross, since the last call of `check`. */
  #work = 0
  readonly #check: (steps: number) => void

  /** `check` is called with the steps of work; it throws when the deadline has passed, and the buffer is then of no more use. */
  constructor(check: (steps: number) => void) {
    this.#check = check
  }

  /** Calls `write` for the rows of `bounds` that the polygons touch. */
  fill(contours: readonly Contour[], bounds: PixelBox, evenOdd: boolean, write: RowWriter): void {
    const box = intersect(extentOf(contours), bounds)
    if (isEmpty(box)) return
    const width = box.right - box.left
    const stride = width + 2
    const stripRows = Math.max(1, Math.floor(maxCells / stride))
    if (this.#row.length < box.right) this.#row = new Uint8Array(box.right)
    for (let top = box.top; top < box.bottom; top += stripRows) {
      const rows = Math.min(stripRows, box.bottom - top)
      const cells = stride * rows
      this.#spend(cells)
      if (this.#cells.length < cells) this.#cells = new Float32Array(Math.max(cells, 4096))
      for (const { points } of contours) this.#addContour(points, { left: box.left, top, width, rows })
      this.#flush({ left: box.left, top, width, rows }, evenOdd, write)
    }
  }

  #spend(work: number): void {
    this.#work += work
    if (this.#work < workPerStep) return
    this.#check(Math.floor(this.#work / workPerStep))
    this.#work = 0
  }

  #addContour(points: readonly number[], strip: Strip): void {
    const count = points.length
    if (count < 4) return
    let x0 = (points[count - 2] as number) - strip.left
    let y0 = (points[count - 1] as number) - strip.top
    for (let at = 0; at < count; at += 2) {
      const x1 = (points[at] as number) - strip.left
      const y1 = (points[at + 1] as number) - strip.top
      this.#addEdge(x0, y0, x1, y1, strip)
      x0 = x1
      y0 = y1
    }
  }

  #addEdge(fromX: number, fromY: number, toX: number, toY: number, { width, rows }: Strip): void {
    if (fromY === toY) return
    const isDown = fromY < toY
    const [x0, y0, x1, y1] = isDown ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY]
    if (y1 <= 0 || y0 >= rows || !(y1 - y0 < Infinity)) return
    const direction = isDown ? 1 : -1
    const slope = (x1 - x0) / (y1 - y0)
    const start = Math.max(0, y0)
    const end = Math.min(rows, y1)
    this.#spend(end - start)
    let x = x0 + (start - y0) * slope
    const cells = this.#cells
    const stride = width + 2
    for (let row = Math.floor(start), y = start; y < end; row++) {
      const next = Math.min(row + 1, end)
      const height = next - y
      const nextX = x + slope * height
      addRow(cells, row * stride, width, { from: x, to: nextX, area: height * direction })
      x = nextX
      y = next
    }
  }

  #flush({ left, top, width, rows }: Strip, evenOdd: boolean, write: RowWriter): void {
    const cells = this.#cells
    const coverage = this.#row
    const stride = width + 2
    for (let row = 0; row < rows; row++) {
      const start = row * stride
      let sum = 0
      let first = -1
      let last = -1
      for (let column = 0; column < width; column++) {
        const cell = cells[start + column] as number
        if (cell !== 0) cells[start + column] = 0
        sum += cell
        let value = sum < 0 ? -sum : sum
        if (evenOdd) {
          value %= 2
          if (value > 1) value = 2 - value
        } else if (value > 1) value = 1
        const byte = (value * 255 + 0.5) | 0
        coverage[left + column] = byte
        if (byte !== 0) {
          if (first < 0) first = column
          last = column
        }
      }
      cells[start + width] = 0
      cells[start + width + 1] = 0
      if (first >= 0) write(top + row, left + first, left + last + 1, coverage)
    }
  }
}

interface Strip {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly rows: number
}

interface RowEdge {
  /** Where the edge enters and leaves the row, in pixels from the left of the strip. */
  readonly from: number
  readonly to: number
  /** The height of the edge within the row, negative where it goes up. */
  readonly area: number
}

/** Adds the part of an edge that lies within one row. */
function addRow(cells: Float32Array, start: number, width: number, { from, to, area }: RowEdge): void {
  // Left of the strip an edge covers whole rows, right of it nothing.
  const low = Math.min(width, Math.max(0, Math.min(from, to)))
  const high = Math.min(width, Math.max(0, Math.max(from, to)))
  const first = Math.floor(low)
  const last = Math.ceil(high)
  if (last <= first + 1) {
    const right = 0.5 * (low + high) - first
    cells[start + first] = (cells[start + first] as number) + area * (1 - right)
    cells[start + first + 1] = (cells[start + first + 1] as number) + area * right
    return
  }
  const perPixel = 1 / (high - low)
  const entry = low - first
  const exit = high - last + 1
  const begin = 0.5 * perPixel * (1 - entry) * (1 - entry)
  const finish = 0.5 * perPixel * exit * exit
  cells[start + first] = (cells[start + first] as number) + area * begin
  if (last === first + 2) {
    cells[start + first + 1] = (cells[start + first + 1] as number) + area * (1 - begin - finish)
  } else {
    const second = perPixel * (1.5 - entry)
    cells[start + first + 1] = (cells[start + first + 1] as number) + area * (second - begin)
    for (let column = first + 2; column < last - 1; column++)
      cells[start + column] = (cells[start + column] as number) + area * perPixel
    const before = second + (last - first - 3) * perPixel
    cells[start + last - 1] = (cells[start + last - 1] as number) + area * (1 - before - finish)
  }
  cells[start + last] = (cells[start + last] as number) + area * finish
}

function extentOf(contours: readonly Contour[]): PixelBox {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { points } of contours) {
    for (let at = 0; at + 1 < points.length; at += 2) {
      const [x, y] = [points[at] as number, points[at + 1] as number]
      if (x < left) left = x
      if (x > right) right = x
      if (y < top) top = y
      if (y > bottom) bottom = y
    }
  }
  return { left: Math.floor(left), top: Math.floor(top), right: Math.ceil(right), bottom: Math.ceil(bottom) }
}

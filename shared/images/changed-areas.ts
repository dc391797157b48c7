/** A part of a page, in fractions of its width and height. */
export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Width and height of the squares that are compared, in pixels. */
const cell = 8
/**
 * Minimum difference of a colour channel, of 255, of a changed pixel. Smaller differences occur at the edges of moved
 * glyphs.
 */
const visibleDifference = 24
/** If more than this fraction of a page changed, marking the areas would not be helpful. */
const maxFraction = 0.6

export interface Pixels {
  readonly data: Uint8ClampedArray // RGBA
  readonly width: number
  readonly height: number
}

/**
 * The areas in which two pictures of a page differ. None when they have different sizes, or when most of the page
 * changed.
 */
export function changedAreas(before: Pixels, after: Pixels): readonly Area[] {
  const { width, height } = after
  if (before.width !== width || before.height !== height) return []
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)]
  const changed = new Uint8Array(columns * rows)
  let count = 0
  for (let at = 0; at < after.data.length; at += 4) {
    if (!differs(before.data, after.data, at)) continue
    const pixel = at / 4
    const square = Math.floor(pixel / width / cell) * columns + Math.floor((pixel % width) / cell)
    if (changed[square] === 0) count++
    changed[square] = 1
  }
  if (count === 0 || count > columns * rows * maxFraction) return []
  return joined(changed, columns, rows).map(({ left, top, right, bottom }) => ({
    left: (left * cell) / width,
    top: (top * cell) / height,
    width: (Math.min(right * cell, width) - left * cell) / width,
    height: (Math.min(bottom * cell, height) - top * cell) / height,
  }))
}

/** The fraction of the pixels that differ visibly, 0 to 1. It is 1 for pictures of different sizes. */
export function changedShare(before: Pixels, after: Pixels): number {
  if (before.width !== after.width || before.height !== after.height) return 1
  let count = 0
  for (let at = 0; at < after.data.length; at += 4) if (differs(before.data, after.data, at)) count++
  return count / Math.max(1, after.width * after.height)
}

function differs(before: Uint8ClampedArray, after: Uint8ClampedArray, at: number): boolean {
  for (let channel = at; channel < at + 3; channel++)
    if (Math.abs((before[channel] ?? 0) - (after[channel] ?? 0)) > visibleDifference) return true
  return false
}

interface Squares {
  left: number
  top: number
  right: number // exclusive, like bottom
  bottom: number
}

/** Rectangles around groups of changed squares. Squares with at most one unchanged one between them are one group. */
function joined(changed: Uint8Array, columns: number, rows: number): readonly Squares[] {
  const seen = new Uint8Array(changed.length)
  const areas: Squares[] = []
  for (let start = 0; start < changed.length; start++) {
    if (changed[start] === 0 || seen[start] === 1) continue
    const area = { left: columns, top: rows, right: 0, bottom: 0 }
    const waiting = [start]
    seen[start] = 1
    for (let square = waiting.pop(); square !== undefined; square = waiting.pop()) {
      const [column, row] = [square % columns, Math.floor(square / columns)]
      area.left = Math.min(area.left, column)
      area.top = Math.min(area.top, row)
      area.right = Math.max(area.right, column + 1)
      area.bottom = Math.max(area.bottom, row + 1)
      for (let y = Math.max(0, row - 2); y <= Math.min(rows - 1, row + 2); y++)
        for (let x = Math.max(0, column - 2); x <= Math.min(columns - 1, column + 2); x++) {
          const next = y * columns + x
          if (changed[next] === 0 || seen[next] === 1) continue
          seen[next] = 1
          waiting.push(next)
        }
    }
    areas.push(area)
  }
  return areas
}

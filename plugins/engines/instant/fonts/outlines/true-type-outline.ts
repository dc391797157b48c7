import type { PathStep } from '../../../../../shared/document/ellipse.ts'
import { type Matrix, multiply } from '../../../../../shared/document/geometry.ts'
import { viewOf } from '../sfnt/container.ts'
import type { FontFile } from '../sfnt/font-file.ts'
import { glyphRange } from '../sfnt/glyph-bounds.ts'

/** Real fonts nest composites two levels deep; the limits stop glyphs that contain themselves. */
const maxDepth = 8
const maxComponents = 256

/** The components that one glyph may still use, over all levels. */
interface Budget {
  components: number
}

/**
 * The outline of a glyph of the `glyf` table, without hints. Composites are resolved. Throws RangeError when the glyph is
 * cut short. Source: OpenType 1.9, "glyf".
 */
export function trueTypeOutline(font: FontFile, glyph: number): readonly PathStep[] {
  const out: PathStep[] = []
  addGlyph(out, font, { glyph, matrix: [1, 0, 0, 1, 0, 0], depth: 0, budget: { components: maxComponents } })
  return out
}

interface GlyphUse {
  readonly glyph: number
  readonly matrix: Matrix
  readonly depth: number
  readonly budget: Budget
}

function addGlyph(out: PathStep[], font: FontFile, use: GlyphUse): void {
  const [start, end] = glyphRange(font, use.glyph) ?? [0, 0]
  if (end - start < 10 || end > font.sizeOf('glyf')) return
  const view = viewOf(font.part('glyf', start, end - start))
  const contours = view.getInt16(0)
  if (contours >= 0) addContours(out, view, contours, use.matrix)
  else if (use.depth < maxDepth) addComponents(out, font, view, use)
}

const flag = { onCurve: 1, shortX: 2, shortY: 4, repeat: 8, sameX: 16, sameY: 32 } as const

interface OutlinePoint {
  readonly x: number
  readonly y: number
  readonly onCurve: boolean
}

function addContours(out: PathStep[], view: DataView, contours: number, matrix: Matrix): void {
  const ends = Array.from({ length: contours }, (_, contour) => view.getUint16(10 + 2 * contour))
  const count = (ends.at(-1) ?? -1) + 1
  const instructions = 10 + 2 * contours
  let at = instructions + 2 + (contours > 0 ? view.getUint16(instructions) : 0)
  const flags = new Uint8Array(count)
  for (let index = 0; index < count; index++) {
    const value = view.getUint8(at++)
    const repeats = (value & flag.repeat) !== 0 ? view.getUint8(at++) : 0
    flags.fill(value, index, index + repeats + 1)
    index += repeats
  }
  const coordinates = (short: number, same: number): Float64Array => {
    const values = new Float64Array(count)
    let value = 0
    for (const [index, bits] of flags.entries()) {
      if ((bits & short) !== 0) value += (bits & same) !== 0 ? view.getUint8(at++) : -view.getUint8(at++)
      else if ((bits & same) === 0) {
        value += view.getInt16(at)
        at += 2
      }
      values[index] = value
    }
    return values
  }
  const xs = coordinates(flag.shortX, flag.sameX)
  const ys = coordinates(flag.shortY, flag.sameY)
  const [a, b, c, d, e, f] = matrix
  let first = 0
  for (const last of ends) {
    // In a sound glyph each contour ends after the one before it.
    if (last < first) return
    const points: OutlinePoint[] = []
    for (let index = first; index <= last && index < count; index++) {
      const [x, y] = [xs[index] ?? 0, ys[index] ?? 0]
      const onCurve = ((flags[index] ?? 0) & flag.onCurve) !== 0
      points.push({ x: a * x + c * y + e, y: b * x + d * y + f, onCurve })
    }
    first = last + 1
    addContour(out, points)
  }
}

const between = (p: OutlinePoint, q: OutlinePoint): OutlinePoint => ({
  x: (p.x + q.x) / 2,
  y: (p.y + q.y) / 2,
  onCurve: true,
})

/** Between two points off the curve stands an implied point on the curve, in their middle. */
function addContour(out: PathStep[], points: readonly OutlinePoint[]): void {
  const [first, second] = points
  const last = points.at(-1)
  if (first === undefined || second === undefined || last === undefined) return
  const start = first.onCurve ? first : last.onCurve ? last : between(first, last)
  out.push(['M', start.x, start.y])
  let from = start
  let control: OutlinePoint | undefined
  const curveTo = (to: OutlinePoint): void => {
    if (control === undefined) out.push(['L', to.x, to.y])
    else out.push(quadratic(from, control, to))
    from = to
    control = undefined
  }
  for (const point of first.onCurve ? points.slice(1) : points) {
    if (point.onCurve) {
      if (point !== start) curveTo(point)
      continue
    }
    if (control !== undefined) curveTo(between(control, point))
    control = point
  }
  if (control !== undefined) curveTo(start)
  out.push(['Z'])
}

/** A quadratic curve as the equal cubic one. */
function quadratic(from: OutlinePoint, control: OutlinePoint, to: OutlinePoint): PathStep {
  const third = (end: number, middle: number): number => end + (2 / 3) * (middle - end)
  return [
    'C',
    third(from.x, control.x),
    third(from.y, control.y),
    third(to.x, control.x),
    third(to.y, control.y),
    to.x,
    to.y,
  ]
}

const component = {
  words: 0x0001,
  offsets: 0x0002,
  scale: 0x0008,
  more: 0x0020,
  twoScales: 0x0040,
  matrix: 0x0080,
} as const
/** A number with 14 bits after the binary point. */
const fixed = (view: DataView, at: number): number => view.getInt16(at) / 16_384

function addComponents(out: PathStep[], font: FontFile, view: DataView, use: GlyphUse): void {
  for (let at = 10; ; ) {
    if (use.budget.components-- <= 0) return
    const flags = view.getUint16(at)
    const glyph = view.getUint16(at + 2)
    const isWide = (flags & component.words) !== 0
    // Components that are placed by matching points are rare and stay at the origin.
    const isOffset = (flags & component.offsets) !== 0
    const dx = isOffset ? (isWide ? view.getInt16(at + 4) : view.getInt8(at + 4)) : 0
    const dy = isOffset ? (isWide ? view.getInt16(at + 6) : view.getInt8(at + 5)) : 0
    at += isWide ? 8 : 6
    let [a, b, c, d] = [1, 0, 0, 1]
    if ((flags & component.scale) !== 0) {
      a = d = fixed(view, at)
      at += 2
    } else if ((flags & component.twoScales) !== 0) {
      a = fixed(view, at)
      d = fixed(view, at + 2)
      at += 4
    } else if ((flags & component.matrix) !== 0) {
      ;[a, b, c, d] = [fixed(view, at), fixed(view, at + 2), fixed(view, at + 4), fixed(view, at + 6)]
      at += 8
    }
    const matrix = multiply(use.matrix, [a, b, c, d, dx, dy])
    addGlyph(out, font, { glyph, matrix, depth: use.depth + 1, budget: use.budget })
    if ((flags & component.more) === 0) return
  }
}

/**
 * A drawing made of filled shapes, text included, and its two outputs: SVG, or PNG of any resolution. This is all that
 * barcodes and placeholders need, and runs on both hosts without a graphics library.
 */
import { type PngPixels, writePng } from './png.ts'

/** Commands as in SVG paths: 'M' and 'L' take one point, 'Q' two, 'C' three. Every ring is closed. */
export interface OutlineStep {
  readonly kind: 'M' | 'L' | 'Q' | 'C'
  readonly points: readonly number[] // x, y, x, y ...
}
export interface RasterShape {
  readonly color: number // 0xRRGGBB
  readonly rule: 'nonzero' | 'evenodd'
  readonly steps: readonly OutlineStep[]
}
export interface RasterDrawing {
  readonly width: number
  readonly height: number
  readonly background: number | undefined // none: transparent in SVG, white in PNG
  readonly shapes: readonly RasterShape[]
}

const hex = (color: number): string => `#${color.toString(16).padStart(6, '0')}`
const short = (value: number): string => String(Math.round(value * 100) / 100)

export function drawingSvg({ width, height, background, shapes }: RasterDrawing): Uint8Array {
  const backdrop =
    background === undefined ? '' : `<path fill="${hex(background)}" d="M0 0H${width}V${height}H0Z"/>`
  const paths = shapes.map(({ color, rule, steps }) => {
    const d = steps.map(({ kind, points }, at) => {
      const end = kind === 'M' && at > 0 ? 'Z' : ''
      return `${end}${kind}${points.map(short).join(' ')}`
    })
    return `<path fill="${hex(color)}"${rule === 'evenodd' ? ' fill-rule="evenodd"' : ''} d="${d.join('')}Z"/>`
  })
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  return new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${backdrop}${paths.join('')}</svg>`,
  )
}

/** Each row of pixels is sampled on this many scan lines. Horizontally, coverage is exact. */
const linesPerPixel = 4
/** The number of shades between a shape and its background. Edges on pixel boundaries need none. */
const shades = 8

/** Rasterizes a drawing. `factor`: pixels per unit of the drawing. */
export function drawingPng(drawing: RasterDrawing, factor: number, dpi?: number): Uint8Array {
  const width = Math.max(1, Math.round(drawing.width * factor))
  const height = Math.max(1, Math.round(drawing.height * factor))
  const backdrop = drawing.background ?? 0xffffff
  const palette = [backdrop]
  const data = new Uint8Array(width * height)
  const first = new Map<number, number>() // colour -> index of its palest shade, minus one
  for (const shape of drawing.shapes) {
    let base = first.get(shape.color)
    if (base === undefined) {
      base = palette.length - 1
      // Barcodes have fewer colours than a palette. If a drawing has more, the last shade is used for the rest.
      if (base + shades < 256) {
        for (let shade = 1; shade <= shades; shade += 1)
          palette.push(mixed(backdrop, shape.color, shade / shades))
      } else base = palette.length - 1 - shades
      first.set(shape.color, base)
    }
    paint(data, { width, height, factor, base }, shape)
  }
  const pixels: PngPixels = { kind: 'palette', colors: palette, data }
  return writePng(width, height, pixels, dpi === undefined ? {} : { dpi })
}

function mixed(from: number, to: number, part: number): number {
  const channel = (shift: number) => {
    const a = (from >> shift) & 255
    const b = (to >> shift) & 255
    return Math.round(a + (b - a) * part) << shift
  }
  return channel(16) | channel(8) | channel(0)
}

interface RasterCanvas {
  readonly width: number
  readonly height: number
  readonly factor: number
  readonly base: number
}

interface Edge {
  readonly x: number // at y
  readonly y: number
  readonly end: number
  readonly slope: number // x per y
  readonly direction: 1 | -1
}

function paint(data: Uint8Array, canvas: RasterCanvas, { steps, rule }: RasterShape): void {
  const edges = edgesOf(steps, canvas.factor).sort((a, b) => a.y - b.y)
  const { width, height, base } = canvas
  const coverage = new Float32Array(width + 1)
  const row = new Uint8Array(width)
  let active: Edge[] = []
  let next = 0
  /** Whether the next row has the same coverage as `row`: all edges are vertical, and none begins or ends. */
  let same = false
  for (let y = Math.max(0, Math.floor(edges[0]?.y ?? 0)); y < height; y += 1) {
    if (next >= edges.length && active.length === 0) return
    const steady =
      (next >= edges.length || edges[next]!.y >= y + 1) &&
      active.every(({ end, slope }) => slope === 0 && end >= y + 1)
    if (!(steady && same)) {
      coverage.fill(0)
      for (let line = 0; line < linesPerPixel; line += 1) {
        const at = y + (line + 0.5) / linesPerPixel
        while (next < edges.length && edges[next]!.y <= at) active.push(edges[next++]!)
        active = active.filter(({ end }) => end > at)
        if (active.length > 0) cover(coverage, crossings(active, at), rule, width)
      }
      for (let x = 0; x < width; x += 1)
        row[x] = Math.round(Math.min(1, (coverage[x] ?? 0) / linesPerPixel) * shades)
    }
    same = steady
    const start = y * width
    for (let x = 0; x < width; x += 1) if ((row[x] ?? 0) > 0) data[start + x] = base + (row[x] ?? 0)
  }
}

const crossings = (active: readonly Edge[], at: number): { x: number; direction: number }[] =>
  active
    .map(({ x, y, slope, direction }) => ({ x: x + (at - y) * slope, direction }))
    .sort((a, b) => a.x - b.x)

/** Adds the coverage of the intervals of one scan line that are inside the shape. */
function cover(
  coverage: Float32Array,
  crossings: readonly { x: number; direction: number }[],
  rule: RasterShape['rule'],
  width: number,
): void {
  let winding = 0
  for (let n = 0; n + 1 < crossings.length; n += 1) {
    winding += rule === 'evenodd' ? 1 : crossings[n]!.direction
    const inside = rule === 'evenodd' ? winding % 2 === 1 : winding !== 0
    if (!inside) continue
    const from = Math.max(0, crossings[n]!.x)
    const to = Math.min(width, crossings[n + 1]!.x)
    if (to <= from) continue
    const first = Math.floor(from)
    const last = Math.min(width - 1, Math.floor(to))
    if (first === last) coverage[first] = (coverage[first] ?? 0) + (to - from)
    else {
      coverage[first] = (coverage[first] ?? 0) + (first + 1 - from)
      for (let x = first + 1; x < last; x += 1) coverage[x] = (coverage[x] ?? 0) + 1
      coverage[last] = (coverage[last] ?? 0) + (to - last)
    }
  }
}

const curveParts = 8

function edgesOf(steps: readonly OutlineStep[], factor: number): Edge[] {
  const edges: Edge[] = []
  let startX = 0
  let startY = 0
  let x = 0
  let y = 0
  const lineTo = (toX: number, toY: number) => {
    if (toY !== y) {
      const slope = (toX - x) / (toY - y)
      edges.push(
        toY > y ? { x, y, end: toY, slope, direction: 1 } : { x: toX, y: toY, end: y, slope, direction: -1 },
      )
    }
    x = toX
    y = toY
  }
  for (const { kind, points } of steps) {
    const p = points.map((value) => value * factor)
    if (kind === 'M') {
      lineTo(startX, startY)
      x = startX = p[0] ?? 0
      y = startY = p[1] ?? 0
    } else if (kind === 'L') lineTo(p[0] ?? 0, p[1] ?? 0)
    else {
      const [fromX, fromY] = [x, y]
      const [ax, ay, bx, by, cx, cy] = kind === 'C' ? p : raised(fromX, fromY, p)
      for (let n = 1; n <= curveParts; n += 1) {
        const t = n / curveParts
        const u = 1 - t
        const at = (from: number, a: number, b: number, c: number) =>
          u * u * u * from + 3 * u * u * t * a + 3 * u * t * t * b + t * t * t * c
        lineTo(at(fromX, ax!, bx!, cx!), at(fromY, ay!, by!, cy!))
      }
    }
  }
  lineTo(startX, startY)
  return edges
}

/** A quadratic curve as a cubic one. */
function raised(x: number, y: number, [ax, ay, bx, by]: readonly number[]): number[] {
  const third = (from: number, to: number) => from + (2 * (to - from)) / 3
  return [third(x, ax!), third(y, ay!), third(bx!, ax!), third(by!, ay!), bx!, by!]
}

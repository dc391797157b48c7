import type { Chart, ChartFormat, Letters, Series, TextRun } from '../../../../../shared/document/chart.ts'
import type { Gradient } from '../../../../../shared/document/paint.ts'
import { maxOf, minOf } from '../../../../../shared/extremes.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { drawLine, type VectorTools } from '../../vector/vector.ts'
import {
  type Colour,
  type Fill,
  type GlyphRun,
  type PathCommand,
  type PathStroke,
  type Placed,
  type Pt,
  respaced,
} from '../frame.ts'

/** A rectangle in the chart, from its top left corner. */
export interface ChartArea {
  readonly x: Pt
  readonly y: Pt
  readonly width: Pt
  readonly height: Pt
}

export interface ChartCanvas {
  readonly chart: Chart
  readonly tools: VectorTools
  readonly items: Placed[]
  readonly width: Pt
  readonly height: Pt
}

/** One millimetre. */
export const mm: Pt = 72 / 25.4
/** Default lines of axes and grids. */
export const lineGrey: Colour = 0x8b8b8b

export interface ChartTextStyle {
  readonly family: string
  readonly size: Pt
  readonly bold: boolean
  readonly italic: boolean
  readonly colour: Colour
}

/** The text style of a label: its own, otherwise that of the chart, otherwise the default. */
export function styleOf({ chart }: ChartCanvas, own: Letters, fallback: Letters = {}): ChartTextStyle {
  const { letters } = chart
  const color = own.color ?? fallback.color ?? letters.color
  return {
    family: own.family ?? fallback.family ?? letters.family ?? 'Arial',
    size: Math.min(400, Math.max(1, own.size ?? fallback.size ?? letters.size ?? 10)),
    bold: own.bold ?? fallback.bold ?? letters.bold ?? false,
    italic: own.italic ?? fallback.italic ?? letters.italic ?? false,
    colour: color === undefined ? 0 : Number.parseInt(color, 16),
  }
}

interface ChartTextLine {
  readonly items: readonly Placed[]
  readonly width: Pt
  readonly height: Pt
  readonly ascent: Pt
}
/** Text that is laid out: lines below each other. */
export interface TextBlock {
  readonly lines: readonly ChartTextLine[]
  readonly width: Pt
  readonly height: Pt
}

const maxLines = 12

interface ChartWord extends TextRun {
  readonly style: ChartTextStyle
}

/** Lays out text of one style. Lines break where the text has line feeds, and at the width `available`. */
export const textBlock = (
  canvas: ChartCanvas,
  text: string,
  style: ChartTextStyle,
  available?: Pt,
): TextBlock =>
  setLines(
    canvas,
    text.split('\n').map((line) => [{ text: line, letters: {}, style }]),
    available,
  )

export const richBlock = (
  canvas: ChartCanvas,
  lines: readonly (readonly TextRun[])[],
  fallback: Letters,
  available?: Pt,
): TextBlock =>
  setLines(
    canvas,
    lines.map((line) => line.map((run) => ({ ...run, style: styleOf(canvas, run.letters, fallback) }))),
    available,
  )

function setLines(
  canvas: ChartCanvas,
  paragraphs: readonly (readonly ChartWord[])[],
  available: Pt | undefined,
): TextBlock {
  const lines: ChartTextLine[] = []
  for (const paragraph of paragraphs) {
    const unbroken = setLine(canvas, paragraph)
    if (available === undefined || unbroken.width <= available) lines.push(unbroken)
    else pushAll(lines, wrapped(canvas, paragraph, available))
    if (lines.length >= maxLines) break
  }
  lines.length = Math.min(lines.length, maxLines)
  const width = lines.reduce((widest, line) => Math.max(widest, line.width), 0)
  return { lines, width, height: lines.reduce((sum, line) => sum + line.height, 0) }
}

function wrapped(canvas: ChartCanvas, paragraph: readonly ChartWord[], available: Pt): ChartTextLine[] {
  const words = paragraph.flatMap((run) =>
    (run.text.match(/\s*\S+/g) ?? []).map((text): ChartWord => ({ ...run, text })),
  )
  const lines: ChartTextLine[] = []
  let line: ChartWord[] = []
  const trimmed = (word: ChartWord): ChartWord => ({ ...word, text: word.text.trimStart() })
  for (const word of words) {
    const longer = [...line, line.length === 0 ? trimmed(word) : word]
    if (line.length > 0 && setLine(canvas, longer).width > available) {
      lines.push(setLine(canvas, line))
      line = [trimmed(word)]
    } else line = longer
    if (lines.length >= maxLines) return lines
  }
  if (line.length > 0) lines.push(setLine(canvas, line))
  return lines
}

function setLine({ tools }: ChartCanvas, runs: readonly ChartWord[]): ChartTextLine {
  const items: Placed[] = []
  let [width, ascent, descent] = [0, 0, 0]
  for (const { text, style } of joined(runs)) {
    const face = tools.fonts.face(style.family, style.bold, style.italic)
    ascent = Math.max(ascent, inDots(face.ascent, style.size))
    descent = Math.max(descent, inDots(face.descent, style.size))
    if (text === '') continue
    for (const { item } of drawLine({ text, ...style }, tools).items) {
      if (item.kind !== 'glyphs') continue
      const run = dotted(item.run)
      items.push({ x: width, y: 0, item: { ...item, run } })
      width += run.width
    }
  }
  return { items, width, height: ascent + descent, ascent }
}

const dot: Pt = 0.75

/** Rounds a length in em at this font size to whole pixels. */
const inDots = (em: number, size: Pt): Pt => Math.round(em * Math.max(1, Math.round(size / dot))) * dot

/**
 * LibreOffice lays out the text of charts for a screen with 96 pixels per inch, so sizes and widths are whole
 * numbers of them.
 */
function dotted(run: GlyphRun): GlyphRun {
  const advances = Array.from(run.advances, (advance) => inDots(advance / run.size, run.size))
  return respaced(
    run,
    advances,
    advances.reduce((sum, value) => sum + value, 0),
  )
}

/** Joins neighbouring words of one style into one run. */
function joined(runs: readonly ChartWord[]): ChartWord[] {
  const merged: ChartWord[] = []
  for (const run of runs) {
    const last = merged.at(-1)
    if (last?.style === run.style) merged[merged.length - 1] = { ...last, text: last.text + run.text }
    else merged.push(run)
  }
  return merged
}

const anchorFractions = { start: 0, middle: 0.5, end: 1, top: 0, bottom: 1 } as const
export interface TextAnchor {
  /** The point of the text that is placed at the given position. */
  readonly across?: 'start' | 'middle' | 'end'
  readonly down?: 'top' | 'middle' | 'bottom'
  /** Rotation around that point, degrees counterclockwise. */
  readonly rotation?: number
  readonly align?: 'start' | 'middle'
}

/** The bounds of a text after rotation. */
export function textArea(block: TextBlock, x: Pt, y: Pt, anchor: TextAnchor = {}): ChartArea {
  const { across = 'middle', down = 'middle', rotation = 0 } = anchor
  const [left, top] = [-block.width * anchorFractions[across], -block.height * anchorFractions[down]]
  if (rotation === 0) return { x: x + left, y: y + top, width: block.width, height: block.height }
  const angle = (rotation * Math.PI) / 180
  const corners = [
    [left, top],
    [left + block.width, top],
    [left, top + block.height],
    [left + block.width, top + block.height],
  ].map(([cx = 0, cy = 0]) => [
    x + cx * Math.cos(angle) + cy * Math.sin(angle),
    y - cx * Math.sin(angle) + cy * Math.cos(angle),
  ])
  const [xs, ys] = [corners.map(([cx]) => cx!), corners.map(([, cy]) => cy!)]
  const [x1, y1] = [minOf(xs), minOf(ys)]
  return { x: x1, y: y1, width: maxOf(xs) - x1, height: maxOf(ys) - y1 }
}

export function putText(canvas: ChartCanvas, block: TextBlock, x: Pt, y: Pt, anchor: TextAnchor = {}): void {
  const { across = 'middle', down = 'middle', rotation = 0, align = 'middle' } = anchor
  const drawn: Placed[] = []
  let top = -block.height * anchorFractions[down]
  for (const line of block.lines) {
    const indent = align === 'start' ? 0 : (block.width - line.width) / 2
    const left = -block.width * anchorFractions[across] + indent
    for (const item of line.items)
      drawn.push({ x: left + item.x, y: top + line.ascent + item.y, item: item.item })
    top += line.height
  }
  canvas.tools.check()
  if (rotation === 0) {
    for (const item of drawn) canvas.items.push({ x: x + item.x, y: y + item.y, item: item.item })
    return
  }
  // At exactly 45 degrees programs that extract text cannot determine its direction.
  const angle = ((rotation % 90 === 0 ? rotation : rotation - 0.1) * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const frame = { width: 0, height: 0, items: drawn }
  canvas.items.push({
    x: 0,
    y: 0,
    item: { kind: 'group', frame, clip: false, transform: [cos, -sin, sin, cos, x, y] },
  })
}

export function fill(canvas: ChartCanvas, commands: readonly PathCommand[], paint: Fill): void {
  canvas.items.push({ x: 0, y: 0, item: { kind: 'shape', path: { commands, fill: paint } } })
}

export function stroke(canvas: ChartCanvas, commands: readonly PathCommand[], how: PathStroke): void {
  canvas.items.push({ x: 0, y: 0, item: { kind: 'shape', path: { commands, stroke: how } } })
}

const flat = (colour: Colour, opacity?: number): Fill => ({
  kind: 'solid',
  colour,
  ...(opacity !== undefined && opacity < 1 && { opacity }),
})

/** A straight line. */
export const rule = (canvas: ChartCanvas, x1: Pt, y1: Pt, x2: Pt, y2: Pt, how: PathStroke): void =>
  stroke(
    canvas,
    [
      ['M', x1, y1],
      ['L', x2, y2],
    ],
    how,
  )

const hex = (color: string): Colour => Number.parseInt(color, 16)

/** The fill of a box; `fallback` if the file specifies none. */
export function fillOf(formatting: ChartFormat, box: ChartArea, fallback: Colour | 'none'): Fill | undefined {
  if (formatting.gradient !== undefined) return gradientIn(formatting.gradient, box)
  if (formatting.fill === 'none') return undefined
  if (formatting.fill !== undefined) return flat(hex(formatting.fill), formatting.opacity)
  return fallback === 'none' ? undefined : flat(fallback)
}

function gradientIn({ kind, angle, centre, stops, opacity }: Gradient, box: ChartArea): Fill {
  const visibleStops = stops.map(({ at, color }) => ({ at, colour: hex(color) }))
  const faint = opacity === undefined ? {} : { opacity }
  if (kind === 'radial') {
    const [x1, y1] = [box.x + centre.x * box.width, box.y + centre.y * box.height]
    return {
      kind,
      x1,
      y1,
      x2: x1 + Math.max(box.width, box.height) / 2,
      y2: y1,
      stops: visibleStops,
      ...faint,
    }
  }
  const radians = (angle * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  const half = (Math.abs(box.width * cos) + Math.abs(box.height * sin)) / 2
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2]
  const direction = { x1: cx - cos * half, y1: cy - sin * half, x2: cx + cos * half, y2: cy + sin * half }
  return { kind, ...direction, stops: visibleStops, ...faint }
}

const dashes = { solid: [], dotted: [1, 1], dashed: [4, 3], 'dot-dash': [4, 3, 1, 3] } as const

/** The outline of a shape; `absent` if the file specifies none. */
export function strokeOf(
  formatting: ChartFormat,
  absent: { colour: Colour; width: Pt } | 'none',
): PathStroke | undefined {
  if (formatting.line === 'none' || (formatting.line === undefined && absent === 'none')) return undefined
  const fallback = absent === 'none' ? { colour: 0, width: 0.75 } : absent
  const width = Math.max(0.1, formatting.lineWidth ?? fallback.width)
  const pattern = dashes[formatting.dash ?? 'solid'].map((part) => part * Math.max(0.75, width))
  return {
    colour: formatting.line === undefined ? fallback.colour : hex(formatting.line),
    width,
    ...(formatting.opacity !== undefined && formatting.fill === undefined && { opacity: formatting.opacity }),
    ...(pattern.length > 0 && { dash: pattern }),
  }
}

/** A box with fill and outline. */
export function box(
  canvas: ChartCanvas,
  area: ChartArea,
  formatting: ChartFormat,
  fallback: Colour | 'none' = 'none',
): void {
  const commands: PathCommand[] = [['R', area.x, area.y, area.width, area.height]]
  const paint = fillOf(formatting, area, fallback)
  if (paint !== undefined) fill(canvas, commands, paint)
  const edge = strokeOf(formatting, 'none')
  if (edge !== undefined) stroke(canvas, commands, edge)
}

/** The default colours of Office, for files without a theme. */
const fallback: readonly Colour[] = [0x4472c4, 0xed7d31, 0xa5a5a5, 0xffc000, 0x5b9bd5, 0x70ad47]

/** The colour of the series or slice with this number. Each repetition of the palette is darker. */
export function paletteColour({ palette }: Chart, number: number): Colour {
  const colours = palette.length > 0 ? palette.map(hex) : fallback
  const base = colours[number % colours.length] ?? 0
  return shaded(base, 0.8 ** Math.floor(number / colours.length))
}

/** Makes a colour darker (below 1) or lighter (above 1). */
function shaded(colour: Colour, factor: number): Colour {
  const part = (shift: number) => Math.min(255, Math.round(((colour >> shift) & 255) * factor)) << shift
  return part(16) | part(8) | part(0)
}

export const seriesColour = (chart: Chart, series: Series): Colour => paletteColour(chart, series.index)

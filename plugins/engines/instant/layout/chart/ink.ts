import type { Chart, Series } from '../../../../../shared/document/chart.ts'
import { drawLine, type VectorTools } from '../../vector/vector.ts'
import type { Colour, PathCommand, Placed, Pt, Stroke } from '../frame.ts'

/** A box of the chart, from the top left of the whole. */
export interface Area {
  readonly x: Pt
  readonly y: Pt
  readonly width: Pt
  readonly height: Pt
}

export interface Ink {
  readonly chart: Chart
  readonly tools: VectorTools
  readonly items: Placed[]
}

export const labelSize = 9
export const lineGrey: Colour = 0xd0d0d0
export const textGrey: Colour = 0x404040
const family = 'Calibri'

export interface LabelStyle {
  readonly size?: Pt
  readonly bold?: boolean
  readonly colour?: Colour
  /** Where the point given lies in the text. */
  readonly across?: 'start' | 'middle' | 'end'
  readonly down?: 'top' | 'middle' | 'bottom'
  readonly turned?: boolean // reads upward
}

export function textWidth({ tools }: Ink, text: string, size: Pt = labelSize, bold = false): Pt {
  const line = { text, family, size, bold, italic: false, colour: 0 }
  return Math.max(0, ...text.split('\n').map((own) => drawLine({ ...line, text: own }, tools).width))
}

/** Lines of text around a point. */
export function label(ink: Ink, text: string, x: Pt, y: Pt, style: LabelStyle = {}): void {
  const { size = labelSize, bold = false, colour = textGrey, across = 'middle', down = 'middle' } = style
  const lines = text.split('\n').slice(0, 8)
  const pitch = size * 1.2
  const height = pitch * lines.length
  const share = { start: 0, middle: 0.5, end: 1, top: 0, bottom: 1 } as const
  const drawn: Placed[] = []
  for (const [n, own] of lines.entries()) {
    if (own === '') continue
    const line = drawLine({ text: own, family, size, bold, italic: false, colour }, ink.tools)
    const left = -line.width * share[across]
    const base = -height * share[down] + pitch * n + size * 0.93
    for (const { x: ix, y: iy, item } of line.items) drawn.push({ x: left + ix, y: base + iy, item })
  }
  if (style.turned !== true) {
    for (const { x: ix, y: iy, item } of drawn) ink.items.push({ x: x + ix, y: y + iy, item })
    return
  }
  const frame = { width: 0, height: 0, items: drawn }
  ink.items.push({ x: 0, y: 0, item: { kind: 'group', frame, clip: false, transform: [0, -1, 1, 0, x, y] } })
}

export function fill(ink: Ink, commands: readonly PathCommand[], colour: Colour, opacity?: number): void {
  const paint = { kind: 'solid' as const, colour, ...(opacity !== undefined && { opacity }) }
  ink.items.push({ x: 0, y: 0, item: { kind: 'shape', path: { commands, fill: paint } } })
}

export function stroke(ink: Ink, commands: readonly PathCommand[], how: Stroke): void {
  ink.items.push({ x: 0, y: 0, item: { kind: 'shape', path: { commands, stroke: how } } })
}

export const rule = (
  ink: Ink,
  x1: Pt,
  y1: Pt,
  x2: Pt,
  y2: Pt,
  colour: Colour = lineGrey,
  width = 0.5,
): void =>
  stroke(
    ink,
    [
      ['M', x1, y1],
      ['L', x2, y2],
    ],
    { colour, width },
  )

/** Office's own, for files without a theme. */
const fallback: readonly Colour[] = [0x4472c4, 0xed7d31, 0xa5a5a5, 0xffc000, 0x5b9bd5, 0x70ad47]

/** The colour of the series or slice with this number; each round through the palette is darker. */
export function turnColour({ palette }: Chart, number: number): Colour {
  const colours = palette.length > 0 ? palette.map((hex) => Number.parseInt(hex, 16)) : fallback
  const base = colours[number % colours.length]!
  const share = 0.8 ** Math.floor(number / colours.length)
  const part = (shift: number) => Math.round(((base >> shift) & 255) * share) << shift
  return part(16) | part(8) | part(0)
}

export const seriesColour = (chart: Chart, series: Series, number: number): Colour =>
  series.color === undefined ? turnColour(chart, number) : Number.parseInt(series.color, 16)

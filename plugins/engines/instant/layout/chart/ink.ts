import type { Chart, Letters, Look, Series, TextRun } from '../../../../../shared/document/chart.ts'
import type { Gradient } from '../../../../../shared/document/drawing.ts'
import { drawLine, type VectorTools } from '../../vector/vector.ts'
import type { Colour, Fill, GlyphRun, PathCommand, Placed, Pt, Stroke } from '../frame.ts'

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
  readonly width: Pt
  readonly height: Pt
}

/** A millimetre. */
export const mm: Pt = 72 / 25.4
/** Automatic lines: axes and grids. */
export const lineGrey: Colour = 0x8b8b8b

export interface TextStyle {
  readonly family: string
  readonly size: Pt
  readonly bold: boolean
  readonly italic: boolean
  readonly colour: Colour
}

/** What letters look like: their own, then the chart's, then what is usual. */
export function styleOf({ chart }: Ink, own: Letters, usual: Letters = {}): TextStyle {
  const { letters } = chart
  const color = own.color ?? usual.color ?? letters.color
  return {
    family: own.family ?? usual.family ?? letters.family ?? 'Arial',
    size: Math.min(400, Math.max(1, own.size ?? usual.size ?? letters.size ?? 10)),
    bold: own.bold ?? usual.bold ?? letters.bold ?? false,
    italic: own.italic ?? usual.italic ?? letters.italic ?? false,
    colour: color === undefined ? 0 : Number.parseInt(color, 16),
  }
}

interface Line {
  readonly items: readonly Placed[]
  readonly width: Pt
  readonly height: Pt
  readonly ascent: Pt
}
/** Set text: lines below each other. */
export interface TextBlock {
  readonly lines: readonly Line[]
  readonly width: Pt
  readonly height: Pt
}

const mostLines = 12

interface Word extends TextRun {
  readonly style: TextStyle
}

/** Text in one look; lines end where the text says, and where `room` ends. */
export const textBlock = (ink: Ink, text: string, style: TextStyle, room?: Pt): TextBlock =>
  setLines(
    ink,
    text.split('\n').map((line) => [{ text: line, letters: {}, style }]),
    room,
  )

export const richBlock = (
  ink: Ink,
  lines: readonly (readonly TextRun[])[],
  usual: Letters,
  room?: Pt,
): TextBlock =>
  setLines(
    ink,
    lines.map((line) => line.map((run) => ({ ...run, style: styleOf(ink, run.letters, usual) }))),
    room,
  )

function setLines(ink: Ink, paragraphs: readonly (readonly Word[])[], room: Pt | undefined): TextBlock {
  const lines: Line[] = []
  for (const paragraph of paragraphs) {
    const whole = setLine(ink, paragraph)
    if (room === undefined || whole.width <= room) lines.push(whole)
    else lines.push(...wrapped(ink, paragraph, room))
    if (lines.length >= mostLines) break
  }
  lines.length = Math.min(lines.length, mostLines)
  const width = lines.reduce((most, line) => Math.max(most, line.width), 0)
  return { lines, width, height: lines.reduce((sum, line) => sum + line.height, 0) }
}

function wrapped(ink: Ink, paragraph: readonly Word[], room: Pt): Line[] {
  const words = paragraph.flatMap((run) =>
    (run.text.match(/\s*\S+/g) ?? []).map((text): Word => ({ ...run, text })),
  )
  const lines: Line[] = []
  let line: Word[] = []
  const trimmed = (word: Word): Word => ({ ...word, text: word.text.trimStart() })
  for (const word of words) {
    const longer = [...line, line.length === 0 ? trimmed(word) : word]
    if (line.length > 0 && setLine(ink, longer).width > room) {
      lines.push(setLine(ink, line))
      line = [trimmed(word)]
    } else line = longer
    if (lines.length >= mostLines) return lines
  }
  if (line.length > 0) lines.push(setLine(ink, line))
  return lines
}

function setLine({ tools }: Ink, runs: readonly Word[]): Line {
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

/** A length in em of letters of this size, in whole dots of a screen. */
const inDots = (em: number, size: Pt): Pt => Math.round(em * Math.max(1, Math.round(size / dot))) * dot

/** LibreOffice sets the letters of charts for a screen, 96 dots to the inch: sizes and widths are whole numbers of them. */
function dotted(run: GlyphRun): GlyphRun {
  const advances = Array.from(run.advances, (advance) => inDots(advance / run.size, run.size))
  return { ...run, advances, width: advances.reduce((sum, one) => sum + one, 0) }
}

/** Words of one look are one run of text again. */
function joined(runs: readonly Word[]): Word[] {
  const found: Word[] = []
  for (const run of runs) {
    const last = found.at(-1)
    if (last?.style === run.style) found[found.length - 1] = { ...last, text: last.text + run.text }
    else found.push(run)
  }
  return found
}

const shares = { start: 0, middle: 0.5, end: 1, top: 0, bottom: 1 } as const
export interface TextPlace {
  /** Where the point given lies in the text. */
  readonly across?: 'start' | 'middle' | 'end'
  readonly down?: 'top' | 'middle' | 'bottom'
  /** Around that point, degrees against the clock. */
  readonly turn?: number
  readonly align?: 'start' | 'middle'
}

/** The box of a text, as it lies. */
export function textArea(block: TextBlock, x: Pt, y: Pt, place: TextPlace = {}): Area {
  const { across = 'middle', down = 'middle', turn = 0 } = place
  const [left, top] = [-block.width * shares[across], -block.height * shares[down]]
  if (turn === 0) return { x: x + left, y: y + top, width: block.width, height: block.height }
  const angle = (turn * Math.PI) / 180
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
  const [x1, y1] = [Math.min(...xs), Math.min(...ys)]
  return { x: x1, y: y1, width: Math.max(...xs) - x1, height: Math.max(...ys) - y1 }
}

export function putText(ink: Ink, block: TextBlock, x: Pt, y: Pt, place: TextPlace = {}): void {
  const { across = 'middle', down = 'middle', turn = 0, align = 'middle' } = place
  const drawn: Placed[] = []
  let top = -block.height * shares[down]
  for (const line of block.lines) {
    const indent = align === 'start' ? 0 : (block.width - line.width) / 2
    const left = -block.width * shares[across] + indent
    for (const item of line.items)
      drawn.push({ x: left + item.x, y: top + line.ascent + item.y, item: item.item })
    top += line.height
  }
  ink.tools.check()
  if (turn === 0) {
    for (const item of drawn) ink.items.push({ x: x + item.x, y: y + item.y, item: item.item })
    return
  }
  // At half a right angle programs that read text cannot tell which way it goes.
  const angle = ((turn % 90 === 0 ? turn : turn - 0.1) * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const frame = { width: 0, height: 0, items: drawn }
  ink.items.push({
    x: 0,
    y: 0,
    item: { kind: 'group', frame, clip: false, transform: [cos, -sin, sin, cos, x, y] },
  })
}

export function fill(ink: Ink, commands: readonly PathCommand[], paint: Fill): void {
  ink.items.push({ x: 0, y: 0, item: { kind: 'shape', path: { commands, fill: paint } } })
}

export function stroke(ink: Ink, commands: readonly PathCommand[], how: Stroke): void {
  ink.items.push({ x: 0, y: 0, item: { kind: 'shape', path: { commands, stroke: how } } })
}

export const flat = (colour: Colour, opacity?: number): Fill => ({
  kind: 'solid',
  colour,
  ...(opacity !== undefined && opacity < 1 && { opacity }),
})

/** A straight line. */
export const rule = (ink: Ink, x1: Pt, y1: Pt, x2: Pt, y2: Pt, how: Stroke): void =>
  stroke(
    ink,
    [
      ['M', x1, y1],
      ['L', x2, y2],
    ],
    how,
  )

export const hex = (color: string): Colour => Number.parseInt(color, 16)

/** What fills a box that looks so; `usual` where nothing is said. */
export function fillOf(look: Look, box: Area, usual: Colour | 'none'): Fill | undefined {
  if (look.gradient !== undefined) return gradientIn(look.gradient, box)
  if (look.fill === 'none') return undefined
  if (look.fill !== undefined) return flat(hex(look.fill), look.opacity)
  return usual === 'none' ? undefined : flat(usual)
}

function gradientIn({ kind, angle, centre, stops, opacity }: Gradient, box: Area): Fill {
  const shown = stops.map(({ at, color }) => ({ at, colour: hex(color) }))
  const faint = opacity === undefined ? {} : { opacity }
  if (kind === 'radial') {
    const [x1, y1] = [box.x + centre.x * box.width, box.y + centre.y * box.height]
    return { kind, x1, y1, x2: x1 + Math.max(box.width, box.height) / 2, y2: y1, stops: shown, ...faint }
  }
  const turn = (angle * Math.PI) / 180
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const half = (Math.abs(box.width * cos) + Math.abs(box.height * sin)) / 2
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2]
  const way = { x1: cx - cos * half, y1: cy - sin * half, x2: cx + cos * half, y2: cy + sin * half }
  return { kind, ...way, stops: shown, ...faint }
}

const dashes = { solid: [], dotted: [1, 1], dashed: [4, 3], 'dot-dash': [4, 3, 1, 3] } as const

/** How a thing is edged; `usual` where nothing is said. */
export function strokeOf(look: Look, usual: { colour: Colour; width: Pt } | 'none'): Stroke | undefined {
  if (look.line === 'none' || (look.line === undefined && usual === 'none')) return undefined
  const fallback = usual === 'none' ? { colour: 0, width: 0.75 } : usual
  const width = Math.max(0.1, look.lineWidth ?? fallback.width)
  const pattern = dashes[look.dash ?? 'solid'].map((part) => part * Math.max(0.75, width))
  return {
    colour: look.line === undefined ? fallback.colour : hex(look.line),
    width,
    ...(look.opacity !== undefined && look.fill === undefined && { opacity: look.opacity }),
    ...(pattern.length > 0 && { dash: pattern }),
  }
}

/** A box with its look. */
export function box(ink: Ink, area: Area, look: Look, usual: Colour | 'none' = 'none'): void {
  const commands: PathCommand[] = [['R', area.x, area.y, area.width, area.height]]
  const paint = fillOf(look, area, usual)
  if (paint !== undefined) fill(ink, commands, paint)
  const edge = strokeOf(look, 'none')
  if (edge !== undefined) stroke(ink, commands, edge)
}

/** Office's own, for files without a theme. */
const fallback: readonly Colour[] = [0x4472c4, 0xed7d31, 0xa5a5a5, 0xffc000, 0x5b9bd5, 0x70ad47]

/** The colour of the series or slice with this number; each round through the palette is darker. */
export function turnColour({ palette }: Chart, number: number): Colour {
  const colours = palette.length > 0 ? palette.map(hex) : fallback
  const base = colours[number % colours.length]!
  return shaded(base, 0.8 ** Math.floor(number / colours.length))
}

/** Darker below 1, lighter above. */
export function shaded(colour: Colour, share: number): Colour {
  const part = (shift: number) => Math.min(255, Math.round(((colour >> shift) & 255) * share)) << shift
  return part(16) | part(8) | part(0)
}

export const seriesColour = (chart: Chart, series: Series): Colour => turnColour(chart, series.index)

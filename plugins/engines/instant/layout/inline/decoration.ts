import {
  type Colour,
  filledBox,
  type GlyphRun,
  type Placed,
  type Pt,
  type Stroke,
  straightLine,
} from '../frame.ts'
import type { LineMetrics } from './line.ts'
import { colourOf, type Look } from './look.ts'
import { type BorderBox, borderBox } from './run-border.ts'

/** A part of a line without text: the space up to a tab stop. In points from the start of the line. */
export interface DecoratedGap {
  readonly x: Pt
  readonly width: Pt
  readonly colour: Colour
  readonly metrics: LineMetrics
}

/** A run of glyphs with its decoration. */
export interface Decorated extends DecoratedGap {
  readonly run: GlyphRun
  /** The width that a border occupies before and behind the text; absent where a neighbour shares the box. */
  readonly before?: Pt
  readonly behind?: Pt
}

/** Draws the background first, then the text, then the lines over, under and through it. */
export function decorate(look: Look, at: Decorated, items: Placed[], text: () => void): void {
  const { run } = look
  paintBackground(look, boxOf(look, at), items)
  text()
  if (run.underline === 'words') for (const word of wordsOf(at)) underline(look, word, items)
  else if (run.underline !== 'none') underline(look, at, items)
  if (run.strike !== 'none') strike(look, at, items)
  if (run.border !== undefined) items.push(...borderBox(run.border, boxOf(look, at)))
}

/**
 * The same for a gap: it has the background and the lines of its text style, except underlines of words only.
 * `leader` draws what fills the gap.
 */
export function decorateGap(look: Look, at: DecoratedGap, items: Placed[], leader: () => void): void {
  const { underline: line, strike: through } = look.run
  const { x, width } = at
  paintBackground(
    look,
    { x, width, top: -look.ascent - look.rise, height: look.ascent + look.descent },
    items,
  )
  leader()
  if (line !== 'none' && line !== 'words') underline(look, at, items)
  if (through !== 'none') strike(look, at, items)
}

/** Draws the background of text: its highlight, or else its shading. */
function paintBackground(
  { run }: Look,
  { x, width, top, height }: Pick<BorderBox, 'x' | 'width' | 'top' | 'height'>,
  items: Placed[],
): void {
  const background = run.highlight ?? run.shading
  if (background !== undefined && background !== 'auto')
    items.push(filledBox(x, top, width, height, colourOf(background)))
}

/** The box around a run, from the top of its text to the bottom. */
const boxOf = (look: Look, { x, width, before, behind }: Decorated): BorderBox => ({
  x: x - (before ?? 0),
  width: width + (before ?? 0) + (behind ?? 0),
  top: -look.ascent - look.rise,
  height: look.ascent + look.descent,
  left: before !== undefined,
  right: behind !== undefined,
})

/** Draws an underline, never thinner than 0.4 pt. */
function underline(look: Look, at: DecoratedGap, items: Placed[]): void {
  const { face, size, run } = look
  const colour = run.underlineColor === undefined ? at.colour : colourOf(run.underlineColor)
  const isHeavy = run.underline === 'thick' || run.underlineHeavy === true
  const thickness = Math.max(0.4, face.underlineThickness * size * (isHeavy ? 2 : 1))
  const y = face.underlineOffset * size - look.rise
  switch (run.underline) {
    case 'double': {
      const thin = thickness * 0.7
      items.push(filledBox(at.x, y - thin * 1.5, at.width, thin, colour))
      items.push(filledBox(at.x, y + thin * 0.5, at.width, thin, colour))
      break
    }
    case 'dotted':
    case 'dashed':
    case 'long-dashed':
    case 'dot-dash':
    case 'dot-dot-dash':
      items.push(
        straightLine(at.x, y, at.width, 0, {
          colour,
          width: thickness,
          dash: dashesOf(run.underline, thickness),
        }),
      )
      break
    case 'wave':
      items.push(wave(at.x, y, at.width, { colour, width: thickness }))
      break
    default:
      items.push(filledBox(at.x, y - thickness / 2, at.width, thickness, colour))
  }
}

/** The parts of a run between its spaces. */
function* wordsOf(at: Decorated): Generator<Decorated> {
  const { text, advances, clusters } = at.run
  let start = at.x
  let width = 0
  for (let index = 0; index < advances.length; index++) {
    if (text.charCodeAt(clusters[index]!) !== 0x20) width += advances[index]!
    else {
      if (width > 0) yield { ...at, x: start, width }
      start += width + advances[index]!
      width = 0
    }
  }
  if (width > 0) yield { ...at, x: start, width }
}

/** The lengths of strokes and gaps in multiples of the thickness, as LibreOffice draws them under text. */
const dashes: Readonly<Record<string, readonly number[]>> = {
  dotted: [1, 1],
  dashed: [4, 2],
  'long-dashed': [8, 2],
  'dot-dash': [4, 2, 1, 2],
  'dot-dot-dash': [4, 2, 1, 2, 1, 2],
}
const dashesOf = (style: string, thickness: Pt): readonly Pt[] | undefined =>
  dashes[style]?.map((length) => length * thickness)

/** A zigzag of 2 pt steps and 0.8 pt amplitude. At most 4000 steps, so that a very wide run stays cheap. */
function wave(x: Pt, y: Pt, width: Pt, stroke: Stroke): Placed {
  const step = 2
  const commands: (readonly ['M' | 'L', Pt, Pt])[] = [['M', 0, 0]]
  const count = Math.min(4000, Math.max(1, Math.floor(width / step)))
  for (let i = 1; i <= count; i++) commands.push(['L', i * step, i % 2 === 0 ? -0.8 : 0.8])
  return { x, y, item: { kind: 'shape', path: { commands, stroke } } }
}

/** Draws one or two lines through the text. */
function strike(look: Look, at: DecoratedGap, items: Placed[]): void {
  const thickness = Math.max(0.4, look.face.strikeThickness * look.size)
  const y = -look.face.strikeOffset * look.size - look.rise - thickness / 2
  if (look.run.strike === 'double') {
    items.push(filledBox(at.x, y - thickness, at.width, thickness * 0.8, at.colour))
    items.push(filledBox(at.x, y + thickness, at.width, thickness * 0.8, at.colour))
  } else items.push(filledBox(at.x, y, at.width, thickness, at.colour))
}

import { entryOf } from '../../../../../shared/entry-of.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { libreOffice } from '../../compat/libreoffice.ts'
import {
  type Colour,
  filledBox,
  type GlyphRun,
  type PathStroke,
  type Placed,
  type Pt,
  straightLine,
} from '../frame.ts'
import type { LineMetrics } from './line-height.ts'
import { type BorderBox, borderBox } from './run-border.ts'
import { colourOf } from './text-style.ts'
import type { TextStyle } from './types.ts'

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
  /** The width that a border occupies before and after the text; absent where a neighbour shares the box. */
  readonly before?: Pt
  readonly after?: Pt
}

/** Draws the background first, then the text, then the lines over, under and through it. */
export function decorate(textStyle: TextStyle, at: Decorated, items: Placed[], text: () => void): void {
  const { run } = textStyle
  paintBackground(textStyle, boxOf(textStyle, at), items)
  text()
  if (run.underline === 'words') for (const word of wordsOf(at)) underline(textStyle, word, items)
  else if (run.underline !== 'none') underline(textStyle, at, items)
  if (run.strike !== 'none') strike(textStyle, at, items)
  if (run.border !== undefined) pushAll(items, borderBox(run.border, boxOf(textStyle, at)))
}

/**
 * Decorates a gap like text: with the background and the lines of its text style, except underlines of words only. `leader`
 * draws what fills the gap.
 */
export function decorateGap(
  textStyle: TextStyle,
  at: DecoratedGap,
  items: Placed[],
  leader: () => void,
): void {
  const { underline: line, strike: through } = textStyle.run
  const { x, width } = at
  paintBackground(
    textStyle,
    { x, width, top: -textStyle.ascent - textStyle.rise, height: textStyle.ascent + textStyle.descent },
    items,
  )
  leader()
  if (line !== 'none' && line !== 'words') underline(textStyle, at, items)
  if (through !== 'none') strike(textStyle, at, items)
}

/** Draws the background of text: its highlight, or else its shading. */
function paintBackground(
  { run }: TextStyle,
  { x, width, top, height }: Pick<BorderBox, 'x' | 'width' | 'top' | 'height'>,
  items: Placed[],
): void {
  const background = run.highlight ?? run.shading
  if (background !== undefined && background !== 'auto')
    items.push(filledBox(x, top, width, height, colourOf(background)))
}

/** The box around a run, from the top of its text to the bottom. */
const boxOf = (textStyle: TextStyle, { x, width, before, after }: Decorated): BorderBox => ({
  x: x - (before ?? 0),
  width: width + (before ?? 0) + (after ?? 0),
  top: -textStyle.ascent - textStyle.rise,
  height: textStyle.ascent + textStyle.descent,
  left: before !== undefined,
  right: after !== undefined,
})

/** Draws an underline, never thinner than 0.4 pt. */
function underline(textStyle: TextStyle, at: DecoratedGap, items: Placed[]): void {
  const { face, size, run } = textStyle
  const colour = run.underlineColor === undefined ? at.colour : colourOf(run.underlineColor)
  const isHeavy = run.underline === 'thick' || run.underlineHeavy === true
  const thickness = Math.max(0.4, face.underlineThickness * size * (isHeavy ? 2 : 1))
  const y = face.underlineOffset * size - textStyle.rise
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
    if (text.charCodeAt(clusters[index] ?? 0) !== 0x20) width += advances[index] ?? 0
    else {
      if (width > 0) yield { ...at, x: start, width }
      start += width + (advances[index] ?? 0)
      width = 0
    }
  }
  if (width > 0) yield { ...at, x: start, width }
}

const dashesOf = (style: string, thickness: Pt): readonly Pt[] | undefined =>
  entryOf(libreOffice.underlineDashes, style)?.map((length) => length * thickness)

/** A zigzag of 2 pt steps and 0.8 pt amplitude. At most 4000 steps, so that a very wide run stays cheap. */
function wave(x: Pt, y: Pt, width: Pt, stroke: PathStroke): Placed {
  const step = 2
  const commands: (readonly ['M' | 'L', Pt, Pt])[] = [['M', 0, 0]]
  const count = Math.min(4000, Math.max(1, Math.floor(width / step)))
  for (let i = 1; i <= count; i++) commands.push(['L', i * step, i % 2 === 0 ? -0.8 : 0.8])
  return { x, y, item: { kind: 'shape', path: { commands, stroke } } }
}

/** Draws one or two lines through the text. */
function strike(textStyle: TextStyle, at: DecoratedGap, items: Placed[]): void {
  const thickness = Math.max(0.4, textStyle.face.strikeThickness * textStyle.size)
  const y = -textStyle.face.strikeOffset * textStyle.size - textStyle.rise - thickness / 2
  if (textStyle.run.strike === 'double') {
    items.push(filledBox(at.x, y - thickness, at.width, thickness * 0.8, at.colour))
    items.push(filledBox(at.x, y + thickness, at.width, thickness * 0.8, at.colour))
  } else items.push(filledBox(at.x, y, at.width, thickness, at.colour))
}

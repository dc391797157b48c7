import type { Border } from '../../../../../shared/document/properties.ts'
import { type Colour, filledBox, type Placed, type Pt, type Stroke, straightLine } from '../frame.ts'
import type { LineMetrics } from './line.ts'
import { colourOf, type Look } from './look.ts'

export interface Decorated {
  readonly x: Pt
  readonly width: Pt
  readonly colour: Colour
  readonly metrics: LineMetrics
  readonly text: string
}

/** Grounds first, then the text itself, then the lines over, under and through it. */
export function decorate(look: Look, at: Decorated, items: Placed[], text: () => void): void {
  const { run } = look
  const ground = run.highlight ?? run.shading
  if (ground !== undefined && ground !== 'auto') {
    items.push(
      filledBox(at.x, -look.ascent - look.rise, at.width, look.ascent + look.descent, colourOf(ground)),
    )
  }
  text()
  if (run.underline !== 'none' && !(run.underline === 'words' && at.text.trim() === ''))
    underline(look, at, items)
  if (run.strike !== 'none') strike(look, at, items)
  if (run.border !== undefined) box(run.border, look, at, items)
}

function underline(look: Look, at: Decorated, items: Placed[]): void {
  const { face, size, run } = look
  const colour = run.underlineColor === undefined ? at.colour : colourOf(run.underlineColor)
  const thickness = Math.max(0.4, face.underlineThickness * size * (run.underline === 'thick' ? 2 : 1))
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
    case 'dot-dash':
    case 'dot-dot-dash':
      items.push(
        straightLine(at.x, y, at.width, 0, {
          colour,
          width: thickness,
          dash: dashOf(run.underline, thickness),
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

export function dashOf(style: string, width: Pt): readonly Pt[] | undefined {
  const unit = Math.max(0.75, width)
  switch (style) {
    case 'dotted':
      return [unit, unit * 1.5]
    case 'dashed':
      return [unit * 4, unit * 2.5]
    case 'dot-dash':
      return [unit * 4, unit * 2, unit, unit * 2]
    case 'dot-dot-dash':
      return [unit * 4, unit * 2, unit, unit * 2, unit, unit * 2]
    default:
      return undefined
  }
}

function wave(x: Pt, y: Pt, width: Pt, stroke: Stroke): Placed {
  const step = 2
  const commands: (readonly ['M' | 'L', Pt, Pt])[] = [['M', 0, 0]]
  const count = Math.min(4000, Math.max(1, Math.floor(width / step)))
  for (let i = 1; i <= count; i++) commands.push(['L', i * step, i % 2 === 0 ? -0.8 : 0.8])
  return { x, y, item: { kind: 'shape', path: { commands, stroke } } }
}

function strike(look: Look, at: Decorated, items: Placed[]): void {
  const thickness = Math.max(0.4, look.face.strikeThickness * look.size)
  const y = -look.face.strikeOffset * look.size - look.rise - thickness / 2
  if (look.run.strike === 'double') {
    items.push(filledBox(at.x, y - thickness, at.width, thickness * 0.8, at.colour))
    items.push(filledBox(at.x, y + thickness, at.width, thickness * 0.8, at.colour))
  } else items.push(filledBox(at.x, y, at.width, thickness, at.colour))
}

function box(border: Border, look: Look, at: Decorated, items: Placed[]): void {
  const stroke: Stroke = {
    colour: colourOf(border.color),
    width: border.width,
    dash: dashOf(border.style, border.width),
  }
  const top = -look.ascent - look.rise - border.space
  const height = look.ascent + look.descent + border.space * 2
  items.push({
    x: at.x,
    y: top,
    item: { kind: 'shape', path: { commands: [['R', 0, 0, at.width, height]], stroke } },
  })
}

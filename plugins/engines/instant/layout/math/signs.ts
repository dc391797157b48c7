import { entryOf } from '../../../../../shared/entry-of.ts'
import type { PathCommand, Placed, Pt } from '../frame.ts'
import {
  axis,
  barThickness,
  emptyBox,
  filled,
  type MathBox,
  type MathStyle,
  moved,
  stroked,
  textBox,
} from './box.ts'

/** A bracket as tall as its content: a glyph of the face when that is tall enough, otherwise drawn. */
export function delimiter(style: MathStyle, sign: string, ascent: Pt, descent: Pt): MathBox {
  if (sign === '') return emptyBox
  const { size } = style
  const half = Math.max(ascent - axis * size, descent + axis * size)
  if (half <= 0.56 * size) return textBox(style, sign)
  const draw = entryOf(drawn, sign)
  if (draw === undefined) return scaled(style, sign, half)
  const width = Math.min(0.5 * size, 0.28 * size + half * 0.06)
  const top = -axis * size - half
  const bottom = -axis * size + half
  const line = Math.max(barThickness * size, half * 0.02)
  const commands = draw(width, top, bottom)
  return {
    width: width + 0.08 * size,
    ascent: -top,
    descent: bottom,
    items: moved([stroked(commands, style.colour, line)], 0.04 * size, 0),
  }
}

/** Stretches any other sign to the size. */
function scaled(style: MathStyle, sign: string, half: Pt): MathBox {
  const box = textBox(style, sign)
  const factor = (2 * half) / Math.max(0.01, box.ascent + box.descent)
  const middle = -axis * style.size
  const centre = (box.descent - box.ascent) / 2
  const item: Placed = {
    x: 0,
    y: middle - centre * factor,
    item: {
      kind: 'group',
      clip: false,
      frame: { width: box.width, height: 0, items: box.items },
      transform: [1, 0, 0, factor, 0, 0],
    },
  }
  return { width: box.width, ascent: half - middle, descent: half + middle, items: [item] }
}

type Draw = (width: Pt, top: Pt, bottom: Pt) => PathCommand[]

const parenthesis =
  (open: boolean): Draw =>
  (width, top, bottom) => {
    const [from, to] = open ? [width, 0] : [0, width]
    const bend = (bottom - top) / 4
    return [
      ['M', from, top],
      ['C', to, top + bend, to, bottom - bend, from, bottom],
    ]
  }
const square =
  (open: boolean, above = true, below = true): Draw =>
  (width, top, bottom) => {
    const [arm, back] = open ? [width * 0.8, width * 0.2] : [width * 0.2, width * 0.8]
    return [
      ['M', above ? arm : back, top],
      ['L', back, top],
      ['L', back, bottom],
      ['L', below ? arm : back, bottom],
    ]
  }
const curly =
  (open: boolean): Draw =>
  (width, top, bottom) => {
    const x = (fraction: number): Pt => (open ? fraction : 1 - fraction) * width
    const middle = (top + bottom) / 2
    const bend = Math.min(width, (bottom - top) / 4)
    // `x(1)` is at the ends, `x(0)` at the tip.
    return [
      ['M', x(1), top],
      ['C', x(0.5), top, x(0.5), top, x(0.5), top + bend],
      ['L', x(0.5), middle - bend],
      ['C', x(0.5), middle, x(0.5), middle, x(0), middle],
      ['C', x(0.5), middle, x(0.5), middle, x(0.5), middle + bend],
      ['L', x(0.5), bottom - bend],
      ['C', x(0.5), bottom, x(0.5), bottom, x(1), bottom],
    ]
  }
const angle =
  (open: boolean): Draw =>
  (width, top, bottom) => {
    const [edge, tip] = open ? [width, 0] : [0, width]
    return [
      ['M', edge, top],
      ['L', tip, (top + bottom) / 2],
      ['L', edge, bottom],
    ]
  }
const bars =
  (...fractions: readonly number[]): Draw =>
  (width, top, bottom) =>
    fractions.flatMap((fraction): PathCommand[] => [
      ['M', width * fraction, top],
      ['L', width * fraction, bottom],
    ])

const drawn: Readonly<Record<string, Draw>> = {
  '(': parenthesis(true),
  ')': parenthesis(false),
  '[': square(true),
  ']': square(false),
  '{': curly(true),
  '}': curly(false),
  '|': bars(0.5),
  '‖': bars(0.25, 0.75),
  '⌈': square(true, true, false),
  '⌉': square(false, true, false),
  '⌊': square(true, false, true),
  '⌋': square(false, false, true),
  '⟨': angle(true),
  '〈': angle(true),
  '⟩': angle(false),
  '〉': angle(false),
}

/** The radical around a box. */
export function radical(style: MathStyle, inside: MathBox, degree: MathBox | undefined): MathBox {
  const { size, colour } = style
  const line = barThickness * size
  const gap = 0.12 * size
  const top = -inside.ascent - gap - line
  const foot = inside.descent
  const height = foot - top
  const hook = 0.5 * size + Math.min(0.3 * size, height * 0.06)
  const small = degree ?? emptyBox
  const x = Math.max(0, small.width - hook * 0.45)
  const rise = foot - height * 0.45
  const sign = stroked(
    [
      ['M', x, rise + 0.06 * size],
      ['L', x + hook * 0.25, rise],
      ['L', x + hook * 0.55, foot],
      ['L', x + hook, top + line / 2],
      ['L', x + hook + inside.width + gap, top + line / 2],
    ],
    colour,
    line,
  )
  const raised = rise - 0.08 * size - small.descent
  return {
    width: x + hook + inside.width + gap,
    ascent: Math.max(-top, small.width > 0 ? small.ascent - raised : 0),
    descent: foot,
    items: [
      sign,
      ...moved(small.items, Math.max(0, x + hook * 0.45 - small.width), raised),
      ...moved(inside.items, x + hook, 0),
    ],
  }
}

/** A sign that spans the width of its base; undefined for signs of fixed size. */
export function stretched(style: MathStyle, sign: string, width: Pt, above: boolean): MathBox | undefined {
  const { size, colour } = style
  const line = barThickness * size
  const tall = 0.28 * size
  const stroke = (commands: readonly PathCommand[], height: Pt): MathBox => ({
    width,
    ascent: height,
    descent: 0,
    items: [stroked(commands, colour, line)],
  })
  switch (sign) {
    case '\u0305':
    case '\u00af':
    case '\u203e':
    case '\u0332':
    case '_':
      return {
        width,
        ascent: line * 2,
        descent: 0,
        items: [filled([['R', 0, -line * 1.5, width, line]], colour)],
      }
    case '\u23de':
    case '\u23df': {
      const tip = sign === '\u23de' ? -tall : 0
      const foot = sign === '\u23de' ? 0 : -tall
      const middle = (tip + foot) / 2
      const bend = Math.min(tall / 2, width / 4)
      return stroke(
        [
          ['M', 0, foot],
          ['C', 0, middle, 0, middle, bend, middle],
          ['L', width / 2 - bend, middle],
          ['C', width / 2, middle, width / 2, middle, width / 2, tip],
          ['C', width / 2, middle, width / 2, middle, width / 2 + bend, middle],
          ['L', width - bend, middle],
          ['C', width, middle, width, middle, width, foot],
        ],
        tall,
      )
    }
    case '\u20d7':
    case '\u2192':
    case '\u20d6':
    case '\u2190': {
      const left = sign === '\u20d6' || sign === '\u2190'
      const tip = left ? 0 : width
      const back = left ? tall * 0.5 : width - tall * 0.5
      const y = -tall / 2
      return stroke(
        [
          ['M', 0, y],
          ['L', width, y],
          ['M', back, y - tall * 0.35],
          ['L', tip, y],
          ['L', back, y + tall * 0.35],
        ],
        tall,
      )
    }
    default:
      return above && sign === '' ? emptyBox : undefined
  }
}

import type { GlyphRun, Matrix, PathCommand, Placed } from '../../layout/frame.ts'
import { drawLine, multiply, type VectorTools } from '../vector.ts'
import { type DeviceState, mappingOf } from './state.ts'

export interface MetaText {
  readonly text: string
  readonly at: readonly [number, number] | undefined
  /** Advance of each UTF-16 unit in logical units; empty: those of the font. */
  readonly advances: readonly number[]
}

export interface DrawnText {
  readonly items: Placed[]
  /** The transformation from the units of the items to device units. */
  readonly transform: Matrix
  readonly width: number
}

/** Advances that differ by more than this from those of the face were measured with another face and are spread evenly. */
const sameFace = 0.08

/** A line of text in the selected font and colours, in logical units. */
export function drawText(
  { text, at, advances }: MetaText,
  state: DeviceState,
  tools: VectorTools,
): DrawnText | undefined {
  const { font, textAlign, textColour } = state
  const [x, y] = (textAlign & 1) === 0 && at !== undefined ? at : [state.x, state.y]
  const kept = [...text].every((letter) => letter >= ' ') ? advances : []
  const shown = text.replace(/[\u0000-\u001f]/g, '')
  const face = tools.fonts.face(font.family, font.bold, font.italic)
  const tall = face.ascent + face.descent
  const size = font.height < 0 ? -font.height : font.height === 0 ? 12 : font.height / tall
  if (shown === '' || !(size > 0)) return undefined
  const line = {
    text: shown,
    family: font.family,
    size,
    bold: font.bold,
    italic: font.italic,
    colour: textColour,
  }
  const extra = state.letterSpacing === 0 ? {} : { letterSpacing: state.letterSpacing }
  const plain = drawLine({ ...line, ...extra }, tools)
  const given = kept.length >= shown.length && kept.some((one) => one > 0)
  const whole = given ? kept.slice(0, shown.length).reduce((sum, one) => sum + one, 0) : plain.width
  const drawn = given ? spread(plain, kept, whole, { line, tools }) : plain.items
  const horizontal = textAlign & 6
  const left = horizontal === 6 ? -whole / 2 : horizontal === 2 ? -whole : 0
  const vertical = textAlign & 24
  const down = vertical === 24 ? 0 : vertical === 8 ? -face.descent * size : face.ascent * size
  const items: Placed[] = []
  const bar = (top: number, height: number, colour: number): void => {
    const commands: PathCommand[] = [['R', 0, 0, whole, height]]
    const path = { commands, fill: { kind: 'solid', colour } } as const
    items.push({ x: left, y: down + top, item: { kind: 'shape', path } })
  }
  if (state.opaqueText) bar(-face.ascent * size, tall * size, state.backColour)
  items.push(...drawn.map(({ x: ix, y: iy, item }) => ({ x: ix + left, y: iy + down, item })))
  const thick = face.underlineThickness * size
  if (font.underline) bar(face.underlineOffset * size - thick / 2, thick, textColour)
  if (font.strike) bar(-0.3 * size, thick, textColour)
  const angle = (-font.angle * Math.PI) / 180
  const turn: Matrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), x, y]
  // Letters are never mirrored, whichever way the axes run.
  const [a, b, c, d, e, f] = multiply(mappingOf(state), turn)
  const transform: Matrix = a * d - b * c < 0 ? [a, b, -c, -d, e, f] : [a, b, c, d, e, f]
  return { items, transform, width: whole }
}

/** Places glyphs by the given advances, if those were measured with glyphs of about the same width. */
function spread(
  plain: ReturnType<typeof drawLine>,
  advances: readonly number[],
  whole: number,
  { line, tools }: { line: Parameters<typeof drawLine>[0]; tools: VectorTools },
): Placed[] {
  const off = Math.abs(whole - plain.width)
  if (off <= sameFace * plain.width) {
    const placed = placedLetters(plain.items, advances)
    if (placed !== undefined) return placed
  }
  if (off < 0.001 * line.size) return plain.items
  const letterSpacing = (whole - plain.width) / line.text.length
  return drawLine({ ...line, letterSpacing }, tools).items
}

/** Undefined when characters and glyphs do not correspond one to one. */
function placedLetters(items: readonly Placed[], advances: readonly number[]): Placed[] | undefined {
  const placed: Placed[] = []
  let [x, from] = [0, 0]
  for (const one of items) {
    if (one.item.kind !== 'glyphs') return undefined
    const { run } = one.item
    if (run.rtl || run.glyphs.length !== run.text.length) return undefined
    const own = advances.slice(from, from + run.text.length)
    const width = own.reduce((sum, advance) => sum + advance, 0)
    const moved: GlyphRun = { ...run, advances: own, width }
    placed.push({ x, y: one.y, item: { ...one.item, run: moved } })
    x += width
    from += run.text.length
  }
  return placed
}

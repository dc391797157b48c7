import { multiply } from '../../../../../shared/document/geometry.ts'
import { pushAll } from '../../../../../shared/push-all.ts'
import { type Matrix, type PathCommand, type Placed, respaced } from '../../layout/frame.ts'
import { drawLine, type VectorTools } from '../vector.ts'
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
const sameFaceTolerance = 0.08

/** A line of text in the selected font and colours, in logical units. */
export function drawText(
  { text, at, advances }: MetaText,
  state: DeviceState,
  tools: VectorTools,
): DrawnText | undefined {
  const { font, textAlign, textColour } = state
  const [x, y] = (textAlign & 1) === 0 && at !== undefined ? at : [state.x, state.y]
  const usableAdvances = [...text].every((letter) => letter >= ' ') ? advances : []
  const printable = text.replace(/[\u0000-\u001f]/g, '')
  const face = tools.fonts.face(font.family, font.bold, font.italic)
  const tall = face.ascent + face.descent
  const size = font.height < 0 ? -font.height : font.height === 0 ? 12 : font.height / tall
  if (printable === '' || !(size > 0)) return undefined
  const line = {
    text: printable,
    family: font.family,
    size,
    bold: font.bold,
    italic: font.italic,
    colour: textColour,
  }
  const extra = state.letterSpacing === 0 ? {} : { letterSpacing: state.letterSpacing }
  const natural = drawLine({ ...line, ...extra }, tools)
  const hasAdvances = usableAdvances.length >= printable.length && usableAdvances.some((value) => value > 0)
  const width = hasAdvances
    ? usableAdvances.slice(0, printable.length).reduce((sum, value) => sum + value, 0)
    : natural.width
  const drawn = hasAdvances ? spread(natural, usableAdvances, width, { line, tools }) : natural.items
  const horizontal = textAlign & 6
  const left = horizontal === 6 ? -width / 2 : horizontal === 2 ? -width : 0
  const vertical = textAlign & 24
  const down = vertical === 24 ? 0 : vertical === 8 ? -face.descent * size : face.ascent * size
  const items: Placed[] = []
  const bar = (top: number, height: number, colour: number): void => {
    const commands: PathCommand[] = [['R', 0, 0, width, height]]
    const path = { commands, fill: { kind: 'solid', colour } } as const
    items.push({ x: left, y: down + top, item: { kind: 'shape', path } })
  }
  if (state.opaqueText) bar(-face.ascent * size, tall * size, state.backColour)
  pushAll(
    items,
    drawn.map(({ x: ix, y: iy, item }) => ({ x: ix + left, y: iy + down, item })),
  )
  const thick = face.underlineThickness * size
  if (font.underline) bar(face.underlineOffset * size - thick / 2, thick, textColour)
  if (font.strike) bar(-0.3 * size, thick, textColour)
  const angle = (-font.angle * Math.PI) / 180
  const rotation: Matrix = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle), x, y]
  // Letters are never mirrored, whichever way the axes run.
  const [a, b, c, d, e, f] = multiply(mappingOf(state), rotation)
  const transform: Matrix = a * d - b * c < 0 ? [a, b, -c, -d, e, f] : [a, b, c, d, e, f]
  return { items, transform, width: width }
}

/** Places glyphs by the given advances, if those were measured with glyphs of about the same width. */
function spread(
  natural: ReturnType<typeof drawLine>,
  advances: readonly number[],
  width: number,
  { line, tools }: { line: Parameters<typeof drawLine>[0]; tools: VectorTools },
): Placed[] {
  const off = Math.abs(width - natural.width)
  if (off <= sameFaceTolerance * natural.width) {
    const spaced = withAdvances(natural.items, advances)
    if (spaced !== undefined) return spaced
  }
  if (off < 0.001 * line.size) return natural.items
  const letterSpacing = (width - natural.width) / line.text.length
  return drawLine({ ...line, letterSpacing }, tools).items
}

/** Undefined when characters and glyphs do not correspond one to one. */
function withAdvances(items: readonly Placed[], advances: readonly number[]): Placed[] | undefined {
  const spaced: Placed[] = []
  let [x, from] = [0, 0]
  for (const placed of items) {
    if (placed.item.kind !== 'glyphs') return undefined
    const { run } = placed.item
    if (run.rtl || run.glyphs.length !== run.text.length) return undefined
    const runAdvances = advances.slice(from, from + run.text.length)
    const width = runAdvances.reduce((sum, advance) => sum + advance, 0)
    const moved = respaced(run, runAdvances, width)
    spaced.push({ x, y: placed.y, item: { ...placed.item, run: moved } })
    x += width
    from += run.text.length
  }
  return spaced
}

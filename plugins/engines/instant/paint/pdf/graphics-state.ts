import type { Colour, GradientFill } from '../../layout/frame.ts'
import { ContentWriter, hundredths } from './content-writer.ts'
import type { Resources } from './resources.ts'
import { factor, num } from './syntax.ts'

/** Writes graphics operators and remembers the current state, so that nothing is set twice. */
export interface Graphics {
  /** Where everything but text is written. Reading it ends the text object, in which only text may be written. */
  readonly out: ContentWriter
  /**
   * Moves to (x, y) for text, which is written to the result. Texts of a line share a text object, and each is placed by its
   * distance from the one before: tables have many texts at equal distances, which need few bytes.
   */
  text(x: number, y: number): ContentWriter
  save(): void
  restore(): void
  fillColour(colour: Colour): void
  strokeColour(colour: Colour): void
  lineWidth(width: number): void
  lineStyle(cap: number, join: number): void
  dash(lengths: readonly number[], phase: number): void
  opacity(fill: number, stroke: number): void
  /** Reduces the opacity of everything up to `restore`. Overlapping items show through each other. */
  groupOpacity(opacity: number): void
  shading(fill: GradientFill, x: number, y: number): void
  font(resource: string, size: number): void
  textScale(scale: number): void
  textMode(mode: number): void
  readonly resources: Resources
}

interface GraphicsState {
  fill: Colour
  stroke: Colour
  width: number
  cap: number
  join: number
  dash: string
  fillOpacity: number
  strokeOpacity: number
  group: number
  font: string
  size: number
  textScale: number
  textMode: number
}

const initial: GraphicsState = {
  fill: 0,
  stroke: 0,
  width: 1,
  cap: 0,
  join: 0,
  dash: '[] 0 d\n',
  fillOpacity: 1,
  strokeOpacity: 1,
  group: 1,
  font: '',
  size: 0,
  textScale: 1,
  textMode: 0,
}

export function createGraphics(resources: Resources): Graphics {
  const out = new ContentWriter()
  let state: GraphicsState = { ...initial }
  const stack: GraphicsState[] = []
  let isInText = false
  // The start of the latest text, in hundredths of a point as it was written, so that rounding does not add up.
  let textX = 0
  let textY = 0
  const endText = (): void => {
    if (isInText) out.ascii('ET\n')
    isInText = false
  }
  return {
    resources,
    get out() {
      endText()
      return out
    },
    text(x, y) {
      const [nextX, nextY] = [hundredths(x), hundredths(y)]
      // Sums of distances differ by the last bits of a number, and readers order texts by where lines and columns begin.
      if (nextY !== textY) endText()
      if (!isInText) {
        out.ascii('BT ')
        isInText = true
        textX = 0
        textY = 0
      }
      out.hundredths(nextX - textX)
      out.hundredths(nextY - textY)
      out.ascii('Td ')
      textX = nextX
      textY = nextY
      return out
    },
    save() {
      endText()
      out.ascii('q\n')
      stack.push({ ...state })
    },
    restore() {
      endText()
      out.ascii('Q\n')
      state = stack.pop() ?? { ...initial }
    },
    fillColour(colour) {
      if (state.fill === colour) return
      state.fill = colour
      out.ascii(`${rgb(colour)} rg\n`)
    },
    strokeColour(colour) {
      if (state.stroke === colour) return
      state.stroke = colour
      out.ascii(`${rgb(colour)} RG\n`)
    },
    lineWidth(width) {
      if (state.width === width) return
      state.width = width
      out.num(width)
      out.ascii('w\n')
    },
    lineStyle(cap, join) {
      if (state.cap !== cap) out.ascii(`${cap} J\n`)
      if (state.join !== join) out.ascii(`${join} j\n`)
      state.cap = cap
      state.join = join
    },
    dash(lengths, phase) {
      // Viewers report a dash pattern of zeros as an error, and people expect a solid line.
      if (lengths.length === 0 && state.dash === initial.dash) return
      const sound = lengths.every((length) => length >= 0) && lengths.some((length) => length > 0)
      const dash = sound ? `[${lengths.map(num).join(' ')}] ${num(phase)} d\n` : initial.dash
      if (state.dash === dash) return
      state.dash = dash
      out.ascii(dash)
    },
    opacity(fill, stroke) {
      const f = unit(fill * state.group)
      const s = unit(stroke * state.group)
      if (state.fillOpacity === f && state.strokeOpacity === s) return
      state.fillOpacity = f
      state.strokeOpacity = s
      out.ascii(`/${resources.opacity(f, s)} gs\n`)
    },
    groupOpacity(opacity) {
      state.group *= unit(opacity)
    },
    shading(fill, x, y) {
      endText()
      out.ascii(`/${resources.shading(fill, x, y)} sh\n`)
    },
    font(resource, size) {
      if (state.font === resource && state.size === size) return
      state.font = resource
      state.size = size
      out.ascii(`/${resource} `)
      out.num(size)
      out.ascii('Tf\n')
    },
    textScale(scale) {
      if (state.textScale === scale) return
      state.textScale = scale
      out.ascii(`${num(scale * 100)} Tz\n`)
    },
    textMode(mode) {
      if (state.textMode === mode) return
      state.textMode = mode
      out.ascii(`${mode} Tr\n`)
    },
  }
}

function unit(value: number): number {
  return value >= 0 && value <= 1 ? Math.round(value * 1000) / 1000 : value > 1 ? 1 : 0
}

const cache = new Map<Colour, string>()

function rgb(colour: Colour): string {
  let text = cache.get(colour)
  if (text === undefined) {
    text = rgbOperands(colour)
    if (cache.size < 1000) cache.set(colour, text)
  }
  return text
}

/** A colour as three operands between 0 and 1. */
export function rgbOperands(colour: Colour): string {
  const part = (shift: number) => factor(Math.round((((colour >> shift) & 0xff) / 255) * 1000) / 1000)
  return `${part(16)} ${part(8)} ${part(0)}`
}

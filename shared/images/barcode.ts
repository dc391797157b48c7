/**
 * Barcodes as drawings. The encoders (bwip-js, the BWIPP family in plain JavaScript) are large and loaded only when a
 * template asks for a barcode. Source: template language 22.2.
 */
import type { DrawingContext } from 'bwip-js/generic'
import { barcodeType } from './barcode-types.ts'
import { type Drawing, drawingPng, drawingSvg, type Shape, type Step } from './shapes.ts'

export type BarcodeOptions = Readonly<Record<string, string>>

export interface Barcode {
  svg(): Uint8Array
  png(): Uint8Array
}

type Encoders = typeof import('bwip-js/generic')
let encoders: Encoders | undefined

/** Before the first `drawBarcode`. */
export async function loadBarcodes(): Promise<void> {
  // Its types leave out the default export, which alone has the fonts.
  encoders ??= ((await import('bwip-js/generic')) as unknown as { default: Encoders }).default
}

/** No kind of barcode holds more: 7,089 digits are the most of a QR code. Encoders of some kinds are slow beyond. */
const longestText = 7_500
/** Units (72 to an inch, times scale) of a side. */
const longestSide = 20_000
/** Pixels of a module, and of a whole picture. */
const modulePixels = 8
const pixelsAtMost = 4_000_000

/** undefined when the text is nothing that this kind of barcode can hold. */
export function drawBarcode(type: string, text: string, options: BarcodeOptions): Barcode | undefined {
  const bcid = barcodeType(type)
  if (bcid === undefined || encoders === undefined || text === '' || text.length > longestText)
    return undefined
  const { scale, ...rest } = optionsOf(bcid, options)
  const drawing = firstDrawn(encoders, { bcid, text, scale, ...rest })
  if (drawing === undefined) return undefined
  const { width, height } = drawing
  if (!(width > 0 && height > 0 && width <= longestSide && height <= longestSide)) return undefined
  const turned = rotated(drawing, (options['rotate'] ?? 'N').toUpperCase())
  const fine = Math.max(1, Math.ceil(modulePixels / scale))
  const most = Math.sqrt(pixelsAtMost / (width * height))
  const factor = most >= 1 ? Math.min(fine, Math.floor(most)) : most
  return { svg: () => drawingSvg(turned), png: () => drawingPng(turned, factor, 72 * scale * factor) }
}

/** Kinds that want to be told more than the data says: what is tried, in this order. */
const attempts: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  mailmark: [{ type: '7' }, { type: '29' }, { type: '9' }],
  // A message for a parcel service begins with an address, any other one does not.
  maxicode: [{}, { mode: 2 }, { mode: 3 }],
  rectangularmicroqrcode: [
    ...['R7x43', 'R11x27', 'R9x43', 'R13x27', 'R11x43', 'R7x59', 'R13x43', 'R9x59', 'R7x77', 'R11x59'],
    ...['R13x59', 'R9x77', 'R7x99', 'R11x77', 'R15x43', 'R9x99', 'R15x59', 'R13x77', 'R11x99', 'R7x139'],
    ...['R17x43', 'R15x77', 'R17x59', 'R13x99', 'R9x139', 'R15x99', 'R17x77', 'R11x139', 'R17x99', 'R13x139'],
    ...['R15x139', 'R17x139'],
  ].map((version) => ({ version })),
}

function firstDrawn(
  library: Encoders,
  options: Record<string, unknown> & { scale: number },
): Drawing | undefined {
  for (const more of attempts[options['bcid'] as string] ?? [{}]) {
    try {
      const all = { ...options, ...more } as unknown as Parameters<Encoders['render']>[0]
      return library.render(all, recorder(options.scale, library))
    } catch {
      // The encoder says why, in words about its inner workings and with the caller's data.
    }
  }
  return undefined
}

// ---------------------------------------------------------------------------------------------------------- options

const within = (text: string | undefined, least: number, most: number): number | undefined => {
  const number = Number(text)
  return text === undefined || text === '' || !Number.isFinite(number)
    ? undefined
    : Math.min(most, Math.max(least, number))
}
const oneOf = (text: string | undefined, known: readonly string[]): string | undefined =>
  known.find((word) => word.toLowerCase() === text?.toLowerCase())
const colorOf = (text: string | undefined): string | undefined =>
  /^#?([\da-f]{6})$/i.exec(text ?? '')?.[1]?.toUpperCase()

/** What the encoder is told; options that make no sense are left out. */
function optionsOf(bcid: string, options: BarcodeOptions): Record<string, unknown> & { scale: number } {
  const told: Record<string, unknown> = {
    width: within(options['width'], 1, 1_000),
    height: within(options['height'], 1, 1_000),
    includetext: options['includetext']?.toLowerCase() === 'true' ? true : undefined,
    textsize: within(options['textsize'], 1, 100),
    textxalign: oneOf(options['textxalign'], ['left', 'center', 'right', 'justify']),
    textyalign: oneOf(options['textyalign'], ['below', 'center', 'above']),
    barcolor: colorOf(options['barcolor']),
    textcolor: colorOf(options['textcolor']),
    backgroundcolor: colorOf(options['backgroundcolor']),
    eclevel: correctionLevel(bcid, options['eclevel']),
    ...ownDefaults[bcid],
  }
  const given = Object.entries(told).filter(([, value]) => value !== undefined)
  // This one has a fixed size, into which its modules do not go in whole units: finer units make them even.
  const finer = bcid === 'swissqrcode' ? 4 : 1
  return { ...Object.fromEntries(given), scale: finer * Math.round(within(options['scale'], 1, 10) ?? 3) }
}

/** Kinds that cannot be drawn without being told something. */
const ownDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  // Control characters in text data: ^029 is the group separator.
  maxicode: { parse: true },
  swissqrcode: { parse: true },
  // Readers refuse these without their check characters.
  code93: { includecheck: true },
  code93ext: { includecheck: true },
}

/** Kinds of QR code know different levels; elsewhere the level says something else and is left to the encoder. */
function correctionLevel(bcid: string, wanted: string | undefined): string | undefined {
  const level = oneOf(wanted, ['L', 'M', 'Q', 'H']) ?? 'M'
  if (bcid === 'rectangularmicroqrcode') return level === 'Q' || level === 'H' ? 'H' : 'M'
  if (bcid === 'microqrcode') {
    // Left to itself the encoder takes the highest level that fits.
    return wanted === undefined ? undefined : level === 'H' ? 'Q' : level
  }
  return ['qrcode', 'gs1qrcode', 'hibcqrcode'].includes(bcid) ? level : undefined
}

// ---------------------------------------------------------------------------------------------------------- drawing

/** Kappa: where the handles of a quarter of an ellipse lie. */
const kappa = 0.5523

type Point = readonly [x: number, y: number]
/** Cutting out is missing from the declared interface. */
interface Context extends DrawingContext<Drawing> {
  clip(outlines: readonly (readonly Point[])[]): void
  unclip(): void
}

/** What the encoder draws, as shapes. It calls `measure` and `scale` first, then `init`, and `end` last. */
function recorder(scale: number, { FontLib }: Encoders): Context {
  const shapes: Shape[] = []
  const bars = new Map<string, Step[]>()
  let area: Step[] = []
  let size = { width: 0, height: 0 }
  let background: number | undefined
  let hole: Step[] = []
  const ring = (points: readonly Point[]): Step[] =>
    points.map(([x, y], at) => ({ kind: at === 0 ? 'M' : 'L', points: [x, y] }))
  return {
    setopts(options) {
      const color = colorOf(String(options.backgroundcolor ?? ''))
      background = color === undefined ? undefined : Number.parseInt(color, 16)
    },
    scale: () => null,
    measure(text, font, width, height) {
      const id = FontLib.lookup(font)
      let [wide, ascent, descent] = [0, 0, 0]
      for (let at = 0; at < text.length; at += 1) {
        const glyph = FontLib.getglyph(id, text.charCodeAt(at), width | 0, height | 0)
        if (!glyph) continue
        ascent = Math.max(ascent, glyph.top)
        descent = Math.max(descent, glyph.height - glyph.top)
        wide += at === text.length - 1 ? glyph.left + glyph.width : glyph.advance
      }
      return { width: wide, ascent, descent }
    },
    init(width, height) {
      size = { width, height }
    },
    /** A bar: upright or level, its ends included. Odd widths lie half a unit beside the middle, towards a module. */
    line(x0, y0, x1, y1, lw, rgb) {
      const thick = Math.round(lw) || 1
      const off = thick % 2 === 0 ? 0 : scale % 2 === 1 ? -0.5 : 0.5
      const upright = (x0 | 0) === (x1 | 0)
      const middle = (upright ? x0 | 0 : y0 | 0) + off
      const [from, to] = [middle - thick / 2, middle + thick / 2]
      const ends = upright ? [y0 | 0, y1 | 0] : [x0 | 0, x1 | 0]
      const [start, stop] = [Math.min(...ends), Math.max(...ends) + (ends[0] === ends[1] ? 0 : 1)]
      const steps = bars.get(rgb) ?? []
      bars.set(rgb, steps)
      const points: [number, number][] = upright
        ? [
            [from, start],
            [to, start],
            [to, stop],
            [from, stop],
          ]
        : [
            [start, from],
            [stop, from],
            [stop, to],
            [start, to],
          ]
      steps.push(...ring(points))
    },
    polygon(points) {
      area.push(...ring(points))
    },
    hexagon(points) {
      area.push(...ring(points))
    },
    ellipse(x, y, rx, ry) {
      const [dx, dy] = [rx * kappa, ry * kappa]
      area.push(
        { kind: 'M', points: [x - rx, y] },
        { kind: 'C', points: [x - rx, y - dy, x - dx, y - ry, x, y - ry] },
        { kind: 'C', points: [x + dx, y - ry, x + rx, y - dy, x + rx, y] },
        { kind: 'C', points: [x + rx, y + dy, x + dx, y + ry, x, y + ry] },
        { kind: 'C', points: [x - dx, y + ry, x - rx, y + dy, x - rx, y] },
      )
    },
    fill(rgb) {
      if (area.length > 0) shapes.push({ color: Number.parseInt(rgb, 16), rule: 'evenodd', steps: area })
      area = []
    },
    /** Only ever a square left out of the middle for an emblem, behind the outline of the whole. */
    clip(outlines) {
      hole = outlines.slice(1).flatMap(ring)
    },
    unclip() {
      if (hole.length > 0) shapes.push({ color: background ?? 0xffffff, rule: 'nonzero', steps: hole })
      hole = []
    },
    text(x, y, text, rgb, font) {
      const id = FontLib.lookup(font.name)
      const turned = turn((font as { rotate?: number }).rotate ?? 0)
      const steps: Step[] = []
      let across = 0
      for (let n = 0; n < text.length; n += 1) {
        const code = text.charCodeAt(n)
        const path = FontLib.getpaths(id, code, font.width | 0, font.height | 0)
        if (!path) continue
        for (const step of path) {
          const points = pointsOf(step).map(([px, py]) => turned(px + across, -py))
          steps.push({ kind: step.type, points: points.flatMap(([px, py]) => [px + (x | 0), py + (y | 0)]) })
        }
        across += FontLib.getglyph(id, code, font.width | 0, font.height | 0).advance + (font.dx | 0)
      }
      if (steps.length > 0) shapes.push({ color: Number.parseInt(rgb, 16), rule: 'nonzero', steps })
    },
    end() {
      const lines = [...bars].map(
        ([rgb, steps]): Shape => ({ color: Number.parseInt(rgb, 16), rule: 'nonzero', steps }),
      )
      return { ...size, background, shapes: [...lines, ...shapes] }
    },
  }
}

type GlyphStep = ReturnType<Encoders['FontLib']['getpaths']>[number]

function pointsOf(step: GlyphStep): Point[] {
  if (step.type === 'Q')
    return [
      [step.cx, step.cy],
      [step.x, step.y],
    ]
  if (step.type === 'C')
    return [
      [step.cx1, step.cy1],
      [step.cx2, step.cy2],
      [step.x, step.y],
    ]
  return [[step.x, step.y]]
}

/** Against the clock, as text is turned; y goes down. */
function turn(degrees: number): (x: number, y: number) => Point {
  if (degrees === 90) return (x, y) => [y, -x]
  if (degrees === 180) return (x, y) => [-x, -y]
  return degrees === 270 ? (x, y) => [-y, x] : (x, y) => [x, y]
}

/** The whole drawing: R with the clock, L against it, I upside down. */
function rotated(drawing: Drawing, rotation: string): Drawing {
  const { width, height } = drawing
  const turns: Readonly<Record<string, (x: number, y: number) => Point>> = {
    R: (x, y) => [height - y, x],
    I: (x, y) => [width - x, height - y],
    L: (x, y) => [y, width - x],
  }
  const to = turns[rotation]
  if (to === undefined) return drawing
  const around = ({ kind, points }: Step): Step => {
    const moved: number[] = []
    for (let at = 0; at < points.length; at += 2) moved.push(...to(points[at]!, points[at + 1]!))
    return { kind, points: moved }
  }
  const shapes = drawing.shapes.map((shape) => ({ ...shape, steps: shape.steps.map(around) }))
  return rotation === 'I' ? { ...drawing, shapes } : { ...drawing, width: height, height: width, shapes }
}

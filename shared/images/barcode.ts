/**
 * Barcodes as drawings. The encoders (bwip-js, the BWIPP family in plain JavaScript) are large and loaded only when a
 * template contains a barcode. Source: template language 22.2.
 */

import type { DrawingContext } from 'bwip-js/generic'
import { entryOf } from '../entry-of.ts'
import { pushAll } from '../push-all.ts'
import { barcodeType } from './barcode-types.ts'
import { drawingPng, drawingSvg, type OutlineStep, type RasterDrawing, type RasterShape } from './shapes.ts'

export type BarcodeOptions = Readonly<Record<string, string>>

export interface Barcode {
  svg(): Uint8Array
  png(): Uint8Array
}

type Encoders = typeof import('bwip-js/generic')
let encoders: Encoders | undefined

/** Loads the encoders. Must be awaited before the first `drawBarcode`. */
export async function loadBarcodes(): Promise<void> {
  // Its type declarations lack the default export, which is the only one with the fonts.
  encoders ??= ((await import('bwip-js/generic')) as unknown as { default: Encoders }).default
}

/**
 * No type of barcode can encode more: a QR code takes at most 7,089 digits. Some encoders are slow for longer texts.
 */
const maxTextLength = 7_500
/** The maximum length of a side, in units of 1/72 inch times the scale. */
const maxSide = 20_000
/** The maximum number of pixels in a module, and in a picture. */
const modulePixels = 8
const maxPixels = 4_000_000

/** Draws a barcode. Returns undefined if this type of barcode cannot encode the text. */
export function drawBarcode(type: string, text: string, options: BarcodeOptions): Barcode | undefined {
  const bcid = barcodeType(type)
  if (bcid === undefined || encoders === undefined || text === '' || text.length > maxTextLength)
    return undefined
  const { scale, ...rest } = optionsOf(bcid, options)
  const drawing = firstDrawn(encoders, { bcid, text, scale, ...rest })
  if (drawing === undefined) return undefined
  const { width, height } = drawing
  if (!(width > 0 && height > 0 && width <= maxSide && height <= maxSide)) return undefined
  const turned = rotated(drawing, (options['rotate'] ?? 'N').toUpperCase())
  const fine = Math.max(1, Math.ceil(modulePixels / scale))
  const maxScale = Math.sqrt(maxPixels / (width * height))
  const factor = maxScale >= 1 ? Math.min(fine, Math.floor(maxScale)) : maxScale
  return { svg: () => drawingSvg(turned), png: () => drawingPng(turned, factor, 72 * scale * factor) }
}

/** Types that require an option which the data does not determine, with the values to try in order. */
const attempts: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  mailmark: [{ type: '7' }, { type: '29' }, { type: '9' }],
  // Only a message for a parcel service begins with an address.
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
): RasterDrawing | undefined {
  for (const more of entryOf(attempts, options['bcid'] as string) ?? [{}]) {
    try {
      const all = { ...options, ...more } as unknown as Parameters<Encoders['render']>[0]
      return library.render(all, recorder(options.scale, library))
    } catch {
      // The encoder's message describes its internals and quotes the caller's data, so it is not passed on.
    }
  }
  return undefined
}

// ---------------------------------------------------------------------------------------------------------- options

const within = (text: string | undefined, min: number, max: number): number | undefined => {
  const number = Number(text)
  return text === undefined || text === '' || !Number.isFinite(number)
    ? undefined
    : Math.min(max, Math.max(min, number))
}
const oneOf = (text: string | undefined, allowed: readonly string[]): string | undefined =>
  allowed.find((word) => word.toLowerCase() === text?.toLowerCase())
const colorOf = (text: string | undefined): string | undefined =>
  /^#?([\da-f]{6})$/i.exec(text ?? '')?.[1]?.toUpperCase()

/** The options for the encoder. Values out of range are omitted. */
function optionsOf(bcid: string, options: BarcodeOptions): Record<string, unknown> & { scale: number } {
  const reported: Record<string, unknown> = {
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
    ...entryOf(symbologyDefaults, bcid),
  }
  const reportedOptions = Object.entries(reported).filter(([, value]) => value !== undefined)
  // This kind has a fixed size that is not a multiple of its modules. Finer units make the modules even.
  const finer = bcid === 'swissqrcode' ? 4 : 1
  return {
    ...Object.fromEntries(reportedOptions),
    scale: finer * Math.round(within(options['scale'], 1, 10) ?? 3),
  }
}

/** Options that these kinds need to be drawn, or to be readable. */
const symbologyDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  // `^029` in a text stands for the control character 29, the group separator.
  maxicode: { parse: true },
  swissqrcode: { parse: true },
  // Scanners refuse these kinds without check characters.
  code93: { includecheck: true },
  code93ext: { includecheck: true },
}

/**
 * The error correction levels of each type of QR code. For other types the option has another meaning and is not
 * checked.
 */
function correctionLevel(bcid: string, requested: string | undefined): string | undefined {
  const level = oneOf(requested, ['L', 'M', 'Q', 'H']) ?? 'M'
  if (bcid === 'rectangularmicroqrcode') return level === 'Q' || level === 'H' ? 'H' : 'M'
  if (bcid === 'microqrcode') {
    // Without a level the encoder uses the highest one that fits.
    return requested === undefined ? undefined : level === 'H' ? 'Q' : level
  }
  return ['qrcode', 'gs1qrcode', 'hibcqrcode'].includes(bcid) ? level : undefined
}

// ---------------------------------------------------------------------------------------------------------- drawing

/** The distance of the control points of a quarter ellipse, as a fraction of its radius. */
const kappa = 0.5523

type OutlinePoint = readonly [x: number, y: number]
/** The drawing interface of the library, which omits the clipping functions from its types. */
interface RecordingContext extends DrawingContext<RasterDrawing> {
  clip(outlines: readonly (readonly OutlinePoint[])[]): void
  unclip(): void
}

function ring(points: readonly OutlinePoint[]): OutlineStep[] {
  return points.map(([x, y], at) => ({ kind: at === 0 ? 'M' : 'L', points: [x, y] }))
}

/**
 * The outline of a bar, vertical or horizontal, with its ends. A bar of an odd width cannot be centred on whole units, so
 * it is shifted by half a unit towards a module.
 */
function barOutline(
  [x0, y0]: OutlinePoint,
  [x1, y1]: OutlinePoint,
  thickness: number,
  scale: number,
): readonly OutlinePoint[] {
  const offset = thickness % 2 === 0 ? 0 : scale % 2 === 1 ? -0.5 : 0.5
  const isVertical = x0 === x1
  const middle = (isVertical ? x0 : y0) + offset
  const [from, to] = [middle - thickness / 2, middle + thickness / 2]
  const [a, b] = isVertical ? [y0, y1] : [x0, x1]
  const [start, stop] = [Math.min(a, b), Math.max(a, b) + (a === b ? 0 : 1)]
  const corners: readonly OutlinePoint[] = [
    [from, start],
    [to, start],
    [to, stop],
    [from, stop],
  ]
  return isVertical
    ? corners
    : [
        [start, from],
        [stop, from],
        [stop, to],
        [start, to],
      ]
}

/**
 * Collects the shapes that the encoder draws. The encoder calls `measure` and `scale` first, then `init`, and `end`
 * last.
 */
function recorder(scale: number, { FontLib }: Encoders): RecordingContext {
  const shapes: RasterShape[] = []
  const bars = new Map<string, OutlineStep[]>()
  let area: OutlineStep[] = []
  let size = { width: 0, height: 0 }
  let background: number | undefined
  let hole: OutlineStep[] = []
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
    line(x0, y0, x1, y1, lw, rgb) {
      const steps = bars.get(rgb) ?? []
      bars.set(rgb, steps)
      pushAll(steps, ring(barOutline([x0 | 0, y0 | 0], [x1 | 0, y1 | 0], Math.round(lw) || 1, scale)))
    },
    polygon(points) {
      pushAll(area, ring(points))
    },
    hexagon(points) {
      pushAll(area, ring(points))
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
    /** The only clip that occurs is a square in the centre that stays empty for a logo. */
    clip(outlines) {
      hole = outlines.slice(1).flatMap(ring)
    },
    unclip() {
      if (hole.length > 0) shapes.push({ color: background ?? 0xffffff, rule: 'nonzero', steps: hole })
      hole = []
    },
    text(x, y, text, rgb, font) {
      const id = FontLib.lookup(font.name)
      const turned = rotation((font as { rotate?: number }).rotate ?? 0)
      const steps: OutlineStep[] = []
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
        ([rgb, steps]): RasterShape => ({ color: Number.parseInt(rgb, 16), rule: 'nonzero', steps }),
      )
      return { ...size, background, shapes: [...lines, ...shapes] }
    },
  }
}

type GlyphStep = ReturnType<Encoders['FontLib']['getpaths']>[number]

function pointsOf(step: GlyphStep): OutlinePoint[] {
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

/** Rotates counter-clockwise, like text; y grows downward. */
function rotation(degrees: number): (x: number, y: number) => OutlinePoint {
  if (degrees === 90) return (x, y) => [y, -x]
  if (degrees === 180) return (x, y) => [-x, -y]
  return degrees === 270 ? (x, y) => [-y, x] : (x, y) => [x, y]
}

/** Rotates the complete drawing: R clockwise, L counter-clockwise, I upside down. */
function rotated(drawing: RasterDrawing, rotation: string): RasterDrawing {
  const { width, height } = drawing
  const rotations: Readonly<Record<string, (x: number, y: number) => OutlinePoint>> = {
    R: (x, y) => [height - y, x],
    I: (x, y) => [width - x, height - y],
    L: (x, y) => [y, width - x],
  }
  const to = entryOf(rotations, rotation)
  if (to === undefined) return drawing
  const rotatedStep = ({ kind, points }: OutlineStep): OutlineStep => {
    const moved: number[] = []
    for (let at = 0; at < points.length; at += 2) pushAll(moved, to(points[at] ?? 0, points[at + 1] ?? 0))
    return { kind, points: moved }
  }
  const shapes = drawing.shapes.map((shape) => ({ ...shape, steps: shape.steps.map(rotatedStep) }))
  return rotation === 'I' ? { ...drawing, shapes } : { ...drawing, width: height, height: width, shapes }
}

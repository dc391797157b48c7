import { identity } from '../../../../../shared/document/geometry.ts'
import type { ImageRef } from '../../images/image.ts'
import type { Colour, Matrix, PathStroke } from '../../layout/frame.ts'
import type { Clip } from './clip.ts'

/** The objects and modes that are selected in a device context. Source: [MS-EMF] 3.1.1.2, [MS-WMF] 3.1.5. */

export interface Pen {
  readonly kind: 'pen'
  readonly colour: Colour
  readonly width: number // logical units; 0: one pixel
  readonly dash?: readonly number[] // of pen widths
  readonly cap?: PathStroke['cap']
  readonly join?: PathStroke['join']
  readonly none?: boolean
}
export interface Brush {
  readonly kind: 'brush'
  readonly colour: Colour
  readonly hatch?: number // one of six kinds of lines
  readonly image?: ImageRef // takes precedence over the colour
  readonly opacity?: number // 0 to 1, of a plain colour
  readonly none?: boolean
}
export interface LogicalFont {
  readonly kind: 'font'
  readonly family: string
  readonly height: number // logical units; negative: em size, positive: line height
  readonly bold: boolean
  readonly italic: boolean
  readonly underline: boolean
  readonly strike: boolean
  readonly angle: number // degrees, counter-clockwise
  readonly charset: number
}
/** An object that has a number but is not drawn with, such as a palette or region. */
export interface Inert {
  readonly kind: 'inert'
}
export type GdiObject = Pen | Brush | LogicalFont | Inert

export interface DeviceState {
  pen: Pen
  brush: Brush
  font: LogicalFont
  textColour: Colour
  backColour: Colour
  opaqueText: boolean
  textAlign: number
  letterSpacing: number // logical units after each letter
  operation: number // how colours combine with those below: [MS-WMF] 2.1.1.2
  evenOdd: boolean
  x: number // current position, logical units
  y: number
  clockwise: boolean
  mapMode: number
  world: Matrix
  windowX: number
  windowY: number
  windowWidth: number
  windowHeight: number
  viewX: number
  viewY: number
  viewWidth: number
  viewHeight: number
  clip: Clip // device units
  perMillimetre: number // device units, for the fixed map modes
}

const blackPen: Pen = { kind: 'pen', colour: 0, width: 0 }
const noPen: Pen = { ...blackPen, none: true }
export const noBrush: Brush = { kind: 'brush', colour: 0, none: true }
const defaultFont: LogicalFont = {
  kind: 'font',
  family: 'Arial',
  height: -12,
  bold: false,
  italic: false,
  underline: false,
  strike: false,
  angle: 0,
  charset: 0,
}

/** Predefined objects by their number. Source: [MS-EMF] 2.1.31. */
export function stockObject(number: number): GdiObject | undefined {
  const greys = [0xffffff, 0xc0c0c0, 0x808080, 0x404040, 0]
  if (number < 5) return { kind: 'brush', colour: greys[number] ?? 0 }
  if (number === 5) return noBrush
  if (number === 6) return { ...blackPen, colour: 0xffffff }
  if (number === 7) return blackPen
  if (number === 8) return noPen
  if (number >= 10 && number <= 17)
    return number === 10 || number === 11 || number === 16
      ? { ...defaultFont, family: 'Courier New' }
      : defaultFont
  return undefined
}

const copyPen = 13

export const newState = (): DeviceState => ({
  pen: blackPen,
  brush: { kind: 'brush', colour: 0xffffff },
  font: defaultFont,
  textColour: 0,
  backColour: 0xffffff,
  opaqueText: true,
  textAlign: 0,
  letterSpacing: 0,
  operation: copyPen,
  evenOdd: true,
  x: 0,
  y: 0,
  clockwise: false,
  mapMode: 1,
  world: identity,
  windowX: 0,
  windowY: 0,
  windowWidth: 1,
  windowHeight: 1,
  viewX: 0,
  viewY: 0,
  viewWidth: 1,
  viewHeight: 1,
  clip: [],
  perMillimetre: 96 / 25.4,
})

/** Millimetres per logical unit of the fixed map modes; y grows upward there. Source: [MS-EMF] 2.1.21. */
const millimetres: Readonly<Record<number, number>> = {
  2: 0.1,
  3: 0.01,
  4: 0.254,
  5: 0.0254,
  6: 25.4 / 1440,
}

/** The matrix from logical to device units. */
export function mappingOf(state: DeviceState): Matrix {
  const unit = millimetres[state.mapMode]
  const fixed = (unit ?? 0) * state.perMillimetre
  let [sx, sy] = [1, 1]
  if (unit !== undefined) [sx, sy] = [fixed, -fixed]
  else if (state.mapMode === 7 || state.mapMode === 8) {
    sx = state.windowWidth === 0 ? 1 : state.viewWidth / state.windowWidth
    sy = state.windowHeight === 0 ? 1 : state.viewHeight / state.windowHeight
    if (state.mapMode === 7) {
      const both = Math.min(Math.abs(sx), Math.abs(sy))
      sx = Math.sign(sx) * both
      sy = Math.sign(sy) * both
    }
  }
  const [a, b, c, d, e, f] = state.world
  const shift = (sx: number, w: number, v: number, t: number) => (t - w) * sx + v
  return [
    a * sx,
    b * sy,
    c * sx,
    d * sy,
    shift(sx, state.windowX, state.viewX, e),
    shift(sy, state.windowY, state.viewY, f),
  ]
}

/** Converts 0x00BBGGRR into 0xRRGGBB. */
export const colourOf = (value: number): Colour =>
  ((value & 0xff) << 16) | (value & 0xff00) | ((value >>> 16) & 0xff)

/** The result of a drawing mode with a colour on white paper; undefined when nothing changes. */
export function colourBy(operation: number, colour: Colour): Colour | undefined {
  if (operation === 1 || operation === 6) return 0
  if (operation === 16) return 0xffffff
  if (operation === 11) return undefined
  return operation === 7 ? colour ^ 0xffffff : colour
}

/** Lengths in pen widths. Source: [MS-EMF] 2.1.25. */
export function penStyle(style: number): Pick<Pen, 'dash' | 'cap' | 'join' | 'none'> {
  const dashes: Readonly<Record<number, readonly number[]>> = {
    1: [3, 1],
    2: [1, 1],
    3: [3, 1, 1, 1],
    4: [3, 1, 1, 1, 1, 1],
  }
  const kind = style & 0xf
  const cap = ([undefined, 'square', 'butt'] as const)[(style >> 8) & 0xf]
  const join = ([undefined, 'bevel', 'miter'] as const)[(style >> 12) & 0xf]
  return {
    ...(dashes[kind] && { dash: dashes[kind] }),
    // Ends and corners of a pen are round by default.
    cap: cap ?? 'round',
    join: join ?? 'round',
    ...(kind === 5 && { none: true }),
  }
}

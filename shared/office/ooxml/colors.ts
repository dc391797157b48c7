import { fromHsl, toHsl } from '../../document/hsl.ts'
import type { Color } from '../../document/paint.ts'
import { entryOf } from '../../entry-of.ts'
import type { XmlCursor } from '../../xml/cursor.ts'
import { luminance, type Theme, themeColor } from './theme.ts'
import { color, integer } from './values.ts'

/** A colour with its opacity, 0 to 1. */
export interface Paint {
  readonly color: Color
  readonly opacity: number
}

/** Preset colour names of DrawingML (20.1.10) and VML that documents use most. */
const presets: Readonly<Record<string, Color>> = {
  black: '000000',
  white: 'FFFFFF',
  red: 'FF0000',
  green: '008000',
  blue: '0000FF',
  yellow: 'FFFF00',
  gray: '808080',
  grey: '808080',
  silver: 'C0C0C0',
  navy: '000080',
  maroon: '800000',
  olive: '808000',
  purple: '800080',
  teal: '008080',
  lime: '00FF00',
  aqua: '00FFFF',
  fuchsia: 'FF00FF',
  orange: 'FFA500',
  ltGray: 'D3D3D3',
  dkGray: 'A9A9A9',
  lightGray: 'D3D3D3',
  darkGray: 'A9A9A9',
  dkBlue: '00008B',
  dkRed: '8B0000',
  dkGreen: '006400',
  cyan: '00FFFF',
  magenta: 'FF00FF',
}

/**
 * Reads the colour inside the current element, such as a:solidFill or a:fillRef (20.1.2.3). `placeholderColor` replaces
 * `phClr`, the placeholder for the colour of a style reference.
 */
export function readPaint(cursor: XmlCursor, theme: Theme, placeholderColor?: Color): Paint | undefined {
  let paint: Paint | undefined
  cursor.each((name) => {
    paint = paintOf(cursor, name, theme, placeholderColor) ?? paint
  })
  return paint
}

/** Reads the colour that the current element itself specifies; undefined when it has another form. */
export function paintOf(
  cursor: XmlCursor,
  name: string,
  theme: Theme,
  placeholderColor?: Color,
): Paint | undefined {
  const base = baseColor(cursor, name, theme, placeholderColor)
  return base === undefined ? undefined : transformed(cursor, base)
}

/** The colour before its transforms. Linear components of a:scrgbClr are converted with a gamma of 2.2. */
function baseColor(
  cursor: XmlCursor,
  name: string,
  theme: Theme,
  placeholderColor: Color | undefined,
): Color | undefined {
  const text = cursor.attribute('val')
  switch (name) {
    case 'a:srgbClr':
      return color(text)
    case 'a:schemeClr':
      return text === 'phClr' ? placeholderColor : themeColor(theme, text ?? '')
    case 'a:sysClr':
      return color(cursor.attribute('lastClr')) ?? (text === 'window' ? 'FFFFFF' : '000000')
    case 'a:prstClr':
      return entryOf(presets, text) ?? '000000'
    case 'a:scrgbClr': {
      const part = (key: string): string => {
        const value = Number.parseFloat(cursor.attribute(key) ?? '0') / 100_000
        return Math.round(Math.max(0, Math.min(1, value)) ** (1 / 2.2) * 255)
          .toString(16)
          .padStart(2, '0')
      }
      return (part('r') + part('g') + part('b')).toUpperCase()
    }
    default:
      return undefined
  }
}

/** Applies the transforms in order (20.1.2.3); those not listed are ignored. */
function transformed(cursor: XmlCursor, base: Color): Paint {
  let value = base
  let opacity = 1
  cursor.each((name) => {
    const amount = (integer(cursor.attribute('val')) ?? 100_000) / 100_000
    switch (name) {
      case 'a:alpha':
        opacity = Math.max(0, Math.min(1, amount))
        break
      case 'a:lumMod':
        value = luminance(value, amount, 0)
        break
      case 'a:lumOff':
        value = luminance(value, 1, amount)
        break
      case 'a:tint':
        value = mixed(value, 255, 1 - amount)
        break
      case 'a:shade':
        value = mixed(value, 0, 1 - amount)
        break
      case 'a:satMod': {
        const [h, s, l] = toHsl(value)
        value = fromHsl(h, Math.min(1, s * amount), l)
        break
      }
    }
  })
  return { color: value, opacity }
}

/** Mixes two colours; `amount` is the share of the second, 0 to 1. */
export function blended(a: Color, b: Color, amount: number): Color {
  const part = (at: number): string => {
    const [from, to] = [Number.parseInt(a.slice(at, at + 2), 16), Number.parseInt(b.slice(at, at + 2), 16)]
    return Math.round(from + (to - from) * amount)
      .toString(16)
      .padStart(2, '0')
  }
  return (part(0) + part(2) + part(4)).toUpperCase()
}

/** Moves every channel towards the value `to`; `amount` is 0 to 1. */
function mixed(hex: Color, to: number, amount: number): Color {
  const fraction = Math.max(0, Math.min(1, amount))
  let out = ''
  for (let i = 0; i < 6; i += 2) {
    const channel = Number.parseInt(hex.slice(i, i + 2), 16)
    out += Math.round(channel + (to - channel) * fraction)
      .toString(16)
      .padStart(2, '0')
  }
  return out.toUpperCase()
}

/**
 * Parses a VML colour: '#c00', 'red', 'red [3204]'. Undefined for computed ones such as 'fill darken(118)'.
 */
export function vmlColor(text: string | undefined): Color | undefined {
  if (text === undefined) return undefined
  const word = text.trim().split(/\s+/)[0] ?? ''
  return (
    color(word) ??
    entryOf(presets, word.toLowerCase()) ??
    (word === 'window' ? 'FFFFFF' : word === 'windowText' ? '000000' : undefined)
  )
}

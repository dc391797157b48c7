/** Parses the inline CSS declarations that documents support. Source: template language 22.5; CSS Color 4, 4 to 7. */
import { entryOf } from '../../entry-of.ts'
import { namedColors } from './colors.ts'

/** CSS font size keywords, in points relative to a default of 12. Source: CSS Fonts 4, 3.5. */
const namedSizes: Readonly<Record<string, number>> = {
  'xx-small': 7,
  'x-small': 7.5,
  small: 10,
  medium: 12,
  large: 13.5,
  'x-large': 18,
  'xx-large': 24,
  'xxx-large': 36,
}
/** The sizes 1 to 7 of the `font` element in points. Source: WHATWG HTML, 15.3.4. */
export const fontElementSizes = [7.5, 10, 12, 13.5, 18, 24, 36]
const [smallestSize, largestSize] = [1, 400] // points

/**
 * Parses a font size and returns it in points. A relative size, such as `1.5em` or `120%`, refers to `inherited`, the size of
 * the surrounding text. If that is unknown, undefined is returned and the text keeps the size of the document.
 */
export function readFontSize(text: string, inherited: number | undefined): number | undefined {
  const value = text.trim().toLowerCase()
  const factor = /^(\d+(?:\.\d+)?|\.\d+)(em|%)$/.exec(value)
  if (factor !== null && inherited === undefined) return undefined
  const size =
    factor !== null && inherited !== undefined
      ? (inherited * Number(factor[1])) / (factor[2] === '%' ? 100 : 1)
      : Object.hasOwn(namedSizes, value)
        ? entryOf(namedSizes, value)
        : /[a-z]$/.test(value)
          ? ((readLength(value) ?? 0) * 72) / 96
          : undefined
  if (size === undefined || size <= 0) return undefined
  return Math.min(Math.max(Math.round(size * 2) / 2, smallestSize), largestSize)
}

/** Generic families, and the fonts that browsers commonly use for them. */
const genericFamilies: Readonly<Record<string, string | undefined>> = {
  serif: 'Times New Roman',
  'sans-serif': 'Arial',
  monospace: 'Courier New',
  'ui-serif': 'Times New Roman',
  'ui-sans-serif': 'Arial',
  'ui-monospace': 'Courier New',
  'system-ui': 'Arial',
}
const keywordFamilies = new Set([
  'inherit',
  'initial',
  'unset',
  'revert',
  'cursive',
  'fantasy',
  'math',
  'emoji',
])

/** The first family of a list that a document can use. */
export function readFontFamily(text: string): string | undefined {
  const first = (text.split(',')[0] ?? '')
    .trim()
    .replace(/^(['"])(.*)\1$/, '$2')
    .trim()
  const name = first.toLowerCase()
  if (Object.hasOwn(genericFamilies, name)) return entryOf(genericFamilies, name)
  return keywordFamilies.has(name) || !/^[\p{L}\p{N}][\p{L}\p{N} ._+-]{0,63}$/u.test(first)
    ? undefined
    : first
}

/** Parses `color: red; font-weight: bold`: names in lower case, values unchanged. Semicolons in quotes are not supported. */
export function readDeclarations(style: string): ReadonlyMap<string, string> {
  const declarations = new Map<string, string>()
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon < 1) continue
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s*important\s*$/i, '')
      .trim()
    declarations.set(declaration.slice(0, colon).trim().toLowerCase(), value)
  }
  return declarations
}

const maxLength = 100
const number = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`
const separator = String.raw`\s*[\s,]\s*`
const alpha = String.raw`(?:\s*[,/]\s*${number}%?)?`
const rgb = new RegExp(
  String.raw`^rgba?\(\s*(${number}%?)${separator}(${number}%?)${separator}(${number}%?)${alpha}\s*\)$`,
)
const hsl = new RegExp(
  String.raw`^hsla?\(\s*(${number})(deg|grad|rad|turn)?${separator}(${number})%?${separator}(${number})%?${alpha}\s*\)$`,
)
const degrees: Readonly<Record<string, number>> = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 }

/** Parses a colour to six upper-case hexadecimal digits; undefined if it is not a colour. The alpha channel is dropped. */
export function readColor(text: string): string | undefined {
  const value = text.trim().toLowerCase()
  if (value.length > maxLength) return undefined
  const named = entryOf(namedColors, value)
  if (named !== undefined) return named
  const hex = /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(value)?.[1]
  if (hex !== undefined) {
    const short = hex.length < 6
    return (
      short ? [...hex.slice(0, 3)].map((digit) => digit + digit).join('') : hex.slice(0, 6)
    ).toUpperCase()
  }
  const channels = rgb.exec(value)
  if (channels !== null) {
    return hexOf(
      channels
        .slice(1, 4)
        .map((channel) =>
          channel.endsWith('%') ? (Number.parseFloat(channel) * 255) / 100 : Number(channel),
        ),
    )
  }
  const wheel = hsl.exec(value)
  if (wheel === null) return undefined
  return fromHsl(
    Number(wheel[1]) * (entryOf(degrees, wheel[2] ?? 'deg') ?? 1),
    Number(wheel[3]),
    Number(wheel[4]),
  )
}

/** Hue in degrees, saturation and lightness in percent. */
function fromHsl(hue: number, saturation: number, lightness: number): string {
  const part = (percent: number) => Math.min(100, Math.max(0, percent)) / 100
  const s = part(saturation)
  const l = part(lightness)
  const angle = ((hue % 360) + 360) % 360
  const channel = (offset: number) => {
    const k = (offset + angle / 30) % 12
    return 255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return hexOf([channel(0), channel(8), channel(4)])
}

const hexOf = (channels: readonly number[]): string =>
  channels
    .map((channel) =>
      Math.round(Math.min(255, Math.max(0, channel)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')
    .toUpperCase()

/**
 * Parses a length in px; undefined if it is not a length. Percentages are not supported, because the containing width is
 * unknown.
 */
export function readLength(text: string): number | undefined {
  const match = /^([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*(px|pt|pc|cm|mm|in|em|rem)?$/i.exec(text.trim())
  if (match === null) return undefined
  return Number(match[1]) * (entryOf(perUnit, match[2]?.toLowerCase() ?? 'px') ?? 1)
}
const perUnit: Readonly<Record<string, number>> = {
  px: 1,
  pt: 96 / 72,
  pc: 16,
  cm: 96 / 2.54,
  mm: 9.6 / 2.54,
  in: 96,
  em: 16,
  rem: 16,
}

import type { FontFile } from './sfnt/font-file.ts'

/**
 * Characters without a glyph: they control breaking, joining or direction and have no width. UAX #44,
 * trimmed.
 */
export function isIgnorable(code: number): boolean {
  if (code < 0xad) return code < 0x20 || code === 0x7f
  if (code === 0xad || code === 0x34f || code === 0x61c || code === 0xfeff) return true
  if (code >= 0x200b && code <= 0x200f) return true
  if (code >= 0x2028 && code <= 0x202e) return true
  if (code >= 0x2060 && code <= 0x206f) return true
  if (code >= 0x180b && code <= 0x180e) return true
  return (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0000 && code <= 0xe0fff)
}

/** Combining marks of the scripts that are shaped without HarfBuzz. */
export function isCombining(code: number): boolean {
  if (code < 0x300) return false
  if (code <= 0x36f || (code >= 0x483 && code <= 0x489)) return true
  if (code >= 0x591 && code <= 0x5c7)
    return code !== 0x5be && code !== 0x5c0 && code !== 0x5c3 && code !== 0x5c6
  return (
    (code >= 0x1ab0 && code <= 0x1aff) ||
    (code >= 0x1dc0 && code <= 0x1dff) ||
    (code >= 0x20d0 && code <= 0x20f0) ||
    (code >= 0xfe20 && code <= 0xfe2f)
  )
}

/**
 * Widths of the spaces from U+2000 on, as fractions of the em, for fonts that lack them. Unicode 15, chapter
 * 6.2.
 */
const spaceWidths: Readonly<Record<number, number>> = {
  8192: 1 / 2,
  8193: 1,
  8194: 1 / 2,
  8195: 1,
  8196: 1 / 3,
  8197: 1 / 4,
  8198: 1 / 6,
  8199: 0.556,
  8200: 0.278,
  8201: 1 / 5,
  8202: 1 / 10,
  8239: 1 / 6,
  8287: 4 / 18,
  12288: 1,
}

/** Replacements for characters that many fonts lack although they have the same glyph as another one. */
const lookalikes: Readonly<Record<number, readonly number[]>> = {
  160: [0x20],
  8208: [0x2d],
  8209: [0x2010, 0x2d],
  8210: [0x2013],
  8213: [0x2014],
  8722: [0x2013, 0x2d],
  8729: [0xb7],
  700: [0x2019],
  894: [0x3b],
  8486: [0x3a9],
  937: [0x2126],
  916: [0x2206],
  8710: [0x394],
  956: [0xb5],
  181: [0x3bc],
  8260: [0x2f],
  8725: [0x2f],
  9643: [0x25a1],
}

/**
 * Replacements when no available font has the character, which are better than a box. Other fonts are still
 * searched first.
 */
const lastResorts: Readonly<Record<number, readonly number[]>> = {
  10003: [0x221a],
  10004: [0x221a],
  10007: [0xd7],
  10008: [0xd7],
  9744: [0x25a1],
  9745: [0x25a0],
  9746: [0x25a0],
  10061: [0x25cb],
  10065: [0x25a1],
  10066: [0x25a1],
  10070: [0x25ca],
  10146: [0x25ba, 0x2192],
  10162: [0x25ba, 0x2192],
  10132: [0x2192],
  9670: [0x25ca],
  10731: [0x25ca],
  11045: [0x25ca],
  11047: [0x25ca],
  9723: [0x25a1],
  9711: [0x25cb],
  9673: [0x25cf],
  9678: [0x25cb],
  10038: [0x2a],
  9733: [0x2a],
  8270: [0x2a],
  8727: [0x2a],
}

/** Whether `drawCharacter` returns something although the font does not cover the character. */
export function hasLastResort(font: FontFile, code: number): boolean {
  return (lastResorts[code] ?? []).some((other) => font.characters.has(other))
}

/** A character as this font draws it; `advance` is set when it differs from that of the glyph. */
export interface DrawnCharacter {
  readonly glyph: number
  readonly advance?: number // font units
}

/** Returns undefined when the font has nothing for the character, not even a replacement. */
export function drawCharacter(font: FontFile, code: number): DrawnCharacter | undefined {
  const drawn = drawWithoutLastResort(font, code)
  if (drawn !== undefined) return drawn
  for (const other of lastResorts[code] ?? []) {
    const glyph = font.characters.glyphOf(other)
    if (glyph !== 0) return { glyph }
  }
  return undefined
}

function drawWithoutLastResort(font: FontFile, code: number): DrawnCharacter | undefined {
  const glyph = font.characters.glyphOf(code)
  if (glyph !== 0) return { glyph }
  for (const other of lookalikes[code] ?? []) {
    const drawn = font.characters.glyphOf(other)
    if (drawn !== 0) return { glyph: drawn }
  }
  const width = spaceWidths[code]
  const space = width === undefined ? 0 : font.characters.glyphOf(0x20)
  if (space === 0) return undefined
  return { glyph: space, advance: Math.round(width! * font.metrics.unitsPerEm) }
}

/** Whether this font can draw the character without help of another one. */
export function covers(font: FontFile, code: number): boolean {
  const { characters } = font
  if (isIgnorable(code) || characters.has(code)) return true
  if (lookalikes[code]?.some((other) => characters.has(other)) === true) return true
  return spaceWidths[code] !== undefined && characters.has(0x20)
}

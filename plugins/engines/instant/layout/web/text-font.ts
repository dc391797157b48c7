/**
 * Resolves the font of a style: a face from the family list, its size and its line height. Source: CSS Fonts 4, CSS Inline 3.
 */

import type { ComputedStyle } from '../../../../../shared/css/style.ts'
import { entryOf } from '../../../../../shared/entry-of.ts'
import type { Face } from '../../fonts/face.ts'
import type { DocumentFonts } from '../../fonts/font-book.ts'
import type { ShapingStyle } from '../../text/shape.ts'
import type { Pt } from '../frame.ts'

export interface TextFont {
  readonly face: Face
  readonly size: Pt
  readonly shaping: ShapingStyle
  /** In pt, rounded to whole pixels, as browsers do. */
  readonly ascent: Pt
  readonly descent: Pt
  readonly lineHeight: Pt
}

export const pixel: Pt = 0.75
/** Truncates a length to 64ths of a pixel, as Chromium does. Otherwise the rows of a long page would drift apart. */
export const layoutUnit = (value: Pt): Pt =>
  (Math.trunc((value / pixel) * 64 + Math.sign(value) * 1e-6) / 64) * pixel
export const toPixel = (value: Pt): Pt => Math.round(value / pixel) * pixel

/** The families that Chromium's headless shell uses for generic names. It has no `ui-` families, so the next one of a list counts. */
const genericFamilies: Readonly<Record<string, string>> = {
  serif: 'Liberation Serif',
  'sans-serif': 'Liberation Sans',
  monospace: 'Liberation Mono',
  'system-ui': 'Noto Sans',
  cursive: 'Liberation Serif',
  fantasy: 'Liberation Serif',
}
/** A quoted generic name is an ordinary family name, which the system replaces by its default font (observed in Chromium). */
const quotedFamilies: Readonly<Record<string, string>> = {
  serif: 'Noto Serif',
  monospace: 'DejaVu Sans Mono',
}
/** Metric-compatible families: each may replace the other if it is not available. */
const sameWidths: Readonly<Record<string, string>> = {
  arial: 'Liberation Sans',
  helvetica: 'Liberation Sans',
  'times new roman': 'Liberation Serif',
  times: 'Liberation Serif',
  'courier new': 'Liberation Mono',
  courier: 'Liberation Mono',
  calibri: 'Carlito',
  cambria: 'Caladea',
  georgia: 'Gelasio',
}
const always = new Set(['Liberation Sans', 'Liberation Serif', 'Liberation Mono', 'Carlito'])
const maxFamilies = 20

/** Splits a `font-family` list and removes the quotes. */
function familiesOf(list: string): readonly { readonly name: string; readonly isQuoted: boolean }[] {
  return list
    .split(',')
    .slice(0, maxFamilies)
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => ({ name: name.replace(/^(["'])(.*)\1$/, '$2'), isQuoted: /^["']/.test(name) }))
}

/** Returns the first family of a list that is available. */
export function familyOf(list: string, fonts: Pick<DocumentFonts, 'has'>): string {
  for (const { name, isQuoted } of familiesOf(list)) {
    const lowerCase = name.toLowerCase()
    const generic = isQuoted ? undefined : entryOf(genericFamilies, lowerCase)
    if (generic !== undefined) return generic
    const named = isQuoted ? entryOf(quotedFamilies, lowerCase) : undefined
    if (named !== undefined && fonts.has(named)) return named
    if (fonts.has(name)) return name
    const instead = entryOf(sameWidths, lowerCase)
    if (instead !== undefined && (always.has(instead) || fonts.has(instead))) return instead
  }
  return 'Liberation Serif'
}

export function isBold(style: ComputedStyle): boolean {
  return style.memoized('is-bold', () => {
    const weight = style.word('font-weight') ?? 'normal'
    return weight === 'bold' || weight === 'bolder' || Number(weight) >= 600
  })
}

export function isItalic(style: ComputedStyle): boolean {
  return /^(?:italic|oblique)/.test(style.word('font-style') ?? '')
}

/** The font size for glyph advances, truncated to 64ths of a pixel (observed in Chromium; FreeType's 26.6 format). */
const shapedSize = (size: Pt): Pt => (Math.floor((size / pixel) * 64 + 1e-6) / 64) * pixel

/** The font of a style. */
export function fontOf(style: ComputedStyle, fonts: DocumentFonts, language: string | undefined): TextFont {
  return style.memoized('text-font', () => {
    const family = familyOf(style.get('font-family') ?? '', fonts)
    const face = fonts.face(family, isBold(style), isItalic(style))
    const { size } = style
    const { ascent, descent, lineHeight: normalHeight } = metricsOf(face, size)
    const letterSpacing = style.length('letter-spacing')
    return {
      face,
      size,
      shaping: {
        face,
        size: shapedSize(size),
        ...(letterSpacing !== undefined && letterSpacing !== 0 && { letterSpacing, ligatures: false }),
        ...(language !== undefined && { language }),
        complex: fonts.complex,
      },
      ascent,
      descent,
      lineHeight: lineHeightOf(style, normalHeight),
    }
  })
}

/** The metrics of a face at a size in pt, with its line height for `line-height: normal`. */
export function metricsOf(face: Face, size: Pt): Pick<TextFont, 'ascent' | 'descent' | 'lineHeight'> {
  const ascent = toPixel(face.ascent * size)
  const descent = toPixel(face.descent * size)
  return { ascent, descent, lineHeight: ascent + descent + toPixel(face.lineGap * size) }
}

export const hasNormalLineHeight = (style: ComputedStyle): boolean =>
  (style.word('line-height') ?? 'normal') === 'normal'

/**
 * A unitless line height is relative to the font size of the element itself, a percentage to that of the element that
 * declares it.
 */
function lineHeightOf(style: ComputedStyle, usual: Pt): Pt {
  const value = style.word('line-height') ?? 'normal'
  if (value === 'normal') return usual
  const number = style.number('line-height')
  if (number !== undefined) return layoutUnit(Math.max(0, number * style.size))
  let declaring = style
  while (declaring.parent !== undefined && /^(?:inherit)?$/.test(declaring.declared('line-height') ?? ''))
    declaring = declaring.parent
  return layoutUnit(Math.max(0, declaring.length('line-height', declaring.size) ?? usual))
}

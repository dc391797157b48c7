/** Reads the fonts that a page embeds in `@font-face` rules as data URLs. Source: CSS Fonts 4, 4. */
import type { Declaration } from '../../../../../shared/css/declarations.ts'
import { AppError } from '../../../../../shared/errors/app-error.ts'
import type { NamedFont } from '../../fonts/font-book.ts'
import { type Unpackers, unpackFont } from '../../fonts/sfnt/woff.ts'
import { bytesOfData } from './web-media.ts'

/** Faces and bytes beyond these limits are not read. */
const [maxFaces, maxBytes] = [40, 20_000_000]

export interface PageFonts {
  readonly fonts: readonly NamedFont[]
  /**
   * The number of rules whose font was not read: it is not embedded, damaged, of an unsupported format or exceeds the limits.
   */
  readonly omitted: number
}

export function readPageFonts(rules: readonly (readonly Declaration[])[], unpackers: Unpackers): PageFonts {
  const fonts: NamedFont[] = []
  let left = maxBytes
  for (const rule of rules.slice(0, maxFaces)) {
    const font = readFace(rule, unpackers, left)
    if (font === undefined) continue
    left -= font.bytes.byteLength
    fonts.push(font)
  }
  return { fonts, omitted: rules.length - fonts.length }
}

function readFace(rule: readonly Declaration[], unpackers: Unpackers, left: number): NamedFont | undefined {
  const value = (name: string) =>
    rule.findLast((declaration) => declaration.name === name)?.value.trim() ?? ''
  const family = value('font-family').replace(/^(["'])(.*)\1$/s, '$2')
  const [, , address = ''] = /url\(\s*(["']?)(data:[^"')]*)\1\s*\)/i.exec(value('src')) ?? []
  if (family === '' || address.length > 2 * left) return undefined
  const packed = bytesOfData(address)
  const bytes = packed && unpacked(packed, unpackers)
  if (bytes === undefined || bytes.byteLength > left) return undefined
  const weight = value('font-weight').toLowerCase()
  const number = weight === 'bold' ? 700 : weight === '' || weight === 'normal' ? 400 : Number(weight)
  // A range of weights describes a variable font, whose weights are read from the font itself.
  if (!Number.isFinite(number)) return { family, bytes }
  return { family, bytes, weight: number, italic: /^(?:italic|oblique)/i.test(value('font-style')) }
}

function unpacked(bytes: Uint8Array, unpackers: Unpackers): Uint8Array | undefined {
  try {
    return unpackFont(bytes, unpackers)
  } catch (error) {
    // A font that cannot be unpacked is looked up by name among the fonts of the host.
    if (error instanceof AppError || error instanceof RangeError) return undefined
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

/** The replacement for a font that is not installed: a family with serifs, one without, or one of a single width. */
export type GenericFont = 'serif' | 'sans' | 'mono'

/** How a document describes a font that it names. */
export interface FontDescription {
  /** Ten bytes in hexadecimal digits, with or without spaces between them. */
  readonly panose?: string | undefined
  /** w:family of WordprocessingML. */
  readonly family?: string | undefined
  /** w:pitch. */
  readonly pitch?: string | undefined
}

/**
 * The kind of a font by its description; undefined when it declares none that has a replacement. PANOSE, which
 * is measured from the font, takes precedence over the family. Sources: ECMA-376-1 17.8.3.13 (panose1), 17.8.3.9
 * (family); PANOSE 2.0, Latin Text: the second digit is the style of the serifs, the fourth the proportion.
 */
export function genericFont({ panose, family, pitch }: FontDescription): GenericFont | undefined {
  const digits = panose?.replace(/\s/g, '') ?? ''
  const [kind = 0, serif = 0, , proportion = 0] = /^[0-9a-f]{20}$/i.test(digits)
    ? [0, 2, 4, 6].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
    : []
  const isLatinText = kind === 2
  if (isLatinText && proportion === 9) return 'mono'
  if (isLatinText && serif >= 2 && serif <= 10) return 'serif'
  if (isLatinText && serif >= 11 && serif <= 15) return 'sans'
  if (pitch === 'fixed' || family === 'modern') return 'mono'
  if (family === 'roman') return 'serif'
  return family === 'swiss' ? 'sans' : undefined
}

/** How painters synthesize the styles that a font lacks. */

/** The slant of a synthetic italic, tan(12°). */
export const lean = 0.2126
/**
 * The stroke width of a synthetic bold as a fraction of the font size. Observed: LibreOffice widens strokes by
 * about 1/24 of the em.
 */
export const boldStroke = 1 / 24
/** The stroke width of text of which only the contours are drawn (`w:outline`), as a fraction of the font size. */
export const outlineStroke = 0.02

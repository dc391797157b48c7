import { measureImage } from './measure.ts'

/** A decoded picture of this size takes 400 MB, at four bytes per pixel. */
const maxPixels = 100_000_000

/**
 * The reason why a picture must be omitted: it would need more memory than a page may have. Undefined for all others,
 * including SVG, which has no pixels.
 */
export function tooManyPixels(bytes: Uint8Array): string | undefined {
  const measured = measureImage(bytes)
  if (measured === undefined || measured.kind === 'svg') return undefined
  return measured.width * measured.height > maxPixels ? 'it has more than 100 megapixels' : undefined
}

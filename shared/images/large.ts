import { measureImage } from './measure.ts'

/** A decoded picture of this size has 400 MB, at four bytes a pixel. */
const maxPixels = 100_000_000

/** Why a picture must be omitted: it would need more memory than a page may have. Undefined for all others; an SVG has no pixels. */
export function tooManyPixels(bytes: Uint8Array): string | undefined {
  const measured = measureImage(bytes)
  if (measured === undefined || measured.kind === 'svg') return undefined
  return measured.width * measured.height > maxPixels ? 'it has more than 100 megapixels' : undefined
}

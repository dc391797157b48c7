import { measureImage } from './measure.ts'

/** 400 MB once decoded. */
const mostPixels = 100_000_000

/** Why a picture is left out that would cost more memory than a page may have; undefined for all else. Drawings have no pixels. */
export function tooManyPixels(bytes: Uint8Array): string | undefined {
  const measured = measureImage(bytes)
  if (measured === undefined || measured.kind === 'svg') return undefined
  return measured.width * measured.height > mostPixels ? 'it has more than 100 megapixels' : undefined
}

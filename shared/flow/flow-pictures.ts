import { entryOf } from '../entry-of.ts'
import { measureImage } from '../images/measure.ts'

const mimeTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  bmp: 'image/bmp',
  tiff: 'image/tiff',
}

/** The media type of a picture that a flow can hold; undefined for others, such as metafiles. */
export function pictureMime(bytes: Uint8Array): string | undefined {
  const kind = measureImage(bytes)?.kind
  return kind === undefined ? undefined : entryOf(mimeTypes, kind)
}

import { jpegOrientation } from '../images/exif-orientation.ts'
import { measureImage } from '../images/measure.ts'

/** ISO 216, in points. */
const a4 = { short: 595.28, long: 841.89 }
/** One centimetre, in points, because printers cannot print to the edge of the paper. */
const margin = 28.35
/** Points per pixel at 96 dpi, the resolution at which programs show pictures. Larger pictures are scaled down to the page. */
const pointsPerPixel = 0.75

/**
 * A PDF of one A4 page, portrait or landscape as the picture is, with a JPEG in its centre. The EXIF orientation is
 * applied, except that mirrored variants, which cameras do not write, are only rotated. Returns undefined for other types
 * and for broken pictures. Never throws. A JPEG is embedded without decoding it, which costs next to nothing on the
 * thread that serves requests. A PNG is refused, since the library would decode all of it there, without a bound.
 */
export async function picturePage(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (measureImage(bytes)?.kind !== 'jpeg') return undefined
  // Few renders need the library, so it is loaded at its first use.
  const { PDFDocument, degrees } = await import('pdf-lib')
  try {
    const document = await PDFDocument.create({ updateMetadata: false })
    const image = await document.embedJpg(bytes)
    const [width, height] = image.width > image.height ? [a4.long, a4.short] : [a4.short, a4.long]
    const natural = { width: image.width * pointsPerPixel, height: image.height * pointsPerPixel }
    const scale = Math.min(1, (width - 2 * margin) / natural.width, (height - 2 * margin) / natural.height)
    const drawn = { width: natural.width * scale, height: natural.height * scale }
    const page = document.addPage([width, height])
    page.drawImage(image, { x: (width - drawn.width) / 2, y: (height - drawn.height) / 2, ...drawn })
    page.setRotation(degrees(clockwise[jpegOrientation(bytes)] ?? 0))
    return await document.save({ useObjectStreams: false })
  } catch {
    // The library throws plain errors for what it cannot read.
    return undefined
  }
}

/** EXIF orientation -> clockwise rotation in degrees that shows the picture upwards. Source: Exif 2.32, 4.6.4 (tag 274). */
const clockwise: Readonly<Record<number, number>> = { 3: 180, 4: 180, 5: 90, 6: 90, 7: 270, 8: 270 }

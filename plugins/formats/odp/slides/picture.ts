import { mediaOf, type OdfPartContext } from '../../../../shared/office/opendocument/text/part-context.ts'

/**
 * The name of the picture of draw:image (ODF 1.3 part 3, 10.4.4), on which the cursor stands: one of the package, or one inside
 * the XML of a flat document. Undefined for an element that names none.
 */
export function pictureHere({ cursor, shared }: OdfPartContext): string | undefined {
  const href = cursor.attribute('xlink:href')
  if (href !== undefined && href !== '') return mediaOf(shared, href)
  let name: string | undefined
  cursor.each((child) => {
    if (child !== 'office:binary-data') return
    const bytes = decoded(cursor.text())
    if (bytes === undefined) return
    name = `picture ${shared.media.size}`
    shared.media.set(name, bytes)
  })
  return name
}

function decoded(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text.replace(/\s/g, '')), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

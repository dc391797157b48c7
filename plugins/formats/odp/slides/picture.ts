import { mediaOf, type OdfPartContext } from '../../../../shared/office/opendocument/text/part-context.ts'
import { fromBase64 } from '../../../../shared/plugin/base64.ts'

/**
 * The media name of draw:image (ODF 1.3 part 3, 10.4.4) at the cursor: an entry of the package, or a picture inside the XML
 * of a flat document. Undefined if it refers to none.
 */
export function pictureHere({ cursor, shared }: OdfPartContext): string | undefined {
  const href = cursor.attribute('xlink:href')
  if (href !== undefined && href !== '') return mediaOf(shared, href)
  let name: string | undefined
  cursor.each((child) => {
    if (child !== 'office:binary-data') return
    const bytes = fromBase64(cursor.text())
    if (bytes === undefined) return
    name = `picture ${shared.media.size}`
    shared.media.set(name, bytes)
  })
  return name
}

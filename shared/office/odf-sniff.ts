/** Recognition of OpenDocument files, separate from the code that opens them. Source: ODF 1.3 parts 2 and 3. */
import { binaryText } from '../bytes.ts'
import { headOf } from '../plugin/byte-source.ts'
import type { ByteSource } from '../plugin/values.ts'
import { XmlCursor, XmlFault } from '../xml/cursor.ts'
import { conventionalPrefixes } from '../xml/namespaces.ts'
import { zipMimetype } from './sniff.ts'

/** Recognises OpenDocument in one XML file by the media type on its root element (ODF 1.3 part 3, 3.1.2). */
export function sniffFlatOdf(kind: string): (source: ByteSource) => Promise<'no' | 'sure'> {
  return async (source) => {
    const head = binaryText(await headOf(source, 8192))
    return flatMimetype(head) === `application/vnd.oasis.opendocument.${kind}` ? 'sure' : 'no'
  }
}

/** The media type on the root element, whatever its prefix; undefined for other files. */
function flatMimetype(head: string): string | undefined {
  try {
    const cursor = new XmlCursor(head, { prefixes: conventionalPrefixes, understood: new Set() })
    return cursor.root() && cursor.name === 'office:document'
      ? cursor.attribute('office:mimetype')
      : undefined
  } catch (error) {
    if (error instanceof XmlFault) return undefined
    throw error
  }
}

export async function sniffOdf(source: ByteSource, mimetypes: readonly string[]): Promise<'no' | 'sure'> {
  const mimetype = await zipMimetype(source)
  return mimetype !== undefined && mimetypes.some((accepted) => mimetype.startsWith(accepted)) ? 'sure' : 'no'
}

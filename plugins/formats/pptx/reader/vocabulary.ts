import { wordVocabulary } from '../../../../shared/office/ooxml/vocabulary.ts'
import { type Vocabulary, XmlCursor, XmlFault, xmlText } from '../../../../shared/xml/cursor.ts'

/**
 * The namespaces of slides in addition to those that all Office Open XML formats share. Shapes in VML are not
 * read, so an embedded object is read from the picture in its fallback; only pictures of older ones come from VML.
 */
const slideVocabulary: Vocabulary = {
  prefixes: new Map([
    ...wordVocabulary.prefixes,
    ['http://schemas.openxmlformats.org/presentationml/2006/main', 'p'],
    ['http://purl.oclc.org/ooxml/presentationml/main', 'p'],
    ['http://schemas.microsoft.com/office/drawing/2010/main', 'a14'],
    ['http://schemas.microsoft.com/office/powerpoint/2010/main', 'p14'],
    ['http://schemas.microsoft.com/office/drawing/2017/decorative', 'adec'],
    ['http://purl.org/dc/elements/1.1/', 'dc'],
  ]),
  understood: new Set(['p', 'a', 'r', 'm', 'c', 'dgm', 'a14', 'p14', 'adec']),
}

/** A cursor on the root of a part; undefined if the part is missing or has no element. */
export const openSlidePart = (bytes: Uint8Array | undefined): XmlCursor | undefined =>
  bytes === undefined ? undefined : openSlideXml(xmlText(bytes))

/** A cursor on the root of the text of a part; undefined if it has no element. */
export function openSlideXml(xml: string): XmlCursor | undefined {
  const cursor = new XmlCursor(xml, slideVocabulary)
  return cursor.root() ? cursor : undefined
}

/** Runs `read` for one part; undefined if the part is not well-formed. */
export function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof XmlFault) return undefined
    throw error
  }
}

import { XmlCursor } from '../../xml/cursor.ts'
import { openVocabulary } from './vocabulary.ts'

/** The set of settings.xml that holds the compatibility switches of LibreOffice. */
export const configuration = 'ooo:configuration-settings'

/**
 * Reads the items of settings.xml, or of a document in one XML file, by name (ODF 1.3 part 3, 3.10). `configuration` is a
 * key when that set is present.
 */
export function readSwitches(xml: string): ReadonlyMap<string, string> {
  const switches = new Map<string, string>()
  // Observed in LibreOffice: the sets are ignored when the namespace of their names is not declared.
  if (!xml.includes('"http://openoffice.org/2004/office"')) return switches
  const cursor = new XmlCursor(xml, openVocabulary)
  const visit = (name: string): void => {
    if (name === 'office:body' || name === 'office:styles') return
    const key = cursor.attribute('config:name')
    if (name === 'config:config-item-set' && key === configuration) switches.set(key, '')
    if (name === 'config:config-item' && key !== undefined) switches.set(key, cursor.text())
    else cursor.each(visit)
  }
  if (cursor.root()) cursor.each(visit)
  return switches
}

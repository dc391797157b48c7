import {
  archivePart,
  declaring,
  foreignProperties,
  readMetadata,
  textProperty,
  withoutConformance,
  writeMetadata,
} from '../../model/metadata.ts'
import { textString } from '../../model/text-string.ts'
import { dict, isName, name, PdfDict, PdfStream, PdfString } from '../../model/values.ts'
import { srgbProfile } from '../../write/colour-profile.ts'
import { isoDate, metadataFrom } from '../version.ts'
import { isText, profileComponents } from './colours.ts'
import type { ConformJob } from './job.ts'

/**
 * Adds an sRGB output intent unless the document has a usable one, and returns the number of its colour components. An intent
 * of PDF/X is usable if its profile is embedded. ISO 19005-2, 6.2.3.
 */
export function conformIntent(job: ConformJob): number {
  const { document } = job
  const { catalog } = document
  const list = document.resolve(catalog.get('OutputIntents'))
  const intents = (Array.isArray(list) ? list : [])
    .map((item) => document.resolve(item))
    .filter((item) => item instanceof PdfDict)
  for (const intent of [...intents].sort((a, b) => rank(a) - rank(b))) {
    const components = profileComponents(job, intent.get('DestOutputProfile'))
    if (components !== 3 && components !== 4) continue
    const identifier = document.resolve(intent.get('OutputConditionIdentifier'))
    const copy = intent.copy().set('S', name('GTS_PDFA1'))
    if (!isText(identifier)) copy.set('OutputConditionIdentifier', textString('Custom'))
    catalog.set('OutputIntents', [document.put(copy)])
    return components
  }
  const profile = document.put(new PdfStream(dict({ N: 3 }), srgbProfile()))
  const intent = dict({
    Type: name('OutputIntent'),
    S: name('GTS_PDFA1'),
    OutputConditionIdentifier: textString('sRGB IEC61966-2.1'),
    Info: textString('sRGB IEC61966-2.1'),
    DestOutputProfile: profile,
  })
  catalog.set('OutputIntents', [document.put(intent)])
  return 3
}

/** Prefer the intent of PDF/A. */
const rank = (intent: PdfDict): number => (isName(intent.get('S'), 'GTS_PDFA1') ? 0 : 1)

const properties = [
  ['Title', 'dc:title'],
  ['Author', 'dc:creator'],
  ['Subject', 'dc:description'],
  ['Keywords', 'pdf:Keywords'],
  ['Creator', 'xmp:CreatorTool'],
  ['Producer', 'pdf:Producer'],
] as const

/**
 * Declares the conformance in metadata that agree with the document information. The packet of a conforming file is kept.
 * From another packet, only properties that need no extension schema are kept. ISO 19005-2, 6.6.
 */
export function declareConformance({ document, conformance, findings }: ConformJob): void {
  const { archive, accessible } = conformance
  if (archive === 0 && !accessible) return
  const before = readMetadata(document)
  const removed = { archive: archive > 0, accessible }
  if (archivePart(before) > 0) {
    writeMetadata(document, declaring(withoutConformance(before, removed), { archive, accessible }))
    return
  }
  const existing = document.dictAt(document.trailer, 'Info')
  const information = existing ?? dict({})
  if (existing === undefined) document.trailer.set('Info', document.put(information))
  for (const [key, property] of properties) {
    const value = document.resolve(information.get(key))
    const text = value instanceof PdfString && value.raw !== '' ? undefined : textProperty(before, property)
    if (text !== undefined) information.set(key, textString(text))
  }
  for (const key of ['CreationDate', 'ModDate']) {
    const date = document.resolve(information.get(key))
    if (date instanceof PdfString ? isoDate(date.raw) === undefined : date !== null) information.delete(key)
  }
  for (const key of foreignProperties(before)) findings.loss(`the property ${key} of its metadata`, key)
  writeMetadata(document, declaring(metadataFrom(document), { archive, accessible }))
}

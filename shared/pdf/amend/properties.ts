/** The properties of a document, which stand twice: in the document information and in the metadata. ISO 32000-2, 14.3. */
import { entryOf } from '../../entry-of.ts'
import { AppError } from '../../errors/app-error.ts'
import type { PropertyValue } from '../../plugin/pdf-changes.ts'
import type { PdfDocument } from '../model/document.ts'
import { escapedText, readMetadata, textProperty, withProperties, writeMetadata } from '../model/metadata.ts'
import { textOfString, textString } from '../model/text-string.ts'
import { dict, name, PdfDict, PdfName, PdfString, type PdfValue } from '../model/values.ts'
import { isoDate, metadataFrom } from '../stage/version.ts'

type PropertyKind = 'text' | 'title' | 'list' | 'date' | 'name' | 'flag'

interface StandardProperty {
  readonly xmp: string
  readonly kind: PropertyKind
  /** Absent where the document information has it too. */
  readonly isMetadataOnly?: true
}

/** ISO 32000-2, table 349; ISO 16684-1, 8. */
const standard: Readonly<Record<string, StandardProperty>> = {
  Title: { xmp: 'dc:title', kind: 'title' },
  Author: { xmp: 'dc:creator', kind: 'list' },
  Subject: { xmp: 'dc:description', kind: 'title' },
  Keywords: { xmp: 'pdf:Keywords', kind: 'text' },
  Creator: { xmp: 'xmp:CreatorTool', kind: 'text' },
  Producer: { xmp: 'pdf:Producer', kind: 'text' },
  CreationDate: { xmp: 'xmp:CreateDate', kind: 'date' },
  ModDate: { xmp: 'xmp:ModifyDate', kind: 'date' },
  Trapped: { xmp: 'pdf:Trapped', kind: 'name' },
  Copyright: { xmp: 'dc:rights', kind: 'title', isMetadataOnly: true },
  Marked: { xmp: 'xmpRights:Marked', kind: 'flag', isMetadataOnly: true },
  PDFVersion: { xmp: 'pdf:PDFVersion', kind: 'text', isMetadataOnly: true },
}

const maxProperties = 200
const maxLength = 20_000
const trapped = ['True', 'False', 'Unknown']

/** Sets properties; the others stay. Throws 'convert.options' for a value that a property cannot have. */
export function writeProperties(
  document: PdfDocument,
  properties: Readonly<Record<string, PropertyValue>>,
): void {
  const entries = Object.entries(properties)
  if (entries.length > maxProperties) refuse('metadata', `must have at most ${maxProperties} properties`)
  const existing = document.dictAt(document.trailer, 'Info')
  const information = existing ?? dict({})
  if (existing === undefined) document.trailer.set('Info', document.put(information))
  const markup = new Map<string, string>()
  for (const [key, value] of entries) {
    if (!/^[A-Za-z][\w.-]{0,99}$/.test(key))
      refuse(`metadata.${key.replace(/[^\w.-]/g, '?').slice(0, 40)}`, 'is not the name of a property')
    const property = entryOf(standard, key)
    const text = textFor(key, property?.kind ?? 'text', value)
    if (property?.isMetadataOnly !== true) information.set(key, storedAs(property?.kind ?? 'text', text))
    if (property !== undefined) markup.set(property.xmp, markupOf(property, text))
  }
  const packet = readMetadata(document)
  // Without a packet the information says all; a new one repeats it, so that both agree for readers of either.
  writeMetadata(document, withProperties(packet === '' ? metadataFrom(document) : packet, markup))
}

/** Returns the text of a checked value: dates as `isoDate` writes them. */
function textFor(key: string, kind: PropertyKind, value: PropertyValue): string {
  const text = typeof value === 'object' ? value.join(', ') : String(value)
  if (text.length > maxLength) refuse(`metadata.${key}`, `must have at most ${maxLength} characters`)
  if (kind === 'name' && !trapped.includes(text))
    refuse(`metadata.${key}`, `must be one of ${trapped.join(', ')}`)
  if (kind === 'flag' && text !== 'true' && text !== 'false')
    refuse(`metadata.${key}`, 'must be true or false')
  if (kind !== 'date') return text
  const date =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:(Z)|([+-]\d{2}):?(\d{2}))?)?$/.exec(
      text,
    )
  if (date === null || Number.isNaN(Date.parse(`${date[1]}-${date[2]}-${date[3]}`)))
    refuse(`metadata.${key}`, 'must be a date such as 2026-09-18T16:27:50Z')
  const [, year, month, day, hour = '00', minute = '00', second = '00', , offset, offsetMinutes = '00'] = date
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${offset === undefined ? 'Z' : `${offset}:${offsetMinutes}`}`
}

function storedAs(kind: PropertyKind, text: string): PdfValue {
  if (kind === 'name') return name(text)
  if (kind !== 'date') return textString(text)
  const zone = text.endsWith('Z') ? 'Z' : `${text.slice(19, 22)}'${text.slice(23)}'`
  return new PdfString(`D:${text.slice(0, 19).replace(/[-:T]/g, '')}${zone}`)
}

/** Archives ask for one author, the same as in the information. ISO 19005-2, 6.6.3. */
function markupOf({ xmp, kind }: StandardProperty, text: string): string {
  const item = (text: string, attribute = '') => `<rdf:li${attribute}>${escapedText(text)}</rdf:li>`
  const content =
    kind === 'title'
      ? `<rdf:Alt>${item(text, ' xml:lang="x-default"')}</rdf:Alt>`
      : kind === 'list'
        ? `<rdf:Seq>${item(text)}</rdf:Seq>`
        : kind === 'flag'
          ? text === 'true'
            ? 'True'
            : 'False'
          : escapedText(text)
  return `<${xmp}>${content}</${xmp}>`
}

/** The properties of the information, and what only the metadata have. Dates as in `writeProperties`. */
export function readProperties(document: PdfDocument): Readonly<Record<string, PropertyValue>> {
  const properties = new Map<string, PropertyValue>()
  const information = document.dictAt(document.trailer, 'Info') ?? new PdfDict()
  for (const [key, stored] of [...information.entries].slice(0, maxProperties)) {
    const value = document.resolve(stored)
    if (value instanceof PdfString) {
      const text = textOfString(value).slice(0, maxLength)
      properties.set(key, (entryOf(standard, key)?.kind === 'date' ? isoDate(text) : undefined) ?? text)
    } else if (value instanceof PdfName) properties.set(key, value.text.slice(0, maxLength))
    else if (typeof value === 'number' || typeof value === 'boolean') properties.set(key, value)
  }
  const packet = readMetadata(document)
  if (packet === '') return Object.fromEntries(properties)
  for (const [key, { xmp, kind }] of Object.entries(standard)) {
    const text = properties.has(key) ? undefined : textProperty(packet, xmp)
    if (text !== undefined)
      properties.set(key, kind === 'flag' ? /^true$/i.test(text) : text.slice(0, maxLength))
  }
  return Object.fromEntries(properties)
}

function refuse(option: string, rule: string): never {
  throw new AppError('convert.options', { option, rule })
}

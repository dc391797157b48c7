/** Files inside of a PDF. ISO 32000-2, 7.11.4, 14.13; ISO 19005-3, 6.8. */
import type { Codec } from '../plugin/contract.ts'
import type { PdfDocument } from './document.ts'
import { nameTreeEntries } from './name-tree.ts'
import { textString } from './text-string.ts'
import { dict, name, PdfStream, PdfString, type PdfValue } from './values.ts'
import { zlib } from './zlib.ts'

export const relationships = [
  'Source',
  'Data',
  'Alternative',
  'Supplement',
  'Unspecified',
  'FormData',
  'Schema',
] as const
export type Relationship = (typeof relationships)[number]

export interface Attachment {
  readonly name: string
  readonly bytes: Uint8Array
  readonly relationship: Relationship
}

/** `modified`: ms since the epoch. Files of one name stand beside each other, as ` (2)` tells. */
export function attachFiles(
  document: PdfDocument,
  files: readonly Attachment[],
  { codec, modified }: { readonly codec: Codec; readonly modified: number },
): void {
  const { catalog } = document
  const names = document.dictAt(catalog, 'Names')?.copy() ?? dict({})
  const entries = new Map(nameTreeEntries(document, names.get('EmbeddedFiles')))
  const known = document.resolve(catalog.get('AF'))
  const associated: PdfValue[] = Array.isArray(known) ? [...known] : []
  for (const file of files) {
    let shown = file.name
    for (let number = 2; entries.has(textString(shown).raw); number++)
      shown = file.name.replace(/(\.[^.]*)?$/, (extension) => ` (${number})${extension}`)
    const packed = zlib(codec, file.bytes)
    const embedded = document.put(
      new PdfStream(
        dict({
          Type: name('EmbeddedFile'),
          Subtype: name(mimeOf(shown)),
          Filter: name('FlateDecode'),
          Params: dict({ Size: file.bytes.length, ModDate: new PdfString(pdfDate(modified)) }),
        }),
        packed,
      ),
    )
    const spec = document.put(
      dict({
        Type: name('Filespec'),
        F: textString(shown),
        UF: textString(shown),
        Desc: textString(shown),
        AFRelationship: name(file.relationship),
        EF: dict({ F: embedded, UF: embedded }),
      }),
    )
    entries.set(textString(shown).raw, spec)
    associated.push(spec)
  }
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  const list = sorted.flatMap(([key, value]): PdfValue[] => [new PdfString(key), value])
  names.set('EmbeddedFiles', document.put(dict({ Names: list })))
  catalog.set('Names', names).set('AF', associated)
}

/** D:YYYYMMDDHHmmSSZ. */
const pdfDate = (ms: number): string => `D:${new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')}`

const types: Readonly<Record<string, string>> = {
  xml: 'text/xml',
  pdf: 'application/pdf',
  csv: 'text/csv',
  txt: 'text/plain',
  html: 'text/html',
  json: 'application/json',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  zip: 'application/zip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
}
const mimeOf = (file: string): string =>
  types[/\.([^.]+)$/.exec(file)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream'

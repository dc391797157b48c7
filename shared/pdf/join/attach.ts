/**
 * Embeds files in a PDF. Each is listed twice: in the name tree, where viewers find attachments, and as an associated file
 * of the document, which PDF/A-3 requires. ISO 32000-2, 7.11.4, 14.13; ISO 19005-3, 6.8.
 */
import { entryOf } from '../../entry-of.ts'
import type { Codec } from '../../plugin/values.ts'
import type { PdfDocument } from '../model/document.ts'
import { nameTree, nameTreeEntries } from '../model/name-tree.ts'
import { pdfDate, textString } from '../model/text-string.ts'
import { dict, name, PdfStream, PdfString, type PdfValue } from '../model/values.ts'
import { zlib } from '../write/zlib.ts'

export const relationships = [
  'Source',
  'Data',
  'Alternative',
  'Supplement',
  'Unspecified',
  'FormData',
  'Schema',
] as const
export type FileRelationship = (typeof relationships)[number]

export interface Attachment {
  readonly name: string
  readonly bytes: Uint8Array
  readonly relationship: FileRelationship
  /** The media type; absent to derive it from the extension of the name. */
  readonly mimeType?: string
  /** The file is stored uncompressed, so that its bytes do not depend on a compressor. */
  readonly uncompressed?: true
}

/**
 * Adds files to those that the document has. Names are unique in the tree, so a second `data.xml` becomes
 * `data (2).xml`. `modified`: the modification time of all files, in milliseconds since the epoch.
 */
export function attachFiles(
  document: PdfDocument,
  files: readonly Attachment[],
  { codec, modified }: { readonly codec: Codec; readonly modified: number },
): void {
  const { catalog } = document
  const names = document.dictAt(catalog, 'Names')?.copy() ?? dict({})
  const entries = new Map(nameTreeEntries(document, names.get('EmbeddedFiles')))
  const attached = document.resolve(catalog.get('AF'))
  const associated: PdfValue[] = Array.isArray(attached) ? [...attached] : []
  for (const file of files) {
    let shown = file.name
    for (let number = 2; entries.has(textString(shown).raw); number++)
      shown = file.name.replace(/(\.[^.]*)?$/, (extension) => ` (${number})${extension}`)
    const isPacked = file.uncompressed !== true
    const embedded = document.put(
      new PdfStream(
        dict({
          Type: name('EmbeddedFile'),
          Subtype: name(file.mimeType ?? mimeOf(shown)),
          Filter: isPacked ? name('FlateDecode') : undefined,
          Params: dict({ Size: file.bytes.length, ModDate: new PdfString(pdfDate(modified)) }),
        }),
        isPacked ? zlib(codec, file.bytes) : file.bytes,
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
  names.set('EmbeddedFiles', document.put(nameTree(entries)))
  catalog.set('Names', names).set('AF', associated)
}

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
/** The media type by extension, which PDF/A-3 requires (ISO 19005-3, 6.8). */
const mimeOf = (file: string): string =>
  entryOf(types, /\.([^.]+)$/.exec(file)?.[1]?.toLowerCase()) ?? 'application/octet-stream'

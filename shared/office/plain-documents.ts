/**
 * Converts an office template or a file with macros into an ordinary document. The output has the extension of a
 * document, and Word refuses a .docx whose content type is that of a DOTX. Macros are omitted (specification 4.4).
 * Source: [MS-OFFMACRO2] for the parts, ECMA-376-2 for content types and relationships; ODF 1.3 part 2, 3.3 and 4.3.
 */

import type { OpenContext } from '../plugin/contract.ts'
import type { Codec, FormatId } from '../plugin/values.ts'
import { xmlText } from '../xml/cursor.ts'
import { replaceElements } from '../xml/elements.ts'
import { openZip, type ZipArchive, type ZipEntry } from './zip.ts'
import { writeZip } from './zip-writer.ts'

const typesPart = '[Content_Types].xml'
const macroPart =
  /(^|\/)(vbaProject(Signature\w*)?\.bin|vbaData\.xml|attachedToolbars\.bin)$|(^|\/)_rels\/vbaProject\.bin\.rels$/i
const macroType = /vbaProject|vbaData|attachedToolbars/i

const main = 'application/vnd.openxmlformats-officedocument'
/** Content types of the main parts of templates, slide shows and files with macros -> that of the ordinary document. */
const documentTypes: readonly (readonly [RegExp, string])[] = [
  [
    /application\/vnd\.ms-word\.(document|template)\.macroEnabled(Template)?\.main\+xml|application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.template\.main\+xml/gi,
    `${main}.wordprocessingml.document.main+xml`,
  ],
  [
    /application\/vnd\.ms-excel\.(sheet|template)\.macroEnabled\.main\+xml|application\/vnd\.openxmlformats-officedocument\.spreadsheetml\.template\.main\+xml/gi,
    `${main}.spreadsheetml.sheet.main+xml`,
  ],
  [
    /application\/vnd\.ms-powerpoint\.(presentation|template|slideshow)\.macroEnabled\.main\+xml|application\/vnd\.openxmlformats-officedocument\.presentationml\.(template|slideshow)\.main\+xml/gi,
    `${main}.presentationml.presentation.main+xml`,
  ],
]
const unusual = /macroEnabled|\.(?:template|slideshow)\.main\+xml/i

const odfType = /^(application\/vnd\.oasis\.opendocument\.\w+)-template$/

/** The archive as a document without macros; the same object if it is one already. */
export function asDocument(archive: ZipArchive, codec: Codec): ZipArchive {
  const mimetype = archive.entries.find(({ name }) => name === 'mimetype')
  if (mimetype !== undefined) return asOdfDocument(archive, mimetype, codec)
  const types = archive.entries.find(({ name }) => name === typesPart)
  if (types === undefined) return archive
  const isMacro = archive.entries.some(({ name }) => macroPart.test(name))
  const text = textOf(archive, types)
  if (!isMacro && !unusual.test(text)) return archive
  const entries = archive.entries.flatMap((entry): readonly ZipEntry[] => {
    if (macroPart.test(entry.name)) return []
    if (entry === types) return [storing(entry, documentContentTypes(text), codec)]
    if (!entry.name.endsWith('.rels')) return [entry]
    const before = textOf(archive, entry)
    const after = without(before, 'Relationship', macroType)
    return [after === before ? entry : storing(entry, after, codec)]
  })
  return { ...archive, entries, read: (entry) => archive.read(entry) }
}

/** The media type is the first entry of the package, and is repeated in its manifest. */
function asOdfDocument(archive: ZipArchive, mimetype: ZipEntry, codec: Codec): ZipArchive {
  if (mimetype.size > 100) return archive
  const [template, document] = odfType.exec(textOf(archive, mimetype).trim()) ?? []
  if (template === undefined || document === undefined) return archive
  const entries = archive.entries.map((entry) => {
    if (entry === mimetype) return storing(entry, document, codec)
    if (entry.name !== 'META-INF/manifest.xml') return entry
    return storing(entry, textOf(archive, entry).replaceAll(`"${template}"`, `"${document}"`), codec)
  })
  return { ...archive, entries, read: (entry) => archive.read(entry) }
}

/**
 * Returns a package as a document without macros. `undefined` if it is one already, and for a document in a single
 * XML file, which cannot contain macros. `format` names the package in errors.
 */
export function plainDocument(
  bytes: Uint8Array,
  { codec, limits }: OpenContext,
  format: FormatId,
): Uint8Array | undefined {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return undefined
  const archive = openZip(bytes, { codec, limits, format })
  const document = asDocument(archive, codec)
  return document === archive ? undefined : packed(document)
}

/**
 * Returns a workbook under the content type of files with macros, for formats that require it. It contains no macros.
 */
export function asMacroWorkbook(bytes: Uint8Array, { codec, limits }: OpenContext): Uint8Array {
  const archive = asDocument(openZip(bytes, { codec, limits, format: 'xlsx' }), codec)
  const entries = archive.entries.map((entry) =>
    entry.name === typesPart ? storing(entry, macroContentTypes(textOf(archive, entry)), codec) : entry,
  )
  return packed({ ...archive, entries })
}

function macroContentTypes(text: string): string {
  const sheetMainType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'
  return text.replace(sheetMainType, 'application/vnd.ms-excel.sheet.macroEnabled.main+xml')
}

function documentContentTypes(text: string): string {
  let types = without(without(text, 'Override', macroType), 'Default', macroType)
  for (const [type, name] of documentTypes) types = types.replace(type, name)
  return types
}

/** Removes the elements of a name whose attributes match: types of parts, and relationships to them. */
const without = (text: string, element: string, isRemoved: RegExp): string =>
  replaceElements(text, element, (attributes) => (isRemoved.test(attributes) ? '' : undefined))

function textOf(archive: ZipArchive, entry: ZipEntry): string {
  return xmlText(archive.read(entry))
}

function storing(entry: ZipEntry, text: string, codec: Codec): ZipEntry {
  const stored = new TextEncoder().encode(text)
  return { ...entry, method: 0, crc: codec.crc32(stored), size: stored.length, stored }
}

function packed({ entries }: ZipArchive): Uint8Array {
  return writeZip(entries.map(({ stored, ...entry }) => ({ ...entry, chunks: [stored] })))
}

/**
 * Macros of office packages: a file that comes with them goes out as the document it is, without them (api-decisions 2).
 * Source: [MS-OFFMACRO2] for the parts, ECMA-376-2 for content types and relationships.
 */
import type { Codec } from '../../plugin/contract.ts'
import { type OpenZip, openZip, type ZipArchive, type ZipEntry } from '../zip.ts'
import { writeZip } from '../zip-writer.ts'

const typesPart = '[Content_Types].xml'
const macroPart =
  /(^|\/)(vbaProject(Signature\w*)?\.bin|vbaData\.xml|attachedToolbars\.bin)$|(^|\/)_rels\/vbaProject\.bin\.rels$/i
const macroType = /vbaProject|vbaData|attachedToolbars/i

/** Main parts of files with macros, and what they are without. Templates become documents, as their output is one. */
const plainTypes: readonly (readonly [RegExp, string])[] = [
  [
    /application\/vnd\.ms-word\.(document|template)\.macroEnabled(Template)?\.main\+xml/gi,
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
  ],
  [
    /application\/vnd\.ms-excel\.(sheet|template)\.macroEnabled\.main\+xml/gi,
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
  ],
  [
    /application\/vnd\.ms-powerpoint\.slideshow\.macroEnabled\.main\+xml/gi,
    'application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml',
  ],
  [
    /application\/vnd\.ms-powerpoint\.(presentation|template)\.macroEnabled\.main\+xml/gi,
    'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml',
  ],
]

/** The archive as one without macros; the very same where there are none. */
export function withoutMacros(archive: ZipArchive, codec: Codec): ZipArchive {
  const types = archive.entries.find(({ name }) => name === typesPart)
  if (types === undefined) return archive
  const isMacro = archive.entries.some(({ name }) => macroPart.test(name))
  const text = textOf(archive, types)
  if (!isMacro && !/macroEnabled/i.test(text)) return archive
  const entries = archive.entries.flatMap((entry): readonly ZipEntry[] => {
    if (macroPart.test(entry.name)) return []
    if (entry === types) return [storing(entry, plainContentTypes(text), codec)]
    if (!entry.name.endsWith('.rels')) return [entry]
    const before = textOf(archive, entry)
    const after = without(before, 'Relationship', macroType)
    return [after === before ? entry : storing(entry, after, codec)]
  })
  return { ...archive, entries, read: (entry) => archive.read(entry) }
}

/** A package without its macros, byte for byte the same where it has none: undefined then. */
export function stripMacros(bytes: Uint8Array, options: OpenZip): Uint8Array | undefined {
  const archive = openZip(bytes, options)
  const plain = withoutMacros(archive, options.codec)
  return plain === archive ? undefined : packed(plain)
}

/** A workbook under the type that programs ask for where they want one that may hold macros; it holds none. */
export function asMacroWorkbook(bytes: Uint8Array, options: OpenZip): Uint8Array {
  const archive = withoutMacros(openZip(bytes, options), options.codec)
  const entries = archive.entries.map((entry) =>
    entry.name === typesPart
      ? storing(entry, macroContentTypes(textOf(archive, entry)), options.codec)
      : entry,
  )
  return packed({ ...archive, entries })
}

function macroContentTypes(text: string): string {
  const plain = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'
  return text.replace(plain, 'application/vnd.ms-excel.sheet.macroEnabled.main+xml')
}

function plainContentTypes(text: string): string {
  let plain = without(without(text, 'Override', macroType), 'Default', macroType)
  for (const [type, name] of plainTypes) plain = plain.replace(type, name)
  return plain
}

/** Empty elements of a name that say something are taken out. */
function without(text: string, element: string, says: RegExp): string {
  const tags = new RegExp(`<(?:\\w+:)?${element}\\b[^>]*?(?:/>|>\\s*</(?:\\w+:)?${element}>)`, 'g')
  return text.replace(tags, (tag) => (says.test(tag) ? '' : tag))
}

function textOf(archive: ZipArchive, entry: ZipEntry): string {
  return new TextDecoder().decode(archive.read(entry))
}

function storing(entry: ZipEntry, text: string, codec: Codec): ZipEntry {
  const stored = new TextEncoder().encode(text)
  return { ...entry, method: 0, crc: codec.crc32(stored), size: stored.length, stored }
}

function packed({ entries }: ZipArchive): Uint8Array {
  return writeZip(entries.map(({ stored, ...entry }) => ({ ...entry, chunks: [stored] })))
}

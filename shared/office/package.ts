/**
 * Opens a ZIP package as a template. Entries that a render does not write are copied in their compressed form; the
 * others go through the encoder of `deflate.ts`.
 */

import { AppError } from '../errors/app-error.ts'
import { fromBytes } from '../plugin/byte-source.ts'
import type { OpenContext } from '../plugin/contract.ts'
import type { Codec, FormatId } from '../plugin/values.ts'
import type { Addresses, TemplatePackage } from '../template/package.ts'
import type { PackageWriter } from '../template/package-writer.ts'
import type { FormatRules } from '../template/rules.ts'
import type { StaticTable } from '../template/statics.ts'
import type { TemplatePart } from '../template/template-part.ts'
import { conventionalXml } from '../xml/conventional.ts'
import { replaceAttribute } from '../xml/elements.ts'
import { DeflateWriter } from './deflate.ts'
import { partsRelatedIn } from './opc/relationships.ts'
import { asDocument } from './plain-documents.ts'
import { openZip, type ZipEntry } from './zip.ts'
import { type PackedEntry, writeZip } from './zip-writer.ts'

/** How a format opens its packages. */
export interface OpenPackage {
  readonly format: FormatId
  readonly rules: FormatRules
  /** The entry with the content, unless a relationship of the package names another. */
  readonly main: string
  /** Whether an entry may contain tags. */
  isPart(name: string): boolean
  /** Whether an entry is omitted from every output, because it caches content that the tags replace. */
  drops?(name: string): boolean
  /** Called for each entry before any part is read; `text` decompresses it. */
  inspect?(entry: { readonly name: string; readonly text: () => string }): void
  /** Called once after all parts are read, for formats whose parts depend on each other. */
  arrange?(
    parts: readonly TemplatePart[],
    file: ReadFile,
  ): Arranged | undefined | Promise<Arranged | undefined>
}

/** Returns the bytes of an entry; undefined when there is no entry of this name. */
export type ReadFile = (name: string) => Uint8Array | undefined

/** The parts that `arrange` returns in place of its input. */
export interface Arranged {
  readonly rules: FormatRules
  readonly parts: readonly TemplatePart[]
  /** Name of an entry -> the text that replaces it in every output, whether it contains tags or not. */
  readonly rewritten: ReadonlyMap<string, string>
  readonly removed: ReadonlySet<string>
  readonly addresses?: Addresses
}

/**
 * Opens a ZIP package as a template. The `arrange` function of the format may replace its parts. Throws AppError
 * 'package.incomplete' and 'template.markup'.
 */
export async function openPackage(
  bytes: Uint8Array,
  context: OpenContext,
  options: OpenPackage,
): Promise<TemplatePackage> {
  const archive = asDocument(openZip(bytes, { ...context, format: options.format }), context.codec)
  requireMain(archive, options)
  if (options.inspect !== undefined) {
    for (const entry of archive.entries) {
      options.inspect({ name: entry.name, text: () => decodeXml(archive.read(entry), entry.name) })
    }
  }
  const entries = archive.entries.filter(({ name }) => options.drops?.(name) !== true)
  const parts: TemplatePart[] = []
  for (const entry of entries) {
    if (!options.isPart(entry.name) || entry.size === 0) continue
    const text = decodeXml(archive.read(entry), entry.name)
    parts.push({ name: entry.name, syntax: 'xml', text })
  }
  const arranged = await options.arrange?.(parts, (name) => {
    const entry = archive.entries.find((candidate) => candidate.name === name)
    return entry === undefined ? undefined : archive.read(entry)
  })
  const packed = entries.flatMap((entry) => {
    if (arranged?.removed.has(entry.name) === true) return []
    const text = arranged?.rewritten.get(entry.name)
    return [text === undefined ? copied(entry) : rewritten(entry, text, context.codec)]
  })
  return {
    format: options.format,
    rules: arranged?.rules ?? options.rules,
    parts: arranged?.parts ?? parts,
    weight: bytes.length,
    ...(arranged?.addresses && { addresses: arranged.addresses }),
    begin: () => packageWriter(packed, context.codec),
  }
}

/** Throws for a package without its content part, which engines would turn into an empty document or an unclear error. */
function requireMain({ entries, read }: ReturnType<typeof openZip>, { format, main }: OpenPackage): void {
  const names = new Set(entries.map(({ name }) => name.toLowerCase()))
  if (names.has(main.toLowerCase())) return
  const relations = entries.find(({ name }) => name === '_rels/.rels')
  const named =
    relations === undefined
      ? undefined
      : partsRelatedIn(decodeXml(read(relations), relations.name), '').find(
          ({ kind }) => kind === 'officeDocument',
        )
  if (named !== undefined && names.has(named.target.toLowerCase())) return
  throw new AppError('package.incomplete', { format: format.toUpperCase(), part: named?.target ?? main })
}

function copied(entry: ZipEntry): PackedEntry {
  const { name, method, crc, size, dosTime, attributes } = entry
  return { name, method, crc, size, dosTime, attributes, chunks: [entry.stored] }
}

function rewritten(entry: ZipEntry, text: string, codec: Codec): PackedEntry {
  const bytes = new TextEncoder().encode(text)
  const chunks = [codec.deflateRaw(bytes)]
  return { ...copied(entry), method: 8, crc: codec.crc32(bytes), size: bytes.length, chunks }
}

/** 1980-01-01, for entries without a date, so that the same input gives the same bytes. */
const noTime = 0x00210000

/**
 * Maximum compressed size of one part, in bytes: the largest that Word opens. The package is in memory twice while it
 * is written.
 */
const maxPackedBytes = 536_870_912

function packageWriter(original: readonly PackedEntry[], codec: Codec): PackageWriter {
  const changed = new Map<string, PackedEntry | undefined>()
  const openWriters = new Set<DeflateWriter>() // a part may contain others
  const change = (entry: Omit<PackedEntry, 'dosTime' | 'attributes'>) => {
    const templateEntry = original.find(({ name }) => name === entry.name)
    changed.set(entry.name, {
      ...entry,
      dosTime: templateEntry?.dosTime ?? noTime,
      attributes: templateEntry?.attributes ?? 0,
    })
  }
  return {
    part(name: string, statics: StaticTable) {
      const writer = new DeflateWriter(statics)
      openWriters.add(writer)
      return {
        static: (id) => writer.static(id),
        text(chunk) {
          writer.text(chunk)
          if (writer.compressed > maxPackedBytes)
            throw new AppError('template.output', { part: name, limit: maxPackedBytes })
        },
        get size() {
          return writer.size
        },
        end() {
          const { chunks, crc, size } = writer.end()
          openWriters.delete(writer)
          change({ name, method: 8, crc, size, chunks })
        },
      }
    },
    add(name, bytes) {
      // An embedded package is already compressed.
      const packed = bytes[0] === 0x50 && bytes[1] === 0x4b ? bytes : codec.deflateRaw(bytes)
      const smaller = packed.length < bytes.length
      change({
        name,
        method: smaller ? 8 : 0,
        crc: codec.crc32(bytes),
        size: bytes.length,
        chunks: [smaller ? packed : bytes],
      })
    },
    remove: (name) => void changed.set(name, undefined),
    copy(from, to) {
      const entry = original.find(({ name }) => name === from)
      if (entry !== undefined) changed.set(to, { ...entry, name: to })
    },
    finish() {
      const entries: PackedEntry[] = []
      for (const entry of original) {
        const current = changed.has(entry.name) ? changed.get(entry.name) : entry
        if (current !== undefined) entries.push(current)
        changed.delete(entry.name)
      }
      for (const entry of changed.values()) if (entry !== undefined) entries.push(entry)
      return fromBytes(writeZip(entries))
    },
    abandon() {
      for (const writer of openWriters) writer.abandon()
      openWriters.clear()
    },
  }
}

function declaredAsUtf8(text: string): string {
  const end = text.startsWith('<?xml') ? text.indexOf('?>') : -1
  return end < 0 ? text : replaceAttribute(text.slice(0, end), 'encoding', 'UTF-8') + text.slice(end)
}

/**
 * Decodes XML bytes into the form of `conventionalXml`: UTF-8, or UTF-16 with a byte order mark. Other encodings do
 * not occur in office packages.
 */
export function decodeXml(bytes: Uint8Array, part: string): string {
  const label =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8'
  try {
    const text = new TextDecoder(label, { fatal: true, ignoreBOM: false }).decode(bytes)
    // Output is UTF-8, whatever the encoding of the template was.
    const labelled = label === 'utf-8' ? text : declaredAsUtf8(text)
    // Custom XML is data of the author, and no code depends on its names.
    return part.startsWith('customXml/') ? labelled : conventionalXml(labelled)
  } catch {
    throw new AppError('template.markup', { part, because: 'the text is not valid UTF-8', offset: 0 })
  }
}

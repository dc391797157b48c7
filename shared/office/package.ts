/**
 * Opens a ZIP package as a template. Entries that a render does not write are copied as they are stored; written ones
 * go through the plan-aware DEFLATE encoder.
 */
import { AppError } from '../errors/app-error.ts'
import { fromBytes } from '../plugin/byte-source.ts'
import type { Codec, FormatId, OpenContext } from '../plugin/contract.ts'
import type { Addresses, PackageWriter, TemplatePackage, TemplatePart } from '../template/package.ts'
import type { FormatRules } from '../template/rules.ts'
import { DeflateWriter } from './deflate.ts'
import { asDocument } from './plain-documents.ts'
import type { StaticTable } from './statics.ts'
import { openZip, type ZipEntry } from './zip.ts'
import { type PackedEntry, writeZip } from './zip-writer.ts'

export interface OpenPackage {
  readonly format: FormatId
  readonly rules: FormatRules
  /** Which entries carry tags. */
  isPart(name: string): boolean
  /** Left out of every output: caches that a render makes stale. */
  drops?(name: string): boolean
  /** A look at each entry before anything else; `text` unpacks it. */
  inspect?(entry: { readonly name: string; readonly text: () => string }): void
  /** A last say once all parts are read: a format whose parts depend on each other sees them together. */
  arrange?(
    parts: readonly TemplatePart[],
    file: ReadFile,
  ): Arranged | undefined | Promise<Arranged | undefined>
}

/** The bytes of an entry, undefined when there is none of the name. */
export type ReadFile = (name: string) => Uint8Array | undefined

export interface Arranged {
  readonly rules: FormatRules
  readonly parts: readonly TemplatePart[]
  /** Entries that are stored with another text from now on, whether they hold tags or not. */
  readonly rewritten: ReadonlyMap<string, string>
  readonly removed: ReadonlySet<string>
  readonly addresses?: Addresses
}

export async function openPackage(
  bytes: Uint8Array,
  context: OpenContext,
  options: OpenPackage,
): Promise<TemplatePackage> {
  const archive = asDocument(openZip(bytes, { ...context, format: options.format }), context.codec)
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
    const entry = archive.entries.find((each) => each.name === name)
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

function copied(entry: ZipEntry): PackedEntry {
  const { name, method, crc, size, dosTime, attributes } = entry
  return { name, method, crc, size, dosTime, attributes, chunks: [entry.stored] }
}

function rewritten(entry: ZipEntry, text: string, codec: Codec): PackedEntry {
  const bytes = new TextEncoder().encode(text)
  const chunks = [codec.deflateRaw(bytes)]
  return { ...copied(entry), method: 8, crc: codec.crc32(bytes), size: bytes.length, chunks }
}

/** 1980-01-01, for entries that have no date of their own: the same input gives the same bytes. */
const noTime = 0x00210000

function packageWriter(original: readonly PackedEntry[], codec: Codec): PackageWriter {
  const changed = new Map<string, PackedEntry | undefined>()
  const open = new Set<DeflateWriter>() // a part may hold others
  const put = (entry: Omit<PackedEntry, 'dosTime' | 'attributes'>) => {
    const before = original.find(({ name }) => name === entry.name)
    changed.set(entry.name, {
      ...entry,
      dosTime: before?.dosTime ?? noTime,
      attributes: before?.attributes ?? 0,
    })
  }
  return {
    part(name: string, statics: StaticTable) {
      const writer = new DeflateWriter(statics)
      open.add(writer)
      return {
        static: (id) => writer.static(id),
        text: (chunk) => writer.text(chunk),
        get size() {
          return writer.size
        },
        end() {
          const { chunks, crc, size } = writer.end()
          open.delete(writer)
          put({ name, method: 8, crc, size, chunks })
        },
      }
    },
    add(name, bytes) {
      // Packages inside are packed already.
      const packed = bytes[0] === 0x50 && bytes[1] === 0x4b ? bytes : codec.deflateRaw(bytes)
      const smaller = packed.length < bytes.length
      put({
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
        const now = changed.has(entry.name) ? changed.get(entry.name) : entry
        if (now !== undefined) entries.push(now)
        changed.delete(entry.name)
      }
      for (const entry of changed.values()) if (entry !== undefined) entries.push(entry)
      return fromBytes(writeZip(entries))
    },
    abandon() {
      for (const writer of open) writer.abandon()
      open.clear()
    },
  }
}

/** XML bytes as text: UTF-8, or UTF-16 with its mark. Other encodings do not occur in office packages. */
export function decodeXml(bytes: Uint8Array, part: string): string {
  const label =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8'
  try {
    const text = new TextDecoder(label, { fatal: true, ignoreBOM: false }).decode(bytes)
    // What is written is UTF-8, whatever was read.
    return label === 'utf-8'
      ? text
      : text.replace(/^(<\?xml[^>]*?)encoding=(["'])[^"']*\2/, '$1encoding="UTF-8"')
  } catch {
    throw new AppError('template.markup', { part, because: 'the text is not valid UTF-8', offset: 0 })
  }
}

/**
 * Checks a document before an office program opens it. Office programs load whatever a document refers to, pictures
 * on private hosts and files of this machine alike, and keep some of it for the documents of others. Input: bytes.
 * Output: the bytes without external links (hyperlinks are kept), what was dropped, and whether the process that
 * opens them may open another document afterwards. Formats are recognised by content, as office programs do, not by
 * name. See also `opc.ts`, `odf.ts`, `office-xml.ts`, `rtf.ts` and `binary.ts`.
 */

import { AppError } from '../../errors/app-error.ts'
import type { Limits } from '../../limits.ts'
import { decodeMarkup } from '../../plugin/decode-markup.ts'
import type { Codec, FormatId, Warning } from '../../plugin/values.ts'
import { XmlFault } from '../../xml/cursor.ts'
import { checkStructure, editXml } from '../../xml/edit-tags.ts'
import { openZip, type ZipEntry } from '../zip.ts'
import { type PackedEntry, writeZip } from '../zip-writer.ts'
import { editCompound } from './binary.ts'
import { isCompound } from './compound.ts'
import { decodeXmlBytes, encodeXml } from './decode.ts'
import { ScannedContent } from './findings.ts'
import { editHtml } from './html.ts'
import { editOdf, editOdfTag, isOdfPart } from './odf.ts'
import { editOfficeXml, OfficeXml } from './office-xml.ts'
import { isMedia } from './opc.ts'
import { editRtf } from './rtf.ts'

export interface Scan {
  /** The same array as the input where nothing was dropped. */
  readonly bytes: Uint8Array
  readonly warnings: readonly Warning[]
  /**
   * The office process keeps state of this document until it ends, so it must not open another document afterwards.
   */
  readonly leavesTraces: boolean
}
export interface ScanContext {
  readonly codec: Codec
  readonly limits: Limits
  /**
   * Why pictures that the document refers to were not fetched before. Reported together with the pictures that are
   * dropped.
   */
  readonly pictureReasons?: readonly string[]
}

/** Maximum nesting depth of embedded documents; deeper ones are refused. */
const maxNesting = 4

/** Formats that are read as plain text: nothing in them is an address. */
const withoutLinks: ReadonlySet<FormatId> = new Set(['txt', 'csv', 'pdf'])
const pages: ReadonlySet<FormatId> = new Set(['html', 'xhtml'])
/**
 * Formats that are recognised by content: generations of binary files, and other files that users give these
 * extensions.
 */
const anything: ReadonlySet<FormatId> = new Set(['doc', 'xls', 'ppt', 'pps', 'pot'])

/**
 * Throws XmlFault for XML that no program writes (too deep, too many attributes, an encoding that cannot be checked),
 * and AppError 'package.…' for a package that is damaged, encrypted or beyond the limits.
 */
export function scanIncoming(bytes: Uint8Array, from: FormatId, context: ScanContext): Scan {
  const findings = new ScannedContent(context.pictureReasons)
  const changed = withoutLinks.has(from)
    ? undefined
    : pages.has(from)
      ? scanPage(bytes, findings)
      : scanFile(bytes, from, { ...context, findings, depth: 0 })
  return {
    bytes: changed ?? bytes,
    warnings: findings.warnings(),
    leavesTraces: findings.hasEmbeddedFonts || findings.hasFormulaSymbols,
  }
}

interface ScanState extends ScanContext {
  readonly findings: ScannedContent
  readonly depth: number // number of enclosing packages
}

/** The file without its links, or undefined when it has none. `from` is undefined for an embedded file. */
function scanFile(bytes: Uint8Array, from: FormatId | undefined, state: ScanState): Uint8Array | undefined {
  const { findings } = state
  if (isZip(bytes)) return scanPackage(bytes, state)
  if (isCompound(bytes)) {
    // An OpenDocument formula or chart in an OLE wrapper, whose content cannot be read here.
    if (includesBytes(bytes, wrappedPackage)) findings.hasFormulaSymbols = true
    return scanCompound(bytes, from, findings)
  }
  if (isRtf(bytes)) {
    if (includesBytes(bytes, embeddedRtfFont)) findings.hasEmbeddedFonts = true
    return editRtf(bytes, findings)
  }
  if (isProbablyXml(bytes)) return scanMarkup(bytes, from, findings)
  // An office program that is forced to read XML accepts encodings that are not supported here.
  if (from !== undefined && !anything.has(from)) throw new XmlFault('its content is of another format')
  return undefined
}

/** An embedded object may be damaged: the document shows a picture of it, and the office does not open the object. */
function scanCompound(
  bytes: Uint8Array,
  from: FormatId | undefined,
  findings: ScannedContent,
): Uint8Array | undefined {
  try {
    return editCompound(bytes, findings)
  } catch (error) {
    if (error instanceof XmlFault && from === undefined) return undefined
    throw error
  }
}

/** Flat XML, or an HTML page with the extension of a document. */
function scanMarkup(
  bytes: Uint8Array,
  from: FormatId | undefined,
  findings: ScannedContent,
): Uint8Array | undefined {
  const text = decodeXmlBytes(bytes)
  if (text.slice(0, 100).includes('\0')) throw new XmlFault('its character encoding is unknown')
  const office = new OfficeXml(findings)
  const changed = editXml(
    text,
    (tag) => {
      editOdfTag(tag, true, findings)
      office.visit(tag)
    },
    () => office.end(),
  )
  if (from !== undefined && anything.has(from) && !text.includes('urn:')) return scanPage(bytes, findings)
  return changed === undefined ? undefined : encodeXml(changed)
}

function scanPage(bytes: Uint8Array, findings: ScannedContent): Uint8Array | undefined {
  const changed = editHtml(decodeMarkup(bytes), findings)
  // The byte order mark is needed, because pages that declare no encoding are read as Windows-1252.
  return changed === undefined ? undefined : new TextEncoder().encode(`\ufeff${changed}`)
}

function scanPackage(bytes: Uint8Array, state: ScanState): Uint8Array | undefined {
  const { codec, limits, findings, depth } = state
  if (depth >= maxNesting) throw new AppError('package.unsupported', { feature: 'packages in packages' })
  const archive = openZip(bytes, { codec, limits, format: 'office' })
  const isOpc = archive.entries.some(({ name }) => /\.rels$/i.test(name))
  const changes = new Map<string, Uint8Array>()
  const scanEntry = (entry: ZipEntry) => {
    const content = archive.read(entry)
    const changed =
      isOdfPart(entry.name) || !mayBeFile(entry)
        ? scanPart(content, entry.name, { findings, isOpc })
        : scanFile(content, undefined, { ...state, depth: depth + 1 })
    if (changed !== undefined) changes.set(entry.name, changed)
  }
  const later: ZipEntry[] = []
  for (const entry of archive.entries) {
    if (entry.size === 0 || entry.name.endsWith('/')) continue
    if (isMedia(entry.name)) later.push(entry)
    else if (isOpc || isOdfPart(entry.name) || isSvg(entry.name) || mayBeFile(entry)) scanEntry(entry)
  }
  // Pictures are not decompressed, unless a relationship declares that one is something else.
  if (findings.hasPartNamedAsMedia) later.forEach(scanEntry)
  if (changes.size === 0) return undefined
  return writeZip(archive.entries.map((entry) => packedEntry(entry, changes.get(entry.name), codec)))
}

/** An XML part without its links. A part that is encrypted with the password of the document is not XML. */
function scanPart(
  content: Uint8Array,
  name: string,
  { findings, isOpc }: { readonly findings: ScannedContent; readonly isOpc: boolean },
): Uint8Array | undefined {
  if (!isProbablyXml(content)) return undefined
  let text = decodeXmlBytes(content)
  checkStructure(text)
  const before = text
  if (isOdfPart(name)) text = editOdf(text, findings) ?? text
  if (isOpc) text = editOfficeXml(text, findings) ?? text
  if (isSvg(name)) text = editXml(text, (tag) => editOdfTag(tag, true, findings)) ?? text
  return text === before ? undefined : encodeXml(text)
}

/** SVG can refer to other pictures, with the same attribute as OpenDocument. */
const isSvg = (name: string): boolean => /\.svg$/i.test(name)

/** Embedded documents have such names; parts of a document have other extensions. */
function mayBeFile({ name }: ZipEntry): boolean {
  return (
    /\.(?:docx|docm|dotx|dotm|xlsx|xlsm|xlsb|xltx|pptx|pptm|potx|ppsx|sldx|od[a-z]|ot[a-z]|fod[a-z]|sx[a-z]|bin|rtf|zip)$/i.test(
      name,
    ) || /(?:^|\/)(?:embeddings\/[^/]*|Object \d+|[^/.]+)$/.test(name)
  )
}

/** Returns an entry unchanged, or with other content. */
export function packedEntry(entry: ZipEntry, content: Uint8Array | undefined, codec: Codec): PackedEntry {
  const { name, method, crc, size, dosTime, attributes, stored } = entry
  if (content === undefined) return { name, method, crc, size, dosTime, attributes, chunks: [stored] }
  const chunks = [method === 0 ? content : codec.deflateRaw(content)]
  return { name, method, crc: codec.crc32(content), size: content.length, dosTime, attributes, chunks }
}

const isZip = ([a, b]: Uint8Array): boolean => a === 0x50 && b === 0x4b
const latin = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const isRtf = (bytes: Uint8Array): boolean => bytes[0] === 0x7b && bytes[1] === 0x5c && bytes[2] === 0x72
const embeddedRtfFont = latin('\\fontemb')
/** Name of the stream that an office program wraps an OpenDocument package in, in UTF-16LE as in OLE directories. */
const wrappedPackage = latin([...'package_stream'].map((letter) => `${letter}\0`).join(''))

/** Whether the first non-space character opens a tag, in an encoding with one or two bytes per character. */
function isProbablyXml(bytes: Uint8Array): boolean {
  for (let offset = 0; offset < bytes.length && offset < 4_096; offset++) {
    const byte = bytes[offset] ?? 0
    if (byte === 0x3c) return true
    const skipped =
      byte === 0 || byte <= 0x20 || byte >= 0xfe || byte === 0xef || byte === 0xbb || byte === 0xbf
    if (!skipped) return false
  }
  return false
}

function includesBytes(bytes: Uint8Array, pattern: Uint8Array): boolean {
  const first = pattern[0] ?? 0
  for (let offset = bytes.indexOf(first); offset >= 0; offset = bytes.indexOf(first, offset + 1)) {
    if (pattern.every((byte, n) => bytes[offset + n] === byte)) return true
  }
  return false
}

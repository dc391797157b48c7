/**
 * A look at a document before an office opens it. Offices load whatever a document names, pictures on private hosts and
 * files of this machine alike, and keep some of what they loaded for the documents of others. In: bytes. Out: the bytes
 * without links to anything outside of the document (hyperlinks stay), what was dropped, and whether the office that opens
 * them may open another one afterwards. By content, not by name: offices open what they find. Read `opc.ts`,
 * `odf.ts`, `office-xml.ts` and `rtf.ts`.
 */
import { XmlFault } from '../../document/xml-cursor.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Codec, FormatId, Warning } from '../../plugin/contract.ts'
import { decodeMarkup } from '../../plugin/decode-markup.ts'
import type { Limits } from '../../template/limits.ts'
import { openZip, type ZipEntry } from '../zip.ts'
import { type PackedEntry, writeZip } from '../zip-writer.ts'
import { decodeXmlBytes, encodeXml } from './decode.ts'
import { Findings } from './findings.ts'
import { editHtml } from './html.ts'
import { editOdf, editOdfTag, isOdfPart } from './odf.ts'
import { editOfficeTag } from './office-xml.ts'
import { editConnections, editRelationships, isConnections, isRelationships } from './opc.ts'
import { editRtf } from './rtf.ts'
import { editXml } from './xml-edits.ts'

export interface Scan {
  /** The bytes that were given, where nothing was dropped. */
  readonly bytes: Uint8Array
  readonly warnings: readonly Warning[]
  /** The office keeps something of this document until it ends: it must not open the document of another afterwards. */
  readonly leavesTraces: boolean
}
export interface ScanContext {
  readonly codec: Codec
  readonly limits: Limits
}

/** Documents in documents in documents: deeper ones are refused. */
const maxNesting = 4

/** Read as text whatever they hold: nothing in them is an address. */
const plain: ReadonlySet<FormatId> = new Set(['txt', 'csv', 'pdf'])
const pages: ReadonlySet<FormatId> = new Set(['html', 'xhtml'])
/** Read by content: generations of binary files, and whatever else people give these names. */
const anything: ReadonlySet<FormatId> = new Set(['doc', 'xls', 'ppt', 'pps', 'pot'])

/**
 * Throws XmlFault for XML that no program writes (too deep, too many attributes, an encoding that cannot be checked), and
 * AppError 'package.…' for a package that is damaged, locked or beyond the limits.
 */
export function scanIncoming(bytes: Uint8Array, from: FormatId, context: ScanContext): Scan {
  const findings = new Findings()
  const changed = plain.has(from)
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

interface Place extends ScanContext {
  readonly findings: Findings
  readonly depth: number // packages around it
}

/** The file without its links, undefined where it stays as it is. `from`: undefined for one inside another. */
function scanFile(bytes: Uint8Array, from: FormatId | undefined, place: Place): Uint8Array | undefined {
  const { findings } = place
  if (isZip(bytes)) return scanPackage(bytes, place)
  if (isCompound(bytes)) {
    // An OpenDocument formula or chart in its wrapper for OLE: what it holds cannot be seen from here.
    if (includesBytes(bytes, wrappedPackage)) findings.hasFormulaSymbols = true
    return undefined
  }
  if (isRtf(bytes)) {
    if (includesBytes(bytes, embeddedRtfFont)) findings.hasEmbeddedFonts = true
    return editRtf(bytes, findings)
  }
  if (looksLikeXml(bytes)) return scanMarkup(bytes, from, findings)
  // An office that is told to read XML reads encodings that are unknown here.
  if (from !== undefined && !anything.has(from)) throw new XmlFault('its content is of another kind')
  return undefined
}

/** Flat XML, or a page under the name of a document. */
function scanMarkup(
  bytes: Uint8Array,
  from: FormatId | undefined,
  findings: Findings,
): Uint8Array | undefined {
  const text = decodeXmlBytes(bytes)
  if (text.slice(0, 100).includes('\0')) throw new XmlFault('the character encoding that it has is not known')
  const changed = editXml(text, (tag) => {
    editOdfTag(tag, true, findings)
    editOfficeTag(tag, findings)
  })
  if (from !== undefined && anything.has(from) && !text.includes('urn:')) return scanPage(bytes, findings)
  return changed === undefined ? undefined : encodeXml(changed)
}

function scanPage(bytes: Uint8Array, findings: Findings): Uint8Array | undefined {
  const changed = editHtml(decodeMarkup(bytes), findings)
  // With its mark: pages that name no encoding are read as Windows-1252.
  return changed === undefined ? undefined : new TextEncoder().encode(`\ufeff${changed}`)
}

function scanPackage(bytes: Uint8Array, place: Place): Uint8Array | undefined {
  const { codec, limits, findings, depth } = place
  if (depth >= maxNesting) throw new AppError('package.unsupported', { feature: 'packages in packages' })
  const archive = openZip(bytes, { codec, limits, format: 'office' })
  const changes = new Map<string, Uint8Array>()
  for (const entry of archive.entries) {
    const edit = isRelationships(entry.name)
      ? (text: string) => editRelationships(text, findings)
      : isOdfPart(entry.name)
        ? (text: string) => editOdf(text, findings)
        : isConnections(entry.name)
          ? (text: string) => editConnections(text, findings)
          : undefined
    if (edit !== undefined) {
      const content = archive.read(entry)
      // A part that is locked with the document's password is no XML.
      const text = looksLikeXml(content) ? edit(decodeXmlBytes(content)) : undefined
      if (text !== undefined) changes.set(entry.name, encodeXml(text))
    } else if (mayBeFile(entry)) {
      const changed = scanFile(archive.read(entry), undefined, { ...place, depth: depth + 1 })
      if (changed !== undefined) changes.set(entry.name, changed)
    }
  }
  if (changes.size === 0) return undefined
  return writeZip(archive.entries.map((entry) => packed(entry, changes.get(entry.name), codec)))
}

/** Documents inside a document have such names; parts of one have an extension of their own. */
function mayBeFile({ name, size }: ZipEntry): boolean {
  if (size === 0 || name.endsWith('/')) return false
  return (
    /\.(?:docx|docm|dotx|dotm|xlsx|xlsm|xlsb|xltx|pptx|pptm|potx|ppsx|sldx|od[a-z]|ot[a-z]|fod[a-z]|sx[a-z]|bin|rtf|zip)$/i.test(
      name,
    ) || /(?:^|\/)(?:embeddings\/[^/]*|Object \d+|[^/.]+)$/.test(name)
  )
}

function packed(entry: ZipEntry, content: Uint8Array | undefined, codec: Codec): PackedEntry {
  const { name, method, crc, size, dosTime, attributes, stored } = entry
  if (content === undefined) return { name, method, crc, size, dosTime, attributes, chunks: [stored] }
  const chunks = [method === 0 ? content : codec.deflateRaw(content)]
  return { name, method, crc: codec.crc32(content), size: content.length, dosTime, attributes, chunks }
}

const isZip = ([a, b]: Uint8Array): boolean => a === 0x50 && b === 0x4b
const compoundSignature = [0xd0, 0xcf, 0x11, 0xe0]
const isCompound = (bytes: Uint8Array): boolean => compoundSignature.every((byte, at) => bytes[at] === byte)
const latin = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const isRtf = (bytes: Uint8Array): boolean => bytes[0] === 0x7b && bytes[1] === 0x5c && bytes[2] === 0x72
const embeddedRtfFont = latin('\\fontemb')
/** Name of the stream that an office wraps an OpenDocument package in, UTF-16LE as directories of OLE have it. */
const wrappedPackage = latin([...'package_stream'].map((letter) => `${letter}\0`).join(''))

/** The first character that is no blank opens a tag, in an encoding of one or two bytes a character. */
function looksLikeXml(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length && at < 4_096; at++) {
    const byte = bytes[at]!
    if (byte === 0x3c) return true
    const skipped =
      byte === 0 || byte <= 0x20 || byte >= 0xfe || byte === 0xef || byte === 0xbb || byte === 0xbf
    if (!skipped) return false
  }
  return false
}

function includesBytes(bytes: Uint8Array, wanted: Uint8Array): boolean {
  const first = wanted[0]!
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (wanted.every((byte, n) => bytes[at + n] === byte)) return true
  }
  return false
}

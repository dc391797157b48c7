import { entryOf } from '../../../shared/entry-of.ts'
import type { FormatId } from '../../../shared/plugin/values.ts'
import { decodeText } from '../../../shared/text-encoding.ts'
import type { BridgeRequest } from './bridge-unit.ts'
import { type FilterPair, optionsOf } from './conversions.ts'
import { services, stores } from './families.ts'
import {
  csvImportTokens,
  csvTokens,
  type OfficeOptions,
  pdfFilterData,
  pictureFilterData,
} from './options.ts'
import { separatorOf, withByteOrderMark } from './source-text.ts'

export interface PreparedRequest {
  readonly request: BridgeRequest
  readonly source: Uint8Array
  /** Options that do not apply to this output. */
  readonly ignored: readonly string[]
}

/** Creates the request for the office from checked options. Throws 'convert.options' for those that it does not support. */
export function prepare(
  filters: FilterPair,
  to: FormatId,
  options: OfficeOptions,
): Omit<PreparedRequest, 'source'> {
  const { load, store } = filters
  const takes = optionsOf(store, to)
  const ignored = [...options.unknown, ...Object.keys(options.given).filter((name) => !takes.includes(name))]
  return {
    ignored,
    request: {
      load: {
        ...(load.filter !== undefined && { FilterName: load.filter }),
        ...(load.asTemplate && { AsTemplate: true }),
      },
      store: { FilterName: store.filter, ...storeProperties(filters, to, options.given) },
      service: services[filters.family],
      // A document from a request has no location, so links to files become relative to the root.
      ...(options.given['ExportLinksRelativeFsys'] === true && { place: 'file:///document' }),
      ...(options.hardRefresh && { refresh: true }),
      ...(store.firstOnly && { countPages: true }),
      // The office converts HTML comments into document comments.
      ...(store.withoutNotes && load.text !== 'html' && { countLost: true }),
      ...(store.eachPage && { eachPage: store.eachPage }),
      ...(store.asFile && { asFile: true }),
      ...(store.classic && { classic: store.classic }),
      ...(store.edits && { edits: store.edits }),
      ...(store.drawing && { drawing: true }),
      ...(store.masters && { masters: true }),
      ...(store.sheet && { sheet: store.sheet }),
      ...(store.takes === 'picture' &&
        hasOnlyOneSize(options.given) && { shapeFrom: stores[filters.family]['png']?.filter }),
    },
  }
}

/** Adds the document, in the encoding that the office reads, and its load options. */
export function withSource(
  { request, ignored }: Omit<PreparedRequest, 'source'>,
  filters: FilterPair,
  bytes: Uint8Array,
): PreparedRequest {
  const { source, filterOptions } = readable(filters, bytes)
  if (filterOptions === undefined) return { request, ignored, source }
  return { request: { ...request, load: { ...request.load, FilterOptions: filterOptions } }, ignored, source }
}

function readable(
  filters: FilterPair,
  bytes: Uint8Array,
): { source: Uint8Array; filterOptions: string | undefined } {
  const { text, options } = filters.load
  switch (text) {
    case undefined:
      return { source: bytes, filterOptions: options }
    case 'html':
      return { source: withByteOrderMark(bytes), filterOptions: options }
    case 'plain':
      return { source: new TextEncoder().encode(decodeText(bytes)), filterOptions: options }
    case 'csv': {
      const decoded = decodeText(bytes)
      const rows = decoded.replace(/^sep=.\r?\n/i, '')
      return {
        source: new TextEncoder().encode(rows),
        filterOptions: csvImportTokens(separatorOf(decoded)),
      }
    }
    default:
      return text satisfies never
  }
}

function hasOnlyOneSize(given: Readonly<Record<string, unknown>>): boolean {
  return (given['PixelWidth'] === undefined) !== (given['PixelHeight'] === undefined)
}

function storeProperties(
  filters: FilterPair,
  to: FormatId,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  switch (filters.store.takes) {
    case 'pdf':
      return { FilterData: pdfFilterData(given) }
    case 'csv':
      return { FilterOptions: csvTokens(given) }
    case 'picture':
      return { FilterData: pictureFilterData(to, given) }
    case undefined:
      return filters.store.options === undefined ? {} : { FilterOptions: filters.store.options }
    default:
      return filters.store.takes satisfies never
  }
}

/** Formats that are zip packages when they can be read, and the folder of their main part. */
const packages: Readonly<Record<FormatId, string>> = {
  ...inFolder('word/', 'docx', 'docm', 'dotx'),
  ...inFolder('xl/', 'xlsx', 'xlsm', 'xltx'),
  ...inFolder('ppt/', 'pptx', 'ppsx', 'potx'),
}
const compound = [0xd0, 0xcf, 0x11, 0xe0]
const encryptedEntry = 'EncryptedPackage'

/**
 * Office Open XML with a password is an OLE compound file around the encrypted package ([MS-OFFCRYPTO] 1.3.2). It is
 * recognized by the name of its stream (UTF-16LE in the directory).
 */
export function looksEncrypted(from: FormatId, bytes: Uint8Array): boolean {
  if (entryOf(packages, from) === undefined) return false
  if (!compound.every((byte, at) => bytes[at] === byte)) return false
  const wide = [...encryptedEntry].map((letter) => `${letter}\0`).join('')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(wide, 0, 'latin1')
}

/**
 * Whether this is an Office Open XML package of another program, with entries of that program and none of the
 * expected one. The office would open it as an empty document. Entry names are not compressed.
 */
export function isOtherPackage(from: FormatId, bytes: Uint8Array): boolean {
  const marker = entryOf(packages, from)
  if (marker === undefined) return false
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.includes(marker, 0, 'latin1')) return false
  return ['word/document', 'xl/workbook', 'ppt/presentation'].some((name) =>
    buffer.includes(name, 0, 'latin1'),
  )
}

function inFolder(folder: string, ...formats: readonly FormatId[]): Record<FormatId, string> {
  return Object.fromEntries(formats.map((format) => [format, folder]))
}

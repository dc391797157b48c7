import { pdfOptionRules } from '../../../shared/pdf/option-table.ts'
import type { FormatId } from '../../../shared/plugin/contract.ts'
import type { BridgeRequest } from './bridge-unit.ts'
import type { Way } from './conversions.ts'
import { type Family, services, stores } from './families.ts'
import { csvImportTokens, csvRules, csvTokens } from './options/csv.ts'
import { pdfFilterData } from './options/pdf.ts'
import { pictureFilterData, pictureOptions } from './options/picture.ts'
import type { OfficeOptions } from './options/schema.ts'
import { decodeText, markHtml, separatorOf } from './source-text.ts'

export interface Prepared {
  readonly request: BridgeRequest
  readonly source: Uint8Array
  /** Options that mean nothing for this output. */
  readonly ignored: readonly string[]
}

/** Their pictures have the size that they are asked for. */
const drawing: readonly Family[] = ['impress', 'draw']

/** From a checked job to what the office is told. Throws 'convert.options' for what it cannot honour. */
export function prepare(way: Way, to: FormatId, options: OfficeOptions, bytes: Uint8Array): Prepared {
  const { load, store } = way
  const { source, filterOptions } = readable(way, bytes)
  const takes = optionsOf(way, to)
  const ignored = [...options.unknown, ...Object.keys(options.given).filter((name) => !takes.includes(name))]
  return {
    source,
    ignored,
    request: {
      load: {
        ...(load.filter !== undefined && { FilterName: load.filter }),
        ...(filterOptions !== undefined && { FilterOptions: filterOptions }),
        ...(load.asTemplate && { AsTemplate: true }),
      },
      store: { FilterName: store.filter, ...storeProperties(way, to, options.given) },
      service: services[way.family],
      // A document that was sent has no place of its own: its links to files become relative to the root.
      ...(options.given['ExportLinksRelativeFsys'] === true && { place: 'file:///document' }),
      ...(options.hardRefresh && { refresh: true }),
      ...(store.firstOnly && { countPages: true }),
      ...(store.eachPage && { eachPage: store.eachPage }),
      ...(store.asFile && { asFile: true }),
      ...(store.classic && { classic: store.classic }),
      ...(store.edits && { edits: store.edits }),
      ...(store.drawing && { drawing: true }),
      ...(store.masters && { masters: true }),
      ...(store.sheet && { sheet: store.sheet }),
      ...(store.takes === 'picture' && !drawing.includes(way.family) && { drawsOneMore: true }),
      ...(store.takes === 'picture' &&
        hasOneSide(options.given) && { shapeFrom: stores[way.family]['png']?.filter }),
    },
  }
}

/** The options that mean something for this output. */
function optionsOf(way: Way, to: FormatId): readonly string[] {
  switch (way.store.takes) {
    case 'pdf':
      return Object.keys(pdfOptionRules)
    case 'csv':
      return Object.keys(csvRules)
    case 'picture':
      return pictureOptions(to)
    case undefined:
      return []
    default:
      return way.store.takes satisfies never
  }
}

function readable(way: Way, bytes: Uint8Array): { source: Uint8Array; filterOptions: string | undefined } {
  const { text, options } = way.load
  switch (text) {
    case undefined:
      return { source: bytes, filterOptions: options }
    case 'html':
      return { source: markHtml(bytes), filterOptions: options }
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

function hasOneSide(given: Readonly<Record<string, unknown>>): boolean {
  return (given['PixelWidth'] === undefined) !== (given['PixelHeight'] === undefined)
}

function storeProperties(
  way: Way,
  to: FormatId,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  switch (way.store.takes) {
    case 'pdf':
      return { FilterData: pdfFilterData(given) }
    case 'csv':
      return { FilterOptions: csvTokens(given) }
    case 'picture':
      return { FilterData: pictureFilterData(to, given) }
    case undefined:
      return way.store.options === undefined ? {} : { FilterOptions: way.store.options }
    default:
      return way.store.takes satisfies never
  }
}

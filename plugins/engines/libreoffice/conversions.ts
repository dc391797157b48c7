import { pdfOptionRules } from '../../../shared/pdf/stage/option-table.ts'
import type { Conversion } from '../../../shared/plugin/contract.ts'
import type { FormatId } from '../../../shared/plugin/values.ts'
import { type ExportFilter, type Family, type Load, loads, stores } from './families.ts'
import { csvRules, pictureOptions } from './options.ts'

export const title = 'LibreOffice'

/** How one pair of formats is converted. */
export interface FilterPair {
  readonly family: Family
  readonly load: Load
  readonly store: ExportFilter
}

/** ms for a typical page, measured warm with the letter, sheet and slides of the contract suite. */
const costs: Readonly<Record<Family, number>> = { writer: 60, calc: 70, impress: 120, draw: 80 }
/** Higher than the real cost, so that pictures are made from the PDF unless they must be transparent. */
const pictureCost = 400
/** In PDF. Observed in LibreOffice 7.4. */
const paintsWhite: readonly Family[] = ['impress', 'draw']
/** Importing a PDF costs more than opening an office document. */
const pdfImportCost = 250

/** Pairs that the filters offer but convert wrongly. */
const impossible = new Set([
  // A sheet that became a page is no longer a sheet, so no route may lead from one to the other this way.
  'html ooxml',
  'xhtml ooxml',
  // The import puts text into frames; the export writes the body, which is empty.
  'pdf txt',
  'pdf text',
  'pdf docbook',
  // Formats without frames, and those that lose text that continues in the next frame.
  ...['txt', 'text', 'html', 'xhtml', 'docbook', 'rtf', 'doc6', 'doc95', 'epub', 'ooxml', 'uot'].map(
    (to) => `paged ${to}`,
  ),
])

/** The import of a PDF makes a frame of each line; that of a web page supports little CSS. */
const poorlyRead: ReadonlySet<FormatId> = new Set(['pdf', 'html', 'xhtml'])

const filterPairs = new Map<string, FilterPair>()
const list: Conversion[] = []
for (const [from, programs] of Object.entries(loads)) {
  for (const [family, load] of Object.entries(programs) as [Family, Load][]) {
    for (const [to, store] of Object.entries(stores[family])) {
      const key = `${from} ${to}`
      if (impossible.has(key)) continue
      // The first program of a source that can write the target is used.
      if (filterPairs.has(key)) continue
      filterPairs.set(key, { family, load, store })
      list.push({
        from,
        to,
        fidelity: poorlyRead.has(from) ? 'basic' : (store.fidelity ?? 'high'),
        options: optionsOf(store, to),
        cost: from === 'pdf' ? pdfImportCost : store.takes === 'picture' ? pictureCost : costs[family],
        ...(store.takes === 'picture' && { lacks: ['Resolution'] }),
        // The background of a page is painted white.
        ...(store.takes === 'pdf' && paintsWhite.includes(family) && { lacks: ['Translucent'] }),
      })
    }
  }
}

/** Names of the options that apply to an output which is written by this filter. */
export function optionsOf({ takes }: ExportFilter, to: FormatId): readonly string[] {
  switch (takes) {
    case 'pdf':
      return Object.keys(pdfOptionRules)
    case 'csv':
      return Object.keys(csvRules)
    case 'picture':
      return pictureOptions(to)
    case undefined:
      return []
    default:
      return takes satisfies never
  }
}

/** Every pair, also those with equal formats, which recompute fields and formulas. */
export const conversions: readonly Conversion[] = list

export function filterPairOf(from: FormatId, to: FormatId): FilterPair | undefined {
  return filterPairs.get(`${from} ${to}`)
}

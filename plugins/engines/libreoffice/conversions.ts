import type { Conversion, FormatId } from '../../../shared/plugin/contract.ts'
import { type Family, type Load, loads, type Store, stores } from './families.ts'

/** How one pair is done. */
export interface Way {
  readonly family: Family
  readonly load: Load
  readonly store: Store
}

/** ms for a typical page, measured warm with the letter, sheet and slides of the contract suite. */
const costs: Readonly<Record<Family, number>> = { writer: 60, calc: 70, impress: 120, draw: 80 }
/** Taking a PDF apart costs more than opening a document of the suite. */
const pdfImportCost = 250

/** Pairs that the filters promise and do not keep. */
const impossible = new Set([
  // A sheet that became a page is no sheet any more: this must not be a way from one to the other.
  'html ooxml',
  'xhtml ooxml',
  // The import puts text into frames; the export writes the body, which is empty.
  'pdf txt',
  'pdf text',
  'pdf docbook',
  // What has no frames, or loses what goes on in the next one.
  ...['txt', 'text', 'html', 'xhtml', 'docbook', 'rtf', 'doc6', 'doc95', 'epub', 'ooxml', 'uot'].map(
    (to) => `paged ${to}`,
  ),
])

/** The import of a PDF makes frames of its lines; that of a page knows little of its style sheets. */
const poorlyRead: ReadonlySet<FormatId> = new Set(['pdf', 'html', 'xhtml'])

const ways = new Map<string, Way>()
const list: Conversion[] = []
for (const [from, programs] of Object.entries(loads)) {
  for (const [family, load] of Object.entries(programs) as [Family, Load][]) {
    for (const [to, store] of Object.entries(stores[family])) {
      const key = `${from} ${to}`
      if (impossible.has(key)) continue
      // The first program of a source that writes the target has it.
      if (ways.has(key)) continue
      ways.set(key, { family, load, store })
      list.push({
        from,
        to,
        fidelity: poorlyRead.has(from) ? 'basic' : (store.fidelity ?? 'high'),
        cost: from === 'pdf' ? pdfImportCost : costs[family],
      })
    }
  }
}

/** Every pair, also those with equal ends: they recompute what the document holds. */
export const conversions: readonly Conversion[] = list

export function wayOf(from: FormatId, to: FormatId): Way | undefined {
  return ways.get(`${from} ${to}`)
}

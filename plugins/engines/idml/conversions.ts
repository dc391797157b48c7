import type { Conversion } from '../../../shared/plugin/contract.ts'

export const title = 'InDesign'

/**
 * ms for a typical page. `paged` is a flat text with positioned pages, which the office converts to formats
 * that have frames (`../libreoffice/conversions.ts`). All other formats are made from running text, which
 * costs more than converting the pages directly and less than converting them through another format.
 */
export const conversions: readonly Conversion[] = [
  { from: 'idml', to: 'paged', fidelity: 'high', cost: 20 },
  { from: 'idml', to: 'fodt', fidelity: 'high', cost: 60 },
  { from: 'idml', to: 'docbook', fidelity: 'high', cost: 60 },
  ...['html', 'html10', 'md', 'txt', 'text', 'etext', 'text10'].map(
    (to): Conversion => ({ from: 'idml', to, fidelity: 'basic', cost: 15 }),
  ),
]

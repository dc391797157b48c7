import type { Conversion } from '../../../shared/plugin/contract.ts'

export const title = 'TeX'

export const conversions: readonly Conversion[] = ['docx', 'odt'].flatMap((from) => [
  { from, to: 'latex', fidelity: 'high', cost: 20 },
  { from, to: 'bib', fidelity: 'high', cost: 10 },
])

import type { Conversion } from '../../../shared/plugin/contract.ts'

export const title = 'Tables'

export type TableFormat = 'parquet' | 'dbf' | 'numbers' | 'ooxml'

const outputs: Readonly<Record<TableFormat, Pick<Conversion, 'fidelity' | 'last'>>> = {
  parquet: { fidelity: 'high' },
  dbf: { fidelity: 'basic' },
  numbers: { fidelity: 'basic' },
  // LibreOffice has an export filter for this format, but it fails on nearly every real sheet. As an input
  // the name belongs to Word.
  ooxml: { fidelity: 'high', last: true },
}

export const conversions: readonly Conversion[] = Object.entries(outputs).map(([to, output]) => ({
  from: 'ods',
  to,
  cost: 20,
  ...output,
}))

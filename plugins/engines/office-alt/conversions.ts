import type { Conversion } from '../../../shared/plugin/contract.ts'
import type { FormatId } from '../../../shared/plugin/values.ts'

export const title = 'Alternative office'

/** The part that a package of each format contains. */
export const mainParts: Readonly<Record<FormatId, RegExp>> = {
  docx: /^word\/document\d*\.xml$/i,
  xlsx: /^xl\/workbook\.xml$/i,
  pptx: /^ppt\/presentation\.xml$/i,
}
export const conversions: readonly Conversion[] = Object.keys(mainParts).map((from) => ({
  from,
  to: 'pdf',
  fidelity: 'high',
  cost: 500,
}))

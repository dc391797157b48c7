import { pdfOptionRules } from '../../../shared/pdf/option-table.ts'
import type { Schema } from '../../../shared/plugin/contract.ts'
import type { PipelineRequest } from './pipeline.ts'

type Given = Readonly<Record<string, unknown>>

/**
 * What is written while the document is laid out: its structure, and what the file promises. Security, watermarks and the
 * choice of pages belong to the stage behind all engines.
 */
const served = ['SelectPdfVersion', 'UseTaggedPDF', 'PDFUACompliance'] as const

export const optionsSchema: Schema<Given> = {
  json: {
    type: 'object',
    properties: Object.fromEntries(served.map((name) => [name, pdfOptionRules[name]!.json])),
    additionalProperties: true,
  },
  parse: (input) => ({ ok: true, value: (input ?? {}) as Given }),
}

/** Options as the pipeline takes them. The version is one that comes from an engine: later ones are made of it behind. */
export function readOptions(given: Given): Pick<PipelineRequest, 'tagged' | 'promises' | 'version'> {
  const version = given['SelectPdfVersion']
  const archive = version === 1 || version === 2 || version === 3 ? version : undefined
  const accessible = given['PDFUACompliance'] === true
  return {
    tagged: accessible || given['UseTaggedPDF'] === true,
    promises: { ...(archive !== undefined && { archive }), ...(accessible && { accessible }) },
    ...((version === 15 || version === 16) && { version: `1.${version % 10}` }),
  }
}

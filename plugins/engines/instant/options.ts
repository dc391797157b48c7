import { pdfOptionRules } from '../../../shared/pdf/option-table.ts'
import type { Schema } from '../../../shared/plugin/contract.ts'
import type { PipelineRequest } from './pipeline.ts'

type Given = Readonly<Record<string, unknown>>

/**
 * The options that take effect during layout and painting: the structure and the conformance of the file.
 * Encryption, watermarks and the choice of pages belong to the post-processing that all engines share.
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

/**
 * Translates the options for the pipeline. Only the PDF versions that the painter writes are passed on;
 * post-processing makes later versions.
 */
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

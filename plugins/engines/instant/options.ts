import { pdfOptionRules } from '../../../shared/pdf/stage/option-table.ts'
import type { Schema } from '../../../shared/plugin/values.ts'
import type { PipelineRequest } from './pipeline.ts'

type GivenOptions = Readonly<Record<string, unknown>>

/**
 * The options that take effect during layout and painting: the pages, the structure and the conformance of the
 * file.
 * Encryption, watermarks and the choice of pages belong to the post-processing that all engines share.
 */
const served = ['IsSkipEmptyPages', 'SelectPdfVersion', 'UseTaggedPDF', 'PDFUACompliance'] as const

export const optionsSchema: Schema<GivenOptions> = {
  json: {
    type: 'object',
    properties: {
      ...Object.fromEntries(served.map((name) => [name, pdfOptionRules[name]!.json])),
      hardRefresh: { type: 'boolean' },
    },
    additionalProperties: true,
  },
  parse: (input) => ({ ok: true, value: (input ?? {}) as GivenOptions }),
}

/** Options that mean something for other engines only, such as the paper of a page that a browser prints. */
export function foreignOptions(given: GivenOptions): readonly string[] {
  return Object.keys(given).filter((name) => name !== 'hardRefresh' && pdfOptionRules[name] === undefined)
}

/** Requested options without an effect on a workbook, which has neither structure nor inserted blank pages. */
export function unstructured(given: GivenOptions): readonly string[] {
  return ['IsSkipEmptyPages', 'UseTaggedPDF'].filter((name) => given[name] === true)
}

/**
 * Translates the options for the pipeline. Only the PDF versions that the painter writes are passed on;
 * post-processing makes later versions.
 */
export function readOptions(
  given: GivenOptions,
): Pick<PipelineRequest, 'tagged' | 'promises' | 'version' | 'skipBlankPages' | 'refreshContents'> {
  const version = given['SelectPdfVersion']
  const archive = version === 1 || version === 2 || version === 3 ? version : undefined
  const accessible = given['PDFUACompliance'] === true
  return {
    ...(given['IsSkipEmptyPages'] === true && { skipBlankPages: true }),
    ...(given['hardRefresh'] === true && { refreshContents: true }),
    tagged: accessible || given['UseTaggedPDF'] === true,
    promises: { ...(archive !== undefined && { archive }), ...(accessible && { accessible }) },
    ...((version === 15 || version === 16) && { version: `1.${version % 10}` }),
  }
}

import type { InvoiceRequest } from '../invoice/report.ts'
import type { FontsReport } from '../plugin/fonts-report.ts'
import type { Warning } from '../plugin/values.ts'
import type { JsonInput, SampleData } from '../ports/index.ts'
import type { Manifest } from '../provenance/manifest.ts'
import type { Result } from '../services/results.ts'
import type { SignatureRequest } from '../signing/request.ts'
import type { BatchRequest } from './batch/split.ts'
import type { Signature } from './pdf-parts.ts'

/** The request options of one render, already checked for shape. Absent fields take the defaults of the server. */
export interface RenderRequest {
  /** Absent: the file is only converted, without merging. */
  readonly data?: JsonInput
  /** Set for a batch, which then contains the data. */
  readonly batch?: BatchRequest
  readonly complement?: JsonInput
  readonly convertTo?: { readonly name: string; readonly options?: FormatOptions }
  /** The letter of an engine, or 'auto'. Absent: the default engine for the family of the template. */
  readonly converter?: string
  /** The type of the template, if it must not be detected from its content. */
  readonly extension?: string
  readonly timezone?: string
  readonly lang?: string
  readonly variableStr?: string
  readonly reportName?: string
  readonly enum?: Readonly<Record<string, unknown>>
  readonly translations?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly currencySource?: string
  readonly currencyTarget?: string
  readonly currencyRates?: Readonly<Record<string, number>>
  readonly failOn?: readonly string[]
  /** Sent as `authorization` with every file that the render fetches. */
  readonly egressAuthorization?: string
  /** Requests a manifest of how the document was made. */
  readonly provenance?: ProvenanceRequest | undefined
  /** The signatures of the PDF, in their order. */
  readonly sign?: readonly SignatureRequest[] | undefined
  /** Set if the document must be an electronic invoice. */
  readonly invoice?: InvoiceRequest | undefined
  readonly hardRefresh: boolean
  readonly debug: boolean
  readonly languageLevel: number
  /** Warnings about values of the request that were interpreted leniently. */
  readonly warnings?: readonly Warning[]
}

/** The field `provenance` of a render. */
export interface ProvenanceRequest {
  /** The salt for digests of the data. Without it the manifest has no such digests. */
  readonly salt?: string | undefined
  /** Whether the manifest is attached to a PDF. Default: true. */
  readonly attach?: boolean | undefined
}

/** `formatOptions` as the caller sent them; each engine checks its own. */
export type FormatOptions = Readonly<Record<string, unknown>>

/** The document of a render, with everything that the response reports about it. */
export interface Rendered extends Result {
  /** Names rendered beside the document (`reportName`, `batchReportName`), not yet sanitised. */
  readonly names: Readonly<Record<string, string>>
  readonly warnings: readonly Warning[]
  /** Letters of the engines that converted the document, in the order of the steps. Absent: no engine did. */
  readonly converters?: readonly string[]
  /** Fonts requested, used and replaced. Only engines that lay out text themselves report them. */
  readonly fonts?: FontsReport
  /** The number of pages, if an engine created one file for each page. */
  readonly pageCount?: number
  /** Describes how the document was made, if the request asks for it. */
  readonly manifest?: Manifest
  /** The positions of tags with `:sign` in the PDF. */
  readonly signatures?: readonly Signature[]
  readonly debug?: { readonly markers: readonly string[]; readonly sample?: SampleData }
}

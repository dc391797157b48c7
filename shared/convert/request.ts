import type { FontsReport } from '../plugin/fonts-report.ts'
import type { ByteSource, Client, FormatId, Warning } from '../plugin/values.ts'

/** One conversion, as the render pipeline asks for it. */
export interface ConvertRequest {
  readonly source: ByteSource
  readonly from: FormatId
  readonly to: FormatId
  /** `formatOptions` as the caller sent them; each engine checks its own. Only the last step of a route gets them. */
  readonly options?: Readonly<Record<string, unknown>> | undefined
  /** The engine that the caller pinned: 'L', 'C', ... Absent: the default one for the family of the source. */
  readonly letter?: string | undefined
  /** Try self-assessing engines, which know whether they draw this document faithfully, before the default one. */
  readonly auto?: boolean
  /** Compute indexes, page counts and formulas again, also when `from` and `to` are equal. */
  readonly hardRefresh?: boolean
  /** Sent as `authorization` with whatever the document makes an engine fetch. */
  readonly egressAuthorization?: string
  /** The client that the document is converted for. Absent where no account is known. */
  readonly client?: Client | undefined
  readonly deadline: number // ms since the epoch
  readonly signal: AbortSignal
}

export interface Converted {
  readonly value: ByteSource
  /** The format of `value`: the requested one, or 'zip' for several files of it. */
  readonly format: FormatId
  /** The files in that zip, in order. Absent where this host does not have them as separate files. */
  readonly pages?: readonly ByteSource[]
  readonly warnings: readonly Warning[]
  /** Ids of the engines, in the order of the steps. */
  readonly engines: readonly string[]
  /** Letters of those engines that have one, each once. */
  readonly letters: readonly string[]
  readonly fonts?: FontsReport
  /** Pages of the document, where an engine made a file of each page; see `ConversionResult`. */
  readonly pageCount?: number
}

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
  /** Prefer an engine that judges for itself whether it draws this document faithfully, before the default one. */
  readonly auto?: boolean
  /** Compute indexes, page counts and formulas again, also when `from` and `to` are equal. */
  readonly hardRefresh?: boolean
  /** Sent as `authorization` with whatever the document makes an engine fetch. */
  readonly egressAuthorization?: string
  /** For whom the document is converted. Absent where no account is known. */
  readonly client?: Client | undefined
  readonly deadline: number // ms since the epoch
  readonly signal: AbortSignal
}

export interface Converted {
  readonly value: ByteSource
  /** The format of `value`: what was asked for, or 'zip' around several files of it. */
  readonly format: FormatId
  /** The files in that zip, in order. Absent where this host does not have them one by one. */
  readonly pages?: readonly ByteSource[]
  readonly warnings: readonly Warning[]
  /** Ids of the engines, in the order of the steps. */
  readonly engines: readonly string[]
  /** Letters of those engines that have one, each once. */
  readonly letters: readonly string[]
  readonly fonts?: FontsReport
}

import type { FormatId } from '../../../shared/plugin/contract.ts'

export interface DriverJob {
  readonly from: FormatId
  readonly bytes: Uint8Array
  readonly deadline: number // ms since the epoch
  readonly signal: AbortSignal
}

/** One program that makes PDF of some formats. */
export interface Driver {
  readonly title: string // 'Calligra'
  readonly formats: readonly FormatId[]
  /** Whether it is there. */
  found(): Promise<boolean>
  /** Throws AppError: 'convert.document', 'convert.password', 'convert.failed', 'convert.timeout' ... */
  convert(job: DriverJob): Promise<Uint8Array>
  stop?(): Promise<void>
}

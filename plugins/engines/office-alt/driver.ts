import type { FormatId } from '../../../shared/plugin/values.ts'

export interface DriverJob {
  readonly from: FormatId
  readonly bytes: Uint8Array
  readonly deadline: number // ms since the epoch
  readonly signal: AbortSignal
}

/** A program that converts some formats to PDF. */
export interface Driver {
  readonly title: string // 'Calligra'
  readonly formats: readonly FormatId[]
  /** Whether the program is available. */
  isAvailable(): Promise<boolean>
  /**
   * Converts a document. Throws AppError: 'convert.document', 'convert.password', 'convert.failed',
   * 'convert.timeout' ...
   */
  convert(job: DriverJob): Promise<Uint8Array>
  stop?(): Promise<void>
}

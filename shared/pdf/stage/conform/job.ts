import type { DrawText } from '../../../plugin/text-drawing.ts'
import type { Codec } from '../../../plugin/values.ts'
import type { PdfDocument } from '../../model/document.ts'
import type { Findings } from './findings.ts'

/** The standards that a PDF is made to conform to. */
export interface Conformance {
  /** The part of PDF/A; 0 for none. `../version.ts` converts part 2 to part 4. */
  readonly archive: 0 | 1 | 2 | 3
  /** PDF/UA-1. */
  readonly accessible: boolean
  /** Whether the file gets structure tags, even if PDF/UA is not requested. */
  readonly tagged: boolean
}

/** The arguments of all conformance passes. */
export interface ConformJob {
  readonly document: PdfDocument
  readonly conformance: Conformance
  readonly findings: Findings
}

export interface ConformContext {
  readonly codec: Codec
  readonly signal: AbortSignal
  /** Draws the characters of standard fonts that the file does not embed. */
  readonly drawText?: DrawText | undefined
}

import type { Inflater } from '../read/filters.ts'
import type { PdfLimits } from './limits.ts'
import type { PdfDict, PdfRef, PdfValue } from './values.ts'

/** A PDF as a graph of objects. To change it, change its dictionaries in place or use the functions below. */
export interface PdfDocument {
  readonly trailer: PdfDict
  readonly catalog: PdfDict
  /** 1.4, 1.7, 2.0: the later one of the header and the catalogue. */
  readonly version: number
  /** Whether the cross-reference table was wrong and was rebuilt. */
  readonly rebuilt: boolean
  readonly inflater: Inflater
  readonly limits: PdfLimits
  /** Follows references; null when the object does not exist. */
  resolve(value: PdfValue): PdfValue
  dictAt(holder: PdfDict, key: string): PdfDict | undefined
  /** Adds an object and returns a reference to it. */
  put(value: PdfValue): PdfRef
  /** Redirects all references to this object to another value. */
  replace(id: number, value: PdfValue): void
  /** Makes all references to this object null. */
  drop(id: number): void
}

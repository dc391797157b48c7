import { AppError } from '../errors/app-error.ts'

/** What one file may cost. Office output stays a hundred times below all of these. */
export interface PdfLimits {
  readonly objects: number
  readonly depth: number // arrays and dictionaries in each other, and levels of the page tree
  readonly pages: number
  readonly inflatedBytes: number // of cross-references, object streams and page contents together
}

/** 128 MB is all the memory an isolate has: half of it for what is unpacked. */
export const pdfLimits: PdfLimits = {
  objects: 500_000,
  depth: 100,
  pages: 50_000,
  inflatedBytes: 64 * 1024 * 1024,
}

export function tooLarge(what: string, limit: number): AppError {
  return new AppError('pdf.too-large', { what, limit })
}

/** The file breaks the rules of the format: readers answer it with a rebuild, or with 'pdf.broken'. */
export class BrokenPdf extends Error {
  constructor(because: string) {
    super(because)
    this.name = 'BrokenPdf'
  }
}

/** What is broken here is passed over; budgets still end the work. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof BrokenPdf) return undefined
    throw error
  }
}

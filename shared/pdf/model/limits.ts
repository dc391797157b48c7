import { AppError } from '../../errors/app-error.ts'

/** The limits of one file. The output of office programs stays a hundred times below each of them. */
export interface PdfLimits {
  readonly objects: number
  readonly depth: number // the nesting of arrays and dictionaries, and the levels of the page tree
  readonly pages: number
  readonly inflatedBytes: number // of cross-references, object streams and page contents together
}

/** An isolate has 128 MB of memory: half of that may be unpacked data. */
export const pdfLimits: PdfLimits = {
  objects: 500_000,
  depth: 100,
  pages: 50_000,
  inflatedBytes: 64 * 1024 * 1024,
}

export function tooLarge(what: string, limit: number): AppError {
  return new AppError('pdf.too-large', { what, limit })
}

/** The file violates the format. Readers then rebuild its cross-reference table, or throw 'pdf.broken'. */
export class BrokenPdf extends Error {
  constructor(because: string) {
    super(because)
    this.name = 'BrokenPdf'
  }
}

/** Runs `read`, and returns undefined when the file is broken there. Exceeded limits are still thrown. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof BrokenPdf) return undefined
    throw error
  }
}

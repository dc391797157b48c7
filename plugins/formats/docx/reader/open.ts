import { AppError } from '../../../../shared/errors/app-error.ts'
import { partsOfOoxml } from '../../../../shared/office/ooxml/parts.ts'
import type { DocumentReader } from '../../../../shared/plugin/contract.ts'
import { readDocx } from './index.ts'

/** Reads DOCX bytes into the document model. Parts are inflated when they are first read, each only once. */
export const docxReader: DocumentReader = {
  read(bytes, { codec, limits, partCache }) {
    const open = (inner: Uint8Array) =>
      partsOfOoxml(inner, { codec, limits, ...(partCache && { partCache }) }, 'docx')
    return readDocx(open(bytes), (inner) => {
      try {
        return open(inner)
      } catch (error) {
        // Bytes that are not a package, or one that exceeds the limits, are omitted with a warning.
        if (error instanceof AppError) return undefined
        throw error
      }
    })
  },
}

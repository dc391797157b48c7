import { AppError } from '../../../../shared/errors/app-error.ts'
import type { ReadFile } from '../../../../shared/office/package.ts'
import { openZip, type ZipEntry } from '../../../../shared/office/zip.ts'
import type { DocumentReader } from '../../../../shared/plugin/contract.ts'
import { readDocx } from './index.ts'

/** Reads DOCX bytes into the document model. Parts are inflated when they are first read, each only once. */
export const docxReader: DocumentReader = {
  read(bytes, { codec, limits }) {
    const open = (inner: Uint8Array) => partsOf(inner, { codec, limits })
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

function partsOf(bytes: Uint8Array, { codec, limits }: Parameters<DocumentReader['read']>[1]): ReadFile {
  const archive = openZip(bytes, { codec, limits, format: 'docx' })
  const entries = new Map<string, ZipEntry>()
  for (const entry of archive.entries) entries.set(entry.name.toLowerCase(), entry)
  const read = new Map<string, Uint8Array>()
  return (name) => {
    // Part names are compared without regard to case (ECMA-376-2 6.2.2.3).
    const key = name.toLowerCase()
    const known = read.get(key)
    const entry = known === undefined ? entries.get(key) : undefined
    if (entry === undefined) return known
    const content = archive.read(entry)
    read.set(key, content)
    return content
  }
}

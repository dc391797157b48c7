import { openZip, type ZipEntry } from '../../../../shared/office/zip.ts'
import type { DocumentReader } from '../../../../shared/plugin/contract.ts'
import { readOdt } from './index.ts'

/** ODT bytes to the document model. Parts are inflated when the reader asks for them. */
export const odtReader: DocumentReader = {
  read(bytes, { codec, limits }) {
    const archive = openZip(bytes, { codec, limits, format: 'odt' })
    const entries = new Map<string, ZipEntry>(archive.entries.map((entry) => [entry.name, entry]))
    return readOdt((name) => {
      const entry = entries.get(name)
      return entry === undefined ? undefined : archive.read(entry)
    })
  },
}

import { AppError } from '../../../../shared/errors/app-error.ts'
import { openZip, type ZipEntry } from '../../../../shared/office/zip.ts'
import type { DocumentReader } from '../../../../shared/plugin/contract.ts'
import { xmlText } from '../../../../shared/xml/cursor.ts'
import { elementIn } from '../../../../shared/xml/elements.ts'
import { readOdt } from './index.ts'

/** Reads ODT bytes into the document model. Parts are inflated when they are first read. */
export const odtReader: DocumentReader = {
  read(bytes, { codec, limits }) {
    const archive = openZip(bytes, { codec, limits, format: 'odt' })
    const entries = new Map<string, ZipEntry>(archive.entries.map((entry) => [entry.name, entry]))
    const part = (name: string) => {
      const entry = entries.get(name)
      return entry === undefined ? undefined : archive.read(entry)
    }
    const manifest = part('META-INF/manifest.xml')
    if (manifest !== undefined && elementIn(xmlText(manifest), 'manifest:encryption-data') !== undefined)
      throw new AppError('package.encrypted')
    return readOdt(part)
  },
}

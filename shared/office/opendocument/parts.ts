import { AppError } from '../../errors/app-error.ts'
import type { OpenContext } from '../../plugin/contract.ts'
import { xmlText } from '../../xml/cursor.ts'
import { elementIn } from '../../xml/elements.ts'
import type { ReadFile } from '../package.ts'
import { openZip, type ZipEntry } from '../zip.ts'

/**
 * Opens an OpenDocument package and returns its entries by name. They are inflated when they are read. Throws AppError
 * 'package.encrypted', or what `openZip` throws.
 */
export function partsOfOdf(
  bytes: Uint8Array,
  { codec, limits, partCache }: OpenContext,
  format: string,
): ReadFile {
  const archive = openZip(bytes, { codec, limits, format, partCache })
  const entries = new Map<string, ZipEntry>(archive.entries.map((entry) => [entry.name, entry]))
  const part = (name: string): Uint8Array | undefined => {
    const entry = entries.get(name)
    return entry === undefined ? undefined : archive.read(entry)
  }
  const manifest = part('META-INF/manifest.xml')
  if (manifest !== undefined && elementIn(xmlText(manifest), 'manifest:encryption-data') !== undefined)
    throw new AppError('package.encrypted')
  return part
}

import type { OpenContext } from '../../plugin/contract.ts'
import type { ReadFile } from '../package.ts'
import { openZip, type ZipEntry } from '../zip.ts'

/** Opens a package whose parts are inflated when they are first read, each only once. Throws what `openZip` throws. */
export function partsOfOoxml(
  bytes: Uint8Array,
  { codec, limits, partCache }: Pick<OpenContext, 'codec' | 'limits' | 'partCache'>,
  format: string,
): ReadFile {
  const archive = openZip(bytes, { codec, limits, format, partCache })
  const entries = new Map<string, ZipEntry>()
  for (const entry of archive.entries) entries.set(entry.name.toLowerCase(), entry)
  const read = new Map<string, Uint8Array>()
  return (name) => {
    // Part names are compared without regard to case (ECMA-376-2 6.2.2.3).
    const key = name.toLowerCase()
    const cached = read.get(key)
    const entry = cached === undefined ? entries.get(key) : undefined
    if (entry === undefined) return cached
    const content = archive.read(entry)
    read.set(key, content)
    return content
  }
}

import { AppError } from '../../../shared/errors/app-error.ts'
import { defaultLimits } from '../../../shared/limits.ts'
import { decodeXml } from '../../../shared/office/package.ts'
import { openZip } from '../../../shared/office/zip.ts'
import type { Codec, FormatId } from '../../../shared/plugin/values.ts'

/** Returns the text of the first part that `accepts` accepts. Throws what `openZip` throws, and 'package.encrypted'. */
export function xmlPart(
  bytes: Uint8Array,
  codec: Codec,
  format: FormatId,
  accepts: (name: string, text: () => string) => boolean,
): string | undefined {
  const zip = openZip(bytes, { codec, limits: defaultLimits, format })
  const manifest = zip.entries.find(({ name }) => name === 'META-INF/manifest.xml')
  if (
    manifest !== undefined &&
    /<(?:\w+:)?encryption-data\b/.test(decodeXml(zip.read(manifest), manifest.name))
  )
    throw new AppError('package.encrypted')
  for (const entry of zip.entries) {
    let text: string | undefined
    const read = () => (text ??= decodeXml(zip.read(entry), entry.name))
    if (accepts(entry.name, read)) return read()
  }
  return undefined
}

export function unreadable(from: FormatId, because: string): AppError {
  return new AppError('convert.document', { engine: 'TeX', from, because })
}

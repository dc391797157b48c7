/** What OpenDocument packages share: their parts, their password mark, their mimetype entry. Source: ODF 1.3 part 2. */
import { AppError } from '../errors/app-error.ts'
import type { ByteSource, FormatId, OpenContext } from '../plugin/contract.ts'
import type { TemplatePackage } from '../template/package.ts'
import type { FormatRules } from '../template/rules.ts'
import { openPackage } from './package.ts'
import { zipMimetype } from './sniff.ts'

const part = /(^|\/)(content|styles|meta)\.xml$/

export function openOdf(
  bytes: Uint8Array,
  context: OpenContext,
  format: FormatId,
  rules: FormatRules,
): TemplatePackage {
  return openPackage(bytes, context, {
    format,
    rules,
    isPart: (name) => part.test(name),
    inspect: ({ name, text }) => {
      if (name === 'META-INF/manifest.xml' && /<(?:\w+:)?encryption-data\b/.test(text())) {
        throw new AppError('package.encrypted')
      }
    },
  })
}

export async function sniffOdf(source: ByteSource, mimetypes: readonly string[]): Promise<'no' | 'sure'> {
  const mimetype = await zipMimetype(source)
  return mimetype !== undefined && mimetypes.some((known) => mimetype.startsWith(known)) ? 'sure' : 'no'
}

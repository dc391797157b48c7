/** What OpenDocument packages share: their parts, their password mark, their mimetype entry. Source: ODF 1.3 part 2. */
import { AppError } from '../errors/app-error.ts'
import type { ByteSource, FormatId, OpenContext } from '../plugin/contract.ts'
import type { TemplatePackage } from '../template/package.ts'
import type { FormatRules } from '../template/rules.ts'
import type { Piece } from '../template/scan/pieces.ts'
import { bindFrames, bindLinks, odfAdditions } from './odf-pictures.ts'
import { openPackage } from './package.ts'
import { zipMimetype } from './sniff.ts'

const part = /(^|\/)(content|styles|meta)\.xml$/

export function openOdf(
  bytes: Uint8Array,
  context: OpenContext,
  format: FormatId,
  rules: FormatRules,
): Promise<TemplatePackage> {
  const names = new Set<string>()
  let manifest = ''
  return openPackage(bytes, context, {
    format,
    rules,
    isPart: (name) => part.test(name),
    inspect: ({ name, text }) => {
      names.add(name)
      if (name !== 'META-INF/manifest.xml') return
      manifest = text()
      if (/<(?:\w+:)?encryption-data\b/.test(manifest)) throw new AppError('package.encrypted')
    },
    arrange(parts) {
      const additions = odfAdditions(manifest, names)
      const prepare = (name: string, pieces: readonly Piece[]) =>
        bindFrames(bindLinks(rules.prepare?.(name, pieces) ?? pieces), additions)
      return {
        rules: { ...rules, prepare, finish: additions.finish },
        parts,
        rewritten: new Map(),
        removed: new Set(),
      }
    },
  })
}

export async function sniffOdf(source: ByteSource, mimetypes: readonly string[]): Promise<'no' | 'sure'> {
  const mimetype = await zipMimetype(source)
  return mimetype !== undefined && mimetypes.some((known) => mimetype.startsWith(known)) ? 'sure' : 'no'
}

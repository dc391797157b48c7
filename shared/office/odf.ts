/** What OpenDocument packages share: their parts, their password mark, their mimetype entry. Source: ODF 1.3 part 2. */
import { AppError } from '../errors/app-error.ts'
import type { ByteSource, FormatId, OpenContext } from '../plugin/contract.ts'
import { findBoundColors } from '../template/media/bound-colors.ts'
import type { TemplatePackage } from '../template/package.ts'
import type { FormatRules } from '../template/rules.ts'
import type { Notes, Piece } from '../template/scan/pieces.ts'
import { bindOdfColors, type OdfKind } from './odf-colors.ts'
import { bindOdfHtml, type OdfHtmlSource } from './odf-html/index.ts'
import { type FindOdfObjects, findOdfObjects } from './odf-objects.ts'
import { bindFrames, bindLinks, odfAdditions } from './odf-pictures.ts'
import { bindMovedShapes } from './odf-shifts.ts'
import { openPackage } from './package.ts'
import { zipMimetype } from './sniff.ts'

const part = /(^|\/)(content|styles|meta)\.xml$/

const kinds: Readonly<Record<string, OdfKind>> = { ods: 'sheet', odp: 'slides', odg: 'slides' }

export function openOdf(
  bytes: Uint8Array,
  context: OpenContext,
  format: FormatId,
  rules: FormatRules,
  follow?: FindOdfObjects['follow'],
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
    async arrange(given, read) {
      const additions = odfAdditions(manifest, names)
      const bindings = findBoundColors(given.map(({ text }) => text))
      // The document first: what stands beside it may look at it.
      const parts = [...given].sort(
        (a, b) => Number(b.name === 'content.xml') - Number(a.name === 'content.xml'),
      )
      const source = { context, read, names, manifest, additions, ...(follow && { follow }) }
      const objects = await findOdfObjects(parts, source)
      const colored = (name: string, pieces: readonly Piece[]) =>
        bindOdfColors(pieces, kinds[format] ?? 'text', (all) => {
          const own = rules.prepare?.(name, all) ?? all
          return bindings?.bind(own) ?? own
        })
      const styles = given.find(({ name }) => name === 'styles.xml')?.text ?? ''
      const html: OdfHtmlSource = { additions, styles, textOnly: format !== 'odt' }
      const prepare = (name: string, pieces: readonly Piece[]) => {
        const shown = bindMovedShapes(
          bindFrames(bindLinks(objects.bind(name, colored(name, pieces))), additions),
        )
        return format === 'ods' ? shown : bindOdfHtml(name, shown, html)
      }
      return {
        rules: {
          ...rules,
          prepare,
          finish(notes: Notes, writer) {
            objects.finish(notes)
            additions.finish(notes, writer)
          },
        },
        parts: parts.filter(({ name }) => !objects.owned.has(name)),
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

/** What OpenDocument packages share: their parts, their password mark, their mimetype entry. Source: ODF 1.3 part 2. */

import { AppError } from '../errors/app-error.ts'
import { headOf } from '../plugin/byte-source.ts'
import type { ByteSource, FormatId, OpenContext } from '../plugin/contract.ts'
import { findBoundColors } from '../template/media/bound-colors.ts'
import type { TemplatePackage, TemplatePart } from '../template/package.ts'
import type { FormatRules } from '../template/rules.ts'
import type { Token } from '../template/scan/tokens.ts'
import type { RenderScope } from '../template/scope.ts'
import { openSingle } from '../template/single.ts'
import { bindOdfColors, type OdfKind } from './odf-colors.ts'
import { bindOdfHtml, type OdfHtmlSource } from './odf-html/index.ts'
import { type FindOdfObjects, findOdfObjects } from './odf-objects.ts'
import { bindFrames, bindLinks, flatAdditions, type OdfAdditions, odfAdditions } from './odf-pictures.ts'
import { bindMovedShapes } from './odf-shifts.ts'
import { openPackage } from './package.ts'
import { zipMimetype } from './sniff.ts'

const part = /(^|\/)(content|styles|meta)\.xml$/

const kinds: Readonly<Record<string, OdfKind>> = { ods: 'sheet', odp: 'slides', odg: 'slides' }

export async function openOdf(
  bytes: Uint8Array,
  context: OpenContext,
  format: FormatId,
  rules: FormatRules,
  follow?: FindOdfObjects['follow'],
): Promise<TemplatePackage> {
  const names = new Set<string>()
  let manifest = ''
  if (isFlat(bytes)) {
    const flat = openSingle(bytes, { format, syntax: 'xml', rules })
    // As if it were the one part that holds the text.
    const parts = flat.parts.map((each) => ({ ...each, name: 'content.xml' }))
    const found = await arrangeOdf(parts, { additions: flatAdditions, format, rules })
    return { ...flat, ...found }
  }
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
      const objects = (parts: readonly TemplatePart[]) =>
        findOdfObjects(parts, { context, read, names, manifest, additions, ...(follow && { follow }) })
      const found = await arrangeOdf(given, { additions, objects, format, rules })
      return { ...found, rewritten: new Map(), removed: new Set() }
    },
  })
}

interface OdfSource {
  readonly additions: OdfAdditions
  /** Absent: the file has no place for any. */
  readonly objects?: (parts: readonly TemplatePart[]) => ReturnType<typeof findOdfObjects>
  readonly format: FormatId
  readonly rules: FormatRules
}

async function arrangeOdf(
  given: readonly TemplatePart[],
  { additions, objects: find, format, rules }: OdfSource,
): Promise<{ readonly rules: FormatRules; readonly parts: readonly TemplatePart[] }> {
  const bindings = findBoundColors(given.map(({ text }) => text))
  // The document first: what stands beside it may look at it.
  const parts = [...given].sort((a, b) => Number(b.name === 'content.xml') - Number(a.name === 'content.xml'))
  const objects = await find?.(parts)
  const colored = (name: string, tokens: readonly Token[]) =>
    bindOdfColors(tokens, kinds[format] ?? 'text', (all) => {
      const own = rules.prepare?.(name, all) ?? all
      return bindings?.bind(own) ?? own
    })
  const styles = given.find(({ name }) => name === 'styles.xml')?.text ?? (find ? '' : (given[0]?.text ?? ''))
  const html: OdfHtmlSource = { additions, styles, textOnly: format !== 'odt' }
  const prepare = (name: string, tokens: readonly Token[]) => {
    const own = colored(name, tokens)
    const shown = bindMovedShapes(bindFrames(bindLinks(objects?.bind(name, own) ?? own), additions))
    return format === 'ods' ? shown : bindOdfHtml(name, shown, html)
  }
  return {
    rules: {
      ...rules,
      prepare,
      finish(scope: RenderScope, writer) {
        objects?.finish(scope)
        additions.finish(scope, writer)
      },
    },
    parts: parts.filter(({ name }) => objects?.owned.has(name) !== true),
  }
}

const isFlat = (bytes: Uint8Array): boolean => bytes[0] !== 0x50 || bytes[1] !== 0x4b

/** OpenDocument in one XML file, which says what it is at its root (ODF 1.3 part 3, 3.1.2). */
export function sniffFlatOdf(kind: string): (source: ByteSource) => Promise<'no' | 'sure'> {
  return async (source) => {
    const head = String.fromCharCode(...(await headOf(source, 8192)))
    const root = /<office:document\s[^>]*>/.exec(head)?.[0]
    return root?.includes(`office:mimetype="application/vnd.oasis.opendocument.${kind}"`) ? 'sure' : 'no'
  }
}

export async function sniffOdf(source: ByteSource, mimetypes: readonly string[]): Promise<'no' | 'sure'> {
  const mimetype = await zipMimetype(source)
  return mimetype !== undefined && mimetypes.some((known) => mimetype.startsWith(known)) ? 'sure' : 'no'
}

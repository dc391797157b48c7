/**
 * The features that all OpenDocument packages share: their parts, detection of encryption, their mimetype entry.
 * Source: ODF 1.3 part 2.
 */

import { entryOf } from '../entry-of.ts'
import { AppError } from '../errors/app-error.ts'
import type { OpenContext } from '../plugin/contract.ts'
import type { FormatId } from '../plugin/values.ts'
import { findBoundColors } from '../template/media/bound-colors.ts'
import type { TemplatePackage } from '../template/package.ts'
import type { FormatRules } from '../template/rules.ts'
import type { Token } from '../template/scan/tokens.ts'
import type { RenderScope } from '../template/scope.ts'
import { openSingle } from '../template/single.ts'
import type { TemplatePart } from '../template/template-part.ts'
import { conventionalXml } from '../xml/conventional.ts'
import { elementIn } from '../xml/elements.ts'
import { bindOdfColors, type OdfKind } from './odf-colors.ts'
import { bindOdfHtml, type OdfHtmlSource } from './odf-html/index.ts'
import { type FindOdfObjects, findOdfObjects } from './odf-objects.ts'
import { bindFrames, bindLinks, flatAdditions, type OdfAdditions, odfAdditions } from './odf-pictures.ts'
import { bindMovedShapes } from './odf-shifts.ts'
import { openPackage } from './package.ts'

const part = /(^|\/)(content|styles|meta)\.xml$/

const kinds: Readonly<Record<string, OdfKind>> = { ods: 'sheet', odp: 'slides', odg: 'slides' }

/**
 * Opens an OpenDocument file as a template: a package, or a flat XML document. Throws AppError 'package.*' for a file
 * that is neither. `follow` adjusts addresses in charts.
 */
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
    // A flat document is treated like the content part of a package.
    const parts = flat.parts.map(({ text, ...flatPart }) => ({
      ...flatPart,
      name: 'content.xml',
      text: conventionalXml(text),
    }))
    const arranged = await arrangeOdf(parts, { additions: flatAdditions, format, rules })
    return { ...flat, ...arranged }
  }
  return openPackage(bytes, context, {
    format,
    rules,
    main: 'content.xml',
    isPart: (name) => part.test(name),
    inspect: ({ name, text }) => {
      names.add(name)
      if (name !== 'META-INF/manifest.xml') return
      manifest = text()
      if (elementIn(manifest, 'manifest:encryption-data') !== undefined)
        throw new AppError('package.encrypted')
    },
    async arrange(parts, read) {
      const additions = odfAdditions(manifest, names)
      const objects = (parts: readonly TemplatePart[]) =>
        findOdfObjects(parts, { context, read, names, manifest, additions, ...(follow && { follow }) })
      const arranged = await arrangeOdf(parts, { additions, objects, format, rules })
      return { ...arranged, rewritten: new Map(), removed: new Set() }
    },
  })
}

interface OdfSource {
  readonly additions: OdfAdditions
  /** Absent in a flat document, which has no folders for embedded objects. */
  readonly objects?: (parts: readonly TemplatePart[]) => ReturnType<typeof findOdfObjects>
  readonly format: FormatId
  readonly rules: FormatRules
}

async function arrangeOdf(
  templateParts: readonly TemplatePart[],
  { additions, objects: find, format, rules }: OdfSource,
): Promise<{ readonly rules: FormatRules; readonly parts: readonly TemplatePart[] }> {
  const bindings = findBoundColors(templateParts.map(({ text }) => text))
  // The content comes first, because headers and styles may depend on what its tags declare.
  const parts = [...templateParts].sort(
    (a, b) => Number(b.name === 'content.xml') - Number(a.name === 'content.xml'),
  )
  const objects = await find?.(parts)
  const colored = (name: string, tokens: readonly Token[]) =>
    bindOdfColors(tokens, entryOf(kinds, format) ?? 'text', (allTokens) => {
      const prepared = rules.prepare?.(name, allTokens) ?? allTokens
      return bindings?.bind(prepared) ?? prepared
    })
  const styles =
    templateParts.find(({ name }) => name === 'styles.xml')?.text ??
    (find ? '' : (templateParts[0]?.text ?? ''))
  const html: OdfHtmlSource = { additions, styles, textOnly: format !== 'odt' }
  const prepare = (name: string, tokens: readonly Token[]) => {
    const prepared = colored(name, tokens)
    const withPictures = bindMovedShapes(
      bindFrames(bindLinks(objects?.bind(name, prepared) ?? prepared), additions),
    )
    return format === 'ods' ? withPictures : bindOdfHtml(name, withPictures, html)
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

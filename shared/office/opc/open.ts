/**
 * Opens an Office Open XML document as a template: combines the rules of its format with the relationships of this
 * file.
 */

import { AppError } from '../../errors/app-error.ts'
import type { Limits } from '../../limits.ts'
import type { OpenContext } from '../../plugin/contract.ts'
import { findBoundColors } from '../../template/media/bound-colors.ts'
import type { TemplatePackage } from '../../template/package.ts'
import type { FormatRules } from '../../template/rules.ts'
import type { Token } from '../../template/scan/tokens.ts'
import type { RenderScope } from '../../template/scope.ts'
import type { TemplatePart } from '../../template/template-part.ts'
import { lexXml } from '../../xml/scan.ts'
import { type OpenPackage, openPackage } from '../package.ts'
import { type Additions, additionsTo } from './additions.ts'
import { bindColors, type ColorMarkup } from './colors.ts'
import { moveLinks, relateLinks } from './links.ts'
import { findObjects } from './objects.ts'
import { bindPictures, type PictureMarkup } from './pictures.ts'
import { partsRelatedIn } from './relationships.ts'
import { bindMoved } from './shifts.ts'

/** How a format of WordprocessingML or PresentationML opens its packages. */
export interface OpenOpc extends Pick<OpenPackage, 'format' | 'rules' | 'main' | 'isPart'> {
  readonly mediaFolder: string // 'word/media'
  readonly pictures: PictureMarkup
  readonly colors?: ColorMarkup
  /**
   * Returns the text that replaces each changed part, by name, where tags of one part require a setting in another.
   */
  readonly adjust?: (parts: readonly TemplatePart[]) => ReadonlyMap<string, string>
  /** Parts that repeat with the element that refers to them; undefined when no part of this file repeats. */
  readonly repeat?: (source: RepeatSource) => Repeat | undefined
  /** Content other than text that values can become. `text` returns the text of a part while the file is opened. */
  readonly content?: (
    text: (part: string) => string | undefined,
    additions: Additions,
  ) => Required<Pick<FormatRules, 'prepare' | 'finish'>>
}

/** The inputs for deciding which parts repeat. */
export interface RepeatSource {
  readonly parts: readonly TemplatePart[]
  readonly names: ReadonlySet<string> // of entries that may repeat
  readonly relations: ReadonlyMap<string, string> // owner part -> text of its relationships
  readonly contentTypes: string
}
/** The parts of a package in which some repeat. */
export interface Repeat {
  readonly parts: readonly TemplatePart[] // the parts that are written once, in writing order
  readonly finish: NonNullable<FormatRules['finish']>
  /** The tokens of a part, with repeated parts at the elements that refer to them. */
  prepare(part: string, tokens: readonly Token[], rules: FormatRules): readonly Token[]
}

/** Opens a document or presentation as a template. Throws AppError 'package.*' as `openPackage` does. */
export function openOpc(bytes: Uint8Array, context: OpenContext, options: OpenOpc): Promise<TemplatePackage> {
  const { rules, mediaFolder, pictures } = options
  const names = new Set<string>()
  return openPackage(bytes, context, {
    ...options,
    inspect: ({ name }) => void names.add(name),
    async arrange(parts, read) {
      const adjusted = options.adjust?.(parts) ?? new Map<string, string>()
      const moved = moveLinks(parts.map((part) => ({ ...part, text: adjusted.get(part.name) ?? part.text })))
      const relations = new Map<string, string>()
      let contentTypes = ''
      for (const { name, text } of moved.parts) {
        if (name.endsWith('.rels')) relations.set(name.replace(/_rels\/([^/]*)\.rels$/, '$1'), text)
        else if (name === '[Content_Types].xml') contentTypes = text
      }
      const parsed = withoutStrays(moved.parts, relations, context.limits)
      const bindings = findBoundColors(parsed.map(({ text }) => text))
      const additions = additionsTo({ names, contentTypes, relations, mediaFolder })
      const source = { context, read, names, contentTypes, relations, additions }
      const objects = await findObjects(parsed, source)
      const unrepeatedParts = parsed.filter(({ name }) => !objects.owned.has(name))
      const unrepeatedNames = new Set([...names].filter((name) => !objects.owned.has(name)))
      const repeat = options.repeat?.({
        parts: unrepeatedParts,
        names: unrepeatedNames,
        relations,
        contentTypes,
      })
      const texts = new Map(moved.parts.map(({ name, text }) => [name, text]))
      const content = options.content?.((name) => texts.get(name), additions)
      texts.clear()
      const prepare = (part: string, partTokens: readonly Token[]) => {
        const tokens = repeat?.prepare(part, partTokens, bound) ?? partTokens
        const prepared = rules.prepare?.(part, tokens) ?? tokens
        const boundTokens = bindings?.bind(prepared) ?? prepared
        const colored = options.colors === undefined ? boundTokens : bindColors(boundTokens, options.colors)
        const linked = relateLinks(part, colored, additions)
        const withPictures = bindMoved(bindPictures(part, objects.bind(part, linked), additions, pictures))
        return content?.prepare(part, withPictures) ?? withPictures
      }
      const bound: FormatRules = {
        ...rules,
        prepare,
        finish(scope: RenderScope, writer) {
          repeat?.finish(scope, writer)
          objects.finish(scope)
          content?.finish(scope, writer)
          additions.finish(scope, writer)
        },
      }
      const rewritten = new Map([...adjusted, ...moved.rewritten])
      return { parts: repeat?.parts ?? unrepeatedParts, rewritten, rules: bound, removed: new Set() }
    },
  })
}

/**
 * Removes parts that are neither the target of a relationship nor well-formed. Office programs find parts only
 * through relationships (ECMA-376-2, clause 6.5) and so never read such a file; packages made by hand or by archive
 * programs contain some, for example change logs. They are copied unchanged.
 */
function withoutStrays(
  parts: readonly TemplatePart[],
  relations: ReadonlyMap<string, string>,
  limits: Limits,
): readonly TemplatePart[] {
  const related = new Set(
    [...relations].flatMap(([owner, text]) =>
      partsRelatedIn(text, owner).map(({ target }) => target.toLowerCase()),
    ),
  )
  const isWellFormed = ({ name, text }: TemplatePart): boolean => {
    try {
      lexXml(text, name, limits)
      return true
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }
  return parts.filter(
    (part) =>
      /\.rels$|^\[Content_Types\]\.xml$/.test(part.name) ||
      related.has(part.name.toLowerCase()) ||
      isWellFormed(part),
  )
}

/** Opens an Office Open XML document as a template: the rules of its markup, bound to the relationships of this file. */

import type { OpenContext } from '../../plugin/contract.ts'
import { findBoundColors } from '../../template/media/bound-colors.ts'
import type { TemplatePackage, TemplatePart } from '../../template/package.ts'
import type { FormatRules } from '../../template/rules.ts'
import type { Token } from '../../template/scan/tokens.ts'
import type { RenderScope } from '../../template/scope.ts'
import { type OpenPackage, openPackage } from '../package.ts'
import { type Additions, additionsTo } from './additions.ts'
import { bindColors, type ColorMarkup } from './colors.ts'
import { moveLinks, relateLinks } from './links.ts'
import { findObjects } from './objects.ts'
import { bindPictures, type PictureMarkup } from './pictures.ts'
import { bindMoved } from './shifts.ts'

export interface OpenOpc extends Pick<OpenPackage, 'format' | 'rules' | 'isPart'> {
  readonly mediaFolder: string // 'word/media'
  readonly pictures: PictureMarkup
  readonly colors?: ColorMarkup
  /** Parts that are stored with another text: what the tags of one part ask of another. */
  readonly adjust?: (parts: readonly TemplatePart[]) => ReadonlyMap<string, string>
  /** Parts that repeat with the place that names them; undefined when none does in this file. */
  readonly repeat?: (source: RepeatSource) => Repeat | undefined
  /** Content that values become beyond text: `text` gives the text of a part, while the file is opened. */
  readonly content?: (
    text: (part: string) => string | undefined,
    additions: Additions,
  ) => Required<Pick<FormatRules, 'prepare' | 'finish'>>
}

export interface RepeatSource {
  readonly parts: readonly TemplatePart[]
  readonly names: ReadonlySet<string> // of entries that may repeat
  readonly relations: ReadonlyMap<string, string> // owner part -> text of its relationships
  readonly contentTypes: string
}
export interface Repeat {
  readonly parts: readonly TemplatePart[] // those that are written once, in the order of writing
  readonly finish: NonNullable<FormatRules['finish']>
  /** The tokens of a part, with embedded parts at the places that refer to them. */
  prepare(part: string, tokens: readonly Token[], rules: FormatRules): readonly Token[]
}

export function openOpc(bytes: Uint8Array, context: OpenContext, options: OpenOpc): Promise<TemplatePackage> {
  const { rules, mediaFolder, pictures } = options
  const names = new Set<string>()
  return openPackage(bytes, context, {
    ...options,
    inspect: ({ name }) => void names.add(name),
    async arrange(parts, read) {
      const adjusted = options.adjust?.(parts) ?? new Map<string, string>()
      const moved = moveLinks(parts.map((each) => ({ ...each, text: adjusted.get(each.name) ?? each.text })))
      const relations = new Map<string, string>()
      let contentTypes = ''
      for (const { name, text } of moved.parts) {
        if (name.endsWith('.rels')) relations.set(name.replace(/_rels\/([^/]*)\.rels$/, '$1'), text)
        else if (name === '[Content_Types].xml') contentTypes = text
      }
      const bindings = findBoundColors(moved.parts.map(({ text }) => text))
      const additions = additionsTo({ names, contentTypes, relations, mediaFolder })
      const source = { context, read, names, contentTypes, relations, additions }
      const objects = await findObjects(moved.parts, source)
      const once = moved.parts.filter(({ name }) => !objects.owned.has(name))
      const own = new Set([...names].filter((name) => !objects.owned.has(name)))
      const repeat = options.repeat?.({ parts: once, names: own, relations, contentTypes })
      const texts = new Map(moved.parts.map(({ name, text }) => [name, text]))
      const content = options.content?.((name) => texts.get(name), additions)
      texts.clear()
      const prepare = (part: string, given: readonly Token[]) => {
        const tokens = repeat?.prepare(part, given, bound) ?? given
        const bare = rules.prepare?.(part, tokens) ?? tokens
        const own = bindings?.bind(bare) ?? bare
        const colored = options.colors === undefined ? own : bindColors(own, options.colors)
        const linked = relateLinks(part, colored, additions)
        const shown = bindMoved(bindPictures(part, objects.bind(part, linked), additions, pictures))
        return content?.prepare(part, shown) ?? shown
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
      return { parts: repeat?.parts ?? once, rewritten, rules: bound, removed: new Set() }
    },
  })
}

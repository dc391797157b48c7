/** Opens an Office Open XML document as a template: the rules of its markup, bound to the relationships of this file. */
import type { OpenContext } from '../../plugin/contract.ts'
import type { TemplatePackage, TemplatePart } from '../../template/package.ts'
import type { FormatRules } from '../../template/rules.ts'
import type { Notes, Piece } from '../../template/scan/pieces.ts'
import { type OpenPackage, openPackage } from '../package.ts'
import { additionsTo } from './additions.ts'
import { moveLinks, relateLinks } from './links.ts'
import { findObjects } from './objects.ts'
import { bindPictures, type PictureMarkup } from './pictures.ts'

export interface OpenOpc extends Pick<OpenPackage, 'format' | 'rules' | 'isPart'> {
  readonly mediaFolder: string // 'word/media'
  readonly pictures: PictureMarkup
  /** Parts that repeat with the entry that names them; undefined when none does in this file. */
  readonly repeat?: (source: RepeatSource) => Repeat | undefined
}

export interface RepeatSource {
  readonly parts: readonly TemplatePart[]
  readonly names: ReadonlySet<string> // of entries that may repeat
  readonly relations: ReadonlyMap<string, string> // owner part -> text of its relationships
  readonly contentTypes: string
}
export interface Repeat {
  readonly list: string // the part with the entries
  readonly parts: readonly TemplatePart[] // those that are written once
  readonly finish: NonNullable<FormatRules['finish']>
  /** The pieces of the list, with the other parts inside of their entries. */
  prepare(pieces: readonly Piece[], rules: FormatRules): readonly Piece[]
}

export function openOpc(bytes: Uint8Array, context: OpenContext, options: OpenOpc): Promise<TemplatePackage> {
  const { rules, mediaFolder, pictures } = options
  const names = new Set<string>()
  return openPackage(bytes, context, {
    ...options,
    inspect: ({ name }) => void names.add(name),
    async arrange(parts, read) {
      const moved = moveLinks(parts)
      const relations = new Map<string, string>()
      let contentTypes = ''
      for (const { name, text } of moved.parts) {
        if (name.endsWith('.rels')) relations.set(name.replace(/_rels\/([^/]*)\.rels$/, '$1'), text)
        else if (name === '[Content_Types].xml') contentTypes = text
      }
      const additions = additionsTo({ names, contentTypes, relations, mediaFolder })
      const source = { context, read, names, contentTypes, relations, additions }
      const objects = await findObjects(moved.parts, source)
      const once = moved.parts.filter(({ name }) => !objects.owned.has(name))
      const own = new Set([...names].filter((name) => !objects.owned.has(name)))
      const repeat = options.repeat?.({ parts: once, names: own, relations, contentTypes })
      const prepare = (part: string, given: readonly Piece[]) => {
        const pieces = part === repeat?.list ? repeat.prepare(given, bound) : given
        const linked = relateLinks(part, rules.prepare?.(part, pieces) ?? pieces, additions)
        return bindPictures(part, objects.bind(part, linked), additions, pictures)
      }
      const bound: FormatRules = {
        ...rules,
        prepare,
        finish(notes: Notes, writer) {
          repeat?.finish(notes, writer)
          objects.finish(notes)
          additions.finish(notes, writer)
        },
      }
      return { ...moved, parts: repeat?.parts ?? once, rules: bound, removed: new Set() }
    },
  })
}

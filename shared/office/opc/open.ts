/** Opens an Office Open XML document as a template: the rules of its markup, bound to the relationships of this file. */
import type { OpenContext } from '../../plugin/contract.ts'
import type { TemplatePackage } from '../../template/package.ts'
import type { Piece } from '../../template/scan/pieces.ts'
import { type OpenPackage, openPackage } from '../package.ts'
import { additionsTo } from './additions.ts'
import { moveLinks, relateLinks } from './links.ts'
import { bindPictures, type PictureMarkup } from './pictures.ts'

export interface OpenOpc extends Pick<OpenPackage, 'format' | 'rules' | 'isPart'> {
  readonly mediaFolder: string // 'word/media'
  readonly pictures: PictureMarkup
}

export function openOpc(bytes: Uint8Array, context: OpenContext, options: OpenOpc): TemplatePackage {
  const { rules, mediaFolder, pictures } = options
  const names = new Set<string>()
  return openPackage(bytes, context, {
    ...options,
    inspect: ({ name }) => void names.add(name),
    arrange(parts) {
      const moved = moveLinks(parts)
      const relations = new Map<string, string>()
      let contentTypes = ''
      for (const { name, text } of moved.parts) {
        if (name.endsWith('.rels')) relations.set(name.replace(/_rels\/([^/]*)\.rels$/, '$1'), text)
        else if (name === '[Content_Types].xml') contentTypes = text
      }
      const additions = additionsTo({ names, contentTypes, relations, mediaFolder })
      const prepare = (part: string, pieces: readonly Piece[]) => {
        const linked = relateLinks(part, rules.prepare?.(part, pieces) ?? pieces, additions)
        return bindPictures(part, linked, additions, pictures)
      }
      return { ...moved, rules: { ...rules, prepare, finish: additions.finish }, removed: new Set() }
    },
  })
}

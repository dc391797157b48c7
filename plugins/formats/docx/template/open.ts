/** Opens a Word document as a template: the rules of its markup, bound to the relationships of this one file. */
import { additionsTo } from '../../../../shared/office/opc/additions.ts'
import { moveLinks, relateLinks } from '../../../../shared/office/opc/links.ts'
import { openPackage } from '../../../../shared/office/package.ts'
import type { OpenContext } from '../../../../shared/plugin/contract.ts'
import type { TemplatePackage } from '../../../../shared/template/package.ts'
import { bindPictures } from './pictures.ts'
import { docxRules } from './rules.ts'

export function openDocx(bytes: Uint8Array, context: OpenContext): TemplatePackage {
  const names = new Set<string>()
  return openPackage(bytes, context, {
    format: 'docx',
    rules: docxRules,
    isPart: (name) => /\.(xml|rels)$/.test(name),
    inspect: ({ name }) => void names.add(name),
    arrange(parts) {
      const moved = moveLinks(parts)
      const relations = new Map<string, string>()
      let contentTypes = ''
      for (const { name, text } of moved.parts) {
        if (name.endsWith('.rels')) relations.set(name.replace(/_rels\/([^/]*)\.rels$/, '$1'), text)
        else if (name === '[Content_Types].xml') contentTypes = text
      }
      const additions = additionsTo({ names, contentTypes, relations, mediaFolder: 'word/media' })
      const rules = {
        ...docxRules,
        prepare: (part: string, pieces: Parameters<typeof relateLinks>[1]) =>
          bindPictures(part, relateLinks(part, pieces, additions), additions),
        finish: additions.finish,
      }
      return { ...moved, rules, removed: new Set() }
    },
  })
}

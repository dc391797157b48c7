import type { TemplatePart } from '../../../../shared/template/template-part.ts'
import { withoutTags } from '../../../../shared/xml/markup.ts'
import { editTree, element, firstChild } from '../../../../shared/xml/tree.ts'

const pageColor = /:color\(\s*'?page\b/
const name = 'w:displayBackgroundShape'
/** The children of w:settings that precede it (17.15.1.78). */
const preceding = [
  'w:writeProtection',
  'w:view',
  'w:zoom',
  'w:removePersonalInformation',
  'w:removeDateAndTime',
  'w:doNotDisplayPageBoundaries',
]

/**
 * Enables the page colour in the settings of a document whose page colour comes from a tag. Word stores the colour in the
 * document, but draws it only if the settings enable it. Source: ECMA-376-1, 17.2.1 and 17.15.1.25.
 */
export function showPageColor(parts: readonly TemplatePart[]): ReadonlyMap<string, string> {
  const document = parts.find(({ name }) => name === 'word/document.xml')
  const settings = parts.find(({ name }) => name === 'word/settings.xml')
  if (document === undefined || settings === undefined) return new Map()
  // Word processors split tags over several runs.
  if (!pageColor.test(withoutTags(document.text))) return new Map()
  const text = editTree(settings.text, (root) => {
    if (firstChild(root, name) !== undefined) return false
    const { children } = root
    const last = children.findLastIndex(
      (child) => typeof child !== 'string' && preceding.includes(child.name),
    )
    children.splice(last + 1, 0, element(name))
    return true
  })
  return text === settings.text ? new Map() : new Map([[settings.name, text]])
}

import type { TemplatePart } from '../../../../shared/template/package.ts'

const asked = /:color\(\s*'?page\b/
const shown = '<w:displayBackgroundShape/>'

/**
 * The settings of a document whose page colour comes from a tag: the colour of the page is part of the document, but
 * programs paint it only when the settings say so. Source: ECMA-376-1, clauses 17.2.1 and 17.15.1.25.
 */
export function showPageColor(parts: readonly TemplatePart[]): ReadonlyMap<string, string> {
  const document = parts.find(({ name }) => name === 'word/document.xml')
  const settings = parts.find(({ name }) => name === 'word/settings.xml')
  if (document === undefined || settings === undefined) return new Map()
  // Editors cut tags over several runs.
  if (!asked.test(document.text.replace(/<[^<>]*>/g, ''))) return new Map()
  if (settings.text.includes('<w:displayBackgroundShape')) return new Map()
  // Only these may stand before it.
  const place =
    /<w:settings\b[^>]*[^/]>(?:\s*<w:(?:writeProtection|view|zoom|removePersonalInformation|removeDateAndTime|doNotDisplayPageBoundaries)\b[^>]*\/>)*/
  return new Map([[settings.name, settings.text.replace(place, (before) => before + shown)]])
}

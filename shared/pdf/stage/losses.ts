import type { Warning } from '../../plugin/values.ts'
import type { PdfDocument } from '../model/document.ts'
import { nameTreeEntries } from '../model/name-tree.ts'
import { readPages } from '../model/pages.ts'
import { textOfString } from '../model/text-string.ts'
import { isName, PdfDict, PdfName, PdfRef, PdfString, type PdfValue } from '../model/values.ts'
import { listed } from './conform/findings.ts'

/** How many fonts a warning lists. */
const maxListed = 5

/**
 * Reports what an engine lost when it imported and redrew a PDF, as office programs do. Engines do not report losses
 * themselves, so everything besides the pages is counted in both files. Throws 'pdf.broken' and 'pdf.too-large' for a file
 * whose pages cannot be read.
 */
export function lossesBetween(before: PdfDocument, after: PdfDocument): readonly Warning[] {
  const [original, redrawn] = [countContents(before), countContents(after)]
  const lost = kinds.flatMap(([kind, single, several]) => {
    const missing = kind === 'bookmarks' ? missingTitles(original, redrawn) : original[kind] - redrawn[kind]
    if (missing <= 0) return []
    return [missing === 1 ? single : `${missing} ${several}`]
  })
  if (original.isTagged && !redrawn.isTagged) lost.push('its structure tags')
  const warnings: Warning[] = []
  if (lost.length > 0)
    warnings.push({ code: 'pdf.lost', message: `The PDF was redrawn, which lost ${listed(lost)}.` })
  const fonts = [...original.fonts].filter((font) => !redrawn.fonts.has(font))
  if (fonts.length > 0) {
    const more = fonts.length > maxListed ? [`${fonts.length - maxListed} others`] : []
    const message = `The PDF was redrawn without its fonts ${listed([...fonts.slice(0, maxListed), ...more])}.`
    warnings.push({ code: 'pdf.fonts-lost', message })
  }
  return warnings
}

/** The warning for files that cannot be compared, such as encrypted ones. */
export const unknownLosses: Warning = {
  code: 'pdf.lost',
  message: 'The PDF was redrawn. Bookmarks, links, form fields, structure tags and fonts may be lost.',
}

/** Compares bookmarks by their titles and not by their number, since an office adds a bookmark for each page. */
function missingTitles(old: Contents, redrawn: Contents): number {
  const left = new Map<string, number>()
  for (const title of redrawn.bookmarks) left.set(title, (left.get(title) ?? 0) + 1)
  return old.bookmarks.filter((title) => {
    const count = left.get(title) ?? 0
    left.set(title, count - 1)
    return count < 1
  }).length
}

interface Contents {
  readonly bookmarks: readonly string[]
  readonly links: number
  readonly fields: number
  readonly destinations: number
  readonly files: number
  readonly isTagged: boolean
  /** PostScript names, without the six capitals that mark a subset (ISO 32000-2, 9.9.2). */
  readonly fonts: ReadonlySet<string>
}

const kinds = [
  ['bookmarks', 'a bookmark', 'bookmarks'],
  ['links', 'a link', 'links'],
  ['fields', 'a form field', 'form fields'],
  ['destinations', 'a named destination', 'named destinations'],
  ['files', 'an embedded file', 'embedded files'],
] as const

function countContents(document: PdfDocument): Contents {
  const { catalog } = document
  const names = document.dictAt(catalog, 'Names')
  const namesIn = (tree: string) =>
    names === undefined ? 0 : nameTreeEntries(document, names.get(tree)).length
  const annotations = readPages(document).flatMap(({ dict }) => {
    const list = document.resolve(dict.get('Annots'))
    return Array.isArray(list) ? list.map((item) => document.resolve(item)) : []
  })
  const ofType = (type: string) =>
    annotations.filter(
      (annotation) =>
        annotation instanceof PdfDict && isName(document.resolve(annotation.get('Subtype')), type),
    )
  return {
    bookmarks: bookmarkTitles(document),
    links: ofType('Link').length,
    fields: document.dictAt(catalog, 'AcroForm') === undefined ? 0 : ofType('Widget').length,
    destinations: namesIn('Dests') + (document.dictAt(catalog, 'Dests')?.entries.size ?? 0),
    files: namesIn('EmbeddedFiles'),
    isTagged: document.dictAt(catalog, 'StructTreeRoot') !== undefined,
    fonts: fontsOf(document),
  }
}

function bookmarkTitles(document: PdfDocument): readonly string[] {
  const seen = new Set<number>()
  const titles: string[] = []
  const stack: PdfValue[] = [document.dictAt(document.catalog, 'Outlines')?.get('First') ?? null]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!(next instanceof PdfRef) || seen.has(next.id)) continue
    const item = document.resolve(next)
    if (!(item instanceof PdfDict)) continue
    seen.add(next.id)
    const title = document.resolve(item.get('Title'))
    titles.push(title instanceof PdfString ? textOfString(title) : '')
    stack.push(item.get('First'), item.get('Next'))
  }
  return titles
}

function fontsOf(document: PdfDocument): ReadonlySet<string> {
  const fonts = new Set<string>()
  for (const { inherited } of readPages(document)) {
    const resources = document.resolve(inherited.get('Resources') ?? null)
    const listed = resources instanceof PdfDict ? document.dictAt(resources, 'Font') : undefined
    for (const value of listed?.entries.values() ?? []) {
      const font = document.resolve(value)
      const name = font instanceof PdfDict ? document.resolve(font.get('BaseFont')) : null
      if (name instanceof PdfName) fonts.add(name.text.replace(/^[A-Z]{6}\+/, ''))
    }
  }
  return fonts
}

/** Bookmarks: a tree whose levels are doubly linked lists. ISO 32000-2, 12.3.3. */

import { AppError } from '../../errors/app-error.ts'
import type { OutlineItem } from '../../plugin/pdf-changes.ts'
import { pushAll } from '../../push-all.ts'
import type { PdfDocument } from '../model/document.ts'
import { tooLarge } from '../model/limits.ts'
import { nameTreeEntries } from '../model/name-tree.ts'
import { type PdfPage, pageGeometry } from '../model/pages.ts'
import { textOfString, textString } from '../model/text-string.ts'
import { dict, isName, name, PdfDict, PdfName, PdfRef, PdfString, type PdfValue } from '../model/values.ts'

const maxItems = 20_000
const maxDepth = 50
const maxTitleLength = 2_000

/** Replaces the bookmarks. Throws 'convert.options' for a page that does not exist, 'pdf.too-large'. */
export function writeOutline(
  document: PdfDocument,
  pages: readonly PdfPage[],
  items: readonly OutlineItem[],
): void {
  let count = 0
  const root = document.put(null)
  const level = (siblings: readonly OutlineItem[], parent: PdfRef, depth: number) => {
    if (depth > maxDepth) throw tooLarge('levels of bookmarks', maxDepth)
    count += siblings.length
    if (count > maxItems) throw tooLarge('bookmarks', maxItems)
    const refs = siblings.map(() => document.put(null))
    let shown = siblings.length
    for (const [index, { title, page, children }] of siblings.entries()) {
      const ref = refs[index] ?? root
      const inner = level(children, ref, depth + 1)
      shown += inner.shown
      document.replace(
        ref.id,
        dict({
          Title: textString(title.slice(0, maxTitleLength)),
          Parent: parent,
          Prev: refs[index - 1],
          Next: refs[index + 1],
          ...inner.ends,
          Dest: destinationOf(document, pages, page),
        }),
      )
    }
    const [first, last] = [refs[0], refs.at(-1)]
    return { shown, ends: first && last && { First: first, Last: last, Count: shown } }
  }
  const { ends } = level(items, root, 0)
  if (ends === undefined) {
    document.catalog.delete('Outlines')
    return
  }
  document.replace(root.id, dict({ Type: name('Outlines'), ...ends }))
  document.catalog.set('Outlines', root)
}

/** The top of a page. */
function destinationOf(document: PdfDocument, pages: readonly PdfPage[], number: number): PdfValue {
  const page = pages[number - 1]
  if (page === undefined) {
    const rule = `must name one of the ${pages.length} pages`
    throw new AppError('convert.options', { option: 'bookmarks', rule })
  }
  const { y, height } = pageGeometry(document, page)
  // A page that is a direct object of the tree cannot be referred to, only named by its index.
  return [page.id === 0 ? number - 1 : new PdfRef(page.id), name('XYZ'), null, y + height, null]
}

/** The bookmarks that lead to a page, with those below them. What runs in a circle ends, and so does what is too long. */
export function readOutline(document: PdfDocument, pages: readonly PdfPage[]): readonly OutlineItem[] {
  const pageOf = createPageLookup(document, pages)
  const seen = new Set<PdfDict>()
  const level = (holder: PdfDict, depth: number): readonly OutlineItem[] => {
    const items: OutlineItem[] = []
    let item = document.resolve(holder.get('First'))
    while (item instanceof PdfDict && !seen.has(item) && seen.size < maxItems && depth < maxDepth) {
      seen.add(item)
      const title = document.resolve(item.get('Title'))
      const children = level(item, depth + 1)
      const page = pageOf(item) ?? children[0]?.page
      if (page !== undefined) {
        const text = title instanceof PdfString ? textOfString(title).slice(0, maxTitleLength) : ''
        items.push({ title: text, page, children })
      } else pushAll(items, children)
      item = document.resolve(item.get('Next'))
    }
    return items
  }
  const outlines = document.dictAt(document.catalog, 'Outlines')
  return outlines === undefined ? [] : level(outlines, 0)
}

/** Finds the page, from 1, that a bookmark leads to; undefined for a heading and for what leads elsewhere. */
function createPageLookup(document: PdfDocument, pages: readonly PdfPage[]) {
  const { catalog } = document
  const numbers = new Map(pages.map(({ id }, index) => [id, index + 1]))
  const legacy = document.dictAt(catalog, 'Dests')
  const names = document.dictAt(catalog, 'Names')
  const named = new Map(names === undefined ? [] : nameTreeEntries(document, names.get('Dests')))
  const arrayOf = (value: PdfValue): PdfValue => {
    const resolved = document.resolve(value)
    return resolved instanceof PdfDict ? document.resolve(resolved.get('D')) : resolved
  }
  return (item: PdfDict): number | undefined => {
    const action = document.dictAt(item, 'A')
    const leadsHere = action !== undefined && isName(document.resolve(action.get('S')), 'GoTo')
    const target = document.resolve(item.get('Dest') ?? (leadsHere ? action.get('D') : null))
    const destination =
      target instanceof PdfString
        ? arrayOf(named.get(target.raw) ?? null)
        : target instanceof PdfName
          ? arrayOf(legacy?.get(target.text) ?? null)
          : arrayOf(target)
    const page = Array.isArray(destination) ? destination[0] : undefined
    if (page instanceof PdfRef) return numbers.get(page.id)
    return typeof page === 'number' && pages[page] !== undefined ? page + 1 : undefined
  }
}

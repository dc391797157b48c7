import type { PdfDocument } from '../model/document.ts'
import { readPageLabels, writePageLabels } from '../model/page-labels.ts'
import type { PdfPage } from '../model/pages.ts'
import { dict, name, PdfDict, PdfRef } from '../model/values.ts'
import { pruneReferences } from './prune.ts'

/**
 * Keeps these pages, in this order, in a new and flat tree. Bookmarks, links, names, structure elements and form fields of
 * the other pages are removed; the remaining pages keep their labels. Returns the pages of the new tree.
 */
export function selectPages(
  document: PdfDocument,
  all: readonly PdfPage[],
  numbers: readonly number[], // 1-based
): readonly PdfPage[] {
  const labels = readPageLabels(document, all.length)
  const selected = new Set(numbers)
  dropPages(
    document,
    all.filter((_, index) => !selected.has(index + 1)),
    all.filter((_, index) => selected.has(index + 1)),
  )
  const tree = dict({ Type: name('Pages') })
  const parent = document.put(tree)
  const used = new Set<number>()
  const children: PdfRef[] = []
  const pages: PdfPage[] = []
  for (const number of numbers) {
    const page = all[number - 1]!
    const isRepeated = page.id === 0 || used.has(page.id)
    const leaf = isRepeated ? page.dict.copy() : page.dict
    used.add(page.id)
    for (const [key, value] of page.inherited) leaf.set(key, value)
    leaf.set('Parent', parent)
    leaf.delete('B') // article threads refer to pages that may be removed
    const ref = isRepeated ? document.put(leaf) : new PdfRef(page.id)
    children.push(ref)
    pages.push({ id: ref.id, dict: leaf, inherited: page.inherited })
  }
  tree.set('Kids', children).set('Count', children.length)
  document.catalog.set('Pages', parent)
  writePageLabels(document, labels && numbers.flatMap((number) => labels[number - 1] ?? []))
  document.catalog.delete('Threads')
  return pages
}

/** Removes everything that belongs only to removed pages. Annotations that a kept page shares are kept. */
function dropPages(document: PdfDocument, removed: readonly PdfPage[], remaining: readonly PdfPage[]): void {
  const annotations = (page: PdfPage): readonly PdfRef[] => {
    const list = document.resolve(page.dict.get('Annots'))
    return Array.isArray(list) ? list.filter((item) => item instanceof PdfRef) : []
  }
  const keptIds = new Set(remaining.flatMap((page) => annotations(page).map(({ id }) => id)))
  const removedIds = new Set(removed.map(({ id }) => id))
  for (const page of removed) for (const { id } of annotations(page)) if (!keptIds.has(id)) removedIds.add(id)
  const form = document.dictAt(document.catalog, 'AcroForm')
  if (form !== undefined) pruneFields(document, form, 'Fields', removedIds)
  pruneReferences(document, remaining, removedIds)
  for (const id of removedIds) document.drop(id)
}

/** Removes widgets of removed pages from their fields, and fields without remaining widgets. */
export function pruneFields(
  document: PdfDocument,
  form: PdfDict,
  key: string,
  removedIds: Set<number>,
): void {
  const visited = new Set<PdfDict>()
  prune(form, key, 0)

  function prune(holder: PdfDict, list: string, level: number): boolean {
    if (visited.has(holder) || level > document.limits.depth) return true
    visited.add(holder)
    const children = document.resolve(holder.get(list))
    if (!Array.isArray(children)) return true
    const keptChildren = children.filter((child) => {
      if (child instanceof PdfRef && removedIds.has(child.id)) return false
      const field = document.resolve(child)
      if (!(field instanceof PdfDict) || prune(field, 'Kids', level + 1)) return true
      if (child instanceof PdfRef) removedIds.add(child.id)
      return false
    })
    holder.set(list, keptChildren)
    return keptChildren.length > 0 || children.length === 0
  }
}

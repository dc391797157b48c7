import type { PdfDocument } from '../model/document.ts'
import { PdfDict, PdfRef, type PdfValue } from '../model/values.ts'
import type { Copier, JoinSide } from './copy.ts'

/**
 * Adds the bookmarks of the other file before or after the existing ones. The bookmarks of one level are a doubly linked
 * list, so only its ends and the parents of its items change. ISO 32000-2, 12.3.3.
 */
export function joinOutlines(document: PdfDocument, other: PdfDocument, copy: Copier, side: JoinSide): void {
  const otherOutlines = other.dictAt(other.catalog, 'Outlines')
  if (otherOutlines === undefined || !(other.resolve(otherOutlines.get('First')) instanceof PdfDict)) return
  const added = document.resolve(copy.value(other.catalog.get('Outlines')))
  if (!(added instanceof PdfDict)) return
  const { catalog } = document
  const root = indirectOutlines(document)
  const outlines = document.resolve(root)
  if (!(outlines instanceof PdfDict) || !(document.resolve(outlines.get('First')) instanceof PdfDict)) {
    const ref = document.put(added)
    catalog.set('Outlines', ref)
    if (catalog.get('PageMode') === null && other.catalog.get('PageMode') !== null)
      catalog.set('PageMode', copy.value(other.catalog.get('PageMode')))
    setParent(document, added, ref)
    return
  }
  const [first, second] = side === 'start' ? [added, outlines] : [outlines, added]
  const last = document.resolve(first.get('Last'))
  const next = document.resolve(second.get('First'))
  if (!(last instanceof PdfDict) || !(next instanceof PdfDict)) return
  setParent(document, added, root)
  last.set('Next', second.get('First'))
  next.set('Prev', first.get('Last'))
  const total = countOf(document, first) + countOf(document, second)
  outlines.set('First', first.get('First')).set('Last', second.get('Last')).set('Count', total)
}

/** The outline as an indirect object: its items refer to it, which a direct object does not allow. */
function indirectOutlines(document: PdfDocument): PdfValue {
  const outlines = document.catalog.get('Outlines')
  if (outlines instanceof PdfRef || outlines === null) return outlines
  const ref = document.put(outlines)
  document.catalog.set('Outlines', ref)
  if (outlines instanceof PdfDict) setParent(document, outlines, ref)
  return ref
}

/** The number of visible items of a level. A negative count means that it is collapsed. */
function countOf(document: PdfDocument, outline: PdfDict): number {
  const count = document.resolve(outline.get('Count'))
  return typeof count === 'number' ? Math.abs(count) : 0
}

/** Sets the parent of the top-level items. A cyclic list ends at the first item that repeats. */
function setParent(document: PdfDocument, outline: PdfDict, parent: PdfValue): void {
  const seen = new Set<PdfDict>()
  for (let item = document.resolve(outline.get('First')); item instanceof PdfDict && !seen.has(item); ) {
    seen.add(item)
    item.set('Parent', parent)
    item = document.resolve(item.get('Next'))
  }
}

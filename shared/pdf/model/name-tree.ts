import type { PdfDocument } from './document.ts'
import { dict, PdfDict, PdfString, type PdfValue } from './values.ts'

/** All entries of a name tree, in no particular order; cycles and broken entries are skipped. ISO 32000-2, 7.9.6. */
export function nameTreeEntries(
  document: PdfDocument,
  root: PdfValue,
): readonly (readonly [string, PdfValue])[] {
  return treeEntries(document, root, 'Names').flatMap(([key, value]) =>
    key instanceof PdfString ? [[key.raw, value] as const] : [],
  )
}

/** All entries of a number tree, in no particular order. ISO 32000-2, 7.9.7. */
export function numberTreeEntries(
  document: PdfDocument,
  root: PdfValue,
): readonly (readonly [number, PdfValue])[] {
  return treeEntries(document, root, 'Nums').flatMap(([key, value]) =>
    typeof key === 'number' ? [[key, value] as const] : [],
  )
}

/** Walks a tree of either kind. Its /Limits are ignored, since all entries are read. */
function treeEntries(
  document: PdfDocument,
  root: PdfValue,
  list: 'Names' | 'Nums',
): readonly (readonly [PdfValue, PdfValue])[] {
  const entries: (readonly [PdfValue, PdfValue])[] = []
  const seen = new Set<PdfDict>()
  const stack = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const resolved = document.resolve(node)
    if (!(resolved instanceof PdfDict) || seen.has(resolved)) continue
    seen.add(resolved)
    const children = document.resolve(resolved.get('Kids'))
    if (Array.isArray(children)) for (const child of children) stack.push(child)
    const pairs = document.resolve(resolved.get(list))
    if (!Array.isArray(pairs)) continue
    for (let at = 0; at + 1 < pairs.length; at += 2)
      entries.push([document.resolve(pairs[at] ?? null), pairs[at + 1] ?? null])
  }
  return entries
}

/** Builds a name tree of one node. Names are sorted by their bytes, because viewers search the list by bisection. */
export function nameTree(entries: Iterable<readonly [string, PdfValue]>): PdfDict {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return dict({ Names: sorted.flatMap(([key, value]) => [new PdfString(key), value]) })
}

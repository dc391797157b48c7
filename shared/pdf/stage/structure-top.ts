import type { PdfDocument } from '../model/document.ts'
import { PdfDict, type PdfValue } from '../model/values.ts'

/** The element that new elements are added to: the only child of the root (`Document`), otherwise the root itself. */
export function topElement(
  document: PdfDocument,
  root: PdfDict,
): { readonly element: PdfDict; readonly ref: PdfValue } {
  const children = root.get('K')
  const list = document.resolve(children)
  const child = Array.isArray(list) ? (list.length === 1 ? (list[0] ?? null) : null) : children
  const element = document.resolve(child)
  if (element instanceof PdfDict && element.get('S') !== null) return { element, ref: child }
  return { element: root, ref: document.catalog.get('StructTreeRoot') }
}

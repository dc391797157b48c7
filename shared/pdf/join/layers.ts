import type { PdfDocument } from '../model/document.ts'
import { PdfDict } from '../model/values.ts'
import type { Copier } from './copy.ts'

/**
 * Joins optional content (layers). Groups are distinguished by their objects and not by their names, so lists are
 * appended, and layers that are hidden stay hidden. ISO 32000-2, 8.11.4.
 */
export function joinLayers(document: PdfDocument, other: PdfDocument, copy: Copier): void {
  const otherProperties = other.dictAt(other.catalog, 'OCProperties')
  if (otherProperties === undefined) return
  const added = copy.value(otherProperties)
  const properties = document.dictAt(document.catalog, 'OCProperties')
  if (properties === undefined || !(added instanceof PdfDict)) {
    document.catalog.set('OCProperties', added)
    return
  }
  const append = (to: PdfDict, from: PdfDict, key: string) => {
    const before = document.resolve(to.get(key))
    const more = document.resolve(from.get(key))
    if (Array.isArray(more)) to.set(key, [...(Array.isArray(before) ? before : []), ...more])
  }
  append(properties, added, 'OCGs')
  const ourDefaults = document.dictAt(properties, 'D')
  const theirDefaults = document.dictAt(added, 'D')
  if (ourDefaults === undefined || theirDefaults === undefined) return
  for (const key of ['OFF', 'ON', 'Order', 'RBGroups', 'Locked', 'AS'])
    append(ourDefaults, theirDefaults, key)
}

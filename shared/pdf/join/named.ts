import type { PdfDocument } from '../model/document.ts'
import { nameTree, nameTreeEntries } from '../model/name-tree.ts'
import { dict, PdfDict, type PdfValue } from '../model/values.ts'
import type { Copier, CopyChanges } from './copy.ts'
import { createUsedNames } from './names.ts'

export interface NameJoiner {
  /** The names that the destinations of another file get. */
  rename(other: PdfDocument): Pick<CopyChanges, 'destinations' | 'legacyDestinations'>
  /** Adds the destinations, under the names of the last `rename`, and the embedded files. */
  add(other: PdfDocument, copy: Copier): void
  finish(): void
}

/**
 * Joins named destinations and embedded files. Strings name them in a tree since PDF 1.2; before that, name objects did
 * in a dictionary of the catalogue. ISO 32000-2, 7.9.6, 12.3.2.4, 7.11.4.
 */
export function joinNames(document: PdfDocument): NameJoiner {
  const destinations = new Map(namesIn(document, 'Dests'))
  const legacy = new Map(document.dictAt(document.catalog, 'Dests')?.entries)
  const files = new Map(namesIn(document, 'EmbeddedFiles'))
  const used = createUsedNames(destinations.keys())
  const usedLegacy = createUsedNames(legacy.keys())
  const usedFiles = createUsedNames(files.keys())
  /** Which of the two trees have to be written, and whether the dictionary has. */
  const changed = { destinations: false, legacy: false, files: false }
  let renamed = new Map<string, string>()
  let renamedLegacy = new Map<string, string>()
  return {
    rename(other) {
      renamed = new Map(namesIn(other, 'Dests').map(([key]) => [key, used.claim(key)]))
      const keys = [...(other.dictAt(other.catalog, 'Dests')?.entries.keys() ?? [])]
      renamedLegacy = new Map(keys.map((key) => [key, usedLegacy.claim(key)]))
      return { destinations: renamed, legacyDestinations: renamedLegacy }
    },
    add(other, copy) {
      for (const [key, value] of namesIn(other, 'Dests')) {
        destinations.set(renamed.get(key) ?? key, copy.value(value))
        changed.destinations = true
      }
      for (const [key, value] of other.dictAt(other.catalog, 'Dests')?.entries ?? []) {
        legacy.set(renamedLegacy.get(key) ?? key, copy.value(value))
        changed.legacy = true
      }
      for (const [key, value] of namesIn(other, 'EmbeddedFiles')) {
        files.set(usedFiles.claim(key), copy.value(value))
        changed.files = true
      }
      const associated = other.resolve(other.catalog.get('AF'))
      if (!Array.isArray(associated)) return
      const before = document.resolve(document.catalog.get('AF'))
      const added = copy.value(associated)
      if (Array.isArray(added))
        document.catalog.set('AF', [...(Array.isArray(before) ? before : []), ...added])
    },
    finish() {
      const { catalog } = document
      if (changed.legacy) catalog.set('Dests', document.put(new PdfDict(legacy)))
      if (!changed.destinations && !changed.files) return
      const names = document.dictAt(catalog, 'Names')?.copy() ?? dict({})
      if (changed.destinations) names.set('Dests', document.put(nameTree(destinations)))
      if (changed.files) names.set('EmbeddedFiles', document.put(nameTree(files)))
      catalog.set('Names', names)
    },
  }
}

function namesIn(document: PdfDocument, tree: string): readonly (readonly [string, PdfValue])[] {
  const names = document.dictAt(document.catalog, 'Names')
  return names === undefined ? [] : nameTreeEntries(document, names.get(tree))
}

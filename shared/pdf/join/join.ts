/**
 * Joins PDFs: pages with their labels, outlines, links, named destinations, form fields, structure, layers and embedded
 * files. If two files use the same name for different things, the later one gets a numeric suffix. Each kind of content has
 * its own file in this folder; `copy.ts` copies objects from one file into another. ISO 32000-2, 7.7.3, 7.9.6, 8.11.4, 12.3,
 * 12.4.2, 12.7.3, 14.7.
 */
import { pushAll, spliceAll } from '../../push-all.ts'
import type { PdfDocument } from '../model/document.ts'
import { tooLarge } from '../model/limits.ts'
import { defaultPageLabels, readPageLabels, writePageLabels } from '../model/page-labels.ts'
import { readPages } from '../model/pages.ts'
import { dict, name, type PdfDict, PdfRef } from '../model/values.ts'
import { joinConformance } from './conformance.ts'
import { createCopier, type JoinSide } from './copy.ts'
import { joinForms } from './forms.ts'
import { joinLayers } from './layers.ts'
import { joinNames } from './named.ts'
import { joinOutlines } from './outline.ts'
import { joinStructure } from './structure.ts'

export interface Joiner {
  /** Throws 'pdf.broken', 'pdf.too-large'. The other document is not needed afterwards. */
  add(other: PdfDocument, side: JoinSide): void
  /** The joined document, and whether it lost a conformance that one of the files did not declare. */
  finish(): { readonly document: PdfDocument; readonly lostConformance: boolean }
}

interface JoinedPage {
  readonly ref: PdfRef
  readonly dict: PdfDict
}

/** Joins files to `document`, which is changed in place. Its names do not change. */
export function createJoiner(document: PdfDocument): Joiner {
  const pages: JoinedPage[] = readPages(document).map(({ dict, inherited, id }) => {
    for (const [key, value] of inherited) dict.set(key, value)
    return { ref: id === 0 ? document.put(dict) : new PdfRef(id), dict }
  })
  const names = joinNames(document)
  const structure = joinStructure(document)
  const forms = joinForms(document)
  const conformance = joinConformance(document)
  /** Undefined until a file has labels, in which case the viewer numbers the pages of the joined file. */
  let labels = readPageLabels(document, pages.length)
  let { version } = document
  return {
    add(other, side) {
      const otherPages = readPages(other)
      if (pages.length + otherPages.length > document.limits.pages)
        throw tooLarge('pages', document.limits.pages)
      const theirStructure = structure.prepare(other)
      const copy = createCopier(document, other, { ...names.rename(other), ...theirStructure })
      structure.aliasRoot(other, copy)
      const refs = otherPages.map(({ id }) => {
        const ref = document.put(null)
        if (id !== 0) copy.alias(id, ref)
        return ref
      })
      const added = otherPages.map((page, index) => {
        const leaf = page.dict.copy()
        for (const [key, value] of page.inherited) leaf.set(key, value)
        // Article threads refer to pages by their own objects, and the page tree is rebuilt.
        for (const key of ['Parent', 'B']) leaf.delete(key)
        const ref = refs[index] ?? document.put(null)
        const dict = copy.dictionary(leaf)
        document.replace(ref.id, dict)
        return { ref, dict }
      })
      copy.settle()
      const theirLabels = readPageLabels(other, otherPages.length)
      if (labels !== undefined || theirLabels !== undefined) {
        const baseLabels = labels ?? defaultPageLabels(pages.length)
        const more = theirLabels ?? defaultPageLabels(otherPages.length)
        labels = side === 'start' ? [...more, ...baseLabels] : [...baseLabels, ...more]
      }
      if (side === 'start') spliceAll(pages, 0, 0, added)
      else pushAll(pages, added)
      names.add(other, copy)
      structure.add(other, copy, side)
      forms.add(other, copy, side)
      joinOutlines(document, other, copy, side)
      joinLayers(document, other, copy)
      conformance.add(other)
      version = Math.max(version, other.version)
    },
    finish() {
      const tree = dict({ Type: name('Pages'), Kids: pages.map(({ ref }) => ref), Count: pages.length })
      const parent = document.put(tree)
      for (const page of pages) page.dict.set('Parent', parent)
      document.catalog.set('Pages', parent)
      writePageLabels(document, labels)
      names.finish()
      structure.finish()
      const lostConformance = conformance.finish()
      return { document: { ...document, version }, lostConformance }
    },
  }
}

import { maxOf } from '../../../extremes.ts'
import type { Codec } from '../../../plugin/values.ts'
import type { PdfDocument } from '../../model/document.ts'
import { numberTreeEntries } from '../../model/name-tree.ts'
import type { PdfPage } from '../../model/pages.ts'
import { textOfString, textString } from '../../model/text-string.ts'
import { dict, isName, name, PdfDict, PdfRef, PdfString, type PdfValue } from '../../model/values.ts'
import { topElement } from '../structure-top.ts'
import { tagTheRest } from '../tagging.ts'
import type { ConformJob } from './job.ts'

/**
 * Adds structure tags to a document: a structure tree with the texts of the pages as paragraphs if it has none, and an
 * element with a description for each annotation without one. Returns the number of paragraphs of a new tree; undefined if
 * the document already had a tree. ISO 14289-1, 7.1, 7.2, 7.18; ISO 32000-2, 14.7.
 */
export function addTags(
  { document }: ConformJob,
  pages: readonly PdfPage[],
  codec: Codec,
): number | undefined {
  const { catalog } = document
  const existing = document.dictAt(catalog, 'StructTreeRoot')
  const isNew = existing === undefined || existing.get('K') === null
  const root = isNew ? newStructure(document, pages) : existing
  const markInfo = document.dictAt(catalog, 'MarkInfo')?.copy() ?? dict({})
  markInfo.set('Marked', true).delete('Suspects')
  catalog.set('MarkInfo', markInfo)
  const language = document.resolve(catalog.get('Lang'))
  if (!(language instanceof PdfString) || !/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/.test(textOfString(language)))
    catalog.set('Lang', textString(undetermined))
  const texts = isNew ? tagTheRest(document, pages, codec, { readsForms: true }) : undefined
  tagAnnotations(document, root, pages)
  return texts
}

/** The language code for text in an unknown language. ISO 639-3. */
const undetermined = 'und'

function newStructure(document: PdfDocument, pages: readonly PdfPage[]): PdfDict {
  const top = dict({ Type: name('StructElem'), S: name('Document') })
  const root = dict({ Type: name('StructTreeRoot'), ParentTree: dict({ Nums: [] }), ParentTreeNextKey: 0 })
  const reference = document.put(root)
  root.set('K', document.put(top.set('P', reference)))
  document.catalog.set('StructTreeRoot', reference)
  for (const { dict: page } of pages) page.delete('StructParents')
  return root
}

function tagAnnotations(document: PdfDocument, root: PdfDict, pages: readonly PdfPage[]): void {
  const entries = new Map(numberTreeEntries(document, root.get('ParentTree')))
  let next = Math.max(-1, maxOf(entries.keys())) + 1
  const { element: top, ref } = topElement(document, root)
  const added: PdfValue[] = []
  for (const page of pages) {
    const list = document.resolve(page.dict.get('Annots'))
    if (!Array.isArray(list)) continue
    const annotations = list.map((value) => (value instanceof PdfRef ? value : document.put(value)))
    page.dict.set('Annots', annotations)
    for (const annotation of annotations) {
      const dictionary = document.resolve(annotation)
      if (!(dictionary instanceof PdfDict) || isName(document.resolve(dictionary.get('Subtype')), 'Popup'))
        continue
      describe(document, dictionary)
      const key = document.resolve(dictionary.get('StructParent'))
      if (typeof key === 'number' && document.resolve(entries.get(key) ?? null) instanceof PdfDict) continue
      const pg = page.id === 0 ? undefined : new PdfRef(page.id)
      const element = document.put(
        dict({
          Type: name('StructElem'),
          S: name(kindOf(document, dictionary)),
          P: ref,
          Pg: pg,
          K: dict({ Type: name('OBJR'), Obj: annotation, Pg: pg }),
        }),
      )
      dictionary.set('StructParent', next)
      entries.set(next++, element)
      added.push(element)
    }
  }
  // The tree has a single node, so that later tags can be added to it.
  const sorted = [...entries].sort(([a], [b]) => a - b)
  root.set('ParentTree', document.put(dict({ Nums: sorted.flat() }))).set('ParentTreeNextKey', next)
  if (added.length === 0) return
  const before = document.resolve(top.get('K'))
  top.set('K', [...(Array.isArray(before) ? before : before === null ? [] : [top.get('K')]), ...added])
}

function kindOf(document: PdfDocument, annotation: PdfDict): string {
  const kind = document.resolve(annotation.get('Subtype'))
  return isName(kind, 'Link') ? 'Link' : isName(kind, 'Widget') ? 'Form' : 'Annot'
}

/**
 * Adds the required description of a link or field: the target of the link, the name of the field. ISO 14289-1, 7.18.1,
 * 7.18.5.
 */
function describe(document: PdfDocument, annotation: PdfDict): void {
  if (kindOf(document, annotation) === 'Form') {
    const parent = document.dictAt(annotation, 'Parent')
    const holders = parent === undefined ? [annotation] : [annotation, parent]
    if (holders.some((holder) => document.resolve(holder.get('TU')) instanceof PdfString)) return
    const title = holders
      .map((holder) => document.resolve(holder.get('T')))
      .find((holder) => holder instanceof PdfString)
    annotation.set('TU', title ?? textString('Field'))
    return
  }
  const contents = document.resolve(annotation.get('Contents'))
  if (contents instanceof PdfString && contents.raw !== '') return
  const action = document.dictAt(annotation, 'A')
  const address = action === undefined ? null : document.resolve(action.get('URI'))
  const isLink = kindOf(document, annotation) === 'Link'
  annotation.set(
    'Contents',
    address instanceof PdfString ? address : textString(isLink ? 'Link' : 'Annotation'),
  )
}

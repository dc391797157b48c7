/** Makes a document one that cannot be filled: what its fields and annotations show becomes contents of the pages. */
import type { Codec } from '../../plugin/values.ts'
import type { PdfDocument } from '../model/document.ts'
import { tooLarge } from '../model/limits.ts'
import { type PdfPage, readPages } from '../model/pages.ts'
import { isName, name, PdfDict, PdfRef, type PdfValue } from '../model/values.ts'
import { concatenate, createFormDrawer, type PlacedForm } from '../stage/draw-forms.ts'
import { createContentsWrapper } from '../stage/page-contents.ts'
import { pruneStructure } from '../stage/prune.ts'
import { textAppearance } from './appearance.ts'
import { type FormField, readFields } from './fields.ts'
import { borderForm, removeLook } from './link-border.ts'
import { appearanceOf, shownAppearance } from './shown-appearance.ts'

/**
 * Draws the appearances of annotations and the borders of links as they are shown on a screen. Removes the annotations
 * besides links, the form and its fields, also from the structure. A field without an appearance shows its value.
 * ISO 32000-2, 12.5.5, 12.7.
 */
export function flattenPages(document: PdfDocument, codec: Codec): void {
  const wrap = createContentsWrapper(document, codec)
  const fields = new Map<PdfDict, FormField>()
  for (const field of readFields(document)) for (const widget of field.widgets) fields.set(widget, field)
  const form = document.dictAt(document.catalog, 'AcroForm')
  const isStale = document.resolve(form?.get('NeedAppearances') ?? null) === true
  const removed = new Set<number>()
  const linked = new Set<PdfDict>()
  const job = { fields, isStale, removed, linked, wrap, show: createFormDrawer(document) }
  let count = 0
  for (const page of readPages(document)) {
    const list = document.resolve(page.dict.get('Annots'))
    if (!Array.isArray(list)) continue
    // Pages may share a list, so that few objects can stand for many annotations.
    count += list.length
    if (count > document.limits.objects) throw tooLarge('annotations', document.limits.objects)
    flattenPage(document, page, list, job)
  }
  pruneStructure(document, removed)
  // Only now, because pages may share annotations.
  for (const id of removed) document.drop(id)
  for (const link of linked) removeLook(link)
  document.catalog.delete('AcroForm')
  // What signed the document was a field of it.
  document.catalog.delete('Perms')
}

interface FlattenJob {
  readonly fields: ReadonlyMap<PdfDict, FormField>
  /** The appearances of fields may not show their values. */
  readonly isStale: boolean
  /** The object numbers of annotations to remove. */
  readonly removed: Set<number>
  /** The links, which stay. What they show becomes part of the page. */
  readonly linked: Set<PdfDict>
  readonly wrap: ReturnType<typeof createContentsWrapper>
  readonly show: ReturnType<typeof createFormDrawer>
}

function flattenPage(
  document: PdfDocument,
  page: PdfPage,
  list: readonly PdfValue[],
  { fields, isStale, removed, linked, wrap, show }: FlattenJob,
): void {
  const links: PdfValue[] = []
  const forms: PlacedForm[] = []
  for (const value of list) {
    const annotation = document.resolve(value)
    if (!(annotation instanceof PdfDict)) continue
    const field = fields.get(annotation)
    const redrawn = field !== undefined && (field.kind === 'text' || field.kind === 'choice')
    if (redrawn && (isStale || appearanceOf(document, annotation) === undefined) && field.text !== '') {
      const drawn = textAppearance(document, field, annotation, field.text).appearance
      annotation.set('AP', new PdfDict([['N', document.put(drawn)]]))
      annotation.delete('AS')
    }
    const shown = shownAppearance(document, annotation)
    if (shown !== undefined) {
      shown.stream.dict.set('Type', name('XObject')).set('Subtype', name('Form'))
      forms.push({ form: shown.form, place: concatenate(shown.matrix) })
    }
    if (isName(document.resolve(annotation.get('Subtype')), 'Link')) {
      links.push(value)
      linked.add(annotation)
      const border = borderForm(document, annotation)
      if (border !== undefined) forms.push({ form: border, place: '' })
    } else if (value instanceof PdfRef) removed.add(value.id)
  }
  if (links.length > 0) page.dict.set('Annots', links)
  else page.dict.delete('Annots')
  if (forms.length > 0) wrap(page.dict, { above: show(page, forms) })
}

/** Makes a document one that cannot be filled: what its fields and annotations show becomes contents of the pages. */
import type { Codec } from '../../plugin/values.ts'
import type { PdfDocument } from '../model/document.ts'
import { tooLarge } from '../model/limits.ts'
import { type PdfPage, readPages } from '../model/pages.ts'
import { isName, name, PdfDict, PdfName, PdfRef, PdfStream, type PdfValue } from '../model/values.ts'
import {
  concatenate,
  createFormDrawer,
  type PlacedForm,
  readMatrix,
  transformedBox,
} from '../stage/draw-forms.ts'
import { createContentsWrapper } from '../stage/page-contents.ts'
import { pruneStructure } from '../stage/prune.ts'
import { rectOf, textAppearance } from './appearance.ts'
import { type FormField, readFields } from './fields.ts'

/** Bits of /F. ISO 32000-2, 12.5.3. */
const isHidden = 2
const isNoView = 32

/**
 * Draws the appearances of annotations as they are shown on a screen, and removes the annotations besides links, the form and its
 * fields, also from the structure. A field without an appearance shows its value. ISO 32000-2, 12.5.5, 12.7.
 */
export function flattenPages(document: PdfDocument, codec: Codec): void {
  const wrap = createContentsWrapper(document, codec)
  const fields = new Map<PdfDict, FormField>()
  for (const field of readFields(document)) for (const widget of field.widgets) fields.set(widget, field)
  const form = document.dictAt(document.catalog, 'AcroForm')
  const isStale = document.resolve(form?.get('NeedAppearances') ?? null) === true
  const removed = new Set<number>()
  const job = { fields, isStale, removed, wrap, show: createFormDrawer(document) }
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
  readonly wrap: ReturnType<typeof createContentsWrapper>
  readonly show: ReturnType<typeof createFormDrawer>
}

function flattenPage(
  document: PdfDocument,
  page: PdfPage,
  list: readonly PdfValue[],
  { fields, isStale, removed, wrap, show }: FlattenJob,
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
    const placed = placedForm(document, annotation)
    if (placed !== undefined) forms.push(placed)
    if (isName(document.resolve(annotation.get('Subtype')), 'Link')) {
      // Its appearance is part of the page now.
      if (placed !== undefined) annotation.delete('AP')
      links.push(value)
    } else if (value instanceof PdfRef) removed.add(value.id)
  }
  if (links.length > 0) page.dict.set('Annots', links)
  else page.dict.delete('Annots')
  if (forms.length > 0) wrap(page.dict, { above: show(page, forms) })
}

/** Where the appearance of an annotation stands. Undefined for one that is not shown. ISO 32000-2, 12.5.5, algorithm. */
function placedForm(document: PdfDocument, annotation: PdfDict): PlacedForm | undefined {
  const flags = document.resolve(annotation.get('F'))
  const isUnseen = typeof flags === 'number' && (flags & (isHidden | isNoView)) !== 0
  const form = appearanceOf(document, annotation)
  const rect = rectOf(document, annotation)
  if (isUnseen || form === undefined || rect === undefined) return undefined
  if (isName(document.resolve(annotation.get('Subtype')), 'Popup')) return undefined
  const stream = document.resolve(form)
  if (!(stream instanceof PdfStream)) return undefined
  const box = rectOf(document, new PdfDict([['Rect', stream.dict.get('BBox')]]))
  if (box === undefined) return undefined
  const [left, bottom, right, top] = transformedBox(readMatrix(document, stream.dict.get('Matrix')), box)
  if (!(right > left && top > bottom)) return undefined
  const scaleX = (rect[2] - rect[0]) / (right - left)
  const scaleY = (rect[3] - rect[1]) / (top - bottom)
  stream.dict.set('Type', name('XObject')).set('Subtype', name('Form'))
  return {
    form,
    place: concatenate([scaleX, 0, 0, scaleY, rect[0] - left * scaleX, rect[1] - bottom * scaleY]),
  }
}

/** The appearance that a viewer shows now, which of several states is the one of /AS. */
function appearanceOf(document: PdfDocument, annotation: PdfDict): PdfRef | undefined {
  const appearances = document.dictAt(annotation, 'AP')
  const normal = appearances?.get('N') ?? null
  const resolved = document.resolve(normal)
  if (resolved instanceof PdfStream) return normal instanceof PdfRef ? normal : document.put(resolved)
  if (!(resolved instanceof PdfDict)) return undefined
  const state = document.resolve(annotation.get('AS'))
  const chosen = state instanceof PdfName ? resolved.get(state.text) : null
  const stream = document.resolve(chosen)
  if (!(stream instanceof PdfStream)) return undefined
  return chosen instanceof PdfRef ? chosen : document.put(stream)
}

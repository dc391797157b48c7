import { binaryBytes } from '../../../bytes.ts'
import { rectOf, textAppearance, tickAppearance } from '../../forms/appearance.ts'
import { type FormField, readFields } from '../../forms/fields.ts'
import type { PdfDocument } from '../../model/document.ts'
import type { PdfPage } from '../../model/pages.ts'
import { dict, isName, name, PdfDict, PdfName, PdfRef, PdfStream, type PdfValue } from '../../model/values.ts'
import { pruneFields } from '../select-pages.ts'
import type { ConformJob } from './job.ts'

const flags = { invisible: 1, hidden: 2, print: 4, noView: 32, toggleNoView: 256 } as const
const unseen = flags.hidden | flags.noView | flags.toggleNoView
const multimedia = new Set(['Sound', 'Movie', 'Screen', '3D', 'RichMedia'])
/** Since PDF 1.5, and so unknown to part 1. ISO 19005-1, 6.5.2. */
const newer = new Set(['Polygon', 'PolyLine', 'Caret', 'Redact', 'Watermark', 'Projection'])

/**
 * Keeps the annotations that PDF/A allows and makes them printable, with an appearance stream. The others are removed
 * together with their form fields, and reported. ISO 19005-1, 6.5; ISO 19005-2, 6.3.
 */
export function conformAnnotations(job: ConformJob, pages: readonly PdfPage[]): void {
  const { document, conformance, findings } = job
  if (conformance.archive === 0) return
  const removedIds = new Set<number>()
  const fields = fieldsByWidget(document)
  const form = document.dictAt(document.catalog, 'AcroForm')
  const isStale = document.resolve(form?.get('NeedAppearances') ?? null) === true
  form?.delete('NeedAppearances')
  for (const page of pages) {
    const list = document.resolve(page.dict.get('Annots'))
    if (!Array.isArray(list)) continue
    const remaining = list.filter((value) => {
      const annotation = document.resolve(value)
      if (!(annotation instanceof PdfDict)) return false
      const reason = reasonToRemove(job, annotation)
      if (reason === undefined) {
        const field = fields.get(annotation)
        if (isStale && (field?.kind === 'text' || field?.kind === 'choice')) annotation.delete('AP')
        settle(job, annotation, field)
        return true
      }
      findings.loss(...reason)
      if (value instanceof PdfRef) removedIds.add(value.id)
      return false
    })
    if (remaining.length < list.length) page.dict.set('Annots', remaining)
  }
  if (removedIds.size === 0) return
  if (form !== undefined) pruneFields(document, form, 'Fields', removedIds)
  for (const id of removedIds) document.drop(id)
}

type Loss = readonly [one: string, several: string]

function reasonToRemove({ document, conformance }: ConformJob, annotation: PdfDict): Loss | undefined {
  const kind = document.resolve(annotation.get('Subtype'))
  const type = kind instanceof PdfName ? kind.text : ''
  if (multimedia.has(type)) return ['a sound, film or 3D view', 'sounds, films and 3D views']
  if (type === 'FileAttachment' && conformance.archive < 3) return ['an attached file', 'attached files']
  if (conformance.archive === 1 && newer.has(type)) return ['an annotation', 'annotations']
  if (type === 'Link' && annotation.get('A') === null && annotation.get('Dest') === null)
    return ['a link without a target', 'links without a target']
  const set = document.resolve(annotation.get('F'))
  if (type !== 'Popup' && typeof set === 'number' && (set & unseen) !== 0)
    return type === 'Widget'
      ? ['a hidden form field', 'hidden form fields']
      : ['a hidden annotation', 'hidden annotations']
  const opacity = document.resolve(annotation.get('CA'))
  if (conformance.archive === 1 && typeof opacity === 'number' && opacity < 1)
    return ['a transparent annotation', 'transparent annotations']
  const isDrawn =
    ['Popup', 'Link', 'Widget', 'Text'].includes(type) || document.dictAt(annotation, 'AP') !== undefined
  return isDrawn ? undefined : ['an annotation without an appearance', 'annotations without an appearance']
}

function settle({ document }: ConformJob, annotation: PdfDict, field: FormField | undefined): void {
  const kind = document.resolve(annotation.get('Subtype'))
  if (isName(kind, 'Popup')) return
  const set = document.resolve(annotation.get('F'))
  const before = typeof set === 'number' ? set : 0
  annotation.set('F', (before & ~flags.invisible) | flags.print)
  const appearances = document.dictAt(annotation, 'AP')
  if (appearances !== undefined) {
    for (const key of ['D', 'R']) appearances.delete(key)
    reshapeAppearances(document, annotation, appearances)
    if (document.resolve(appearances.get('N')) !== null) return
  }
  if (isName(kind, 'Widget')) annotation.set('AP', dict({ N: widgetAppearance(document, annotation, field) }))
  else if (isName(kind, 'Text'))
    annotation.set('AP', dict({ N: document.put(noteAppearance(document, annotation)) }))
}

/** A button field has one appearance for each state, any other field exactly one. ISO 19005-2, 6.3.3. */
function reshapeAppearances(document: PdfDocument, annotation: PdfDict, appearances: PdfDict): void {
  const states = document.resolve(appearances.get('N'))
  if (!(states instanceof PdfDict)) return
  const shown = document.resolve(annotation.get('AS'))
  const current = shown instanceof PdfName ? states.get(shown.text) : null
  if (isButton(document, annotation) && document.resolve(annotation.get('AS')) === null)
    annotation.set('AS', name('Off'))
  if (isButton(document, annotation)) return
  if (current === null) appearances.delete('N')
  else appearances.set('N', current)
}

function isButton(document: PdfDocument, annotation: PdfDict): boolean {
  const parent = document.dictAt(annotation, 'Parent')
  const fieldType = document.resolve(annotation.get('FT'))
  return isName(
    fieldType === null && parent !== undefined ? document.resolve(parent.get('FT')) : fieldType,
    'Btn',
  )
}

function widgetAppearance(document: PdfDocument, widget: PdfDict, field: FormField | undefined): PdfValue {
  if (field?.kind === 'check' || field?.kind === 'radio') {
    const on = document.resolve(widget.get('AS'))
    const state = on instanceof PdfName && on.text !== 'Off' ? on.text : 'Yes'
    if (!(on instanceof PdfName)) widget.set('AS', name('Off'))
    return dict({
      [state]: document.put(tickAppearance(document, widget, true)),
      Off: document.put(tickAppearance(document, widget, false)),
    })
  }
  if (field !== undefined && field.text !== '')
    return document.put(textAppearance(document, field, widget, field.text).appearance)
  return document.put(appearanceOf(document, widget, ''))
}

/**
 * Viewers draw a reviewer's note themselves. Standards that require an appearance for every annotation get a small yellow
 * sheet.
 */
function noteAppearance(document: PdfDocument, annotation: PdfDict): PdfStream {
  const { width, height } = sizeOf(document, annotation)
  const edges = `0.5 0.5 ${Math.max(0, width - 1)} ${Math.max(0, height - 1)} re B`
  const lines = [0.3, 0.5, 0.7].map(
    (at) => `${width * 0.2} ${height * at} m ${width * 0.8} ${height * at} l S`,
  )
  return appearanceOf(document, annotation, `1 0.92 0.45 rg 0.35 G 0.8 w ${edges} ${lines.join(' ')}`)
}

function appearanceOf(document: PdfDocument, annotation: PdfDict, content: string): PdfStream {
  const { width, height } = sizeOf(document, annotation)
  const head = dict({
    Type: name('XObject'),
    Subtype: name('Form'),
    BBox: [0, 0, width, height],
    Resources: dict({}),
  })
  return new PdfStream(head, binaryBytes(content))
}

function sizeOf(
  document: PdfDocument,
  annotation: PdfDict,
): { readonly width: number; readonly height: number } {
  const [left, bottom, right, top] = rectOf(document, annotation) ?? [0, 0, 0, 0]
  return { width: right - left, height: top - bottom }
}

function fieldsByWidget(document: PdfDocument): ReadonlyMap<PdfDict, FormField> {
  const fields = new Map<PdfDict, FormField>()
  for (const field of readFields(document)) for (const widget of field.widgets) fields.set(widget, field)
  return fields
}

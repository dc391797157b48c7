/** What annotations show on a screen. ISO 32000-2, 12.5.5. */
import type { PdfDocument } from '../model/document.ts'
import { isName, PdfDict, PdfName, PdfRef, PdfStream } from '../model/values.ts'
import { type Matrix, readMatrix, transformedBox } from '../stage/draw-forms.ts'
import { rectOf } from './appearance.ts'

/** Bits of /F. ISO 32000-2, 12.5.3. */
const isHidden = 2
const isNoView = 32

/** The appearance of an annotation as a form XObject. */
export interface ShownAppearance {
  readonly form: PdfRef
  readonly stream: PdfStream
  /** From the coordinates of the form, after its own matrix, to those of the page. */
  readonly matrix: Matrix
}

/** The appearance of an annotation and where it stands. Undefined for one that is not shown. ISO 32000-2, 12.5.5, algorithm. */
export function shownAppearance(document: PdfDocument, annotation: PdfDict): ShownAppearance | undefined {
  const form = appearanceOf(document, annotation)
  const rect = rectOf(document, annotation)
  if (form === undefined || rect === undefined || isUnseen(document, annotation)) return undefined
  if (isName(document.resolve(annotation.get('Subtype')), 'Popup')) return undefined
  const stream = document.resolve(form)
  if (!(stream instanceof PdfStream)) return undefined
  const box = rectOf(document, new PdfDict([['Rect', stream.dict.get('BBox')]]))
  if (box === undefined) return undefined
  const [left, bottom, right, top] = transformedBox(readMatrix(document, stream.dict.get('Matrix')), box)
  if (!(right > left && top > bottom)) return undefined
  const scaleX = (rect[2] - rect[0]) / (right - left)
  const scaleY = (rect[3] - rect[1]) / (top - bottom)
  return { form, stream, matrix: [scaleX, 0, 0, scaleY, rect[0] - left * scaleX, rect[1] - bottom * scaleY] }
}

/** Whether the flags of an annotation keep it from a screen. */
export function isUnseen(document: PdfDocument, annotation: PdfDict): boolean {
  const flags = document.resolve(annotation.get('F'))
  return typeof flags === 'number' && (flags & (isHidden | isNoView)) !== 0
}

/** The appearance that a viewer shows now, which of several states is the one of /AS. */
export function appearanceOf(document: PdfDocument, annotation: PdfDict): PdfRef | undefined {
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

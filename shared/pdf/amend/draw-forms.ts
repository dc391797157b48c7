/** Shows form XObjects on a page. ISO 32000-2, 8.10. */
import type { PdfDocument } from '../model/document.ts'
import { PdfDict, type PdfRef, type PdfValue } from '../model/values.ts'
import { matrix } from '../stage/watermark/place.ts'

export interface PlacedForm {
  readonly form: PdfRef
  /** The operators before it: where it stands. */
  readonly place: string
  /** A graphics state with its opacity. */
  readonly state?: PdfRef | undefined
}

/** What a page shows besides its contents is not part of the document's text. ISO 32000-2, 14.8.2.2. */
const artifact = { start: '/Artifact BMC\n', end: 'EMC\n' }

/**
 * Adds forms to the resources of a page, and returns the operators that show them. The resources are copied first, because other
 * pages may share them.
 */
export function showForms(
  document: PdfDocument,
  page: { readonly dict: PdfDict; readonly inherited: ReadonlyMap<string, PdfValue> },
  forms: readonly PlacedForm[],
): string {
  const existing = document.resolve(page.dict.get('Resources') ?? page.inherited.get('Resources') ?? null)
  const resources = existing instanceof PdfDict ? existing.copy() : new PdfDict()
  const xobjects = document.dictAt(resources, 'XObject')?.copy() ?? new PdfDict()
  const states = document.dictAt(resources, 'ExtGState')?.copy() ?? new PdfDict()
  const free = (holder: PdfDict): string => {
    let number = holder.entries.size
    while (holder.entries.has(`Added${number}`)) number++
    return `Added${number}`
  }
  let operators = ''
  for (const { form, place, state } of forms) {
    const xobject = free(xobjects)
    xobjects.set(xobject, form)
    let opacity = ''
    if (state !== undefined) {
      const stateName = free(states)
      states.set(stateName, state)
      opacity = `/${stateName} gs `
    }
    operators += `q ${opacity}${place} /${xobject} Do Q\n`
  }
  if (xobjects.entries.size > 0) resources.set('XObject', xobjects)
  if (states.entries.size > 0) resources.set('ExtGState', states)
  page.dict.set('Resources', document.put(resources))
  return `${artifact.start}${operators}${artifact.end}`
}

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]
export type Box = readonly [left: number, bottom: number, right: number, top: number]

export const unit: Matrix = [1, 0, 0, 1, 0, 0]
export const concatenate = (values: Matrix): string => `${matrix(...values)} cm`

/** Six numbers or the unit matrix. */
export function readMatrix(document: PdfDocument, value: PdfValue): Matrix {
  const resolved = document.resolve(value)
  if (!Array.isArray(resolved) || resolved.length < 6) return unit
  const [a, b, c, d, e, f] = resolved.map((one) => document.resolve(one))
  const isMatrix = [a, b, c, d, e, f].every((one) => typeof one === 'number' && Number.isFinite(one))
  return isMatrix ? ([a, b, c, d, e, f] as unknown as Matrix) : unit
}

/** The axis-parallel box around a box after the matrix. */
export function transformedBox([a, b, c, d, e, f]: Matrix, [left, bottom, right, top]: Box): Box {
  const corners = [
    [left, bottom],
    [right, bottom],
    [left, top],
    [right, top],
  ] as const
  const xs = corners.map(([x, y]) => a * x + c * y + e)
  const ys = corners.map(([x, y]) => b * x + d * y + f)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** Shows form XObjects on a page. ISO 32000-2, 8.10. */
import { maxOf, minOf } from '../../extremes.ts'
import type { PdfDocument } from '../model/document.ts'
import { tooLarge } from '../model/limits.ts'
import { PdfDict, PdfRef, type PdfValue } from '../model/values.ts'
import { matrix } from './watermark/place.ts'

export interface PlacedForm {
  readonly form: PdfRef
  /** The operators before it: where it stands. */
  readonly place: string
  /** A graphics state with its opacity. */
  readonly state?: PdfRef | undefined
}

/** What a page shows besides its contents is not part of the document's text. ISO 32000-2, 14.8.2.2. */
const artifact = { start: '/Artifact BMC\n', end: 'EMC\n' }

/** Entries of resources that are copied for one file, because each page gets names of its own beside them. */
const maxCopied = 2_000_000

/**
 * Returns a function that adds forms to the resources of a page and returns the operators that show them. The resources are copied
 * first, because other pages may share them; pages that share them and get the same forms still do. Throws 'pdf.too-large'.
 */
export function createFormDrawer(document: PdfDocument) {
  /** Resources and forms -> the resources with them, and their names. */
  const extended = new Map<string, { readonly resources: PdfRef; readonly names: readonly FormNames[] }>()
  let copied = 0
  const copyOf = (holder: PdfDict | undefined): PdfDict => {
    copied += holder?.entries.size ?? 0
    if (copied > maxCopied) throw tooLarge('resources on its pages', maxCopied)
    return holder?.copy() ?? new PdfDict()
  }
  const extend = (value: PdfValue, forms: readonly PlacedForm[]) => {
    const ids = forms.map(({ form, state }) => `${form.id}/${state?.id ?? 0}`).join(' ')
    const key = value instanceof PdfRef ? `${value.id} ${ids}` : undefined
    const shared = key === undefined ? undefined : extended.get(key)
    if (shared !== undefined) return shared
    const resolved = document.resolve(value)
    const resources = copyOf(resolved instanceof PdfDict ? resolved : undefined)
    const xobjects = copyOf(document.dictAt(resources, 'XObject'))
    const states = copyOf(document.dictAt(resources, 'ExtGState'))
    const names = forms.map(({ form, state }) => ({
      form: add(xobjects, form),
      state: state && add(states, state),
    }))
    resources.set('XObject', xobjects)
    if (states.entries.size > 0) resources.set('ExtGState', states)
    const extension = { resources: document.put(resources), names }
    if (key !== undefined) extended.set(key, extension)
    return extension
  }
  return (page: FormPage, forms: readonly PlacedForm[]): string => {
    const value = page.dict.get('Resources') ?? page.inherited.get('Resources') ?? null
    const { resources, names } = extend(value, forms)
    page.dict.set('Resources', resources)
    const operators = forms.map(({ place }, index) => {
      const { form, state } = names[index] ?? { form: '' }
      return `q ${state === undefined ? '' : `/${state} gs `}${place} /${form} Do Q\n`
    })
    return `${artifact.start}${operators.join('')}${artifact.end}`
  }
}

interface FormPage {
  readonly dict: PdfDict
  readonly inherited: ReadonlyMap<string, PdfValue>
}

interface FormNames {
  readonly form: string
  readonly state: string | undefined
}

/** Adds a value under a name that is free. */
function add(holder: PdfDict, value: PdfRef): string {
  let number = holder.entries.size
  while (holder.entries.has(`Added${number}`)) number++
  holder.set(`Added${number}`, value)
  return `Added${number}`
}

export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]
export type Box = readonly [left: number, bottom: number, right: number, top: number]

const unit: Matrix = [1, 0, 0, 1, 0, 0]
export const concatenate = (values: Matrix): string => `${matrix(...values)} cm`

/** Six numbers or the unit matrix. */
export function readMatrix(document: PdfDocument, value: PdfValue): Matrix {
  const resolved = document.resolve(value)
  if (!Array.isArray(resolved) || resolved.length < 6) return unit
  const [a, b, c, d, e, f] = resolved.map((value) => document.resolve(value))
  const isMatrix = [a, b, c, d, e, f].every((value) => typeof value === 'number' && Number.isFinite(value))
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
  return [minOf(xs), minOf(ys), maxOf(xs), maxOf(ys)]
}

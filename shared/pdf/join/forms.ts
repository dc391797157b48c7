import { pushAll, spliceAll } from '../../push-all.ts'
import type { PdfDocument } from '../model/document.ts'
import { PdfDict, PdfString, type PdfValue } from '../model/values.ts'
import type { Copier, JoinSide } from './copy.ts'
import { createUsedNames } from './names.ts'

export interface FormJoiner {
  add(other: PdfDocument, copy: Copier, side: JoinSide): void
}

/**
 * Joins interactive forms. Fields keep their appearances and values; a field whose name is in use gets a numeric suffix. XFA
 * descriptions are removed, since they would describe only a part of the form. ISO 32000-2, 12.7.3.
 */
export function joinForms(document: PdfDocument): FormJoiner {
  let form = document.dictAt(document.catalog, 'AcroForm')
  const names = createUsedNames()
  const fields = fieldsOf(document, form)
  for (const field of fields) {
    const raw = nameOf(document, field)
    if (raw !== undefined) names.claim(raw)
  }
  return {
    add(other, copy, side) {
      const otherForm = other.dictAt(other.catalog, 'AcroForm')
      if (otherForm === undefined || fieldsOf(other, otherForm).length === 0) return
      const added = copy.value(otherForm)
      if (!(added instanceof PdfDict)) return
      const addedFields = fieldsOf(document, added)
      for (const value of addedFields) {
        const field = document.resolve(value)
        if (!(field instanceof PdfDict)) continue
        const raw = nameOf(document, field)
        const name = raw === undefined ? undefined : names.claim(raw)
        if (name !== undefined && name !== raw) field.set('T', new PdfString(name))
        // The defaults of a form apply only to its own fields.
        for (const key of ['DA', 'Q'])
          if (added.get(key) !== null && field.get(key) === null) field.set(key, added.get(key))
      }
      if (side === 'start') spliceAll(fields, 0, 0, addedFields)
      else pushAll(fields, addedFields)
      form = form === undefined ? added : mergedForm(document, form, added)
      form.delete('XFA')
      form.set('Fields', fields)
      if (document.dictAt(document.catalog, 'AcroForm') !== form)
        document.catalog.set('AcroForm', document.put(form))
    },
  }
}

function fieldsOf(document: PdfDocument, form: PdfDict | undefined): PdfValue[] {
  const fields = form === undefined ? null : document.resolve(form.get('Fields'))
  return Array.isArray(fields) ? [...fields] : []
}

/** The partial name, as stored; undefined for fields without one. */
function nameOf(document: PdfDocument, field: PdfValue): string | undefined {
  const resolved = document.resolve(field)
  const name = resolved instanceof PdfDict ? document.resolve(resolved.get('T')) : null
  return name instanceof PdfString ? name.raw : undefined
}

function mergedForm(document: PdfDocument, form: PdfDict, added: PdfDict): PdfDict {
  const resources = document.dictAt(added, 'DR')
  if (resources !== undefined) form.set('DR', mergedResources(document, form.get('DR'), resources))
  const order = [form, added].flatMap((source) => {
    const fields = document.resolve(source.get('CO'))
    return Array.isArray(fields) ? fields : []
  })
  if (order.length > 0) form.set('CO', order)
  if (document.resolve(added.get('NeedAppearances')) === true) form.set('NeedAppearances', true)
  const [flags, addedFlags] = [form, added].map((source) => document.resolve(source.get('SigFlags')))
  if (typeof addedFlags === 'number')
    form.set('SigFlags', (typeof flags === 'number' ? flags : 0) | addedFlags)
  return form
}

/** Of fonts with equal names, those of the first form are kept; appearances have their own resources. */
function mergedResources(document: PdfDocument, base: PdfValue, addition: PdfDict): PdfDict {
  const before = document.resolve(base)
  const merged = before instanceof PdfDict ? before.copy() : new PdfDict()
  for (const [kind, value] of addition.entries) {
    const existing = document.resolve(merged.get(kind))
    const added = document.resolve(value)
    if (!(existing instanceof PdfDict) || !(added instanceof PdfDict)) {
      if (merged.get(kind) === null) merged.set(kind, value)
      continue
    }
    const both = added.copy()
    for (const [key, layerConfig] of existing.entries) both.set(key, layerConfig)
    merged.set(kind, both)
  }
  return merged
}

/**
 * Opens a PDF form as a template. Tags are in the values of text fields and in notes (any annotation with a text). A
 * note that fills a field lies on top of that field or names it, and is removed from the result. Each text is a part.
 * The file is read again for each render, because filling changes it. Source: template language 22.10.
 */

import { crc32 } from '../../../../shared/crc32.ts'
import { AppError } from '../../../../shared/errors/app-error.ts'
import { rectOf } from '../../../../shared/pdf/forms/appearance.ts'
import { type FormField, readFields } from '../../../../shared/pdf/forms/fields.ts'
import { fillField } from '../../../../shared/pdf/forms/fill.ts'
import type { PdfDocument } from '../../../../shared/pdf/model/document.ts'
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import { readPages } from '../../../../shared/pdf/model/pages.ts'
import { textOfString, textString } from '../../../../shared/pdf/model/text-string.ts'
import { isName, PdfDict, PdfString, type PdfValue } from '../../../../shared/pdf/model/values.ts'
import { openPdf } from '../../../../shared/pdf/read/open.ts'
import { writePdfNow } from '../../../../shared/pdf/write/writer.ts'
import { fromBytes } from '../../../../shared/plugin/byte-source.ts'
import type { OpenContext } from '../../../../shared/plugin/contract.ts'
import type { Codec, Warning } from '../../../../shared/plugin/values.ts'
import { pushAll } from '../../../../shared/push-all.ts'
import { FieldValue } from '../../../../shared/template/formatters/pdf-form.ts'
import type { TemplatePackage } from '../../../../shared/template/package.ts'
import type { PackageWriter, PartWriter } from '../../../../shared/template/package-writer.ts'
import type { FormatRules } from '../../../../shared/template/rules.ts'
import type { Token } from '../../../../shared/template/scan/tokens.ts'
import { type RenderScope, type ScopeKey, scopeKey } from '../../../../shared/template/scope.ts'
import type { StaticTable } from '../../../../shared/template/statics.ts'
import type { TemplatePart } from '../../../../shared/template/template-part.ts'
import { hasTag } from '../../../../shared/xml/markup.ts'

const filling = /:(?:fill|check|uncheck|fillField|checkField)(?:\(|:|\})/

/** Throws 'package.encrypted', 'pdf.xfa', and 'package.incomplete' for a file without any object. */
export function openPdfForm(bytes: Uint8Array, { codec }: OpenContext): TemplatePackage {
  const form = readForm(bytes, codec)
  const parts = [...form.texts].map(([name, { text }]): TemplatePart => ({ name, syntax: 'text', text }))
  const key = scopeKey<FilledField[]>('form fields')
  const rules: FormatRules = {
    elements: {},
    paragraphs: ['line'],
    noise: [],
    plain: true,
    prepare: (part, tokens) => tokens.map((token) => recording(part, token, key)),
    finish(scope, writer) {
      const filled = scope.get(key)
      if (writer instanceof FormWriter) pushAll(writer.filled, filled ?? [])
    },
  }
  return {
    format: 'pdf',
    rules,
    parts,
    weight: bytes.length,
    warnings: form.warnings,
    begin: () => new FormWriter(bytes, codec),
  }
}

interface FilledField {
  readonly part: string
  readonly value: FieldValue
}

/** The value of a field is not written as text. It is kept in the render scope until the form is filled. */
function recording(part: string, token: Token, key: ScopeKey<FilledField[]>): Token {
  if (token.kind !== 'tag') return token
  return {
    ...token,
    output(value, text, scope: RenderScope) {
      if (!(value instanceof FieldValue)) return text(value)
      scope.obtain(key, () => []).push({ part, value })
      return ''
    },
  }
}

interface FormText {
  readonly text: string
  readonly field?: FormField
  readonly note?: NoteAnnotation
}
interface FillableForm {
  readonly document: PdfDocument | undefined // undefined: it cannot be read
  readonly fields: readonly FormField[]
  /** Part -> the text that carries tags. */
  readonly texts: ReadonlyMap<string, FormText>
  readonly warnings: readonly Warning[]
}
interface NoteAnnotation {
  readonly dict: PdfDict
  readonly page: PdfDict
  /** The note only names a value to fill in, so it is removed from the result. */
  readonly fills: boolean
}

function readForm(bytes: Uint8Array, codec: Codec): FillableForm {
  const none: FillableForm = { document: undefined, fields: [], texts: new Map(), warnings: [] }
  let document: PdfDocument
  try {
    document = openPdf(bytes, codec, pdfLimits)
  } catch (error) {
    if (error instanceof AppError && error.code === 'pdf.encrypted') throw new AppError('package.encrypted')
    if (!(error instanceof AppError)) throw error
    if (!hasObjects(bytes)) throw new AppError('package.incomplete', { format: 'pdf', part: 'catalogue' })
    // A file that cannot be read as a form may still be converted.
    return none
  }
  const fields = readFields(document)
  const form = document.dictAt(document.catalog, 'AcroForm')
  const hasXfa = form !== undefined && document.resolve(form.get('XFA')) !== null
  if (hasXfa && fields.length === 0) throw new AppError('pdf.xfa')
  const texts = new Map<string, FormText>()
  const add = (name: string, text: FormText) => {
    let free = name
    for (let number = 2; texts.has(free); number += 1) free = `${name} (${number})`
    texts.set(free, text)
  }
  for (const field of fields) {
    if ((field.kind === 'text' || field.kind === 'choice') && hasTag(field.text))
      add(`field ${field.name}`, { text: field.text, field })
  }
  for (const [number, note] of notesOf(document)) {
    const contents = document.resolve(note.get('Contents'))
    const text = contents instanceof PdfString ? textOfString(contents) : ''
    if (!hasTag(text)) continue
    const page = number.page
    add(`note on page ${number.index}`, { text, note: { dict: note, page, fills: filling.test(text) } })
  }
  const warnings: Warning[] = hasXfa
    ? [
        {
          code: 'pdf.xfa-removed',
          message: 'The XFA form beside the PDF form was removed: it would show its own values.',
        },
      ]
    : []
  return { document, fields, texts, warnings }
}

/** Whether a damaged file contains at least an indirect object (ISO 32000-1 7.3.10). */
const hasObjects = (bytes: Uint8Array): boolean =>
  /\d\s+\d+\s+obj\b/.test(new TextDecoder('latin1').decode(bytes))

function* notesOf(
  document: PdfDocument,
): Generator<readonly [{ readonly index: number; readonly page: PdfDict }, PdfDict]> {
  for (const [index, page] of readPages(document).entries()) {
    for (const value of annotationsOf(document, page.dict)) {
      const annotation = document.resolve(value)
      if (!(annotation instanceof PdfDict)) continue
      const kind = document.resolve(annotation.get('Subtype'))
      if (isName(kind, 'Widget') || isName(kind, 'Popup') || isName(kind, 'Link')) continue
      yield [{ index: index + 1, page: page.dict }, annotation]
    }
  }
}

function annotationsOf(document: PdfDocument, page: PdfDict): readonly PdfValue[] {
  const list = document.resolve(page.get('Annots'))
  return Array.isArray(list) ? list : []
}

class FormWriter implements PackageWriter {
  readonly filled: FilledField[] = []
  readonly #bytes: Uint8Array
  readonly #codec: Codec
  readonly #texts = new Map<string, string>()

  constructor(bytes: Uint8Array, codec: Codec) {
    this.#bytes = bytes
    this.#codec = codec
  }

  part(name: string, { bytes, start }: StaticTable): PartWriter {
    const decoder = new TextDecoder()
    const chunks: string[] = []
    let size = 0
    const write = (text: string) => {
      chunks.push(text)
      size += text.length
    }
    return {
      static: (id) => write(decoder.decode(bytes.subarray(start[id] ?? 0, start[id + 1] ?? 0))),
      text: write,
      get size() {
        return size
      },
      end: () => void this.#texts.set(name, chunks.join('')),
    }
  }

  copy(): void {}
  add(): void {}
  remove(): void {}
  abandon(): void {}

  finish() {
    if (this.#texts.size === 0) return fromBytes(this.#bytes.slice())
    const { document, fields, texts } = readForm(this.#bytes, this.#codec)
    let missing = 0
    for (const [name, written] of this.#texts) {
      const { field, note } = texts.get(name)!
      if (field !== undefined) missing += fillField(document!, field, written)
      else if (note !== undefined && !note.fills) {
        note.dict.set('Contents', textString(written))
        // Readers recreate it.
        for (const stale of ['AP', 'RC']) note.dict.delete(stale)
      }
    }
    for (const { part, value } of this.filled) {
      const note = texts.get(part)?.note
      const named = value.name !== undefined
      const field = named
        ? fields.find(({ name }) => name === value.name)
        : note && under(document!, note, fields)
      if (field !== undefined) missing += fillField(document!, field, value.input)
    }
    const filled = [...texts.values()].flatMap(({ note }) => (note?.fills ? [note] : []))
    for (const note of filled) removeNote(document!, note)
    settle(document!, missing)
    return fromBytes(writePdfNow(document!, { codec: this.#codec, random: seeded(this.#bytes) }))
  }
}

/** The field that a note mostly covers. */
function under(
  document: PdfDocument,
  note: NoteAnnotation,
  fields: readonly FormField[],
): FormField | undefined {
  const at = rectOf(document, note.dict)
  if (at === undefined) return undefined
  const onPage = new Set(annotationsOf(document, note.page).map((value) => document.resolve(value)))
  let best: FormField | undefined
  let maxArea = 0
  for (const field of fields) {
    for (const widget of field.widgets) {
      const box = onPage.has(widget) ? rectOf(document, widget) : undefined
      if (box === undefined) continue
      const wide = Math.min(at[2], box[2]) - Math.max(at[0], box[0])
      const high = Math.min(at[3], box[3]) - Math.max(at[1], box[1])
      const common = wide > 0 && high > 0 ? wide * high : 0
      if (common > maxArea) {
        maxArea = common
        best = field
      }
    }
  }
  return best
}

function removeNote(document: PdfDocument, { dict, page }: NoteAnnotation): void {
  const remaining = annotationsOf(document, page).filter((value) => {
    const annotation = document.resolve(value)
    if (annotation === dict) return false
    return !(
      annotation instanceof PdfDict &&
      document.resolve(annotation.get('Parent')) === dict &&
      isName(document.resolve(annotation.get('Subtype')), 'Popup')
    )
  })
  page.set('Annots', remaining)
}

/** Updates the entries that describe the form, once its fields have appearances. */
function settle(document: PdfDocument, missing: number): void {
  const form = document.dictAt(document.catalog, 'AcroForm')
  form?.delete('XFA')
  // Only a viewer with more fonts can show the characters that the embedded ones lack.
  if (missing > 0) form?.set('NeedAppearances', true)
  else form?.delete('NeedAppearances')
  document.catalog.delete('Perms') // its signatures are no longer valid
}

/** The same file and data must result in the same bytes. */
const seeded = (bytes: Uint8Array) => (length: number) => {
  let state = crc32(bytes)
  return Uint8Array.from({ length }, () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9
    return (state >>> 24) & 255
  })
}

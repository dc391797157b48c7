/**
 * Reads the fields and comments of a PDF as text at their positions. The appearance of a field is drawn by
 * its annotation in a size that fits its box, and a button is a drawing, so annotations are removed before
 * the pages are read, and their values are inserted as text. ISO 32000-2, 12.5.6 (annotations), 12.7.5
 * (fields).
 */
import type { FlowInline } from '../../../../shared/flow/flow.ts'
import { rectOf } from '../../../../shared/pdf/forms/appearance.ts'
import { type FormField, onState, readFields } from '../../../../shared/pdf/forms/fields.ts'
import type { PdfDocument } from '../../../../shared/pdf/model/document.ts'
import { pdfLimits } from '../../../../shared/pdf/model/limits.ts'
import { type PdfPage, pageGeometry, readPages } from '../../../../shared/pdf/model/pages.ts'
import { textOfString } from '../../../../shared/pdf/model/text-string.ts'
import { PdfDict, PdfName, PdfString, type PdfValue } from '../../../../shared/pdf/model/values.ts'
import { openPdf } from '../../../../shared/pdf/read/open.ts'
import { writePdf } from '../../../../shared/pdf/write/writer.ts'
import type { PdfJob } from '../document.ts'
import type { Rotation } from './rotate-pages.ts'
import type { PageText, TextPosition } from './text-positions.ts'

interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface PageField extends Rect {
  readonly text: string
}

export interface PageComment extends Rect {
  readonly text: string
}

export interface PageForm {
  readonly fields: readonly PageField[]
  readonly comments: readonly PageComment[]
  /** The rotation of the page, clockwise, and its size after it. */
  readonly rotated: (rotation: Rotation | undefined) => (rect: Rect) => Rect
}

export interface ExtractedForm {
  readonly pdf: Uint8Array
  readonly pages: readonly PageForm[]
}

/** An empty field becomes a line to write on. */
const blank = '__________'
const isHidden = (1 << 1) | (1 << 5)
const isReadOnly = 1
const isPassword = 1 << 13
/** Comments of users. Shapes without text are not read. */
const spoken = new Set(['Text', 'Highlight', 'Underline', 'Squiggly', 'StrikeOut', 'Caret'])
const maxTextLength = 20_000
const maxFields = 20_000

/** Returns undefined when there are neither fields nor comments, or the file cannot be parsed here. */
export async function extractForm({ pdf, host, signal }: PdfJob): Promise<ExtractedForm | undefined> {
  try {
    const document = openPdf(pdf, host.codec, pdfLimits)
    const owners = new Map<PdfDict, FormField>()
    for (const field of readFields(document)) for (const widget of field.widgets) owners.set(widget, field)
    let left = maxFields
    const pages = readPages(document).map((page) => {
      const form = formOfPage(document, page, owners, left)
      left -= form.fields.length + form.comments.length
      return form
    })
    if (left === maxFields) return undefined
    const random = (length: number) => new Uint8Array(length)
    return { pdf: await writePdf(document, { codec: host.codec, random, signal }), pages }
  } catch (error) {
    if (signal.aborted) throw error
    return undefined
  }
}

function formOfPage(
  document: PdfDocument,
  page: PdfPage,
  owners: ReadonlyMap<PdfDict, FormField>,
  limit: number,
): PageForm {
  const fields: PageField[] = []
  const comments: PageComment[] = []
  const { x, y, width, height, rotate, unit } = pageGeometry(document, page)
  const list = document.resolve(page.dict.get('Annots'))
  const remaining: PdfValue[] = []
  for (const value of Array.isArray(list) ? list : []) {
    const annotation = document.resolve(value)
    const corners = annotation instanceof PdfDict ? rectOf(document, annotation) : undefined
    if (
      !(annotation instanceof PdfDict) ||
      corners === undefined ||
      fields.length + comments.length >= limit
    ) {
      remaining.push(value)
      continue
    }
    const [left, bottom, right, top] = corners
    const rect = {
      x: (left - x) * unit,
      y: (y + height - top) * unit,
      width: (right - left) * unit,
      height: (top - bottom) * unit,
    }
    const field = owners.get(annotation)
    const flags = document.resolve(annotation.get('F'))
    const hidden = typeof flags === 'number' && (flags & isHidden) !== 0
    if (field === undefined) {
      const text = hidden ? '' : commentOf(document, annotation)
      if (text !== '') comments.push({ ...rect, text })
      remaining.push(value)
    } else if (!hidden) fields.push({ ...rect, text: displayedText(document, field, annotation) })
  }
  if (fields.length > 0) page.dict.set('Annots', remaining)
  const size = { width: width * unit, height: height * unit }
  return { fields, comments, rotated: (rotation) => rotatedBy((rotate + (rotation ?? 0)) % 360, size) }
}

/** Converts coordinates of the unrotated page to those of the displayed one. */
function rotatedBy(degrees: number, { width, height }: { readonly width: number; readonly height: number }) {
  return (rect: Rect): Rect => {
    const { x, y } = rect
    const across = { width: rect.height, height: rect.width }
    if (degrees === 90) return { ...across, x: height - y - rect.height, y: x }
    if (degrees === 180) return { ...rect, x: width - x - rect.width, y: height - y - rect.height }
    if (degrees === 270) return { ...across, x: y, y: width - x - rect.width }
    return rect
  }
}

function displayedText(document: PdfDocument, field: FormField, widget: PdfDict): string {
  const { kind, flags } = field
  if (kind === 'check' || kind === 'radio') {
    const state = document.resolve(widget.get('AS'))
    const on = onState(document, widget)
    const ticked = state instanceof PdfName && state.text !== 'Off' && (on === undefined || state.text === on)
    return kind === 'check' ? (ticked ? '\u2611' : '\u2610') : ticked ? '\u25c9' : '\u25ef'
  }
  const text = kind === 'choice' ? chosenIn(document, field) : field.text
  if (text.trim() === '') return (flags & isReadOnly) !== 0 ? '' : blank
  return kind === 'text' && (flags & isPassword) !== 0 ? blank : text.slice(0, maxTextLength)
}

/** Choices are stored by their export names, and there may be several. */
function chosenIn(document: PdfDocument, { dict, text }: FormField): string {
  const words = (value: PdfValue) => {
    const resolved = document.resolve(value)
    return resolved instanceof PdfString ? textOfString(resolved) : ''
  }
  const list = (key: string) => {
    const resolved = document.resolve(dict.get(key))
    return Array.isArray(resolved) ? resolved : []
  }
  const labels = new Map<string, string>()
  for (const option of list('Opt')) {
    const pair = document.resolve(option)
    if (Array.isArray(pair) && pair.length > 1) labels.set(words(pair[0] ?? null), words(pair[1] ?? null))
  }
  const several = list('V').map(words)
  return (several.length > 0 ? several : [text]).map((key) => labels.get(key) ?? key).join(', ')
}

function commentOf(document: PdfDocument, annotation: PdfDict): string {
  const kind = document.resolve(annotation.get('Subtype'))
  const declared = (key: string) => {
    const value = document.resolve(annotation.get(key))
    return value instanceof PdfString ? textOfString(value).replace(/\r\n?/g, '\n').trim() : ''
  }
  const text = declared('Contents').slice(0, maxTextLength)
  if (!(kind instanceof PdfName) || !spoken.has(kind.text) || text === '') return ''
  const author = declared('T')
  return author === '' ? text : `${author}: ${text}`
}

/**
 * Adds the texts of fields to a page, and comments as notes after the nearest words. `rotation` is the rotation
 * that was applied to the page.
 */
export function withForm(
  page: PageText,
  form: PageForm | undefined,
  rotation: Rotation | undefined,
): PageText {
  if (form === undefined) return page
  const rotated = form.rotated(rotation)
  const typical = typicalSize(page.positions)
  const fields = form.fields.flatMap((field) =>
    positionsOfField({ ...rotated(field), text: field.text }, page.positions, typical),
  )
  const positions = [...page.positions, ...fields]
  for (const comment of form.comments) addNote(positions, rotated(comment), comment.text)
  return { ...page, positions }
}

function typicalSize(positions: readonly TextPosition[]): number {
  const lengths = new Map<number, number>()
  for (const { size, text } of positions) lengths.set(size, (lengths.get(size) ?? 0) + text.length)
  return [...lengths].reduce((longest, candidate) => (candidate[1] > longest[1] ? candidate : longest), [
    11, 0,
  ] as const)[0]
}

/** Uses the font size of the surrounding text, on the line of the text to the left or right. */
function positionsOfField(
  field: PageField,
  positions: readonly TextPosition[],
  typical: number,
): readonly TextPosition[] {
  const { x, y, width, height, text } = field
  if (text === '') return []
  const lines = text.split('\n')
  const nearest = positions
    .filter(
      (position) =>
        position.y < y + height && position.y + position.height > y && position.size < typical * 1.3,
    )
    .toSorted((a, b) => distanceTo(a, field) - distanceTo(b, field))[0]
  const size = Math.max(Math.min(nearest?.size ?? typical, height), 4)
  const step = size * 1.25
  const first = lines.length === 1 ? (nearest?.y ?? y + (height - step) / 2) : y + 1
  return lines.flatMap((line, at): readonly TextPosition[] => {
    if (line.trim() === '') return []
    const inlines: readonly FlowInline[] = [{ kind: 'text', text: line, style: {} }]
    const wide = Math.max(Math.min(width, line.length * size * 0.5), size * 0.8)
    return [
      {
        x: x + 2,
        y: first + at * step,
        width: wide,
        height: nearest?.height ?? step,
        size,
        text: line,
        inlines,
      },
    ]
  })
}

function distanceTo(position: TextPosition, { x, y, width, height }: Rect): number {
  const across = Math.max(position.x - x - width, x - position.x - position.width, 0)
  const down = Math.abs(position.y + position.height / 2 - y - height / 2)
  return across + down * 5
}

function addNote(positions: TextPosition[], rect: Rect, text: string): void {
  let best = -1
  for (const [at, position] of positions.entries())
    if (best < 0 || distanceTo(position, rect) < distanceTo(positions[best] as TextPosition, rect)) best = at
  const position = positions[best]
  if (position === undefined) return
  const blocks = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({
      kind: 'paragraph' as const,
      inlines: [{ kind: 'text' as const, text: line, style: {} }],
    }))
  positions[best] = { ...position, inlines: [...position.inlines, { kind: 'note', blocks }] }
}

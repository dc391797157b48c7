/**
 * Reads the fields of a form. Fields are a tree: a field passes its type, flags, value and appearance on to its children,
 * and its name is the path to it. ISO 32000-2, 12.7.4.
 */
import type { PdfDocument } from '../model/document.ts'
import { tooLarge } from '../model/limits.ts'
import { textOfString } from '../model/text-string.ts'
import { PdfDict, PdfName, PdfStream, PdfString, type PdfValue } from '../model/values.ts'

export type FieldKind = 'text' | 'check' | 'radio' | 'choice'

export interface FormField {
  readonly name: string // 'customer.name'
  readonly kind: FieldKind
  readonly dict: PdfDict
  /** The annotations that show the field. A field may appear at several positions. */
  readonly widgets: readonly PdfDict[]
  readonly text: string // its value, of a text field or a choice
  readonly flags: number
  readonly appearance: string // of text: font, size and colour
  readonly align: 0 | 1 | 2
  readonly maxLength: number | undefined // characters
  /** The export values of a group of buttons, where they differ from the names of the appearances. */
  readonly options: readonly string[]
}

const maxFields = 20_000
const inherited = ['FT', 'Ff', 'V', 'DV', 'DA', 'Q', 'MaxLen', 'Opt'] as const

/** Returns the fields that have a value, in the order of the tree. Cycles are skipped. Throws 'pdf.too-large'. */
export function readFields(document: PdfDocument): readonly FormField[] {
  const form = document.dictAt(document.catalog, 'AcroForm')
  if (form === undefined) return []
  const fields: FormField[] = []
  const seen = new Set<PdfDict>()
  const walk = (value: PdfValue, above: ReadonlyMap<string, PdfValue>, path: string, level: number): void => {
    const resolved = document.resolve(value)
    if (!(resolved instanceof PdfDict) || seen.has(resolved)) return
    seen.add(resolved)
    if (level > document.limits.depth) throw tooLarge('levels of its form', document.limits.depth)
    if (seen.size > maxFields) throw tooLarge('form fields', maxFields)
    const attributes = new Map(above)
    for (const key of inherited) {
      const value = document.resolve(resolved.get(key))
      if (value !== null) attributes.set(key, value)
    }
    const title = document.resolve(resolved.get('T'))
    const name = title instanceof PdfString ? [path, textOfString(title)].filter(Boolean).join('.') : path
    const children = document.resolve(resolved.get('Kids'))
    const dicts = (Array.isArray(children) ? children : [])
      .map((child) => document.resolve(child))
      .filter((child): child is PdfDict => child instanceof PdfDict)
    if (dicts.some((child) => child.get('T') !== null)) {
      for (const child of children as PdfValue[]) walk(child, attributes, name, level + 1)
      return
    }
    const field = fieldOf(document, resolved, attributes, name, dicts.length > 0 ? dicts : [resolved])
    if (field !== undefined) fields.push(field)
  }
  const roots = document.resolve(form.get('Fields'))
  const common = new Map<string, PdfValue>()
  for (const key of ['DA', 'Q']) {
    const value = document.resolve(form.get(key))
    if (value !== null) common.set(key, value)
  }
  if (Array.isArray(roots)) for (const root of roots) walk(root, common, '', 0)
  return fields
}

const isRadio = 1 << 15
const isPush = 1 << 16

function fieldOf(
  document: PdfDocument,
  dict: PdfDict,
  attributes: ReadonlyMap<string, PdfValue>,
  name: string,
  widgets: readonly PdfDict[],
): FormField | undefined {
  const type = attributes.get('FT')
  if (!(type instanceof PdfName)) return undefined
  const number = (key: string) => {
    const value = attributes.get(key)
    return typeof value === 'number' ? value : undefined
  }
  const flags = number('Ff') ?? 0
  const kind = kindOf(type.text, flags)
  if (kind === undefined) return undefined
  const appearance = attributes.get('DA')
  const align = number('Q')
  const list = attributes.get('Opt')
  return {
    name,
    kind,
    dict,
    widgets,
    text:
      valueText(document, attributes.get('V') ?? null) || valueText(document, attributes.get('DV') ?? null),
    flags,
    appearance: appearance instanceof PdfString ? appearance.raw : '',
    align: align === 1 || align === 2 ? align : 0,
    maxLength: number('MaxLen'),
    options: Array.isArray(list) ? list.map((item) => optionText(document, item)) : [],
  }
}

function kindOf(type: string, flags: number): FieldKind | undefined {
  if (type === 'Tx') return 'text'
  if (type === 'Ch') return 'choice'
  if (type !== 'Btn' || (flags & isPush) !== 0) return undefined
  return (flags & isRadio) === 0 ? 'check' : 'radio'
}

/** An option may be a pair of an export value and a display text. Returns the export value. ISO 32000-2, 12.7.5.4. */
function optionText(document: PdfDocument, value: PdfValue): string {
  const resolved = document.resolve(value)
  const stored = Array.isArray(resolved) ? document.resolve(resolved[0] ?? null) : resolved
  return stored instanceof PdfString ? textOfString(stored) : ''
}

const maxTextLength = 100_000

function valueText(document: PdfDocument, value: PdfValue): string {
  const resolved = document.resolve(value)
  if (resolved instanceof PdfString) return lines(textOfString(resolved))
  if (!(resolved instanceof PdfStream)) return ''
  const content = document.inflater.content(resolved, document.resolve, maxTextLength)
  if (content === undefined) return ''
  return lines(textOfString(new PdfString(Array.from(content, (byte) => String.fromCharCode(byte)).join(''))))
}

/** Lines of a value end with a carriage return in many files. */
const lines = (text: string): string => text.replace(/\r\n?/g, '\n')

/** The name of the "on" state of a button: the appearance that is not `Off`. ISO 32000-2, 12.7.5.2.3. */
export function onState(document: PdfDocument, widget: PdfDict): string | undefined {
  const appearances = document.dictAt(widget, 'AP')
  for (const kind of ['N', 'D']) {
    const states = appearances === undefined ? undefined : document.dictAt(appearances, kind)
    const checkedState = [...(states?.entries.keys() ?? [])].find((state) => state !== 'Off')
    if (checkedState !== undefined) return checkedState
  }
  return undefined
}

/** Writes values into the fields of a form, together with their appearances. ISO 32000-2, 12.7.5. */
import type { PdfDocument } from '../model/document.ts'
import { textString } from '../model/text-string.ts'
import { dict, name, PdfDict, PdfName } from '../model/values.ts'
import { textAppearance, tickAppearance } from './appearance.ts'
import { type FormField, onState } from './fields.ts'

/** A text for text fields, choices and groups of radio buttons; for a check box, whether it is ticked. */
export type FieldInput = string | boolean

/** Sets the value of one field. Returns how many characters the fonts of the appearances lack. */
export function fillField(document: PdfDocument, field: FormField, input: FieldInput): number {
  field.dict.delete('DV')
  field.dict.delete('RV')
  if (field.kind === 'text' || field.kind === 'choice') return fillText(document, field, String(input))
  if (field.kind === 'check') tick(document, field, isTicked(input))
  else choose(document, field, input)
  return 0
}

/** Whether a value ticks a box: any text does, except an empty one, `false`, `off` and `0`. */
export const isTicked = (input: FieldInput): boolean =>
  typeof input === 'boolean' ? input : !/^\s*(?:|false|off|0)\s*$/i.test(input)

function fillText(document: PdfDocument, field: FormField, value: string): number {
  const cut =
    field.maxLength === undefined ? value : [...value].slice(0, Math.max(0, field.maxLength)).join('')
  field.dict.set('V', textString(cut))
  let missing = 0
  for (const widget of field.widgets) {
    const drawn = textAppearance(document, field, widget, cut)
    missing += drawn.missing
    widget.set('AP', dict({ N: document.put(drawn.appearance) }))
    widget.delete('AS')
  }
  return missing
}

function tick(document: PdfDocument, field: FormField, ticked: boolean): void {
  for (const widget of field.widgets) {
    const on = onState(document, widget) ?? drawn(document, widget)
    widget.set('AS', name(ticked ? on : 'Off'))
    field.dict.set('V', name(ticked ? on : 'Off'))
  }
}

function choose(document: PdfDocument, field: FormField, input: FieldInput): void {
  const requested = String(input).trim()
  let chosen = 'Off'
  field.widgets.forEach((widget, at) => {
    const on = onState(document, widget) ?? drawn(document, widget)
    const isChosen =
      chosen === 'Off' &&
      requested !== '' &&
      (readable(on) === requested || field.options[at]?.trim() === requested)
    if (isChosen) chosen = on
    widget.set('AS', name(isChosen ? on : 'Off'))
  })
  field.dict.set('V', new PdfName(chosen))
}

/** Decodes a name as UTF-8, the convention of ISO 32000-2, 7.3.5. Returns the name unchanged if it is not valid UTF-8. */
function readable(state: string): string {
  const bytes = Uint8Array.from(state, (character) => character.charCodeAt(0))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return state
  }
}

/** Adds appearances to a button that has none. Returns the name of its "on" state. */
function drawn(document: PdfDocument, widget: PdfDict): string {
  const states = dict({
    Yes: document.put(tickAppearance(document, widget, true)),
    Off: document.put(tickAppearance(document, widget, false)),
  })
  widget.set('AP', new PdfDict([['N', states]]))
  return 'Yes'
}

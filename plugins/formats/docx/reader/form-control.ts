/** Fields of forms in the text: content controls (w:sdtPr, 17.5.2.38) and legacy form fields (w:ffData, 17.16.17). */
import type { FormField } from '../../../../shared/document/form-field.ts'
import type { Writable } from '../../../../shared/document/writable.ts'
import { isOn, onOff, val } from '../../../../shared/office/ooxml/values.ts'
import type { XmlCursor } from '../../../../shared/xml/cursor.ts'

/** A field whose text is being read. */
export interface OpenFormField {
  readonly field: Writable<FormField>
  /** Its text is an instruction to the person who fills it. */
  readonly isPlaceholder: boolean
}

/** The entries of one list that are read. */
const maxEntries = 1000

/** The value of a check box that is pressed. */
const pressedValue = 'Yes'
const boxSigns = { checked: '\u2612', unchecked: '\u2610' } as const

/**
 * Collects the properties of a content control. `read` takes one child of w:sdtPr, and `finish` returns the field: undefined for
 * a control of formatted text, pictures or other things that no field can hold, and for one whose content may not be changed.
 */
export function createControlReader(cursor: XmlCursor) {
  let kind: FormField['kind'] | undefined
  let [alias, tag, isLocked, isPlaceholder] = ['', '', false, false]
  const field: Partial<Writable<FormField>> = {}
  return {
    read(name: string): void {
      switch (name) {
        case 'w:alias':
          alias = val(cursor) ?? ''
          break
        case 'w:tag':
          tag = val(cursor) ?? ''
          break
        case 'w:lock':
          isLocked = ['contentLocked', 'sdtContentLocked'].includes(val(cursor) ?? '')
          break
        case 'w:showingPlcHdr':
          isPlaceholder = onOff(cursor)
          break
        case 'w:text':
          kind = 'text'
          field.isMultiline = isOn(cursor.attribute('w:multiLine') ?? 'off')
          break
        case 'w:date':
          kind = 'text'
          break
        case 'w:comboBox':
        case 'w:dropDownList':
          kind = 'choice'
          field.dropsDown = true
          field.takesText = name === 'w:comboBox'
          field.options = listItems(cursor)
          break
        case 'w14:checkbox':
          kind = 'check'
          Object.assign(field, checkBox(cursor))
          break
      }
    },
    finish(): OpenFormField | undefined {
      if (kind === undefined || isLocked) return undefined
      const description = alias || tag
      const value = kind === 'check' ? pressedValue : ''
      return {
        field: { ...field, kind, name: tag || alias, value, ...(description !== '' && { description }) },
        isPlaceholder,
      }
    },
  }
}

/** The texts of w:listItem (17.5.2.21), which its value stands in for. */
function listItems(cursor: XmlCursor): readonly string[] {
  const options: string[] = []
  cursor.each((name) => {
    if (name !== 'w:listItem' || options.length >= maxEntries) return
    const text = cursor.attribute('w:displayText') ?? cursor.attribute('w:value') ?? ''
    if (text !== '') options.push(text)
  })
  return options
}

/** w14:checkbox ([MS-DOCX] 2.6.1.15): its state, and the characters that stand for both states. */
function checkBox(cursor: XmlCursor): Pick<FormField, 'isChecked' | 'signs'> {
  let isChecked = false
  const signs: { checked: string; unchecked: string } = { ...boxSigns }
  cursor.each((name) => {
    const value = cursor.attribute('w14:val') ?? ''
    if (name === 'w14:checked') isChecked = isOn(value || '1')
    else if (name === 'w14:checkedState') signs.checked = characterOf(value) ?? signs.checked
    else if (name === 'w14:uncheckedState') signs.unchecked = characterOf(value) ?? signs.unchecked
  })
  return { isChecked, signs }
}

/** The character of a hexadecimal code. */
function characterOf(hexadecimal: string): string | undefined {
  const code = /^[\da-f]{1,5}$/i.test(hexadecimal) ? Number.parseInt(hexadecimal, 16) : 0
  return code > 0 && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : undefined
}

/** What a legacy form field is: its field, and what it shows where its result is not saved in the text. */
export interface LegacyField {
  readonly form?: OpenFormField
  /** Whether a box is checked. */
  readonly check?: boolean
  /** The selected entry of a list. */
  readonly choice?: string
}

/** Kinds of w:textInput (17.18.94) that only the program fills. */
const computedTypes = ['calculated', 'currentTime', 'currentDate']

/** Reads w:ffData (17.16.17) from a begin character of a field, on which the cursor stands. */
export function readLegacyField(cursor: XmlCursor): LegacyField {
  let legacy: LegacyField = {}
  cursor.each((name) => {
    if (name === 'w:ffData') legacy = readFormData(cursor)
  })
  return legacy
}

function readFormData(cursor: XmlCursor): LegacyField {
  let [name, description, isEnabled] = ['', '', true]
  let legacy: LegacyField = {}
  let field: Partial<Writable<FormField>> & Pick<FormField, 'kind'> = { kind: 'text' }
  cursor.each((element) => {
    switch (element) {
      case 'w:name':
        name = val(cursor) ?? ''
        break
      case 'w:helpText':
      case 'w:statusText':
        description ||= val(cursor) ?? ''
        break
      case 'w:enabled':
        isEnabled = onOff(cursor)
        break
      case 'w:checkBox': {
        const check = legacyCheck(cursor)
        legacy = { check }
        field = { kind: 'check', value: pressedValue, isChecked: check, signs: boxSigns }
        break
      }
      case 'w:ddList': {
        const { options, choice } = legacyList(cursor)
        legacy = choice === undefined ? {} : { choice }
        field = { kind: 'choice', dropsDown: true, options }
        break
      }
      case 'w:textInput':
        cursor.each((child) => {
          if (child === 'w:type' && computedTypes.includes(val(cursor) ?? '')) isEnabled = false
          else if (child === 'w:maxLength') {
            const maxLength = Number.parseInt(val(cursor) ?? '', 10)
            if (maxLength > 0) field.maxLength = maxLength
          }
        })
        break
    }
  })
  if (!isEnabled) return legacy
  const filled = { value: '', ...field, name, ...(description !== '' && { description }) }
  return { ...legacy, form: { field: filled, isPlaceholder: false } }
}

/** w:checkBox (17.16.7). */
function legacyCheck(cursor: XmlCursor): boolean {
  let initial = false
  let checked: boolean | undefined
  cursor.each((child) => {
    if (child === 'w:default') initial = onOff(cursor)
    else if (child === 'w:checked') checked = val(cursor) === undefined ? true : onOff(cursor)
  })
  return checked ?? initial
}

/** w:ddList (17.16.9). */
function legacyList(cursor: XmlCursor): { readonly options: readonly string[]; readonly choice?: string } {
  const options: string[] = []
  let chosen: number | undefined
  cursor.each((child) => {
    const text = val(cursor) ?? ''
    if (child === 'w:listEntry' && options.length < maxEntries) options.push(text)
    else if (child === 'w:result') chosen = Number.parseInt(text, 10)
    else if (child === 'w:default') chosen ??= Number.parseInt(text, 10)
  })
  const choice = options[chosen ?? 0] ?? options[0]
  return { options, ...(choice !== undefined && { choice }) }
}

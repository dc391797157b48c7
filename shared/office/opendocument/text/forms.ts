import type { Paragraph } from '../../../document/content.ts'
import type { DrawingContent } from '../../../document/drawing.ts'
import type { FormField } from '../../../document/form-field.ts'
import type { RunProperties } from '../../../document/properties.ts'
import { entryOf } from '../../../entry-of.ts'
import { type FormControl, type OdfPartContext, warn } from './part-context.ts'

/** Maximum number of controls of a document. */
const maxControls = 20_000

/** Control elements to the way they are drawn. */
const kinds: Readonly<Record<string, FormControl['kind']>> = {
  'form:button': 'button',
  'form:text': 'field',
  'form:formatted-text': 'field',
  'form:number': 'field',
  'form:date': 'field',
  'form:time': 'field',
  'form:combobox': 'field',
  'form:listbox': 'lines',
  'form:file': 'field',
  'form:textarea': 'lines',
  'form:checkbox': 'choice',
  'form:radio': 'choice',
  'form:fixed-text': 'label',
  'form:frame': 'label',
}

/** Reads office:forms, on which the cursor stands, into `Shared.controls` by control id. */
export function readForms(part: OdfPartContext): void {
  const { cursor, shared } = part
  const visit = (name: string): void => {
    if (name === 'form:form' || name === 'office:forms') {
      cursor.each(visit)
      return
    }
    const kind = entryOf(kinds, name)
    const id = cursor.attribute('xml:id') ?? cursor.attribute('form:id')
    if (kind === undefined || id === undefined || shared.controls.size >= maxControls) return
    shared.controls.set(id, readControl(part, name, kind))
  }
  cursor.each(visit)
}

/** Label, value and state of a control. Current values take precedence over default ones. */
function readControl(part: OdfPartContext, name: string, kind: FormControl['kind']): FormControl {
  const { cursor } = part
  const field = fieldOf(part, name)
  const state = cursor.attribute('form:current-state') ?? cursor.attribute('form:state')
  const chosen = cursor.attribute('form:current-selected') ?? cursor.attribute('form:selected')
  const label = cursor.attribute('form:label')
  const value = cursor.attribute('form:current-value') ?? cursor.attribute('form:value')
  const dropdown = cursor.attribute('form:dropdown') === 'true'
  let shownText: string | undefined
  const lines: string[] = []
  const options: string[] = []
  cursor.each((child) => {
    if (child === 'text:p') lines.push(cursor.text())
    else if (child === 'form:properties') shownText = readShownText(cursor)
    else if (child === 'form:item') options.push(cursor.attribute('form:label') ?? '')
    else if (child === 'form:option') {
      options.push(cursor.attribute('form:label') ?? '')
      const selected = cursor.attribute('form:current-selected') ?? cursor.attribute('form:selected')
      if (!dropdown || selected === 'true') lines.push(cursor.attribute('form:label') ?? '')
    }
  })
  const showsLines = name === 'form:listbox' || (name === 'form:textarea' && lines.length > 0)
  const text =
    kind === 'field' || kind === 'lines'
      ? showsLines
        ? lines.join('\n')
        : (timed(name, shownText) ?? value ?? '')
      : (label ?? '')
  const shown = { kind: dropdown ? ('field' as const) : kind, text }
  if (field === undefined) return shown
  const isChecked = state === 'checked' || chosen === 'true'
  const pressed = kind === 'choice' ? { value: value ?? '', isChecked } : { value: text }
  return { ...shown, field: { ...field, ...pressed, ...(field.kind === 'choice' && { options }) } }
}

/** The text that LibreOffice last showed in a control, from form:properties, on which the cursor stands. */
function readShownText(cursor: OdfPartContext['cursor']): string | undefined {
  let text: string | undefined
  cursor.each(() => {
    if (cursor.attribute('form:property-name') === 'Text') text = cursor.attribute('office:string-value')
  })
  return text
}

/** That text for times and dates, whose values are numbers of digits without separators; undefined for other controls. */
const timed = (name: string, text: string | undefined): string | undefined =>
  (name === 'form:time' || name === 'form:date') && text !== undefined && text !== '' ? text : undefined

/** Control elements to the fields that readers of a PDF can fill. A file cannot be chosen there. */
const fieldKinds: Readonly<Record<string, FormField['kind']>> = {
  'form:text': 'text',
  'form:textarea': 'text',
  'form:formatted-text': 'text',
  'form:number': 'text',
  'form:date': 'text',
  'form:time': 'text',
  'form:combobox': 'choice',
  'form:listbox': 'choice',
  'form:checkbox': 'check',
  'form:radio': 'radio',
}

/** What the attributes of a control say about its field; undefined where there is none (ODF 1.3 part 3, 19.260 to 19.330). */
function fieldOf({ cursor }: OdfPartContext, name: string): Omit<FormField, 'value'> | undefined {
  const kind = entryOf(fieldKinds, name)
  if (kind === undefined) return undefined
  const description = cursor.attribute('form:title')
  const maxLength = Number(cursor.attribute('form:max-length'))
  const is = (attribute: string): boolean => cursor.attribute(attribute) === 'true'
  return {
    kind,
    name: cursor.attribute('form:name') ?? '',
    ...(description !== undefined && description !== '' && { description }),
    ...(kind === 'choice' && { dropsDown: is('form:dropdown') || name === 'form:combobox' }),
    ...(name === 'form:combobox' && { takesText: true }),
    ...(name === 'form:textarea' && { isMultiline: true }),
    ...((is('form:readonly') || is('form:disabled')) && { isReadOnly: true }),
    ...(is('form:input-required') && { isRequired: true }),
    ...(maxLength > 0 && { maxLength }),
  }
}

/** Text style of controls without one of their own, like the user interface of LibreOffice. */
const defaultTextStyle: RunProperties = {
  fonts: { ascii: 'Liberation Sans', other: 'Liberation Sans' },
  size: 8,
  color: '000000',
}

/** The width of a check box or a radio button before its label, and the space beside the text of a field, in pt. Observed in LibreOffice. */
const buttonSpace = 18
const fieldPadding = 4

/** Draws draw:control, on which the cursor stands, as a shape with its label or value. */
export function controlShape(part: OdfPartContext): DrawingContent {
  const { cursor, shared, styles, scope } = part
  const control = shared.controls.get(cursor.attribute('draw:control') ?? '')
  if (control === undefined) {
    warn(shared, 'read.object', 'A form field is drawn as an empty box.')
    return { kind: 'unknown', what: 'control' }
  }
  const { kind, field } = control
  const style = styles.find(scope, 'paragraph', cursor.attribute('draw:text-style-name'))
  const controlStyle = style?.run ?? {}
  const textStyle: RunProperties = { ...defaultTextStyle, ...controlStyle }
  const align = style?.paragraph.align ?? (kind === 'button' ? 'center' : 'left')
  const blocks = control.text.split('\n').map(
    (text): Paragraph => ({
      kind: 'paragraph',
      properties: {
        align,
        indent: { start: 0, end: 0, first: 0 },
        spaceBefore: 0,
        spaceAfter: 0,
        line: { rule: 'multiple', value: 1 },
      },
      mark: textStyle,
      inlines: text === '' ? [] : [{ kind: 'text', text, run: textStyle }],
    }),
  )
  const framed = kind === 'button' || kind === 'field' || kind === 'lines'
  return {
    kind: 'shape',
    geometry: { kind: 'preset', name: 'rect', adjust: new Map() },
    ...(framed && {
      fill: kind === 'button' ? 'DFDFDF' : 'FFFFFF',
      stroke: { color: '808080', width: 0.5, dash: 'solid' as const },
    }),
    ...(field !== undefined && { field }),
    text: {
      blocks,
      insets: {
        top: 1,
        right: fieldPadding,
        bottom: 1,
        left: kind === 'choice' ? buttonSpace : fieldPadding,
      },
      align: kind === 'lines' ? 'top' : 'center',
      grows: false,
      direction: 'horizontal',
      wraps: kind !== 'field',
    },
  }
}

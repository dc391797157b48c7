import type { Paragraph } from '../../../document/content.ts'
import type { DrawingContent } from '../../../document/drawing.ts'
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
  'form:checkbox': 'box',
  'form:radio': 'round',
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
function readControl({ cursor }: OdfPartContext, name: string, kind: FormControl['kind']): FormControl {
  const state = cursor.attribute('form:current-state') ?? cursor.attribute('form:state')
  const chosen = cursor.attribute('form:current-selected') ?? cursor.attribute('form:selected')
  const label = cursor.attribute('form:label')
  const value = cursor.attribute('form:current-value') ?? cursor.attribute('form:value')
  const dropdown = cursor.attribute('form:dropdown') === 'true'
  const lines: string[] = []
  cursor.each((child) => {
    if (child === 'text:p') lines.push(cursor.text())
    else if (child === 'form:option') {
      const selected = cursor.attribute('form:current-selected') ?? cursor.attribute('form:selected')
      if (!dropdown || selected === 'true') lines.push(cursor.attribute('form:label') ?? '')
    }
  })
  const showsLines = name === 'form:listbox' || (name === 'form:textarea' && lines.length > 0)
  const text =
    kind === 'field' || kind === 'lines' ? (showsLines ? lines.join('\n') : (value ?? '')) : (label ?? '')
  return {
    kind: dropdown ? 'field' : kind,
    text,
    checked: state === 'checked' || chosen === 'true',
  }
}

/** Text style of controls without one of their own, like the user interface of LibreOffice. */
const defaultTextStyle: RunProperties = {
  fonts: { ascii: 'Liberation Sans', other: 'Liberation Sans' },
  size: 8,
  color: '000000',
}

/** Draws draw:control, on which the cursor stands, as a shape with its label or value. */
export function controlShape(part: OdfPartContext): DrawingContent {
  const { cursor, shared, styles, scope } = part
  const control = shared.controls.get(cursor.attribute('draw:control') ?? '')
  if (control === undefined) {
    warn(shared, 'read.object', 'A form field is drawn as an empty box.')
    return { kind: 'unknown', what: 'control' }
  }
  const { kind, checked } = control
  const style = styles.find(scope, 'paragraph', cursor.attribute('draw:text-style-name'))
  const controlStyle = style?.run ?? {}
  const textStyle: RunProperties = { ...defaultTextStyle, ...controlStyle }
  const sign =
    kind === 'box'
      ? checked
        ? '\u2611 '
        : '\u2610 '
      : kind === 'round'
        ? checked
          ? '\u25c9 '
          : '\u25cb '
        : ''
  const align = style?.paragraph.align ?? (kind === 'button' ? 'center' : 'left')
  const blocks = (sign + control.text).split('\n').map(
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
    text: {
      blocks,
      insets: { top: 1, right: 2, bottom: 1, left: 2 },
      align: kind === 'lines' ? 'top' : 'center',
      grows: false,
      direction: 'horizontal',
      wraps: kind !== 'field',
    },
  }
}

import {
  emptyOf,
  enteredValue,
  type FormField,
  formOf,
  textOf,
  type ValuePath,
  withValue,
} from '../model/form.ts'
import type { Session } from '../session.ts'
import { fillList, freshId, h } from './dom.ts'
import { loadedModel } from './loaded-model.ts'

/** The data as a form, with a field for each name that the template reads. */
export function createDataForm(session: Session): { readonly node: HTMLElement; readonly shown: () => void } {
  const note = h('p', { class: 'note', role: 'status' })
  const list = h('div', { class: 'data-form' })
  const node = h('div', { class: 'section padded' }, note, list)
  let isOurs = false // whether the data change because of an entry in this form, whose field is already up to date
  const model = loadedModel(session, draw)
  session.listen((parts) => {
    if (parts.has('model') || parts.has('template') || (parts.has('options') && !isOurs)) draw()
    if (parts.has('model') && list.checkVisibility()) model.load()
  })
  draw()
  return { node, shown: model.load }

  function draw(): void {
    const fields = formOf(session.state.model?.schema, session.state.options.data)
    fillList(list, ...fields.map(row))
    note.textContent = model.note(fields.length === 0)
    note.hidden = note.textContent === ''
  }

  function change(path: ValuePath, value: unknown): void {
    session.setOptions({ data: withValue(session.state.options.data, path, value) })
  }

  function row(field: FormField): HTMLElement {
    if (field.kind === 'value') return entry(field)
    const { name, path } = field
    if (field.kind === 'group')
      return h('fieldset', {}, h('legend', {}, name), ...field.fields.map(row), removal(field))
    const { items, more, itemSchema } = field
    const key = `add ${path.join('.')}`
    const add = h(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'data-key': key,
        on: { click: () => addItem(path, itemSchema) },
      },
      `Add to ${name}`,
    )
    return h(
      'fieldset',
      {},
      h('legend', {}, name),
      ...items.map(row),
      more > 0 && h('p', { class: 'note' }, `${more} more are in the JSON.`),
      more === 0 && add,
    )
  }

  function addItem(path: ValuePath, itemSchema: unknown): void {
    const before = path.reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
      session.state.options.data,
    )
    change(path, [...(Array.isArray(before) ? (before as readonly unknown[]) : []), emptyOf(itemSchema)])
  }

  /** The button that removes an item of a list. */
  function removal({ name, path }: FormField): HTMLElement | undefined {
    if (typeof path.at(-1) !== 'number') return undefined
    const list = path.slice(0, -1).join('.')
    return h(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'data-key': `remove ${path.join('.')}`,
        'data-instead': `add ${list}`,
        on: { click: () => change(path, undefined) },
      },
      `Remove ${name}`,
    )
  }

  function entry(field: Extract<FormField, { kind: 'value' }>): HTMLElement {
    const { name, path, input, value } = field
    const id = freshId()
    const problem = h('small', { id: `${id}-problem`, role: 'status' })
    const control = controlOf(field)
    control.id = id
    control.dataset['key'] = path.join('.')
    control.setAttribute('aria-describedby', problem.id)
    control.addEventListener('input', () => {
      try {
        const entered = enteredValue(control.value, { input, value })
        problem.textContent = ''
        control.setAttribute('aria-invalid', 'false')
        isOurs = true
        change(path, entered)
      } catch (error) {
        problem.textContent = error instanceof Error ? error.message : String(error)
        control.setAttribute('aria-invalid', 'true')
      } finally {
        isOurs = false
      }
    })
    return h('div', { class: 'field' }, h('label', { for: id }, name), control, problem, removal(field))
  }
}

function controlOf({
  input,
  value,
}: Extract<FormField, { kind: 'value' }>): HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement {
  const text = textOf(value)
  if (input === 'boolean') {
    const select = h(
      'select',
      {},
      h('option', { value: '' }, '–'),
      ...['true', 'false'].map((name) => h('option', { value: name }, name)),
    )
    select.value = text
    return select
  }
  if (text.includes('\n')) {
    const area = h('textarea', { rows: '3' })
    area.value = text
    return area
  }
  return h('input', { type: 'text', value: text, ...(input === 'number' && { inputmode: 'decimal' }) })
}

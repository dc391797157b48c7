import { type DataField, fieldsOf } from '../model/fields.ts'
import type { Session } from '../session.ts'
import { fill, h } from './dom.ts'
import { loadedModel } from './loaded-model.ts'

/**
 * The panel of names that the template reads, with their types. A click inserts the tag into a template of text, and copies
 * it for any other. Rows can be dragged into other programs.
 */
export function createFieldsPanel(
  session: Session,
  insert: (tag: string) => void,
): {
  readonly node: HTMLElement
  readonly shown: () => void
} {
  const list = h('ul', { class: 'fields' })
  const note = h('p', { class: 'note', role: 'status' })
  const model = loadedModel(session, draw)
  session.listen((parts) => {
    if (parts.has('model') || parts.has('template')) draw()
    if (parts.has('model') && list.checkVisibility()) model.load()
  })
  draw()
  return { node: h('div', { class: 'panel padded' }, note, list), shown: model.load }

  function draw(): void {
    const { schema, complementSchema } = session.state.model ?? {}
    const rows = [...fieldsOf(schema, 'd'), ...fieldsOf(complementSchema, 'c')]
    fill(list, ...rows.map(row))
    note.textContent = model.note(rows.length === 0)
    note.hidden = note.textContent === ''
  }

  function row({ path, name, kind, depth }: DataField): HTMLElement {
    const tag = `{${path}}`
    const copied = h('span', { class: 'note', role: 'status' })
    const copy = () => {
      void navigator.clipboard?.writeText(tag).then(
        () => {
          copied.textContent = 'copied'
          setTimeout(() => (copied.textContent = ''), 1500)
        },
        () => undefined,
      )
    }
    const inserts = session.state.template?.kind.editable === true
    const button = h(
      'button',
      {
        type: 'button',
        class: 'row',
        draggable: 'true',
        title: `${inserts ? 'Insert' : 'Copy'} ${tag}`,
        on: {
          click: inserts ? () => insert(tag) : copy,
          dragstart: (event) => event.dataTransfer?.setData('text/plain', tag),
        },
      },
      h('span', { class: 'name' }, name),
      h('span', { class: 'note' }, kind),
      h('code', {}, tag),
    )
    const item = h('li', {}, button, copied)
    item.style.setProperty('--depth', String(depth))
    return item
  }
}

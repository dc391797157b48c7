import { completionsAt } from '../model/completion.ts'
import { readJson, writeJson } from '../model/json-text.ts'
import { nearestName } from '../model/locate.ts'
import type { Session } from '../session.ts'
import { createDataForm } from './data-form.ts'
import { confirmLoss } from './dialogs.ts'
import { h } from './dom.ts'
import { createEditor } from './editor.ts'
import { createTabs } from './tabs.ts'

const sections = [
  { name: 'data', label: 'data', placeholder: '{ "customer": { "name": "Ann" } }' },
  { name: 'complement', label: 'complement', placeholder: '{ "company": "for {c.…} tags" }' },
  { name: 'enum', label: 'enum', placeholder: '{ "STATUS": ["open", "paid"] }' },
  { name: 'translations', label: 'translations', placeholder: '{ "fr-fr": { "Hello": "Bonjour" } }' },
] as const
const replacing = {
  title: 'Replace the data?',
  action: 'Replace them',
  description: 'The service makes up data that fits the template, and replaces what you typed.',
}
type PanelSection = (typeof sections)[number]['name']

/**
 * The editors of the data, as JSON and as a form. While a text is not valid JSON it is marked, and the last valid value
 * stays in use.
 */
export function createDataPanel(session: Session): {
  readonly node: HTMLElement
  /**
   * Shows the editor of `path`, 'd.customer' or 'c.company', and selects the last name of the path that the data
   * contain.
   */
  readonly goTo: (path: string) => void
} {
  /** The values that the editors show. A different value of an option was set elsewhere. */
  const shown = new Map<PanelSection, unknown>()
  const editors = new Map(
    sections.map(({ name, label, placeholder }) => [
      name,
      createEditor({
        label: `${label}, JSON`,
        language: 'json',
        placeholder,
        onInput: () => typed(name),
        complete: (text, offset) => completionsAt(text, offset, schemaOf(name)),
      }),
    ]),
  )
  let current: PanelSection = 'data'
  const form = createDataForm(session)
  const tabs = createTabs('Parts of the data', [
    ...sections.map(({ name, label }) => ({
      name,
      label,
      panel: h('div', { class: 'section' }, editors.get(name)?.node),
      shown: () => {
        current = name
      },
    })),
    { name: 'form', label: 'form', panel: form.node, shown: form.shown },
  ])
  tabs.list.classList.add('small')
  const format = h(
    'button',
    { type: 'button', class: 'quiet', title: 'Format the JSON', on: { click: tidy } },
    'Format',
  )
  const sample = h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      title: 'Use made-up data that fits the template',
      on: { click: () => void takeSample() },
    },
    'Sample',
  )
  session.listen((parts) => {
    if (parts.has('options')) follow()
    if (parts.has('template')) sample.disabled = session.state.template === undefined
  })
  sample.disabled = true
  follow()
  const panel = h(
    'div',
    { class: 'panel data-panel' },
    h('div', { class: 'strip wrapping' }, tabs.list, h('span', { class: 'actions' }, sample, format)),
    ...tabs.panels,
  )
  return { node: panel, goTo }

  function goTo(path: string): void {
    const name = path.startsWith('c') ? 'complement' : 'data'
    tabs.select(name)
    const editor = editors.get(name)
    const { start, end } = nearestName(editor?.text() ?? '', path)
    editor?.select(start, end)
  }

  /** The schema of a section; completion is unavailable until it is loaded. */
  function schemaOf(name: PanelSection): unknown {
    void session.loadModel().catch(() => undefined)
    const { model } = session.state
    if (name === 'data') return model?.schema
    return name === 'complement' ? model?.complementSchema : undefined
  }

  function typed(name: PanelSection): void {
    const editor = editors.get(name)
    if (editor === undefined) return
    const read = readJson(editor.text())
    const wrong = read.ok ? wrongKind(name, read.value) : read.error
    editor.mark(wrong)
    tabs.flag(name, wrong === undefined ? undefined : 'cannot be used')
    if (!read.ok || wrong !== undefined) return
    shown.set(name, read.value)
    session.setOptions({ [name]: read.value })
  }

  function follow(): void {
    for (const { name } of sections) {
      const value = session.state.options[name]
      if (shown.get(name) === value) continue
      shown.set(name, value)
      const editor = editors.get(name)
      editor?.set(writeJson(value))
      editor?.mark(undefined)
      tabs.flag(name, undefined)
    }
  }

  async function takeSample(): Promise<void> {
    if (session.hasOwnData && !(await confirmLoss(panel, replacing))) return
    await session.useSample().catch(() => undefined)
  }

  function tidy(): void {
    const editor = editors.get(current)
    const read = readJson(editor?.text() ?? '')
    if (read.ok) editor?.replace(writeJson(read.value))
  }
}

function wrongKind(name: PanelSection, value: unknown) {
  const fits =
    value === undefined ||
    (typeof value === 'object' && value !== null && (name === 'data' || !Array.isArray(value)))
  const expectation = name === 'data' ? 'This must be an object or an array.' : 'This must be an object.'
  return fits ? undefined : { message: expectation, offset: 0, line: 1, column: 1 }
}

/** The editor for text templates. */
export function createTextPanel(session: Session): {
  readonly node: HTMLElement
  readonly select: (start: number, end: number) => void
  readonly insert: (text: string) => void
} {
  const editor = createEditor({
    label: 'Text of the template',
    language: 'text',
    onInput: () => session.setText(editor.text()),
  })
  session.listen((parts) => {
    if (!parts.has('content')) return
    const { template } = session.state
    const editable = template?.kind.editable === true
    editor.set(editable ? new TextDecoder().decode(template.bytes) : '')
  })
  return { node: h('div', { class: 'panel' }, editor.node), select: editor.select, insert: editor.insert }
}

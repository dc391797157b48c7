import type { Theme } from '../model/config.ts'
import { acceptedFiles } from '../model/files.ts'
import { readJson } from '../model/json-text.ts'
import type { Session } from '../session.ts'
import type { State } from '../state.ts'
import { loadLibrary, loadVersions } from '../stored.ts'
import { createDataPanel, createTextPanel } from './data-panel.ts'
import { confirmLoss, openSave, openToken } from './dialogs.ts'
import { fill, h, show } from './dom.ts'
import { createFieldsPanel } from './fields-panel.ts'
import { icon } from './icons.ts'
import { createLibrary, createVersionsPanel } from './library.ts'
import { createOptionsPanel } from './options-panel.ts'
import { createPreview } from './preview.ts'
import { createProblems } from './problems.ts'
import { createTabs } from './tabs.ts'
import { watchFile } from './watched-file.ts'

type View = 'library' | 'input' | 'output'

export interface Workbench {
  readonly node: HTMLElement
  destroy(): void
}

/** The whole studio over a session: what is stored on the left, what goes in, what comes out. */
export function createWorkbench(session: Session, tokenGiven: (token: string) => void): Workbench {
  const { state } = session
  const watcher = watchFile((name, bytes) => void session.takeFile(name, bytes).catch(() => undefined))
  const chooser = h('input', {
    type: 'file',
    class: 'hidden',
    tabindex: '-1',
    'aria-label': 'Template file',
    accept: acceptedFiles,
    on: { change: () => void chosen() },
  })
  const title = h('div', { class: 'title' })
  const openFile = h(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': 'Open file', on: { click: () => void choose() } },
    icon('folder'),
    h('span', {}, 'Open file'),
  )
  const saving = h(
    'button',
    {
      type: 'button',
      class: 'primary',
      'aria-label': 'Save',
      title: 'Save (Ctrl+S)',
      on: { click: () => void openSave(node, session) },
    },
    icon('save'),
    h('span', {}, 'Save'),
  )
  const theme = h(
    'button',
    {
      type: 'button',
      class: 'icon-button',
      'aria-label': 'Light or dark',
      title: 'Light or dark',
      on: { click: () => switchTheme() },
    },
    icon('theme'),
  )
  const fields = createFieldsPanel(session)
  const tabs = createTabs('Input', [
    { name: 'data', label: 'Data', panel: createDataPanel(session) },
    { name: 'text', label: 'Template', panel: createTextPanel(session) },
    { name: 'options', label: 'Options', panel: createOptionsPanel(session) },
    { name: 'fields', label: 'Fields', panel: fields.node, shown: fields.shown },
    {
      name: 'versions',
      label: 'Versions',
      panel: createVersionsPanel(session, (ref) => void openStored(ref)),
      shown: () => void loadVersions(session),
    },
  ])
  const preview = createPreview(session)
  const library = createLibrary(session, (ref) => void openStored(ref))
  const welcome = h(
    'div',
    { class: 'welcome' },
    icon('drop'),
    h('h2', {}, 'Drop a template here'),
    h('p', { class: 'note' }, 'Word, Excel, PowerPoint, OpenDocument, HTML, Markdown, PDF forms, text'),
    h('button', { type: 'button', class: 'primary', on: { click: () => void choose() } }, 'Choose a file'),
  )
  const output = h(
    'section',
    { class: 'output', 'aria-label': 'Preview' },
    welcome,
    preview.node,
    createProblems(session),
  )
  const views: readonly (readonly [View, string])[] = [
    ['library', 'Templates'],
    ['input', 'Data'],
    ['output', 'Preview'],
  ]
  const switches = new Map(
    views.map(([view, label]) => [
      view,
      h('button', { type: 'button', on: { click: () => look(view) } }, label),
    ]),
  )
  const drop = h('div', { class: 'drop', 'aria-hidden': 'true' }, icon('drop'), 'Drop it')
  const node = h(
    'div',
    {
      class: 'studio',
      on: {
        dragover: (event) => over(event),
        dragleave: (event) => {
          if (!node.contains(event.relatedTarget as Node | null)) node.classList.remove('dragging')
        },
        drop: (event) => void dropped(event),
        keydown: (event) => pressed(event),
      },
    },
    h('header', { class: 'bar' }, title, h('span', { class: 'push' }), openFile, saving, theme, chooser),
    h(
      'div',
      { class: 'panes' },
      library,
      h('section', { class: 'input', 'aria-label': 'Input' }, tabs.list, ...tabs.panels),
      output,
    ),
    h('nav', { class: 'switch', 'aria-label': 'Parts of the studio' }, ...switches.values()),
    drop,
  )
  let asking = false
  session.listen((parts) => {
    if (parts.has('config')) configured()
    if (parts.has('template') || parts.has('preview')) drawTemplate()
    if (parts.has('needsToken')) void askToken()
    if (parts.has('content') && state.config.mode !== 'embedded') void loadVersions(session)
  })
  look('output')
  configured()
  drawTemplate()
  return {
    node,
    destroy() {
      watcher.stop()
      preview.destroy()
    },
  }

  function configured(): void {
    const { mode, theme: wanted } = state.config
    const alone = mode === 'standalone'
    node.dataset['theme'] = wanted
    node.dataset['mode'] = mode
    show(library, alone)
    show(theme, alone)
    show(saving, mode !== 'embedded')
    show(switches.get('library')!, alone)
    drawTemplate()
    if (alone && state.library === undefined) void loadLibrary(session)
  }

  function offerTabs(): void {
    const versions = state.config.mode !== 'embedded' && state.template?.stored?.id != null
    const text = state.template?.kind.editable === true
    tabs.offer(['data', ...(text ? ['text'] : []), 'options', 'fields', ...(versions ? ['versions'] : [])])
  }

  function drawTemplate(): void {
    const { template, preview: now } = state
    offerTabs()
    show(welcome, template === undefined && now.kind !== 'failed')
    show(preview.node, template !== undefined || now.kind === 'failed')
    saving.disabled = template === undefined
    if (template === undefined) watcher.stop()
    const { kind, name = 'platen studio' } = template ?? {}
    fill(
      title,
      kind !== undefined && h('span', { class: 'badge', 'data-type': kind.type }, kind.type || '?'),
      h('h1', {}, name || 'Untitled'),
      template !== undefined && h('span', { class: 'note' }, standingOf(state)),
    )
  }

  function look(view: View): void {
    node.dataset['view'] = view
    for (const [name, button] of switches) button.setAttribute('aria-pressed', String(name === view))
  }

  async function openStored(ref: string): Promise<void> {
    if (!(await mayLeave())) return
    look('output')
    watcher.stop()
    // Why it does not open stands where the preview would be.
    await session.openStored(ref).catch(() => undefined)
  }

  async function mayLeave(): Promise<boolean> {
    return state.config.mode === 'embedded' || state.template?.changed !== true || confirmLoss(node)
  }

  async function choose(): Promise<void> {
    const watched = await watcher.choose()
    if (watched === 'not here') chooser.click()
    else if (watched !== undefined) look('output')
  }

  async function chosen(): Promise<void> {
    const [file] = chooser.files ?? []
    if (file === undefined) return
    await take(file)
    chooser.value = ''
  }

  /** A file of JSON is data, any other a template. */
  async function take(file: File): Promise<void> {
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (/\.json$/i.test(file.name)) {
      const read = readJson(new TextDecoder().decode(bytes))
      if (read.ok && typeof read.value === 'object' && read.value !== null)
        session.setOptions({ data: read.value })
      return
    }
    look('output')
    watcher.stop()
    await session.takeFile(file.name, bytes).catch(() => undefined)
  }

  function over(event: DragEvent): void {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    node.classList.add('dragging')
  }

  async function dropped(event: DragEvent): Promise<void> {
    node.classList.remove('dragging')
    const [file] = event.dataTransfer?.files ?? []
    if (file === undefined) return
    event.preventDefault()
    const watching = /\.json$/i.test(file.name) ? undefined : watcher.watchDropped(event.dataTransfer!)
    await take(file)
    await watching
  }

  function pressed(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey)) return
    if (event.key === 'Enter') void session.renew()
    else if (event.key === 's' && !saving.hidden && !saving.disabled) void openSave(node, session)
    else return
    event.preventDefault()
  }

  function switchTheme(): void {
    const dark = getComputedStyle(node).colorScheme === 'dark'
    const next: Theme = dark ? 'light' : 'dark'
    session.configure({ ...state.config, theme: next })
  }

  async function askToken(): Promise<void> {
    if (!state.needsToken || asking || state.config.mode !== 'standalone') return
    asking = true
    const given = await openToken(node, tokenGiven).finally(() => {
      asking = false
    })
    if (given) void loadLibrary(session)
  }
}

/** How the open template stands to what is stored, in a few words. */
function standingOf({ template, config }: State): string {
  const { stored, changed = false } = template ?? {}
  if (config.mode === 'embedded') return changed ? 'changed' : ''
  if (stored === undefined) return 'not saved'
  const version = stored.versionId === '' ? 'saved' : `version ${stored.versionId.slice(0, 8)}`
  return changed ? `${version}, changed since` : version
}

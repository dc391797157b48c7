import type { ProblemTarget } from '../model/locate.ts'
import type { Session } from '../session.ts'
import { loadLibrary, loadVersions } from '../stored.ts'
import { createBatchPanel } from './batch-panel.ts'
import { createCasesPanel } from './cases-panel.ts'
import { createDataPanel, createTextPanel } from './data-panel.ts'
import { openSave, openToken } from './dialogs.ts'
import { h, show } from './dom.ts'
import { createFieldsPanel } from './fields-panel.ts'
import { createHeader } from './header.ts'
import { icon } from './icons.ts'
import { createIntake, type Intake } from './intake.ts'
import { createLibrary, createVersionsPanel } from './library.ts'
import { createNotice } from './notice.ts'
import { createOptionsPanel } from './options-panel.ts'
import { createPreview } from './preview.ts'
import { createProblems } from './problems.ts'
import { rememberToken } from './remembered.ts'
import { createTabs, type Tabs } from './tabs.ts'

export interface Workbench {
  readonly node: HTMLElement
  destroy(): void
}

/** The parts of the studio. A narrow window shows one at a time. */
const views = { library: 'Templates', input: 'Data', output: 'Preview' } as const
type ViewName = keyof typeof views

/** The complete studio for a session: from left to right stored templates, input and preview. */
export function createWorkbench(session: Session): Workbench {
  const { state } = session
  const node = h('div', { class: 'studio' })
  const notice = createNotice()
  const intake = createIntake(session, { root: () => node, notice, onOpened: () => showView('output') })
  const save = () => void openSave(node, session)
  const header = createHeader(session, { open: () => void intake.choose(), save })
  const { tabs, goTo } = createInput(session, intake)
  const preview = createPreview(session)
  const library = createLibrary(session, (ref) => void intake.openStored(ref))
  const welcome = createWelcome(intake)
  const switches = new Map(
    Object.entries(views).map(([view, label]) => [
      view,
      h('button', { type: 'button', on: { click: () => showView(view as ViewName) } }, label),
    ]),
  )
  const input = h('section', { class: 'input', 'aria-label': 'Input' }, tabs.list, ...tabs.panels)
  const problems = createProblems(session, (target) => {
    showView('input')
    goTo(target)
  })
  const output = h('section', { class: 'output', 'aria-label': 'Preview' }, welcome, preview.node, problems)
  node.append(
    h('div', {}, header.node, notice.node),
    intake.chooser,
    h('div', { class: 'panes' }, library, input, output),
    h('nav', { class: 'switch', 'aria-label': 'Parts of the studio' }, ...switches.values()),
    h('div', { class: 'drop', 'aria-hidden': 'true' }, icon('drop'), 'Drop it'),
  )
  takeDrops(node, intake)
  node.addEventListener('keydown', pressed)
  const askToken = createTokenQuestion(session, node)
  session.listen((parts) => {
    if (parts.has('config')) configured()
    if (parts.has('template') || parts.has('preview')) drawTemplate()
    if (parts.has('needsToken')) void askToken()
    if (parts.has('content') && state.config.mode !== 'embedded') void loadVersions(session)
  })
  showView('output')
  configured()
  return {
    node,
    destroy() {
      intake.stop()
      preview.destroy()
    },
  }

  function configured(): void {
    const { mode, theme } = state.config
    const isStandalone = mode === 'standalone'
    node.dataset['theme'] = theme
    node.dataset['mode'] = mode
    show(library, isStandalone)
    const librarySwitch = switches.get('library')
    if (librarySwitch !== undefined) show(librarySwitch, isStandalone)
    drawTemplate()
    if (isStandalone && state.library === undefined) void loadLibrary(session)
  }

  function drawTemplate(): void {
    const { template, preview: now, config } = state
    const nothing = template === undefined && now.kind !== 'failed'
    const focused = welcome.matches(':focus-within')
    show(welcome, nothing)
    if (focused && !nothing) header.focus()
    show(preview.node, !nothing)
    const text = template?.kind.editable === true
    const versions = config.mode !== 'embedded' && typeof template?.stored?.id === 'string'
    tabs.offer([
      'data',
      ...(text ? ['text'] : []),
      'options',
      'fields',
      'batch',
      ...(versions ? ['versions', 'cases'] : []),
    ])
    if (template === undefined) intake.stop()
  }

  function showView(view: ViewName): void {
    node.dataset['view'] = view
    for (const [name, button] of switches) button.setAttribute('aria-pressed', String(name === view))
  }

  function pressed(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey)) return
    if (event.key === 'Enter') void session.renew()
    else if (event.key === 's' && header.canSave()) save()
    else return
    event.preventDefault()
  }
}

/**
 * Asks the user for a token when the service requires one, and only on the service's own page: a site that embeds
 * the studio passes its token itself.
 */
function createTokenQuestion(session: Session, root: HTMLElement): () => Promise<void> {
  const { state } = session
  let isOpen = false
  return async () => {
    if (!state.needsToken || isOpen || state.config.mode !== 'standalone') return
    isOpen = true
    const token = await openToken(root, (token) => {
      rememberToken(token)
      session.configure({ ...state.config, token })
    })
    isOpen = false
    if (token) void loadLibrary(session)
  }
}

function createInput(
  session: Session,
  intake: Intake,
): { readonly tabs: Tabs; readonly goTo: (target: ProblemTarget) => void } {
  const data = createDataPanel(session)
  const text = createTextPanel(session)
  const fields = createFieldsPanel(session, (tag) => {
    tabs.select('text')
    text.insert(tag)
  })
  const batch = createBatchPanel(session)
  const cases = createCasesPanel(session)
  const versions = createVersionsPanel(session, (ref) => void intake.openStored(ref))
  const tabs = createTabs('Input', [
    { name: 'data', label: 'Data', panel: data.node },
    { name: 'text', label: 'Template', panel: text.node },
    { name: 'options', label: 'Options', panel: createOptionsPanel(session) },
    { name: 'fields', label: 'Fields', panel: fields.node, shown: fields.shown },
    { name: 'batch', label: 'Batch', panel: batch.node, shown: batch.shown },
    { name: 'versions', label: 'Versions', panel: versions, shown: () => void loadVersions(session) },
    { name: 'cases', label: 'Cases', panel: cases.node, shown: cases.shown },
  ])
  return { tabs, goTo }

  function goTo(target: ProblemTarget): void {
    tabs.select(target.kind)
    if (target.kind === 'text') text.select(target.start, target.end)
    else data.goTo(target.path)
  }
}

/** Takes the place of the preview while no template is open. */
function createWelcome(intake: Intake): HTMLElement {
  return h(
    'div',
    { class: 'welcome' },
    icon('drop'),
    h('h2', {}, 'Drop a template here'),
    h('p', { class: 'note' }, 'Word, Excel, PowerPoint, OpenDocument, HTML, Markdown, PDF forms, text'),
    h(
      'button',
      { type: 'button', class: 'primary', on: { click: () => void intake.choose() } },
      'Choose a file',
    ),
  )
}

function takeDrops(node: HTMLElement, intake: Intake): void {
  node.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    node.classList.add('dragging')
  })
  node.addEventListener('dragleave', (event) => {
    if (!node.contains(event.relatedTarget as Node | null)) node.classList.remove('dragging')
  })
  node.addEventListener('drop', (event) => {
    node.classList.remove('dragging')
    void intake.dropped(event)
  })
}

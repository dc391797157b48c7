import type { StoredTemplate } from '../model/client.ts'
import { fuzzyScore } from '../model/fuzzy.ts'
import { dateText, sizeText } from '../model/words.ts'
import type { Session } from '../session.ts'
import { deploy, deployedOf, loadLibrary, removeTemplate, removeVersion } from '../stored.ts'
import { openComparison } from './compare-dialog.ts'
import { confirmLoss, mayDeploy, openDetails } from './dialogs.ts'
import { fillList, h } from './dom.ts'
import { icon } from './icons.ts'

/** The list of stored templates with a search field. `open` opens one of them. */
export function createLibrary(session: Session, open: (ref: string) => void): HTMLElement {
  const search = h('input', {
    type: 'search',
    placeholder: 'Search templates',
    'aria-label': 'Search templates',
    on: { input: () => draw() },
  })
  const note = h('p', { class: 'note', role: 'status' })
  const list = h('ul', { class: 'templates' })
  session.listen((parts) => {
    if (parts.has('library') || parts.has('libraryNote') || parts.has('template')) draw()
  })
  const reload = h(
    'button',
    {
      type: 'button',
      class: 'icon-button',
      'aria-label': 'Reload the list',
      title: 'Reload the list',
      on: { click: () => void loadLibrary(session) },
    },
    icon('refresh'),
  )
  draw()
  return h(
    'aside',
    { class: 'library', 'aria-label': 'Stored templates' },
    h('div', { class: 'strip' }, h('div', { class: 'search' }, icon('search'), search), reload),
    note,
    list,
  )

  function draw(): void {
    const { library = [], libraryNote } = session.state
    const templates = library
      .map((template) => ({ template, score: scoreOf(search.value, template) }))
      .filter(({ score }) => score > 0)
    // Without a search the order of the service is kept: the template deployed last comes first.
    if (search.value.trim() !== '') templates.sort((a, b) => b.score - a.score)
    const none = library.length === 0 ? 'No templates are stored yet.' : 'No template has that name.'
    note.textContent =
      libraryNote || (session.state.library !== undefined && templates.length === 0 ? none : '')
    note.hidden = note.textContent === ''
    fillList(list, ...templates.slice(0, maxShown).map(({ template }) => item(template)))
  }

  function item(template: StoredTemplate): HTMLElement {
    const { id, versionId, name, type, size, deployedAt, createdAt, category, tags } = template
    const stored = session.state.template?.stored
    const isOpen = stored !== undefined && (id === null ? stored.versionId === versionId : stored.id === id)
    const details = [dateText(deployedAt || createdAt), sizeText(size), category].filter(Boolean).join(' · ')
    return h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'row',
          'data-key': id ?? versionId,
          'aria-current': isOpen ? 'true' : undefined,
          on: { click: () => open(id ?? versionId) },
        },
        h('span', { class: 'badge', 'data-type': type }, type),
        h('span', { class: 'name' }, name || id || versionId.slice(0, 12)),
        h('span', { class: 'note' }, details),
        tags.length > 0 && h('span', { class: 'tags' }, ...tags.map((tag) => h('span', {}, tag))),
      ),
    )
  }
}

const maxShown = 300

function scoreOf(search: string, { id, versionId, name, tags, category, comment }: StoredTemplate): number {
  const query = search.trim()
  if (query !== '' && (id === query || versionId === query.toLowerCase())) return 1000
  return fuzzyScore(query, name, tags.join(' '), category, comment)
}

/** The list of versions of the open template. */
export function createVersionsPanel(session: Session, open: (ref: string) => void): HTMLElement {
  const list = h('ul', { class: 'templates versions' })
  const note = h('p', { class: 'note', role: 'status' })
  session.listen((parts) => {
    if (parts.has('versions') || parts.has('template') || parts.has('libraryNote')) draw()
  })
  const details = h(
    'button',
    { type: 'button', class: 'quiet', on: { click: () => void openDetails(panel, session) } },
    'Details',
  )
  const removeAll = h(
    'button',
    { type: 'button', class: 'quiet', on: { click: () => void removeAllNow() } },
    'Delete template',
  )
  const panel = h(
    'div',
    { class: 'panel padded' },
    h('div', { class: 'list-actions' }, details, removeAll),
    note,
    list,
  )
  draw()
  return panel

  function draw(): void {
    const { versions, template, libraryNote } = session.state
    const deployed = deployedOf(versions)
    const versionList = { session, panel, open }
    fillList(list, ...versions.map((version) => versionItem(versionList, version, version === deployed)))
    const none = template?.stored === undefined ? 'This template is not stored yet.' : 'It has no versions.'
    note.textContent = libraryNote || (versions.length === 0 ? none : '')
    note.hidden = note.textContent === ''
  }

  async function removeAllNow(): Promise<void> {
    const { template, versions } = session.state
    const count = versions.length === 1 ? 'its version' : `its ${versions.length} versions`
    const description = `“${template?.name ?? ''}” and ${count} cannot be restored. Renders by its Template ID fail from now on.`
    if (
      !(await confirmLoss(panel, {
        title: 'Delete this template?',
        action: 'Delete it',
        description: description,
      }))
    )
      return
    await removeTemplate(session).catch((error: unknown) => {
      session.change({ libraryNote: session.failed(error).message })
    })
  }
}

/** Where a version is listed. */
interface VersionList {
  readonly session: Session
  /** The element that dialogs belong to. */
  readonly panel: HTMLElement
  readonly open: (ref: string) => void
}

/** A version in the list, with what can be done with it. */
function versionItem(versionList: VersionList, version: StoredTemplate, isDeployed: boolean): HTMLElement {
  const { session, open } = versionList
  const { versionId, createdAt, size, comment } = version
  const isOpen = session.state.template?.stored?.versionId === versionId
  return h(
    'li',
    { class: 'with-action' },
    h(
      'button',
      {
        type: 'button',
        class: 'row',
        'data-key': versionId,
        'aria-current': isOpen ? 'true' : undefined,
        on: { click: () => open(versionId) },
      },
      h('span', { class: 'name' }, h('code', {}, versionId.slice(0, 12))),
      h('span', { class: 'note' }, [dateText(createdAt), sizeText(size)].filter(Boolean).join(' · ')),
      comment !== '' && h('span', { class: 'comment' }, comment),
    ),
    !isOpen && compareButton(versionList, version),
    isDeployed
      ? h('span', { class: 'deployed' }, icon('check'), 'Deployed')
      : deployButton(versionList, versionId, isOpen),
    // The open version is closed first, since the displayed template would no longer exist.
    !isOpen && removeButton(versionList, versionId, isDeployed),
  )
}

function deployButton({ session, panel }: VersionList, versionId: string, isOpen: boolean): HTMLElement {
  const button = h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      'data-key': `deploy ${versionId}`,
      'data-instead': versionId,
      on: { click: () => void deployNow() },
    },
    'Deploy',
  )
  const deployNow = async () => {
    if (isOpen && !(await mayDeploy(session, panel))) return
    button.disabled = true
    await deploy(session, versionId).catch((error: unknown) => {
      session.change({ libraryNote: session.failed(error).message })
    })
  }
  return button
}

function compareButton({ session, panel }: VersionList, version: StoredTemplate): HTMLElement {
  const compareNow = async () => {
    const open = session.state.versions.find(
      ({ versionId }) => versionId === session.state.template?.stored?.versionId,
    )
    if (open === undefined) return
    const [from, to] = open.createdAt < version.createdAt ? [open, version] : [version, open]
    await openComparison(panel, session, { from, to })
  }
  return h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      'data-key': `compare ${version.versionId}`,
      title: 'What differs between this version and the open one',
      on: { click: () => void compareNow() },
    },
    'Compare',
  )
}

function removeButton({ session, panel }: VersionList, versionId: string, isDeployed: boolean): HTMLElement {
  const button = h(
    'button',
    {
      type: 'button',
      class: 'icon-button',
      'data-key': `delete ${versionId}`,
      'aria-label': `Delete version ${versionId.slice(0, 12)}`,
      title: 'Delete this version',
      on: { click: () => void removeNow() },
    },
    icon('close'),
  )
  const removeNow = async () => {
    const description = isDeployed
      ? 'It is deployed: renders by its Template ID use the version before it from now on, or fail where there is none.'
      : 'It cannot be restored.'
    const isConfirmed = await confirmLoss(panel, {
      title: 'Delete this version?',
      action: 'Delete it',
      description,
    })
    if (!isConfirmed) return
    button.disabled = true
    await removeVersion(session, versionId).catch((error: unknown) => {
      session.change({ libraryNote: session.failed(error).message })
    })
  }
  return button
}

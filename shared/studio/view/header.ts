import type { Session } from '../session.ts'
import type { StudioState } from '../state.ts'
import { fill, h, show } from './dom.ts'
import { icon } from './icons.ts'
import { rememberTheme } from './remembered.ts'

/** The header: which template is open, and the actions on it. */
export function createHeader(
  session: Session,
  actions: { readonly open: () => void; readonly save: () => void },
): {
  readonly node: HTMLElement
  readonly canSave: () => boolean
  /** Moves the focus to the first action. */
  readonly focus: () => void
} {
  const { state } = session
  const title = h('div', { class: 'title' })
  const open = h(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': 'Open file', on: { click: actions.open } },
    icon('folder'),
    h('span', {}, 'Open file'),
  )
  const save = h(
    'button',
    {
      type: 'button',
      class: 'primary',
      'aria-label': 'Save',
      title: 'Save (Ctrl+S)',
      on: { click: actions.save },
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
  session.listen((parts) => {
    if (parts.has('template') || parts.has('config')) draw()
  })
  draw()
  return {
    node: h('header', { class: 'bar' }, title, h('span', { class: 'push' }), open, save, theme),
    canSave: () => !save.hidden && !save.disabled,
    focus: () => open.focus(),
  }

  function draw(): void {
    const { template, config } = state
    show(save, config.mode !== 'embedded')
    show(theme, config.mode === 'standalone')
    save.disabled = template === undefined
    const { kind, name = 'platen studio' } = template ?? {}
    fill(
      title,
      kind !== undefined && h('span', { class: 'badge', 'data-type': kind.type }, kind.type || '?'),
      h('h1', {}, name || 'Untitled'),
      template !== undefined && h('span', { class: 'note' }, standingOf(state)),
    )
  }

  function switchTheme(): void {
    const { theme: before } = state.config
    const dark = before === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : before === 'dark'
    const next = dark ? 'light' : 'dark'
    rememberTheme(next)
    session.configure({ ...state.config, theme: next })
  }
}

/** The relation of the open template to the stored one, in a few words. */
function standingOf({ template, config }: StudioState): string {
  const { stored, changed = false } = template ?? {}
  if (config.mode === 'embedded') return changed ? 'changed' : ''
  if (stored === undefined) return 'not saved'
  const version = stored.versionId === '' ? 'saved' : `version ${stored.versionId.slice(0, 8)}`
  return changed ? `${version}, changed since` : version
}

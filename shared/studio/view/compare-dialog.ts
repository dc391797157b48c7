import type { Area } from '../../images/changed-areas.ts'
import type { StoredTemplate, VersionDiff } from '../model/client.ts'
import { dateText, pagesText } from '../model/words.ts'
import type { Session } from '../session.ts'
import { fill, h } from './dom.ts'

/** Maximum number of changed pages that are shown; the others are listed by number. */
const maxShownPages = 12
/** Width of the pictures of pages, in pixels. */
const pageWidth = 640

/**
 * Shows the differences between two versions, the older one on the left: tags, words, and the pages that look
 * different.
 */
export function openComparison(
  root: ParentNode & Node,
  session: Session,
  { from, to }: { readonly from: StoredTemplate; readonly to: StoredTemplate },
): Promise<void> {
  const control = new AbortController()
  const addresses: string[] = []
  const body = h('div', { class: 'comparison' }, h('p', { class: 'note', role: 'status' }, 'Comparing…'))
  const close = h(
    'button',
    { type: 'button', class: 'primary', on: { click: () => dialog.close() } },
    'Close',
  )
  const title = 'Compare versions'
  const dialog = h(
    'dialog',
    { 'aria-label': title, class: 'wide' },
    h('h2', {}, title),
    h('div', { class: 'sides' }, versionTitle('Older', from), versionTitle('Newer', to)),
    body,
    h('div', { class: 'buttons' }, close),
  )
  root.append(dialog)
  dialog.showModal()
  void load()
  return new Promise((resolve) =>
    dialog.addEventListener('close', () => {
      control.abort()
      for (const address of addresses) URL.revokeObjectURL(address)
      dialog.remove()
      resolve()
    }),
  )

  async function load(): Promise<void> {
    try {
      const comparison = await session.client.diff(from.versionId, to.versionId, control.signal)
      fill(body, ...described(comparison))
      for (const { page, areas } of (comparison.pages?.changed ?? []).slice(0, maxShownPages))
        body.append(await pagePair(page, areas, comparison))
    } catch (error) {
      if (control.signal.aborted) return
      body.append(h('p', { class: 'failure', role: 'alert' }, session.failed(error).message))
    }
  }

  async function pagePair(
    page: number,
    areas: readonly Area[],
    { pages }: VersionDiff,
  ): Promise<HTMLElement> {
    const sides = [
      { version: from, isThere: page <= (pages?.from ?? 0), side: 'older' },
      { version: to, isThere: page <= (pages?.to ?? 0), side: 'newer' },
    ]
    const pictures = await Promise.all(
      sides.map(async ({ version, isThere, side }) => {
        if (!isThere) return h('p', { class: 'note' }, 'Not in this version.')
        const query = { page: String(page), width: String(pageWidth) }
        const { blob } = await session.client.preview(version.versionId, query, control.signal)
        const src = URL.createObjectURL(blob)
        addresses.push(src)
        const image = h('img', { src, alt: `Page ${page}, ${side}` })
        return h('div', { class: 'page' }, image, ...areas.map(markOf))
      }),
    )
    return h(
      'section',
      { 'aria-label': `Page ${page}` },
      h('h3', {}, `Page ${page}`),
      h('div', { class: 'sides' }, ...pictures),
    )
  }
}

function versionTitle(label: string, { versionId, createdAt, comment }: StoredTemplate): HTMLElement {
  const details = [dateText(createdAt), comment].filter(Boolean).join(' · ')
  return h(
    'p',
    {},
    h('strong', {}, label),
    ' ',
    h('code', {}, versionId.slice(0, 12)),
    ' ',
    h('span', { class: 'note' }, details),
  )
}

function described({ same, tags, text, textCut, pages }: VersionDiff): HTMLElement[] {
  if (same) return [h('p', {}, 'Both files are the same.')]
  const rows = [
    ...tags.removed.map((tag) => h('li', {}, 'Gone: ', h('del', {}, tag))),
    ...tags.added.map((tag) => h('li', {}, 'New: ', h('ins', {}, tag))),
    ...tags.changed.map((tag) => h('li', {}, 'Changed: ', h('del', {}, tag.from), ' ', h('ins', {}, tag.to))),
  ]
  const isSameText = text?.every(({ kind }) => kind === 'same') === true
  return [
    h('h3', {}, 'Tags'),
    rows.length === 0 ? h('p', { class: 'note' }, 'The tags are the same.') : h('ul', {}, ...rows),
    ...(text === undefined
      ? []
      : [
          h('h3', {}, 'Text'),
          isSameText ? h('p', { class: 'note' }, 'The text is the same.') : textOf(text),
        ]),
    ...(textCut
      ? [h('p', { class: 'note' }, 'Only the beginning of the text was compared, because it is too long.')]
      : []),
    ...(pages === undefined ? [] : [h('h3', {}, 'Pages'), h('p', { class: 'note' }, pagesNote(pages))]),
  ]
}

/** Number of characters of unchanged text that are shown on each side of a change. */
const shownAround = 120

function textOf(text: NonNullable<VersionDiff['text']>): HTMLElement {
  const parts = text.map(({ kind, text: part }, at) => {
    if (kind === 'removed') return h('del', {}, part)
    if (kind === 'added') return h('ins', {}, part)
    if (part.length <= 2 * shownAround) return part
    const before = at === 0 ? '' : part.slice(0, shownAround)
    const tail = at === text.length - 1 ? '' : part.slice(-shownAround)
    return `${before} … ${tail}`
  })
  return h('div', { class: 'changes', tabindex: '0', role: 'group', 'aria-label': 'Changed text' }, ...parts)
}

function pagesNote({ from, to, changed, compared }: NonNullable<VersionDiff['pages']>): string {
  const counts = from === to ? pagesText(to) : `${pagesText(from)} before, ${pagesText(to)} now`
  const first = Math.max(from, to) > compared ? ` of the first ${compared}` : ''
  const appearance =
    changed.length === 0
      ? 'No page looks different'
      : `${pagesText(changed.length)} ${changed.length === 1 ? 'looks' : 'look'} different`
  return `${counts}. ${appearance}${first}.`
}

function markOf({ left, top, width, height }: Area): HTMLElement {
  const sign = h('span', { class: 'changed lasting', 'aria-hidden': 'true' })
  const percent = (share: number) => `${(share * 100).toFixed(2)}%`
  Object.assign(sign.style, {
    left: percent(left),
    top: percent(top),
    width: percent(width),
    height: percent(height),
  })
  return sign
}

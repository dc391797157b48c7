import { durationText, pagesText, sizeText } from '../model/words.ts'
import type { Session } from '../session.ts'
import type { StatePart, StudioState } from '../state.ts'
import { fill, h, show } from './dom.ts'
import { icon } from './icons.ts'
import { createOutputControls } from './output-controls.ts'
import { createPagesView } from './pages-view.ts'
import { createResultView } from './result-view.ts'

/** The result of the last render: controls above it, an error that replaces it, and one line of details below. */
export function createPreview(session: Session): { readonly node: HTMLElement; destroy(): void } {
  const status = h('p', { class: 'status', role: 'status' })
  const failure = h('div', { class: 'failure', role: 'alert', hidden: true })
  const controls = createOutputControls(session)
  const result = createResultView(session)
  const pages = createPagesView((page) => {
    session.viewedPage = page
  })
  const { live, render } = createRenderControls(session)
  const toolbar = h(
    'div',
    { class: 'strip wrapping toolbar' },
    ...controls.nodes,
    h('span', { class: 'push' }),
    h('label', { class: 'tick', title: 'Render while you type' }, live, h('span', {}, 'Live')),
    render,
    result.download,
  )
  const node = h('div', { class: 'preview' }, toolbar, failure, pages.node, result.node, status)

  session.listen((parts) => {
    if (parts.has('template') || parts.has('outputs') || parts.has('options')) drawControls()
    if (parts.has('live')) live.checked = session.state.live
    if (drawnParts.some((part) => parts.has(part))) draw()
  })
  drawControls()
  draw()
  return { node, destroy }

  function drawControls(): void {
    controls.draw()
    for (const control of [render, live, result.download])
      control.disabled = session.state.template === undefined
  }

  function draw(): void {
    const { preview, busy, template } = session.state
    node.classList.toggle('busy', busy)
    node.setAttribute('aria-busy', String(busy))
    node.classList.toggle('stale', preview.kind === 'failed')
    failure.hidden = preview.kind !== 'failed'
    if (preview.kind === 'failed')
      fill(failure, icon('error'), h('span', {}, failureText(session.state, preview.message)))
    const isEmpty = template === undefined || preview.kind === 'none'
    // After a failure the previous document stays visible.
    if (isEmpty || preview.kind === 'pages') result.clear()
    if (isEmpty || preview.kind === 'made') pages.clear()
    if (!isEmpty && preview.kind === 'made') result.show(preview.file)
    if (!isEmpty && preview.kind === 'pages') pages.show(preview.pages)
    if (preview.kind !== 'failed') {
      show(pages.node, preview.kind === 'pages')
      show(result.node, preview.kind !== 'pages')
    }
    status.textContent = statusText(session.state)
  }

  function destroy(): void {
    result.destroy()
    pages.clear()
  }
}

/** The parts of the state that `draw` shows. */
const drawnParts: readonly StatePart[] = ['preview', 'busy', 'template', 'checks']

function createRenderControls(session: Session) {
  const live = h('input', {
    type: 'checkbox',
    checked: true,
    on: { change: () => session.setLive(live.checked) },
  })
  const render = h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      'aria-label': 'Render',
      title: 'Render now (Ctrl+Enter)',
      on: { click: () => void session.renew() },
    },
    icon('refresh'),
    h('span', {}, 'Render'),
  )
  return { live, render }
}

/** Errors of the template are listed below the preview with their positions, so the message only counts them. */
function failureText({ checks }: StudioState, message: string): string {
  const count = checks?.errors.length ?? 0
  if (count === 0) return message
  return `Not rendered: the template has ${count === 1 ? 'an error' : `${count} errors`}, listed below.`
}

function statusText({ preview, busy }: StudioState): string {
  if (busy) return 'Rendering…'
  if (preview.kind === 'failed') return 'Not rendered'
  if (preview.kind === 'none') return ''
  const { converters, warnings } = preview.kind === 'made' ? preview.file : preview.pages
  const by = converters.length > 0 ? ` by ${converters.join(', ')}` : ''
  const reported = warnings.length > 0 ? ` · warnings: ${warnings.join(', ')}` : ''
  const size = preview.kind === 'made' ? sizeText(preview.file.blob.size) : pagesText(preview.pages.count)
  return `${size} · made${by} in ${durationText(preview.ms)}${reported}`
}

import type { ReceivedFile, RenderedFile } from '../model/client.ts'
import { harmless, shownAs } from '../model/outputs.ts'
import type { Session } from '../session.ts'
import { fill, h } from './dom.ts'
import { icon } from './icons.ts'

export interface ResultView {
  readonly node: HTMLElement
  /** The button that downloads the document. */
  readonly download: HTMLButtonElement
  show(file: RenderedFile): void
  clear(): void
  destroy(): void
}

/** Maximum length of a text that is shown, in bytes. */
const maxTextBytes = 2_000_000
/** Time after which a new file replaces the old one even when the browser does not report that it has loaded. */
const maxLoadMs = 1500

/** How long a file is kept for the browser that downloads it, in ms. */
const keptMs = 60_000

/** Shows the rendered file, if the browser can display it. */
export function createResultView(session: Session): ResultView {
  const node = h('div', { class: 'stage' })
  const download = h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      'aria-label': 'Download',
      title: 'Download the document',
      on: { click: () => void save(session) },
    },
    icon('download'),
    h('span', {}, 'Download'),
  )
  let shownFile: RenderedFile | undefined
  let address: string | undefined // object URL of `shownFile`

  return { node, download, show, clear, destroy: () => revoke(address) }

  function show(file: RenderedFile): void {
    if (file !== shownFile) void draw(file)
  }

  function clear(): void {
    shownFile = undefined
    revoke(address)
    address = undefined
    fill(node)
  }

  async function draw(file: RenderedFile): Promise<void> {
    shownFile = file
    const old = address
    address = URL.createObjectURL(file.blob)
    const content = await contentOf(file, address, alternativesTo(file, address, session))
    if (shownFile !== file) return
    revoke(old)
    replaceContent(node, content)
  }
}

/** Downloads the document: the displayed file, or, if pages are displayed, a file that is rendered now. */
async function save(session: Session): Promise<void> {
  const file = await session.renderFile()
  if (file === undefined) return
  offerFile(file)
}

/** Lets the browser save a file. */
export function offerFile({ blob, name }: ReceivedFile): void {
  const href = URL.createObjectURL(blob)
  h('a', { href, download: name }).click()
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(href), keptMs)
}

function revoke(address: string | undefined): void {
  if (address !== undefined) URL.revokeObjectURL(address)
}

/** Replaces what is shown. The old content stays until a frame has loaded, so that typing does not make it flicker. */
function replaceContent(node: HTMLElement, content: HTMLElement): void {
  const frame = content.querySelector('iframe')
  const old = [...node.children]
  if (frame === null || old.length === 0) {
    fill(node, content)
    return
  }
  content.classList.add('coming')
  const swap = () => {
    for (const node of old) node.remove()
    content.classList.remove('coming')
  }
  frame.addEventListener('load', swap, { once: true })
  setTimeout(swap, maxLoadMs)
  node.append(content)
}

/** Actions offered for a file that browsers do not show. */
function alternativesTo(file: RenderedFile, href: string, session: Session): readonly HTMLElement[] {
  const load = h('a', { class: 'button primary', href, download: file.name }, icon('download'), 'Download')
  const asPdf = () => session.setOptions({ convertTo: 'pdf', converter: undefined })
  const pdf = h('button', { type: 'button', on: { click: asPdf } }, 'Show as PDF')
  return session.state.outputs.some(({ name }) => name === 'pdf') ? [load, pdf] : [load]
}

async function contentOf(
  { blob, mime, name }: RenderedFile,
  address: string,
  alternatives: readonly HTMLElement[],
): Promise<HTMLElement> {
  const title = `Preview of ${name}`
  switch (shownAs(mime)) {
    case 'pdf':
      return h('div', { class: 'sheet' }, h('iframe', { title, src: `${address}#navpanes=0&view=FitH` }))
    case 'picture':
      return h('div', { class: 'sheet picture' }, h('img', { src: address, alt: title }))
    case 'page': {
      // A URL rather than `srcdoc`, which pages that require trusted types refuse.
      const page = new Blob([harmless(await blob.text())], { type: 'text/html;charset=utf-8' })
      const src = URL.createObjectURL(page)
      const frame = h('iframe', { title, sandbox: '', src, on: { load: () => revoke(src) } })
      return h('div', { class: 'sheet paper' }, frame)
    }
    case 'text': {
      const text = await blob.slice(0, maxTextBytes).text()
      return h('div', { class: 'sheet text' }, h('pre', { tabindex: '0', 'aria-label': title }, text))
    }
    default:
      return h(
        'div',
        { class: 'sheet file' },
        icon('file'),
        h('strong', {}, name),
        h('p', { class: 'note' }, 'Browsers do not show this kind of file.'),
        h('div', { class: 'buttons' }, ...alternatives),
      )
  }
}

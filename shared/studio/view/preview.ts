import type { RenderedFile } from '../model/client.ts'
import { outputName } from '../model/options.ts'
import { harmless, type Output, shownAs } from '../model/outputs.ts'
import { durationText, sizeText } from '../model/words.ts'
import type { Session } from '../session.ts'
import type { Part } from '../state.ts'
import { fill, h } from './dom.ts'
import { icon } from './icons.ts'

const mostText = 2_000_000

/** What came of the last render, as the browser can show it. */
export function createPreview(session: Session): { readonly node: HTMLElement; destroy(): void } {
  const stage = h('div', { class: 'stage' })
  const status = h('p', { class: 'status', role: 'status' })
  const failure = h('div', { class: 'failure', role: 'alert', hidden: true })
  const output = h('select', {
    name: 'convertTo',
    'aria-label': 'Output',
    title: 'Output',
    on: { change: () => chooseOutput() },
  })
  const engine = h('select', {
    name: 'converter',
    'aria-label': 'Engine',
    title: 'Engine',
    on: { change: () => chooseEngine() },
  })
  const live = h('input', {
    type: 'checkbox',
    checked: true,
    on: { change: () => session.setLive(live.checked) },
  })
  const renew = h(
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
  const download = h(
    'a',
    { class: 'button quiet', 'aria-label': 'Download', title: 'Download', 'aria-disabled': 'true' },
    icon('download'),
    h('span', {}, 'Download'),
  )
  const toolbar = h(
    'div',
    { class: 'strip wrapping toolbar' },
    h('label', { class: 'inline' }, h('span', {}, 'Output'), output),
    h('label', { class: 'inline' }, h('span', {}, 'Engine'), engine),
    h('span', { class: 'push' }),
    h('label', { class: 'tick', title: 'Render while you type' }, live, h('span', {}, 'Live')),
    renew,
    download,
  )
  const node = h('div', { class: 'preview' }, toolbar, failure, stage, status)
  let address: string | undefined
  let drawn: RenderedFile | undefined

  session.listen((parts) => {
    if (parts.has('template') || parts.has('outputs') || parts.has('options')) drawChoices()
    if (parts.has('live')) live.checked = session.state.live
    if (['preview', 'busy', 'template', 'findings'].some((part) => parts.has(part as Part))) draw()
  })
  drawChoices()
  draw()
  return { node, destroy: () => address !== undefined && URL.revokeObjectURL(address) }

  function chooseOutput(): void {
    const { options } = session.state
    const before = typeof options.convertTo === 'object' ? options.convertTo : undefined
    const formatName = output.value || (session.state.template?.kind.type ?? '')
    const same = before !== undefined && before.formatName === formatName
    session.setOptions({
      convertTo: same ? before : formatName || undefined,
      converter: engineFor(formatName),
    })
  }

  /** An engine that was chosen stays where it can make the new output too. */
  function engineFor(name: string): string | undefined {
    const { options, outputs } = session.state
    const { converter } = options
    const possible = outputs.find((one) => one.name === name)?.converters ?? []
    return converter === 'auto' || (converter !== undefined && possible.includes(converter))
      ? converter
      : undefined
  }

  function chooseEngine(): void {
    session.setOptions({ converter: engine.value || undefined })
  }

  function drawChoices(): void {
    const { template, outputs, options } = session.state
    const own = template?.kind.type ?? ''
    const wanted = outputName(options) ?? ''
    const asIs = h('option', { value: '' }, own === '' ? 'As the template' : `${own.toUpperCase()} (filled)`)
    const optionOf = ({ name }: Output) => h('option', { value: name }, name.toUpperCase())
    const others = outputs.filter(({ usual }) => !usual).map(optionOf)
    fill(
      output,
      asIs,
      ...outputs.filter(({ usual }) => usual).map(optionOf),
      others.length > 0 && h('optgroup', { label: 'More' }, ...others),
    )
    output.value = wanted === own ? '' : wanted
    const letters = outputs.find(({ name }) => name === wanted)?.converters ?? []
    const names = letters.map((letter) =>
      h('option', { value: letter }, `${letter} – ${engineNames[letter] ?? 'engine'}`),
    )
    fill(
      engine,
      h('option', { value: '' }, 'Default'),
      letters.length > 1 && h('option', { value: 'auto' }, 'Automatic'),
      ...names,
    )
    engine.value = options.converter ?? ''
    engine.disabled = letters.length === 0
    for (const control of [output, renew, live]) control.disabled = template === undefined
  }

  function draw(): void {
    const { preview, busy, template } = session.state
    node.classList.toggle('busy', busy)
    node.setAttribute('aria-busy', String(busy))
    node.classList.toggle('stale', preview.kind === 'failed')
    failure.hidden = preview.kind !== 'failed'
    if (preview.kind === 'failed') fill(failure, icon('error'), h('span', {}, failureText(preview.message)))
    if (template === undefined || preview.kind === 'none') clear()
    else if (preview.kind === 'made' && preview.file !== drawn) void drawFile(preview.file)
    status.textContent = statusText()
  }

  /** Errors of the template are listed below with their places. */
  function failureText(message: string): string {
    const count = session.state.findings?.errors.length ?? 0
    if (count === 0) return message
    return `Not rendered: the template has ${count === 1 ? 'an error' : `${count} errors`}, listed below.`
  }

  function statusText(): string {
    const { preview, busy } = session.state
    if (busy) return 'Rendering…'
    if (preview.kind !== 'made') return preview.kind === 'failed' ? 'Not rendered' : ''
    const { file, ms } = preview
    const by = file.converters.length > 0 ? ` by ${file.converters.join(', ')}` : ''
    const told = file.warnings.length > 0 ? ` · notes: ${file.warnings.join(', ')}` : ''
    return `${sizeText(file.blob.size)} · made${by} in ${durationText(ms)}${told}`
  }

  function clear(): void {
    drawn = undefined
    if (address !== undefined) URL.revokeObjectURL(address)
    address = undefined
    fill(stage)
    download.removeAttribute('href')
    download.setAttribute('aria-disabled', 'true')
  }

  /** What to do with a file that no browser shows. */
  function otherWays(file: RenderedFile, href: string): readonly HTMLElement[] {
    const load = h('a', { class: 'button primary', href, download: file.name }, icon('download'), 'Download')
    const asPdf = () => session.setOptions({ convertTo: 'pdf', converter: undefined })
    const pdf = h('button', { type: 'button', on: { click: asPdf } }, 'Show as PDF')
    return session.state.outputs.some(({ name }) => name === 'pdf') ? [load, pdf] : [load]
  }

  async function drawFile(file: RenderedFile): Promise<void> {
    drawn = file
    const old = address
    address = URL.createObjectURL(file.blob)
    download.href = address
    download.download = file.name
    download.setAttribute('aria-disabled', 'false')
    const shown = await shownFile(file, address, otherWays(file, address))
    if (drawn !== file) return
    if (old !== undefined) URL.revokeObjectURL(old)
    const frame = shown.querySelector('iframe')
    const before = [...stage.children]
    if (frame === null || before.length === 0) return fill(stage, shown)
    // The one before stays until this one has been drawn: no flicker while typing.
    shown.classList.add('coming')
    const swap = () => {
      for (const one of before) one.remove()
      shown.classList.remove('coming')
    }
    frame.addEventListener('load', swap, { once: true })
    setTimeout(swap, 1500)
    stage.append(shown)
  }
}

const engineNames: Readonly<Record<string, string>> = {
  L: 'LibreOffice',
  I: 'instant',
  C: 'browser',
  O: 'other office',
}

async function shownFile(
  file: RenderedFile,
  address: string,
  otherWays: readonly HTMLElement[],
): Promise<HTMLElement> {
  const { blob, mime, name } = file
  const title = `Preview of ${name}`
  switch (shownAs(mime)) {
    case 'pdf':
      return h('div', { class: 'sheet' }, h('iframe', { title, src: `${address}#navpanes=0&view=FitH` }))
    case 'picture':
      return h('div', { class: 'sheet picture' }, h('img', { src: address, alt: title }))
    case 'page': {
      const frame = h('iframe', { title, sandbox: '' })
      frame.srcdoc = harmless(await blob.text())
      return h('div', { class: 'sheet paper' }, frame)
    }
    case 'text': {
      const text = await blob.slice(0, mostText).text()
      return h('div', { class: 'sheet text' }, h('pre', { tabindex: '0', 'aria-label': title }, text))
    }
    default:
      return h(
        'div',
        { class: 'sheet file' },
        icon('file'),
        h('strong', {}, name),
        h('p', { class: 'note' }, 'Browsers do not show this kind of file.'),
        h('div', { class: 'buttons' }, ...otherWays),
      )
  }
}

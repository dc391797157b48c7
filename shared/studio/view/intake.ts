import { acceptedFiles } from '../model/files.ts'
import { readJson } from '../model/json-text.ts'
import type { Session } from '../session.ts'
import { askMeaning, confirmLoss, type FileMeaning } from './dialogs.ts'
import { h } from './dom.ts'
import type { Notice } from './notice.ts'
import { watchFile } from './watched-file.ts'

export interface Intake {
  /** The hidden file input, which has to be on the page. */
  readonly chooser: HTMLElement
  /** Lets the user choose a file and opens it. */
  choose(): Promise<void>
  dropped(event: DragEvent): Promise<void>
  openStored(ref: string): Promise<void>
  stop(): void
}

const leaving = {
  title: 'Discard the changes to the template?',
  action: 'Leave it',
  description: 'It has changes that are not saved.',
}

/**
 * Opens templates from all sources. Dialogs are shown on `root`; `taken` is called when a template was
 * opened.
 */
export function createIntake(
  session: Session,
  {
    root,
    notice,
    onOpened,
  }: { readonly root: () => HTMLElement; readonly notice: Notice; readonly onOpened: () => void },
): Intake {
  const { state } = session
  const watcher = watchFile((bytes) => {
    // The site may have opened a different template in the meantime.
    if (session.generation === watched) session.replaceFile(bytes)
    else watcher.stop()
  })
  let watched = 0
  const chooser = h('input', {
    type: 'file',
    class: 'hidden',
    tabindex: '-1',
    'aria-label': 'Template file',
    accept: acceptedFiles,
    on: { change: () => void chosen() },
  })
  return {
    chooser,
    async choose() {
      const picked = await watcher.choose()
      if (picked === 'not here') chooser.click()
      else if (picked !== undefined && (await take(picked.file))) watch(picked)
    },
    async dropped(event) {
      const [file] = event.dataTransfer?.files ?? []
      if (file === undefined) return
      event.preventDefault()
      // This has to be called before the first await, after which the browser has dropped the data of the
      // event.
      const picked = watcher.dropped(event.dataTransfer!)
      if (await take(file)) watch(await picked)
    },
    async openStored(ref) {
      if (!(await mayLeave())) return
      onOpened()
      watcher.stop()
      // The reason of a failure is shown in place of the preview.
      await session.openStored(ref).catch(() => undefined)
    },
    stop: watcher.stop,
  }

  function watch(picked: { watch(): void } | undefined): void {
    watched = session.generation
    picked?.watch()
  }

  async function chosen(): Promise<void> {
    const [file] = chooser.files ?? []
    if (file !== undefined) await take(file)
    // Without this, choosing the same file again would raise no event.
    chooser.value = ''
  }

  /** Uses a JSON file as data and any other as a template. Returns whether it is now the open template. */
  async function take(file: File): Promise<boolean> {
    notice.clear()
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (!/\.json$/i.test(file.name)) return open(file.name, bytes)
    const fault = takeData(bytes)
    // A template for JSON is not valid JSON before its tags are filled.
    const asTemplate = { label: 'Open it as a template', run: () => void open(file.name, bytes) }
    if (fault !== undefined)
      notice.show(`“${file.name}” is not used as data: ${fault}. The data stay as they are.`, asTemplate)
    return false
  }

  /** Uses a JSON file as the data, or returns why it cannot be used. */
  function takeData(bytes: Uint8Array): string | undefined {
    const read = readJson(new TextDecoder().decode(bytes))
    if (!read.ok) return `line ${read.error.line}, column ${read.error.column}: ${read.error.message}`
    if (typeof read.value !== 'object' || read.value === null)
      return read.value === undefined ? 'it is empty' : 'an object or an array is needed'
    session.setOptions({ data: read.value })
    return undefined
  }

  async function open(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const meaning = await meaningOf(name, bytes)
    if (meaning === undefined) return false
    onOpened()
    watcher.stop()
    if (meaning === 'state') session.replaceFile(bytes)
    else await session.openFile(name, bytes).catch(() => undefined)
    return true
  }

  /**
   * A site decides which template a file belongs to. On the service's own page the user is asked where it
   * makes a difference.
   */
  async function meaningOf(name: string, bytes: Uint8Array): Promise<FileMeaning | undefined> {
    const fits = session.fits(name, bytes)
    if (state.config.mode !== 'standalone') return fits ? 'state' : 'template'
    if (fits && state.template?.stored !== undefined) return askMeaning(root(), state.template.name)
    return (await mayLeave()) ? 'template' : undefined
  }

  async function mayLeave(): Promise<boolean> {
    const loses = state.template?.changed === true && state.config.mode !== 'embedded'
    return !loses || confirmLoss(root(), leaving)
  }
}

import { acceptedFiles } from '../model/files.ts'
import { readJson } from '../model/json-text.ts'
import type { Session } from '../session.ts'
import { askMeaning, confirmLoss, type FileMeaning } from './dialogs.ts'
import { h } from './dom.ts'
import { watchFile } from './watched-file.ts'

export interface Intake {
  /** Not shown; it has to be on the page. */
  readonly chooser: HTMLElement
  /** Asks for a file and takes it. */
  choose(): Promise<void>
  dropped(event: DragEvent): Promise<void>
  openStored(ref: string): Promise<void>
  stop(): void
}

const leaving = {
  title: 'Leave the changed template?',
  action: 'Leave it',
  says: 'It was changed and not saved.',
}

/** How templates come in. `root`: where questions are asked; `taken`: told when one was taken. */
export function createIntake(session: Session, root: () => HTMLElement, taken: () => void): Intake {
  const { state } = session
  const watcher = watchFile((bytes) => {
    // Meanwhile the site may have opened another one.
    if (session.turn === watched) session.replaceFile(bytes)
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
      // Asked for before anything is waited for: behind that the browser has forgotten the drop.
      const picked = watcher.dropped(event.dataTransfer!)
      if (await take(file)) watch(await picked)
    },
    async openStored(ref) {
      if (!(await mayLeave())) return
      taken()
      watcher.stop()
      // Why it does not open stands where the preview would be.
      await session.openStored(ref).catch(() => undefined)
    },
    stop: watcher.stop,
  }

  function watch(picked: { watch(): void } | undefined): void {
    watched = session.turn
    picked?.watch()
  }

  async function chosen(): Promise<void> {
    const [file] = chooser.files ?? []
    if (file !== undefined) await take(file)
    // The same file may be chosen again.
    chooser.value = ''
  }

  /** A file of JSON is data, any other a template. Whether it is now the open template. */
  async function take(file: File): Promise<boolean> {
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (/\.json$/i.test(file.name)) {
      const read = readJson(new TextDecoder().decode(bytes))
      if (read.ok && typeof read.value === 'object' && read.value !== null)
        session.setOptions({ data: read.value })
      return false
    }
    const meaning = await meaningOf(file.name, bytes)
    if (meaning === undefined) return false
    taken()
    watcher.stop()
    if (meaning === 'state') session.replaceFile(bytes)
    else await session.openFile(file.name, bytes).catch(() => undefined)
    return true
  }

  /** Within a site the site says which template this is about; here only the user knows, where it matters. */
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

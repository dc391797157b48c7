/** Where a browser lets pages keep hold of a file (File System Access), saving it in Word is enough to see it anew. */

interface FileHandle {
  getFile(): Promise<File>
}
interface Picker {
  showOpenFilePicker?(options: object): Promise<readonly FileHandle[]>
}

/** Between two looks at the file. */
const everyMs = 1000

export interface PickedFile {
  readonly file: File
  /** From here on it is looked at, in the place of any other. */
  watch(): void
}

export interface FileWatcher {
  /** Asks for a file. undefined: none was chosen; 'not here': the browser has no such dialog. */
  choose(): Promise<PickedFile | 'not here' | undefined>
  /** The file of a drop, where that can be watched. To be called before anything else is waited for. */
  dropped(transfer: DataTransfer): Promise<PickedFile | undefined>
  stop(): void
}

/** `changed` is called whenever the watched file was saved since. */
export function watchFile(changed: (bytes: Uint8Array<ArrayBuffer>) => void): FileWatcher {
  let timer: ReturnType<typeof setInterval> | undefined
  return { choose, dropped, stop }

  async function choose(): Promise<PickedFile | 'not here' | undefined> {
    const picker = (globalThis as Picker).showOpenFilePicker
    // Frames of other sites may not use it: those fall back to the ordinary dialog.
    if (picker === undefined || globalThis.self !== globalThis.top) return 'not here'
    try {
      const [handle] = await picker.call(globalThis, { id: 'platen-template' })
      return await picked(handle)
    } catch (error) {
      return (error as Error).name === 'AbortError' ? undefined : 'not here'
    }
  }

  async function dropped(transfer: DataTransfer): Promise<PickedFile | undefined> {
    const item = transfer.items[0] as { getAsFileSystemHandle?(): Promise<unknown> } | undefined
    try {
      return await picked((await item?.getAsFileSystemHandle?.()) as FileHandle | undefined)
    } catch {
      return undefined
    }
  }

  async function picked(handle: FileHandle | undefined): Promise<PickedFile | undefined> {
    const file = await handle?.getFile?.()
    if (handle === undefined || file === undefined) return undefined
    return { file, watch: () => watch(handle, file.lastModified) }
  }

  function watch(handle: FileHandle, since: number): void {
    stop()
    let last = since
    timer = setInterval(async () => {
      if (document.hidden) return
      // While a program saves it, the file may be gone or empty for a moment.
      const file = await handle.getFile().catch(() => undefined)
      if (file === undefined || file.lastModified === last || file.size === 0) return
      last = file.lastModified
      const bytes = await file.arrayBuffer().catch(() => undefined)
      if (bytes !== undefined && timer !== undefined) changed(new Uint8Array(bytes))
    }, everyMs)
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }
}

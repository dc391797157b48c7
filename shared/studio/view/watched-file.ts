/**
 * Watches a file on disk where the browser can (File System Access), so that saving it in Word renders it
 * again.
 */

interface FileHandle {
  getFile(): Promise<File>
}
interface Picker {
  showOpenFilePicker?(options: object): Promise<readonly FileHandle[]>
}

/** Interval between two checks of the file. */
const everyMs = 1000

export interface PickedFile {
  readonly file: File
  /** Watches this file instead of any other. */
  watch(): void
}

export interface FileWatcher {
  /**
   * Opens the file dialog. Returns undefined when it is cancelled, and 'not here' when the browser has no
   * such dialog.
   */
  choose(): Promise<PickedFile | 'not here' | undefined>
  /**
   * Returns the dropped file when it can be watched. Has to be called before the first await of the event
   * handler.
   */
  dropped(transfer: DataTransfer): Promise<PickedFile | undefined>
  stop(): void
}

/** Creates a watcher. `changed` is called with the new bytes each time the watched file has been saved. */
export function watchFile(changed: (bytes: Uint8Array<ArrayBuffer>) => void): FileWatcher {
  let timer: ReturnType<typeof setInterval> | undefined
  return { choose, dropped, stop }

  async function choose(): Promise<PickedFile | 'not here' | undefined> {
    const picker = (globalThis as Picker).showOpenFilePicker
    // Frames of other sites may not use this dialog and fall back to the ordinary one.
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
      // While a program saves the file, it may be missing or empty for a moment.
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

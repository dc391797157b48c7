/** Where a browser lets pages keep hold of a file (File System Access), saving it in Word is enough to see it anew. */

interface FileHandle {
  getFile(): Promise<File>
}
interface Picker {
  showOpenFilePicker?(options: object): Promise<readonly FileHandle[]>
}

/** Between two looks at the file. */
const everyMs = 1000

export interface FileWatcher {
  /** Asks for a file and keeps watching it. undefined: none was chosen; 'not here': the browser has no such dialog. */
  choose(): Promise<'not here' | File | undefined>
  /** A file that was dropped is watched from now on, where that can be done. */
  watchDropped(transfer: DataTransfer): Promise<void>
  stop(): void
}

/** `changed` is called with the file as it is first chosen and whenever it was saved since. */
export function watchFile(changed: (name: string, bytes: Uint8Array<ArrayBuffer>) => void): FileWatcher {
  let timer: ReturnType<typeof setInterval> | undefined
  return { choose, watchDropped, stop }

  async function choose(): Promise<'not here' | File | undefined> {
    const picker = (globalThis as Picker).showOpenFilePicker
    // Frames of other sites may not use it: those fall back to the ordinary dialog.
    if (picker === undefined || globalThis.self !== globalThis.top) return 'not here'
    try {
      const [handle] = await picker.call(globalThis, { id: 'platen-template' })
      const file = await handle?.getFile()
      if (handle === undefined || file === undefined) return undefined
      stop()
      await give(file)
      watch(handle, file.lastModified)
      return file
    } catch (error) {
      if ((error as Error).name === 'AbortError') return undefined
      return 'not here'
    }
  }

  async function watchDropped(transfer: DataTransfer): Promise<void> {
    const item = transfer.items[0] as { getAsFileSystemHandle?(): Promise<unknown> } | undefined
    const handle = (await item?.getAsFileSystemHandle?.().catch(() => undefined)) as FileHandle | undefined
    const file = await handle?.getFile?.().catch(() => undefined)
    if (handle === undefined || file === undefined) return
    stop()
    watch(handle, file.lastModified)
  }

  function watch(handle: FileHandle, since: number): void {
    let last = since
    timer = setInterval(async () => {
      if (document.hidden) return
      // While a program saves it, the file may be gone for a moment.
      const file = await handle.getFile().catch(() => undefined)
      if (file === undefined || file.lastModified === last || file.size === 0) return
      last = file.lastModified
      await give(file).catch(() => undefined)
    }, everyMs)
  }

  async function give(file: File): Promise<void> {
    changed(file.name, new Uint8Array(await file.arrayBuffer()))
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }
}

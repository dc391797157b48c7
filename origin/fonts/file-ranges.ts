import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** A file as it was at one moment. */
export interface FileVersion {
  readonly path: string
  readonly size: number
  readonly modified: number // whole ms since the epoch
}

/**
 * Open files of this thread by version. Glyphs are read one by one, so that a file stays open for the next ones;
 * the least recently used one is closed first.
 */
const handles = new Map<string, number>()
const maxOpen = 16

/**
 * Reads a range of a file; fewer bytes at its end. Returns undefined when the file cannot be read any more or is
 * not this version.
 */
export function readRange(file: FileVersion, offset: number, length: number): Uint8Array | undefined {
  try {
    const handle = handleOf(file)
    const current = fstatSync(handle)
    if (current.size !== file.size || Math.floor(current.mtimeMs) !== file.modified) return undefined
    const bytes = new Uint8Array(Math.max(0, Math.min(length, file.size - offset)))
    let read = 0
    while (read < bytes.byteLength) {
      const bytesRead = readSync(handle, bytes, read, bytes.byteLength - read, offset + read)
      if (bytesRead === 0) break
      read += bytesRead
    }
    return bytes.subarray(0, read)
  } catch {
    return undefined
  }
}

/** A file that is replaced by renaming while it is open stays the one that was opened. */
function handleOf({ path, size, modified }: FileVersion): number {
  const key = `${size} ${modified} ${path}`
  const handle = handles.get(key) ?? openSync(path, 'r')
  handles.delete(key)
  handles.set(key, handle)
  for (const [oldest, old] of handles) {
    if (handles.size <= maxOpen) break
    handles.delete(oldest)
    closeSync(old)
  }
  return handle
}

import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/** Editors write a file in several steps, which count as one change. */
const settleMs = 100

/** Yields at once, and then after each change of one of the files. It never ends; the user stops the program. */
export async function* changesOf(paths: readonly string[]): AsyncGenerator<void> {
  const names = Map.groupBy(paths, dirname)
  let changed: () => void = () => undefined
  let pending = false
  // The folders are watched, because many editors replace a file instead of writing to it.
  for (const [folder, inside] of names) {
    const watched = new Set(inside.map((path) => basename(path)))
    watch(folder, (_event, name) => {
      if (name !== null && !watched.has(name)) return
      pending = true
      changed()
    })
  }
  yield
  for (;;) {
    if (!pending) await new Promise<void>((resolve) => (changed = resolve))
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    pending = false
    yield
  }
}

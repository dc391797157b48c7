import { appendFileSync } from 'node:fs'

/** Writes to a file until nothing more fits on its disk, not even one byte. */
export function fillDisk(path: string): void {
  for (let size = 2 ** 20; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) appendFileSync(path, new Uint8Array(size))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Those that this program removes itself. */
const removed: string[] = []

/**
 * A new folder, whose name begins with its purpose. Within a run of tests it lies in the temporary folder of that run, which
 * is removed when the run ends; Vitest kills its workers, so that what they would do at their end does not happen. A program
 * that is started by itself removes it when it ends.
 */
export function temporaryFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${purpose}-`))
  if (process.env['VITEST'] === undefined) {
    if (removed.length === 0) process.once('exit', removeAll)
    removed.push(folder)
  }
  return folder
}

function removeAll(): void {
  for (const folder of removed) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

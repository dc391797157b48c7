import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names the temporary folder of this run, once there is one. */
const variable = 'PLATEN_TEST_FOLDER'
/** Short, because the address of a socket below it has at most 107 bytes (unix(7)). */
const prefix = 'platen-run-'

/**
 * Gives a run of tests a temporary folder for all that its tests and the programs they start put into one, and removes it
 * when the run ends. The folders of runs that were killed go when the next one begins.
 */
export default function makeRunFolder(): void {
  if (process.env[variable] !== undefined) return // by another project of the run
  const parent = tmpdir()
  for (const name of readdirSync(parent).filter(isAbandoned)) remove(join(parent, name))
  const folder = mkdtempSync(join(parent, `${prefix}${process.pid}-`))
  // As the folder of the system: programs run as other users where the tests run as root.
  chmodSync(folder, 0o1777)
  process.env[variable] = folder
  process.env['TMPDIR'] = folder
  process.once('exit', () => remove(folder))
}

function isAbandoned(name: string): boolean {
  const [, pid] = new RegExp(`^${prefix}(\\d+)-\\w{6}$`).exec(name) ?? []
  if (pid === undefined) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** What belongs to another user, or is written at this moment, stays until the next run. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    console.error(`A temporary folder stays: ${String(error)}`)
  }
}

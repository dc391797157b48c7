import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** Folders for what lives no longer than this process. */
export interface Scratch {
  /** A folder of this name, empty. */
  folder(name: string): Promise<string>
  /** Removes all of them. */
  remove(): Promise<void>
}

/**
 * Below the data folder, or, where programs that run as another user could not reach that (a home of root's), below
 * the system's folder for such things. What processes that are gone have left there is removed first.
 */
export function createScratch(dataDir: string): Scratch {
  let base: Promise<string> | undefined
  const ready = () => (base ??= prepare(dataDir))
  return {
    async folder(name) {
      const path = join(await ready(), name)
      await rm(path, { recursive: true, force: true })
      await mkdir(path, { recursive: true })
      return path
    },
    async remove() {
      if (base !== undefined) await rm(await base, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

async function prepare(dataDir: string): Promise<string> {
  const own = join(resolve(dataDir), 'scratch')
  const parent = (await othersReach(resolve(dataDir))) ? own : join(tmpdir(), 'platen-scratch')
  await mkdir(parent, { recursive: true })
  for (const name of await readdir(parent)) {
    if (/^\d+$/.test(name) && !isRunning(Number(name)))
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined)
  }
  return join(parent, String(process.pid))
}

/** Whether users that own nothing may pass through all folders on the way; asked only where programs run as such. */
async function othersReach(folder: string): Promise<boolean> {
  if (process.getuid?.() !== 0) return true
  for (let at = folder; ; at = dirname(at)) {
    const { mode } = await stat(at)
    if ((mode & 0o001) === 0) return false
    if (at === dirname(at)) return true
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

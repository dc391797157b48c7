import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** Folders for what lives no longer than this process. */
export interface Scratch {
  /** A folder of this name, empty. */
  folder(name: string): Promise<string>
  /** Removes all of them. */
  remove(): Promise<void>
}

/** Containers that share a folder each count their processes from one: a process is told by its machine as well. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

/**
 * Below the data folder, or, where programs that run as another user could not reach that (a home of root's), below
 * the system's folder for such things, which services share: each has a folder of its own there, also two in one
 * process. What processes that are gone have left there is removed first.
 */
export function createScratch(dataDir: string): Scratch {
  const own = `${machine}-${process.pid}-${randomBytes(4).toString('hex')}`
  let base: Promise<string> | undefined
  // One that could not be made is tried again by the next.
  const ready = () =>
    (base ??= prepare(dataDir, own).catch((error: unknown) => {
      base = undefined
      throw error
    }))
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

async function prepare(dataDir: string, own: string): Promise<string> {
  const inside = join(resolve(dataDir), 'scratch')
  const parent = (await othersReach(resolve(dataDir))) ? inside : join(tmpdir(), 'platen-scratch')
  await mkdir(parent, { recursive: true })
  for (const name of await readdir(parent)) {
    if (await isLeft(parent, name))
      await rm(join(parent, name), { recursive: true, force: true }).catch(() => undefined)
  }
  return join(parent, own)
}

/** Whether this folder was made on this machine by a process that is gone, or by an earlier one of our number. */
async function isLeft(parent: string, name: string): Promise<boolean> {
  const [, on, pid] = /^([0-9a-f]{8})-(\d+)-[0-9a-f]{8}$/.exec(name) ?? []
  if (on !== machine || pid === undefined) return false
  if (Number(pid) !== process.pid) return !isRunning(Number(pid))
  const { mtimeMs } = await stat(join(parent, name))
  return mtimeMs < Date.now() - process.uptime() * 1000
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

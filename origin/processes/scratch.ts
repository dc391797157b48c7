import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Folders for what lives no longer than this process. */
export interface Scratch {
  /** A folder of this name, empty. */
  folder(name: string): Promise<string>
  /** A new folder with a path as short as can be: sockets stand in it, whose addresses have 107 bytes (unix(7)). */
  socketFolder(): Promise<string>
  /** Removes all of them. */
  remove(): Promise<void>
}

/** Others pass through to what is theirs and see nothing on the way. */
const passable = 0o711

/** Containers that share a folder each count their processes from one: a process is told by its machine as well. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
const own = `platen-${machine}-${process.pid}-`

/**
 * Below the data folder, or, where programs run as other users, who may not enter that, below the system's folder for
 * such things. Each service has a folder of its own there, also two in one process. What processes that are gone have
 * left is removed first.
 */
export function createScratch(dataDir: string): Scratch {
  let base: Promise<string> | undefined
  const short: string[] = []
  // One that could not be made is tried again by the next.
  const ready = () =>
    (base ??= prepare(dataDir).catch((error: unknown) => {
      base = undefined
      throw error
    }))
  return {
    async folder(name) {
      const path = join(await ready(), name)
      await rm(path, { recursive: true, force: true })
      await mkdir(path, { recursive: true })
      await chmod(path, passable)
      return path
    },
    async socketFolder() {
      await ready()
      const path = await mkdtemp(join(tmpdir(), own))
      short.push(path)
      return path
    },
    async remove() {
      const all = [...short, ...(base === undefined ? [] : [await base])]
      for (const path of all) await rm(path, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

async function prepare(dataDir: string): Promise<string> {
  const inside = join(resolve(dataDir), 'scratch')
  const parent = process.getuid?.() === 0 ? tmpdir() : inside
  await mkdir(parent, { recursive: true })
  for (const place of new Set([parent, tmpdir()])) {
    for (const name of await readdir(place)) {
      if (await isLeft(place, name).catch(() => false))
        await rm(join(place, name), { recursive: true, force: true }).catch(() => undefined)
    }
  }
  const base = await mkdtemp(join(parent, own))
  await chmod(base, passable)
  return base
}

/** Whether this folder was made on this machine by a process that is gone, or by an earlier one of our number. */
async function isLeft(parent: string, name: string): Promise<boolean> {
  const [, on, pid] = /^platen-([0-9a-f]{8})-(\d+)-\w{6}$/.exec(name) ?? []
  if (on !== machine || pid === undefined) return false
  const { mtimeMs, uid } = await lstat(join(parent, name))
  // Other people's folders are not ours to remove, except those of the users that our programs run as.
  const user = process.getuid?.()
  if (user !== 0 && uid !== user) return false
  if (Number(pid) !== process.pid) return !isRunning(Number(pid))
  return mtimeMs < Date.now() - process.uptime() * 1000
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

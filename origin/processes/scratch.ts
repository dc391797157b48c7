import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { AppError } from '../../shared/errors/app-error.ts'
import { isProgramUser } from './users.ts'

/** Temporary folders of this process. */
export interface Scratch {
  /** The folder with this name, emptied. */
  folder(name: string): Promise<string>
  /**
   * A new folder for sockets. Its path is short, because the address of a socket has at most 107 bytes
   * (unix(7)).
   */
  socketFolder(): Promise<string>
  /**
   * The folder that prevents programs of other users from accessing everything below it; undefined if there is none,
   * or if programs run as our own user. `folder` and `socketFolder` throw 'convert.closed-folder' while there is one.
   */
  closedFolder(): Promise<string | undefined>
  /** Removes the leftovers of processes that have ended, before any folder is needed. */
  sweep(): Promise<void>
  /** Removes all folders that were created. */
  remove(): Promise<void>
}

/** Other users may enter folders below this one that they own, but cannot list it. */
const passable = 0o711

/**
 * Containers that share a folder have the same process IDs, so names of folders contain a hash of the host
 * name in addition to the process ID.
 */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
const ownName = `${machine}-${process.pid}-`
const namePrefix = `platen-${ownName}`

/** Makes a temporary folder that is removed at the next start if this process dies before. */
export function makeTemporary(purpose: 'trial'): Promise<string> {
  return mkdtemp(join(tmpdir(), `platen-${purpose}-${ownName}`))
}

/**
 * Creates folders in a new folder below the data folder. If the service runs as root, programs run as other
 * users, who may not enter the data folder; then the system's temporary folder is used. Folders left by
 * processes that have ended are removed first. Several instances in one process do not share folders.
 */
export function createScratch(dataDir: string): Scratch {
  let base: Promise<string> | undefined
  const socketFolders: string[] = []
  // A failure is not cached, so the next call tries again.
  const baseFolder = () =>
    (base ??= prepare(dataDir).catch((error: unknown) => {
      base = undefined
      throw error
    }))
  return {
    async folder(name) {
      const path = join(await baseFolder(), name)
      await rm(path, { recursive: true, force: true })
      await mkdir(path, { recursive: true })
      await chmod(path, passable)
      return path
    },
    async socketFolder() {
      await baseFolder()
      const path = await mkdtemp(join(tmpdir(), namePrefix))
      socketFolders.push(path)
      return path
    },
    closedFolder,
    sweep: () => removeAbandoned(parentOf(dataDir)),
    async remove() {
      const folders = [...socketFolders, ...(base === undefined ? [] : [await base])]
      for (const path of folders) await rm(path, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** Permission of other users to enter a folder (chmod(2), S_IXOTH). */
const enterable = 0o001

async function closedFolder(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const start = await realpath(tmpdir()).catch(() => resolve(tmpdir()))
  for (let path = start; ; path = dirname(path)) {
    // One that does not exist yet is created with the permissions of the service.
    const stats = await stat(path).catch(() => undefined)
    if (stats !== undefined && (stats.mode & enterable) === 0) return path
    if (path === dirname(path)) return undefined
  }
}

/** Where the folder of this process is created. */
function parentOf(dataDir: string): string {
  return process.getuid?.() === 0 ? tmpdir() : join(resolve(dataDir), 'scratch')
}

/**
 * Removes abandoned folders from a folder, which may be absent, and from the system's temporary one, and then the sockets
 * that their programs left elsewhere.
 */
async function removeAbandoned(parent: string): Promise<void> {
  const users = new Set<number>()
  for (const folder of new Set([parent, tmpdir()])) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!(await isAbandoned(folder, name).catch(() => false))) continue
      for (const user of await programUsers(join(folder, name))) users.add(user)
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined)
    }
  }
  if (users.size > 0) await removeSockets(users)
}

/** The users of the programs that had folders in the folder of a service: one level below the folders of its engines. */
async function programUsers(folder: string): Promise<number[]> {
  const engines = await readdir(folder).catch(() => [])
  const programs = await Promise.all(
    engines.map(async (engine) =>
      (await readdir(join(folder, engine)).catch(() => [])).map((name) => join(folder, engine, name)),
    ),
  )
  // Another origin that starts at the same time removes the same folders.
  const stats = await Promise.all(programs.flat().map((path) => lstat(path).catch(() => undefined)))
  return stats.flatMap((entry) => (entry !== undefined && isProgramUser(entry.uid) ? [entry.uid] : []))
}

/** Removes the sockets of users as whom no program runs any longer from the folders that every user may write to. */
async function removeSockets(users: Set<number>): Promise<void> {
  for (const process of await readdir('/proc').catch(() => []))
    if (/^\d+$/.test(process))
      users.delete((await stat(join('/proc', process)).catch(() => undefined))?.uid ?? -1)
  for (const folder of new Set(['/tmp', '/var/tmp', tmpdir()]))
    for (const name of await readdir(folder).catch(() => [])) {
      const stats = await lstat(join(folder, name)).catch(() => undefined)
      if (stats?.isSocket() && users.has(stats.uid))
        await rm(join(folder, name), { force: true }).catch(() => undefined)
    }
}

async function prepare(dataDir: string): Promise<string> {
  const parent = parentOf(dataDir)
  await mkdir(parent, { recursive: true })
  if ((await closedFolder()) !== undefined) throw new AppError('convert.closed-folder')
  await removeAbandoned(parent)
  const base = await mkdtemp(join(parent, namePrefix))
  await chmod(base, passable)
  return base
}

/**
 * Whether a folder was created on this machine by a process that has ended, or by an earlier one with our
 * process ID.
 */
async function isAbandoned(parent: string, name: string): Promise<boolean> {
  const [, on, pid] = /^platen-(?:trial-|web-)?([0-9a-f]{8})-(\d+)-\w{6}$/.exec(name) ?? []
  if (on !== machine || pid === undefined) return false
  const { mtimeMs, uid } = await lstat(join(parent, name))
  // Folders of other users must stay. Root may remove them, because its programs run as other users.
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

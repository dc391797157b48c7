import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { fillDisk } from './fill-disk.ts'
import { freePort } from './free-port.ts'
import { kill } from './kill.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { spawnTied } from './tied-process.ts'

const run = promisify(execFile)

export interface PostgresServer {
  readonly url: string // of the database `postgres`
  /** An empty database; its URL. */
  database(): Promise<string>
  /** Ends the server at once, as an operator in a hurry would; `up` starts it again with what it held. */
  down(): Promise<void>
  up(): Promise<void>
  /** Ends all its processes by SIGKILL, as a machine that runs out of memory does; `up` starts it again. */
  crash(): Promise<void>
  /** Suspends all its processes: connections stay open without an answer. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** Leaves no byte free on its disk, which must be one of its own (`diskMegabytes`). */
  fill(): void
  /** Frees disk space, and starts the server if the full disk has ended it. */
  empty(): Promise<void>
  stop(): Promise<void>
}

/**
 * A PostgreSQL server of its own on a free port, with its data in a temporary folder, gone when it stops or when this process ends. With
 * `diskMegabytes` the folder is a disk of that size, in memory.
 */
export async function startPostgres(diskMegabytes?: number): Promise<PostgresServer> {
  const bin = await newestBin()
  const folder = temporaryFolder('platen-postgres')
  if (diskMegabytes !== undefined)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m,mode=700`, 'tmpfs', folder])
  // The server refuses to run as root: the package made a user for it.
  const who = process.getuid?.() === 0 ? await idsOf('postgres') : undefined
  if (who !== undefined) await chown(folder, who.uid, who.gid)
  const data = join(folder, 'data')
  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'platen', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'],
    {
      cwd: folder,
      ...who,
    },
  )
  const port = await freePort()
  // What matters after a power cut does not matter here; what was committed outlives the end of the server.
  const settings = ['fsync=off', 'full_page_writes=off', 'max_connections=200']
  const start = () =>
    spawnTied(
      join(bin, 'postgres'),
      [
        '-D',
        data,
        '-p',
        String(port),
        '-h',
        '127.0.0.1',
        '-k',
        folder,
        ...settings.flatMap((one) => ['-c', one]),
      ],
      { cwd: folder, stdio: 'ignore', ...who },
    )
  let server = start()
  let gone = once(server, 'exit')
  const down = async () => {
    server.kill('SIGQUIT')
    await gone
  }
  const up = async () => {
    server = start()
    gone = once(server, 'exit')
    await ready(url)
  }
  const filler = join(folder, 'filler')
  const url = `postgres://platen@127.0.0.1:${port}/postgres`
  await ready(url)
  let count = 0
  return {
    url,
    database: async () => {
      const name = `test_${++count}`
      await ask(url, `CREATE DATABASE ${name}`)
      return `postgres://platen@127.0.0.1:${port}/${name}`
    },
    down,
    up,
    crash: async () => {
      await signalAll(server.pid, 'SIGKILL')
      await gone
    },
    freeze: () => signalAll(server.pid, 'SIGSTOP'),
    thaw: () => signalAll(server.pid, 'SIGCONT'),
    fill: () => fillDisk(filler),
    empty: async () => {
      await rm(filler)
      if (server.exitCode === null && server.signalCode === null) await ready(url)
      else await up()
    },
    stop: async () => {
      await down()
      if (diskMegabytes !== undefined) execFileSync('umount', ['--lazy', folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A server of processes is frozen when all of them are. */
async function signalAll(pid: number | undefined, signal: NodeJS.Signals): Promise<void> {
  kill(pid, signal)
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    if (parent === pid) kill(Number(name), signal)
  }
}

async function newestBin(): Promise<string> {
  const root = '/usr/lib/postgresql'
  const [newest] = (await readdir(root)).map(Number).sort((a, b) => b - a)
  return join(root, String(newest), 'bin')
}

async function idsOf(name: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout)),
  )
  return { uid: uid!, gid: gid! }
}

async function ready(url: string): Promise<void> {
  for (const end = Date.now() + 120_000; ; ) {
    try {
      return await ask(url, 'SELECT 1')
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function ask(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.query(text)
  } finally {
    await client.end().catch(() => {})
  }
}

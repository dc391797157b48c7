import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './edge-target.ts'

const run = promisify(execFile)

export interface PostgresServer {
  readonly url: string // of the database `postgres`
  /** An empty database; its URL. */
  database(): Promise<string>
  stop(): Promise<void>
}

/** A PostgreSQL server of its own on a free port, with its data in memory or a temporary folder, gone when it stops. */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = await newestBin()
  const folder = await mkdtemp(join(tmpdir(), 'platen-postgres-'))
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
  // What matters after a power cut does not matter here.
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200']
  const server = spawn(
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
  const gone = once(server, 'exit')
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
    stop: async () => {
      server.kill('SIGQUIT')
      await gone
      await rm(folder, { recursive: true, force: true })
    },
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

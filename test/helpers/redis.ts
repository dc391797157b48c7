import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import { kill } from './kill.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { spawnTied } from './tied-process.ts'

export interface RedisServer {
  readonly url: string
  /** Ends it and starts another, which knows nothing of what was there. */
  restart(): Promise<void>
  /** Ends it; `up` starts another, which knows nothing of what was there. */
  down(): Promise<void>
  up(): Promise<void>
  /** Suspends the process: connections stay open without an answer. */
  freeze(): void
  thaw(): void
  /** Leaves it no memory, so that it refuses all that writes. */
  fill(): Promise<void>
  empty(): Promise<void>
  /** The number of jobs that a queue of BullMQ holds. */
  entries(queue: string): Promise<number>
  stop(): Promise<void>
}

/** A Redis of its own on a free port, gone when it stops. */
export async function startRedis(): Promise<RedisServer> {
  const folder = temporaryFolder('platen-redis')
  const port = await freePort()
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--maxmemory-policy',
    'noeviction',
  ]
  const url = `redis://127.0.0.1:${port}`
  let pid: number | undefined
  const setMemory = async (bytes: number) => {
    const client = new Redis(url)
    await client.config('SET', 'maxmemory', bytes)
    client.disconnect()
  }
  const start = async () => {
    const server = spawnTied('redis-server', settings, { cwd: folder, stdio: 'ignore' })
    pid = server.pid
    const gone = once(server, 'exit')
    const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: 200 })
    client.on('error', () => {}) // until it listens
    await client.ping()
    client.disconnect()
    return async () => {
      server.kill('SIGKILL')
      await gone
    }
  }
  let end = await start()
  return {
    url,
    restart: async () => {
      await end()
      end = await start()
    },
    down: () => end(),
    up: async () => {
      end = await start()
    },
    freeze: () => kill(pid, 'SIGSTOP'),
    thaw: () => kill(pid, 'SIGCONT'),
    fill: () => setMemory(1),
    empty: () => setMemory(0),
    entries: async (queue) => {
      const client = new Redis(url)
      const keys = await client.keys(`bull:${queue}:job-*`)
      client.disconnect()
      return keys.length
    },
    stop: async () => {
      await end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

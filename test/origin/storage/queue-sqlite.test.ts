import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { readMigrations } from '../../../origin/storage/migrations.ts'
import { openSqlQueue, type QueueOptions } from '../../../origin/storage/queue-sqlite.ts'
import { openSqlite } from '../../../origin/storage/records-sqlite.ts'
import type { Log } from '../../../shared/plugin/values.ts'
import type { QueuedJob } from '../../../shared/ports/index.ts'
import { migrate } from '../../../shared/records/migrate.ts'
import { pause, queueContract, until } from '../../contract/queue.ts'
import { useClosing, useTemporary } from '../../helpers/temporary.ts'

const fresh = useTemporary()
const closing = useClosing()

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} }
const clock = { now: () => Date.now() }
/** The lease outlasts every pause of a loaded machine. Tests in which it ends move the clock, or let another process choose it. */
const fast = { leaseMs: 600_000, pollMs: 20, retryMs: 10 }
const job = (id: string): QueuedJob => ({ id, account: 'acme', kind: 'render', delivery: 1 })

async function open(path = fresh('queue.sqlite'), options: Partial<QueueOptions> = fast) {
  const sql = closing(openSqlite(path))
  await migrate(sql, await readMigrations())
  return { path, queue: openSqlQueue({ sql, clock, log: silent, ...options }) }
}

queueContract('table in SQLite', async () => {
  const { queue } = await open()
  return { queue, consume: async (run, concurrency = 2) => queue.consume!(run, { concurrency }) }
})

describe('table in SQLite', () => {
  it('runs as many jobs at once as configured', async () => {
    const { queue } = await open()
    for (let n = 0; n < 9; n++) await queue.send(job(`j${n}`))
    let [running, most, done] = [0, 0, 0]
    const stop = queue.consume!(
      async () => {
        most = Math.max(most, ++running)
        await pause(30)
        running--
        done++
      },
      { concurrency: 3 },
    )
    await until(() => done === 9)
    await stop()
    expect(most).toBe(3)
  })

  it('starts a job of its own process without waiting for the next look', async () => {
    const { queue } = await open(undefined, { pollMs: 60_000 })
    const seen: string[] = []
    const stop = queue.consume!(async ({ id }) => void seen.push(id), { concurrency: 1 })
    await pause(50)
    await queue.send(job('a'))
    await until(() => seen.length === 1)
    await stop()
  })

  it('two processes share the work', async () => {
    const { path, queue } = await open()
    const other = (await open(path)).queue
    const seen: string[] = []
    const run = async ({ id }: QueuedJob): Promise<undefined> => {
      await pause(5)
      seen.push(id)
    }
    const stops = [queue, other].map((each) => each.consume!(run, { concurrency: 2 }))
    const ids = Array.from({ length: 40 }, (_, n) => `j${n}`)
    for (const id of ids) await queue.send(job(id))
    await until(() => seen.length >= 40)
    await Promise.all(stops.map((stop) => stop()))
    expect([...seen].sort()).toEqual([...ids].sort())
    expect(await queue.size!()).toBe(0)
  })

  it('renews the lease of a long job, so no other worker gets it', async () => {
    // Time passes in steps below a lease, each after a renewal, so that a machine that stands still loses no lease.
    let now = 1_000_000
    const stepping = { ...fast, leaseMs: 300, clock: { now: () => now } }
    const path = fresh('queue.sqlite')
    const sql = closing(openSqlite(path))
    const queues = [(await open(path, stepping)).queue, (await open(path, stepping)).queue]
    const leaseEnd = async () => {
      const [row] = await sql.query({ text: 'SELECT available_at AS ends FROM queue_jobs', values: [] })
      return Number(row?.['ends'])
    }
    const attempts: number[] = []
    const run = async ({ delivery }: QueuedJob): Promise<undefined> => {
      attempts.push(delivery)
      for (let step = 0; step < 6; step++) {
        await until(async () => (await leaseEnd()) === now + stepping.leaseMs)
        now += stepping.leaseMs - 1
        await pause(fast.pollMs * 2)
      }
    }
    const stops = queues.map((each) => each.consume!(run, { concurrency: 1 }))
    await queues[0]!.send(job('long'))
    await until(async () => (await queues[0]!.size!()) === 0)
    await Promise.all(stops.map((stop) => stop()))
    expect(attempts).toEqual([1])
  })

  it('aborts a job whose lease another worker took', async () => {
    let shift = 0
    const { path, queue } = await open(undefined, {
      ...fast,
      leaseMs: 300,
      clock: { now: () => Date.now() + shift },
    })
    const other = (await open(path)).queue
    let aborted = false
    const stop = queue.consume!(
      async (_job, signal) => {
        // This worker's clock falls behind: what it believes is a renewed lease has long ended.
        shift = -10_000
        await until(() => signal.aborted)
        aborted = true
      },
      { concurrency: 1 },
    )
    await queue.send(job('a'))
    await until(() => shift < 0)
    const seen: number[] = []
    const stopOther = other.consume!(async ({ delivery }) => void seen.push(delivery), {
      concurrency: 1,
    })
    await until(() => aborted)
    await Promise.all([stop(), stopOther()])
    expect(seen).toEqual([2])
    expect(await queue.size!()).toBe(0)
  })

  it('delivers the jobs of a killed process again', async () => {
    const { path, queue } = await open()
    await queue.send(job('a'))
    const worker = new URL('./queue-worker.ts', import.meta.url).pathname
    const child = spawn(process.execPath, [worker, path], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = await once(child.stdout, 'data')
    expect(String(said)).toBe('has a, delivery 1\n')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const seen: QueuedJob[] = []
    const stop = queue.consume!(async (given) => void seen.push(given), { concurrency: 1 })
    await until(() => seen.length === 1)
    await stop()
    expect(seen).toEqual([{ ...job('a'), delivery: 2 }])
    expect(await queue.size!()).toBe(0)
  })

  it('reports a missing table', async () => {
    const sql = closing(openSqlite(':memory:'))
    const queue = openSqlQueue({ sql, clock, log: silent })
    await expect(queue.send(job('a'))).rejects.toMatchObject({ code: 'storage.queue' })
  })
})

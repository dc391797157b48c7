import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRedisQueue } from '../../../origin/storage/queue-redis.ts'
import type { Log } from '../../../shared/plugin/values.ts'
import type { QueuedJob } from '../../../shared/ports/index.ts'
import { pause, queueContract, until } from '../../contract/queue.ts'
import { type RedisServer, startRedis } from '../../helpers/redis.ts'
import { useClosing } from '../../helpers/temporary.ts'

const log: Log = { debug() {}, info() {}, warn() {}, error() {} }
const job = (id: string): QueuedJob => ({ id, account: 'acme', kind: 'render', delivery: 1 })
let server: RedisServer
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server.stop())
const closing = useClosing()

let count = 0
const fresh = () => `queue-${++count}`
/** The lease outlasts every pause of a loaded machine. */
const open = (name = fresh(), leaseMs = 60_000) =>
  closing(openRedisQueue(server.url, { log, name, leaseMs, retryMs: 10 }))

queueContract('BullMQ on Redis', async () => {
  const queue = open()
  return { queue, consume: async (run, concurrency = 2) => queue.consume!(run, { concurrency }) }
})

describe('BullMQ on Redis', () => {
  it('two processes share the work, and nothing is left', async () => {
    const name = fresh()
    const queues = [open(name), open(name)]
    const seen: string[] = []
    const run = async ({ id }: QueuedJob): Promise<undefined> => {
      await pause(5)
      seen.push(id)
    }
    const stops = queues.map((each) => each.consume!(run, { concurrency: 2 }))
    const ids = Array.from({ length: 40 }, (_, n) => `${n}`)
    for (const id of ids) await queues[0]!.send(job(id))
    await until(() => seen.length >= 40)
    await Promise.all(stops.map((stop) => stop()))
    expect([...seen].sort()).toEqual([...ids].sort())
    expect(await queues[1]!.size!()).toBe(0)
  })

  it('renews the lease of a long job, so no other worker gets it', async () => {
    const name = fresh()
    const queues = [open(name, 2_000), open(name, 2_000)]
    const attempts: number[] = []
    const run = async ({ delivery }: QueuedJob): Promise<undefined> => {
      attempts.push(delivery)
      await pause(6_000)
    }
    const stops = queues.map((each) => each.consume!(run, { concurrency: 1 }))
    await queues[0]!.send(job('long'))
    await until(async () => attempts.length > 0 && (await queues[0]!.size!()) === 0)
    await Promise.all(stops.map((stop) => stop()))
    expect(attempts).toEqual([1])
  })

  it('counts waiting and running jobs', async () => {
    const queue = open()
    await queue.send(job('a'))
    await queue.send(job('b'))
    expect(await queue.size!()).toBe(2)
  })

  it('a job that is sent twice under one ID runs once', async () => {
    const queue = open()
    await queue.send(job('a'))
    await queue.send(job('a'))
    expect(await queue.size!()).toBe(1)
  })

  it('reports a text as new once, to one process', async () => {
    const name = fresh()
    const queues = [open(name), open(name)]
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, n) => queues[n % 2]!.claimOnce('nonce', 5_000)),
    )
    expect(asked.filter((fresh) => fresh)).toHaveLength(1)
    expect(await queues[0]!.claimOnce('short', 20)).toBe(true)
    await pause(60)
    expect(await queues[1]!.claimOnce('short', 20)).toBe(true)
  })

  it('reports a missing server', async () => {
    const queue = closing(openRedisQueue('redis://127.0.0.1:1', { log }))
    await expect(queue.send(job('a'))).rejects.toMatchObject({ code: 'storage.queue' })
  })
})

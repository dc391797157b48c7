import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { canMount } from '../helpers/allowed.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { type RedisServer, startRedis } from '../helpers/redis.ts'
import { type S3Server, startS3 } from '../helpers/s3.ts'
import {
  expectEnded,
  expectGone,
  expectNothingLeft,
  filesIn,
  long,
  namesOf,
  type Origin,
  pause,
  type Receiver,
  send,
  slowRender,
  startOrigin,
  startReceiver,
  temporary,
  unacknowledged,
  untilHealthy,
} from './world.ts'

const body = slowRender
const jobs = long ? 200 : 12
const outageMs = (longMs: number) => (long ? longMs : 3_000)

const stoppedQueue = 'a queue that is stopped'
const fullQueue = 'a queue without memory'
const stoppedFiles = 'a file store that is stopped'
const frozenFiles = 'a file store that is frozen'
const fullFiles = 'a file store that is full'
/** Too long for the short form, or much like another one. */
const slow: readonly unknown[] = [stoppedQueue, fullQueue, stoppedFiles, fullFiles]

interface Stores {
  readonly postgres: PostgresServer
  readonly redis: RedisServer
  readonly s3: S3Server
}
interface Outage {
  readonly begin: (stores: Stores) => unknown
  readonly end: (stores: Stores) => unknown
  readonly ms: number
  /** Renders that are sent while it lasts may be refused. */
  readonly refuses: boolean
}

/** A queue that is stopped forgets what it held, of which `lost-queue.test.ts` is the short form. */
const outages: readonly (readonly [string, Outage])[] = [
  [
    'a database that is frozen',
    {
      begin: ({ postgres }) => postgres.freeze(),
      end: ({ postgres }) => postgres.thaw(),
      ms: outageMs(30_000),
      refuses: true,
    },
  ],
  [
    stoppedQueue,
    {
      begin: ({ redis }) => redis.down(),
      end: ({ redis }) => redis.up(),
      ms: outageMs(10_000),
      refuses: false,
    },
  ],
  [
    'a queue that is frozen',
    {
      begin: ({ redis }) => redis.freeze(),
      end: ({ redis }) => redis.thaw(),
      ms: outageMs(30_000),
      refuses: false,
    },
  ],
  [
    fullQueue,
    {
      begin: ({ redis }) => redis.fill(),
      end: ({ redis }) => redis.empty(),
      ms: outageMs(30_000),
      refuses: false,
    },
  ],
  [
    stoppedFiles,
    { begin: ({ s3 }) => s3.down(), end: ({ s3 }) => s3.up(), ms: outageMs(10_000), refuses: true },
  ],
  [
    frozenFiles,
    { begin: ({ s3 }) => s3.freeze(), end: ({ s3 }) => s3.thaw(), ms: outageMs(30_000), refuses: true },
  ],
  [
    fullFiles,
    { begin: ({ s3 }) => s3.fill(), end: ({ s3 }) => s3.empty(), ms: outageMs(30_000), refuses: true },
  ],
]

function report(
  what: string,
  ended: { done: number; failed: number; twice: number },
  healthyMs: number,
): void {
  if (!long) return
  expect([what, healthyMs < 5_000]).toEqual([what, true])
  console.log(
    `${what}: ${ended.done} done, ${ended.failed} told as failed, ${ended.twice} told twice with one id, healthy after ${healthyMs.toFixed(0)} ms`,
  )
}

describe('an outage', () => {
  let stores: Stores
  let receiver: Receiver
  beforeAll(async () => {
    const [postgres, redis, s3] = await Promise.all([startPostgres(), startRedis(), startS3()])
    stores = { postgres, redis, s3 }
  })
  /** The origins of one try. One that were left would take jobs of the next from the queue, whose rows it does not have. */
  let started: Origin[] = []
  const start = async (...parts: Parameters<typeof startOrigin>) => {
    const origin = await startOrigin(...parts)
    started.push(origin)
    return origin
  }
  // Each try has a receiver of its own, which has received nothing yet.
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(async () => {
    await Promise.all(started.map((origin) => origin.kill()))
    started = []
    receiver.stop()
  })
  afterAll(() => Promise.all([stores.postgres.stop(), stores.redis.stop(), stores.s3.stop()]))

  it.each(outages.filter(([what]) => long || !slow.includes(what)))(
    'of %s loses no accepted render',
    async (what, { begin, end, ms, refuses }) => {
      const { folder, remove } = await temporary()
      const files = await stores.s3.bucket()
      const bucket = /@([^/]+)/.exec(files)?.[1]
      const database = await stores.postgres.database()
      const origin = await start(folder, {
        SERVICE_DATABASE_URL: database,
        SERVICE_REDIS_URL: stores.redis.url,
        SERVICE_BLOBS_URL: files,
      })
      const names = namesOf(jobs, 'o')
      const half = names.length / 2
      const accepted = [...(await send(origin.url, receiver, names.slice(0, half), body))]
      expect(accepted).toHaveLength(half)
      await begin(stores)
      const during = send(origin.url, receiver, names.slice(half), body)
      await pause(ms)
      await end(stores)
      const healthyMs = await untilHealthy(origin.url)
      const later = await during
      if (!refuses) expect(later).toHaveLength(names.length - half)
      accepted.push(...later)
      const ended = await expectEnded(origin.url, receiver, accepted, { idleMs: 600_000 })
      report(what, ended, healthyMs)
      expect([ended.done, ended.failed]).toEqual([accepted.length, 0])
      expect(unacknowledged(receiver, accepted)).toEqual([])
      await expectNothingLeft({
        database,
        redis: stores.redis,
        files: () => stores.s3.keys().filter((key) => key.startsWith(`${bucket}/`)),
        maxFiles: what === frozenFiles ? names.length - accepted.length : 0,
      })
      await expectGone(origin, folder)
      await remove()
    },
  )

  it('of all origins at once loses no accepted render', async () => {
    const { s3 } = stores
    const folders = [await temporary(), await temporary()]
    const database = await stores.postgres.database()
    const files = await s3.bucket()
    const bucket = /@([^/]+)/.exec(files)?.[1]
    const environment = {
      SERVICE_DATABASE_URL: database,
      SERVICE_REDIS_URL: stores.redis.url,
      SERVICE_BLOBS_URL: files,
    }
    const startAll = () => Promise.all(folders.map(({ folder }) => start(folder, environment)))
    let origins: readonly Origin[] = await startAll()
    const accepted = await send(origins[0]!.url, receiver, namesOf(jobs, 'away'), body)
    expect(accepted).toHaveLength(jobs)
    await Promise.all(origins.map((origin) => origin.kill()))
    expect(receiver.reported.size).toBeLessThan(jobs)
    await pause(outageMs(60_000))
    origins = await startAll()
    const healthyMs = await untilHealthy(origins[1]!.url)
    const ended = await expectEnded(origins[1]!.url, receiver, accepted, { idleMs: 600_000 })
    report('all origins away', ended, healthyMs)
    expect([ended.done, ended.failed]).toEqual([jobs, 0])
    await expectNothingLeft({
      database,
      redis: stores.redis,
      files: () => s3.keys().filter((key) => key.startsWith(`${bucket}/`)),
    })
    for (const [at, { folder, remove }] of folders.entries()) {
      await expectGone(origins[at]!, folder)
      await remove()
    }
  })
})

describe.runIf(canMount())('a database whose disk is full', () => {
  it('loses no accepted render, answers 503, and goes on when there is space', async () => {
    const [postgres, receiver] = await Promise.all([startPostgres(192), startReceiver()])
    const { folder, remove } = await temporary()
    const database = await postgres.database()
    const origin = await startOrigin(folder, { SERVICE_DATABASE_URL: database })
    const accepted = [...(await send(origin.url, receiver, namesOf(jobs, 'before'), body))]
    expect(accepted).toHaveLength(jobs)
    postgres.fill()
    // Its log fits for some time, and then no row can be written any more.
    let refusal: Response | undefined
    const padding = 'x'.repeat(4_000)
    for (let at = 0; at < 20_000 && refusal === undefined; at++) {
      const answer = await fetch(`${origin.url}/render/template`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'service-webhook-url': `${receiver.url}/during-${at}`,
          'service-webhook-header-x-padding': padding,
        },
        body: JSON.stringify({ template: btoa('{d.name}'), data: { name: `during-${at}` } }),
      })
      if (answer.status === 200) {
        accepted.push({ name: `during-${at}`, job: answer.headers.get('service-job-id') ?? '' })
        await answer.arrayBuffer()
      } else refusal = answer
    }
    expect(refusal?.status).toBe(503)
    expect(['w210', 'w215']).toContain(((await refusal!.json()) as { code: string }).code)
    expect(Number(refusal!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    await pause(outageMs(30_000))
    await postgres.empty()
    const healthyMs = await untilHealthy(origin.url)
    const later = await send(origin.url, receiver, namesOf(3, 'after'), body)
    expect(later).toHaveLength(3)
    const ended = await expectEnded(origin.url, receiver, [...accepted, ...later], { idleMs: 600_000 })
    report('a database whose disk is full', ended, healthyMs)
    expect([ended.done, ended.failed]).toEqual([accepted.length + 3, 0])
    expect(unacknowledged(receiver, [...accepted, ...later])).toEqual([])
    const files = await filesIn(folder)
    await expectNothingLeft({ database, files: () => files })
    await expectGone(origin, folder)
    await postgres.stop()
    receiver.stop()
    await remove()
  })
})

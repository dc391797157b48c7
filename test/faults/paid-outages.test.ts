/**
 * Credits while stores fail: an account pays once for each document that was made, gets back what a render cost that failed for
 * good, and pays nothing for what was refused.
 */
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { canMount } from '../helpers/allowed.ts'
import { platen } from '../helpers/platen-cli.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { type RedisServer, startRedis } from '../helpers/redis.ts'
import { type S3Server, startS3 } from '../helpers/s3.ts'
import {
  expectEnded,
  expectGone,
  expectNothingLeft,
  long,
  namesOf,
  type Origin,
  pause,
  type Receiver,
  rendersOf,
  send,
  startOrigin,
  startReceiver,
  temporary,
  unacknowledged,
  untilHealthy,
} from './world.ts'

const jobs = long ? 200 : 24
/** Every third fails for good. */
const made = rendersOf(3_000)
const body = (name: string) => ({ ...made(name), ...(/[258]$/.test(name) && { convertTo: 'nonsense' }) })

interface Stores {
  readonly postgres: PostgresServer
  readonly redis: RedisServer
  readonly s3: S3Server
}
interface Fault {
  readonly name: string
  readonly begin: (stores: Stores) => unknown
  readonly end: (stores: Stores) => unknown
  readonly ms: number
  /** Files of calls that were refused, which a store that hung writes when it goes on. */
  readonly mayLeaveFiles?: boolean
}

const [killedMs, stoppedMs, frozenMs, fullMs] = long
  ? [300, 10_000, 30_000, 30_000]
  : [300, 1_500, 3_000, 2_000]
const faults: readonly Fault[] = [
  {
    name: 'a database that is killed',
    begin: ({ postgres }) => postgres.crash(),
    end: ({ postgres }) => postgres.up(),
    ms: killedMs,
  },
  {
    name: 'a file store that is stopped',
    begin: ({ s3 }) => s3.down(),
    end: ({ s3 }) => s3.up(),
    ms: stoppedMs,
  },
  {
    name: 'a queue that is frozen',
    begin: ({ redis }) => redis.freeze(),
    end: ({ redis }) => redis.thaw(),
    ms: frozenMs,
  },
  {
    name: 'a database that is stopped',
    begin: ({ postgres }) => postgres.down(),
    end: ({ postgres }) => postgres.up(),
    ms: stoppedMs,
  },
  {
    name: 'a database that is frozen',
    begin: ({ postgres }) => postgres.freeze(),
    end: ({ postgres }) => postgres.thaw(),
    ms: frozenMs,
  },
  {
    name: 'a file store that breaks off',
    begin: ({ s3 }) => s3.down(),
    end: ({ s3 }) => s3.up(),
    ms: killedMs,
  },
  {
    name: 'a file store that is frozen',
    begin: ({ s3 }) => s3.freeze(),
    end: ({ s3 }) => s3.thaw(),
    ms: frozenMs,
    mayLeaveFiles: true,
  },
  {
    name: 'a file store that is full',
    begin: ({ s3 }) => s3.fill(),
    end: ({ s3 }) => s3.empty(),
    ms: fullMs,
  },
  {
    name: 'a queue that is killed',
    begin: ({ redis }) => redis.down(),
    end: ({ redis }) => redis.up(),
    ms: killedMs,
  },
  {
    name: 'a queue that is stopped',
    begin: ({ redis }) => redis.down(),
    end: ({ redis }) => redis.up(),
    ms: stoppedMs,
  },
  {
    name: 'a queue without memory',
    begin: ({ redis }) => redis.fill(),
    end: ({ redis }) => redis.empty(),
    ms: fullMs,
  },
]
const fullDatabase: Fault = {
  name: 'a database whose disk is full',
  begin: ({ postgres }) => postgres.fill(),
  end: ({ postgres }) => postgres.empty(),
  ms: fullMs,
}
/** The short form has one account that meets the first three, one after the other. */
const tries: readonly (readonly [string, readonly Fault[]])[] = long
  ? [...faults, ...(canMount() ? [fullDatabase] : [])].map((fault) => [fault.name, [fault]] as const)
  : [['stores that fail one after the other', faults.slice(0, 3)]]

/** Hosted services call public addresses alone, this one through a proxy, which is the receiver itself. */
const publicAddress = 'http://93.184.215.14'

describe('credits', () => {
  let stores: Stores
  let receiver: Receiver
  let origin: Origin | undefined
  beforeAll(async () => {
    const postgres = startPostgres(long && canMount() ? 512 : undefined)
    const [started, redis, s3] = await Promise.all([postgres, startRedis(), startS3()])
    stores = { postgres: started, redis, s3 }
  })
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(async () => {
    await origin?.kill()
    receiver.stop()
  })
  afterAll(() => Promise.all([stores.postgres.stop(), stores.redis.stop(), stores.s3.stop()]))

  it.each(tries)('with %s are charged once for each document, and for nothing else', async (name, met) => {
    const { folder, remove } = await temporary()
    const files = await stores.s3.bucket()
    const bucket = /@([^/]+)/.exec(files)?.[1]
    const database = await stores.postgres.database()
    await platen(folder, 'generate-keys')
    const start = () =>
      startOrigin(folder, {
        SERVICE_DATABASE_URL: database,
        SERVICE_REDIS_URL: stores.redis.url,
        SERVICE_BLOBS_URL: files,
        SERVICE_HOSTED: 'true',
        SERVICE_ISOLATION: 'best',
        SERVICE_EGRESS_PROXY: receiver.url,
      })
    origin = await start()
    const { url } = origin
    // Commands of an operator find the records as the service does.
    vi.stubEnv('SERVICE_DATABASE_URL', database)
    await platen(folder, 'accounts', 'create', 'payer', '--credits', '100000')
    const { out: token } = await platen(folder, 'accounts', 'token', 'payer')
    vi.unstubAllEnvs()
    const headers = { authorization: `Bearer ${token}` }
    const called = { ...receiver, url: publicAddress }
    const sendAll = (names: readonly string[]) => send(url, called, names, body, headers)

    const share = Math.floor(jobs / (met.length + 1))
    const accepted = [...(await sendAll(namesOf(share, 'before')))]
    expect(accepted).toHaveLength(share)
    for (const [index, fault] of met.entries()) {
      // The first of them has begun, and the others wait.
      await pause(200)
      const during = sendAll(namesOf(share, `during-${index}`))
      await pause(100)
      await fault.begin(stores)
      await pause(fault.ms)
      await fault.end(stores)
      await untilHealthy(url)
      accepted.push(...(await during))
    }
    accepted.push(...(await sendAll(namesOf(jobs - accepted.length, 'after'))))
    const { done, failed, twice } = await expectEnded(url, receiver, accepted, { idleMs: 600_000, headers })
    if (long)
      console.log(
        `${name}: ${accepted.length} accepted, ${done} done, ${failed} failed, ${twice} told twice with one id`,
      )
    const isBad = (one: string) => 'convertTo' in body(one)
    const bad = accepted.filter((one) => isBad(one.name)).length
    expect([accepted.length, done, failed]).toEqual([jobs, jobs - bad, bad])
    expect(unacknowledged(receiver, accepted)).toEqual([])
    await expectNothingLeft({
      database,
      redis: stores.redis,
      files: () => stores.s3.keys().filter((key) => key.startsWith(`${bucket}/`)),
      maxFiles: met.some(({ mayLeaveFiles }) => mayLeaveFiles) ? jobs : 0,
    })
    expect(await creditsIn(database)).toEqual({ used: done, done, open: 0 })
    await expectGone(origin, folder)
    await remove()
  })
})

/** Credits that the account has used, documents that were made for it, and charges that are still open. */
async function creditsIn(database: string) {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const number = async (query: string) => Number((await client.query(query)).rows[0].n)
  const figures = {
    used: await number('SELECT COALESCE(SUM(used), 0) AS n FROM account_credits'),
    done: await number("SELECT COUNT(*) AS n FROM jobs WHERE state = 'done'"),
    open: await number('SELECT COUNT(*) AS n FROM open_charges'),
  }
  await client.end()
  return figures
}

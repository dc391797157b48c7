import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { type RedisServer, startRedis } from '../helpers/redis.ts'
import {
  expectEnded,
  long,
  namesOf,
  pause,
  type Receiver,
  send,
  sendAtOnce,
  slowRender,
  startOrigin,
  startReceiver,
  temporary,
  untilHealthy,
} from './world.ts'

const body = slowRender
const quick = (name: string) => ({ template: btoa('{d.name}'), data: { name } })

describe('a database', () => {
  let postgres: PostgresServer
  let redis: RedisServer
  let receiver: Receiver
  beforeAll(async () => {
    ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  })
  // Each try has a receiver of its own, which has received nothing yet.
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.stop())
  afterAll(async () => {
    await Promise.all([postgres.stop(), redis.stop()])
  })

  const queues: readonly [string, () => Readonly<Record<string, string>>][] = [
    ['its own table as queue', () => ({})],
    ['Redis as queue', () => ({ SERVICE_REDIS_URL: redis.url })],
  ]
  it.each(queues)('that stops among renders, with %s, loses none', async (kind, more) => {
    const { folder, remove } = await temporary()
    const environment = { SERVICE_DATABASE_URL: await postgres.database(), ...more() }
    const origin = await startOrigin(folder, environment)
    const names = namesOf(long ? 200 : 24, kind.slice(0, 3))
    const half = names.length / 2
    const accepted = [...(await send(origin.url, receiver, names.slice(0, half), body))]
    expect(accepted).toHaveLength(half)
    await postgres.down()
    const during = send(origin.url, receiver, names.slice(half), body)
    await pause(14_000)
    await postgres.up()
    accepted.push(...(await during))
    const { done, failed } = await expectEnded(origin.url, receiver, accepted)
    expect([done, failed]).toEqual([accepted.length, 0])
    await origin.stop()
    await remove()
  })

  it('that is frozen keeps no caller waiting without end, and is reported as unavailable', async () => {
    const { folder, remove } = await temporary()
    const origin = await startOrigin(folder, {
      SERVICE_DATABASE_URL: await postgres.database(),
      SERVICE_RENDER_TIMEOUT: '8000',
    })
    const id = 'a'.repeat(64)
    expect((await fetch(`${origin.url}/template/${id}`)).status).toBe(404)
    await postgres.freeze()
    try {
      const calls: readonly [string, RequestInit?][] = [
        [`/template/${id}`],
        ['/templates'],
        [
          `/render/${id}`,
          { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"data":{}}' },
        ],
        [`/render/${'A'.repeat(28)}.txt`],
        ['/status'],
      ]
      const answers = await Promise.all(
        calls.map(async ([path, init]) => {
          const answer = await fetch(origin.url + path, { ...init, signal: AbortSignal.timeout(60_000) })
          return [
            path,
            answer.status,
            answer.headers.get('retry-after'),
            ((await answer.json()) as { code?: unknown }).code,
          ]
        }),
      )
      expect(answers).toEqual(
        calls.map(([path]) => (path === '/status' ? [path, 503, null, 503] : [path, 503, '1', 'w210'])),
      )
    } finally {
      await postgres.thaw()
    }
    await expect.poll(async () => (await fetch(`${origin.url}/status`)).status).toBe(200)
    await origin.stop()
    await remove()
  })

  it('that is frozen while renders are accepted makes none of those that it refused', async () => {
    const { folder, remove } = await temporary()
    const url = await postgres.database()
    const origin = await startOrigin(folder, { SERVICE_DATABASE_URL: url })
    const count = 24
    // As many connections as there can be are open, so that each call has one to write to.
    const before = await sendAtOnce(origin.url, receiver, namesOf(count, 'before'), quick)
    expect(before).toHaveLength(count)
    await expectEnded(origin.url, receiver, before)
    const during = sendAtOnce(origin.url, receiver, namesOf(count, 'during'), quick)
    await pause(5)
    await postgres.freeze()
    const late = sendAtOnce(origin.url, receiver, namesOf(count, 'late'), quick)
    const accepted = [...(await during), ...(await late)]
    await postgres.thaw()
    await untilHealthy(origin.url)
    // The server executes what it was sent, notices that the callers' connections are closed, and takes a later write.
    const after = await send(origin.url, receiver, ['after'], quick)
    const { done } = await expectEnded(origin.url, receiver, [...accepted, ...after])
    expect(done).toBe(accepted.length + 1)
    const rows = async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const { rows } = await client.query(`SELECT COUNT(*) AS n FROM jobs WHERE state <> 'failed'`)
      await client.end()
      return Number(rows[0].n)
    }
    await expect.poll(rows, { timeout: 20_000 }).toBe(before.length + accepted.length + 1)
    expect([...receiver.reported.keys()].toSorted()).toEqual(
      [...before, ...accepted, ...after].map(({ name }) => name).toSorted(),
    )
    await origin.stop()
    await remove()
  })

  it('that is away when an origin starts is waited for', async () => {
    const { folder, remove } = await temporary()
    const url = await postgres.database()
    await postgres.down()
    const origin = await startOrigin(folder, { SERVICE_DATABASE_URL: url }, { waits: false })
    await expect.poll(() => origin.said(), { timeout: 60_000 }).toContain('is waiting for its database')
    await postgres.up()
    await expect.poll(() => origin.said(), { timeout: 60_000 }).toContain('platen listens on')
    expect((await fetch(`${origin.url}/status`)).status).toBe(200)
    await origin.stop()
    await remove()
  })
})

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { type RedisServer, startRedis } from '../helpers/redis.ts'
import {
  expectEnded,
  long,
  namesOf,
  pause,
  type Receiver,
  rendersOf,
  send,
  startOrigin,
  startReceiver,
  temporary,
} from './world.ts'

const body = rendersOf(8_000)

describe('a database', () => {
  let postgres: PostgresServer
  let redis: RedisServer
  let receiver: Receiver
  beforeAll(async () => {
    ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  })
  // Each try has a receiver of its own, which was told nothing before.
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

  it('that is frozen keeps no caller waiting without end, and is told as unavailable', async () => {
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

  it('that is away when an origin starts is waited for', async () => {
    const { folder, remove } = await temporary()
    const url = await postgres.database()
    await postgres.down()
    const origin = await startOrigin(folder, { SERVICE_DATABASE_URL: url }, { waits: false })
    await expect.poll(() => origin.said(), { timeout: 60_000 }).toContain('waits for its database')
    await postgres.up()
    await expect.poll(() => origin.said(), { timeout: 60_000 }).toContain('platen listens on')
    expect((await fetch(`${origin.url}/status`)).status).toBe(200)
    await origin.stop()
    await remove()
  })
})

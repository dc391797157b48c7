import { describe, expect, it } from 'vitest'
import { startRedis } from '../helpers/redis.ts'
import { expectEnded, namesOf, send, slowRender, startOrigin, startReceiver, temporary } from './world.ts'

const body = slowRender

describe('a queue that loses what it held', () => {
  it('loses no render: the records send them again', async () => {
    const [redis, receiver] = await Promise.all([startRedis(), startReceiver()])
    const { folder, remove } = await temporary()
    const origin = await startOrigin(folder, { SERVICE_REDIS_URL: redis.url })
    const accepted = await send(origin.url, receiver, namesOf(20), body)
    await redis.restart()
    const more = await send(origin.url, receiver, namesOf(5, 'later'), body)
    expect([accepted.length, more.length]).toEqual([20, 5])
    const { failed } = await expectEnded(origin.url, receiver, [...accepted, ...more], { idleMs: 300_000 })
    expect(failed).toBe(0)
    await origin.stop()
    await redis.stop()
    receiver.stop()
    await remove()
  })
})

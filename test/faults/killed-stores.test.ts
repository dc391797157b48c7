import { expect, it } from 'vitest'
import { startPostgres } from '../helpers/postgres.ts'
import { startRedis } from '../helpers/redis.ts'
import { startS3 } from '../helpers/s3.ts'
import {
  expectEnded,
  expectGone,
  expectNothingLeft,
  fetchUnacknowledged,
  long,
  namesOf,
  pause,
  randomOf,
  send,
  slowRender,
  startOrigin,
  startReceiver,
  temporary,
  untilHealthy,
} from './world.ts'

/** In turns; the short form leaves the queue to `lost-queue.test.ts`. */
const kills = long ? 24 : 2
const jobs = long ? 200 : 12
const body = slowRender

it('stores that are killed at random moments, and started again, lose no render and leave nothing', async () => {
  const [postgres, redis, s3, receiver] = await Promise.all([
    startPostgres(),
    startRedis(),
    startS3(),
    startReceiver(),
  ])
  const { folder, remove } = await temporary()
  const database = await postgres.database()
  const origin = await startOrigin(folder, {
    SERVICE_DATABASE_URL: database,
    SERVICE_REDIS_URL: redis.url,
    SERVICE_BLOBS_URL: await s3.bucket(),
  })
  // What is killed, and what a supervisor does a moment later. A queue that dies forgets what it held.
  const stores: readonly [() => Promise<void>, () => Promise<void>][] = [
    [postgres.crash, postgres.up],
    [s3.down, s3.up],
    [redis.down, redis.up],
  ]
  const random = randomOf(20_261_126)
  const accepted = [...(await send(origin.url, receiver, namesOf(jobs, 'before'), body))]
  expect(accepted).toHaveLength(jobs)
  let slowestMs = 0
  for (let killed = 0; killed < kills; killed++) {
    const open = accepted.filter(({ name }) => !receiver.reported.has(name))
    // What is refused while a store is away is not accepted.
    const during =
      open.length < jobs / 2 ? send(origin.url, receiver, namesOf(jobs / 2, `during-${killed}`), body) : []
    await pause(1_500 * random())
    const [end, start] = stores[killed % stores.length]!
    await end()
    await pause(200 + 1_800 * random())
    await start()
    slowestMs = Math.max(slowestMs, await untilHealthy(origin.url))
    accepted.push(...(await during))
  }
  const { done, failed, twice } = await expectEnded(origin.url, receiver, accepted, { idleMs: 600_000 })
  if (long) {
    console.log(
      `stores: ${kills} kills, ${done} of ${accepted.length} done, ${failed} told as failed, ${twice} told twice with one id, healthy after ${slowestMs.toFixed(0)} ms at most`,
    )
    expect(slowestMs).toBeLessThan(5_000)
  }
  expect([done, failed]).toEqual([accepted.length, 0])
  const beforeLook = () => fetchUnacknowledged(origin.url, receiver, accepted)
  await expectNothingLeft({ database, redis, files: s3.keys, beforeLook })
  await expectGone(origin, folder)
  receiver.stop()
  await Promise.all([postgres.stop(), redis.stop(), s3.stop()])
  await remove()
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  expectEnded,
  filesIn,
  long,
  namesOf,
  pause,
  type Receiver,
  rowsIn,
  send,
  startOrigin,
  startReceiver,
  temporary,
} from './world.ts'

/** A render that takes much longer than the call that sends it. */
const list = Array.from({ length: long ? 60_000 : 25_000 }, (_, at) => ({ a: [at, 'x'] }))
const template = btoa('{d.name} {d.list[i].a:arrayJoin()}{d.list[i+1].a:arrayJoin()}')
const slow = (name: string) => ({ template, data: { name: `${name};`, list } })
const quick = (name: string) => ({ template: btoa('{d.name}'), data: { name } })

describe('an origin that is killed', () => {
  let receiver: Receiver
  // Each try has a receiver of its own, which has received nothing yet.
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.stop())

  it('again and again among its renders loses none, and leaves nothing', async () => {
    const { folder, remove } = await temporary()
    const names = namesOf(17)
    let origin = await startOrigin(folder)
    const accepted = [...(await send(origin.url, receiver, names, slow))]
    expect(accepted).toHaveLength(names.length)
    for (let time = 0; time < (long ? 3 : 1); time++) {
      // All that was in the hands of the last process has come back by then.
      const before = receiver.reported.size
      await expect
        .poll(() => receiver.reported.size, { timeout: 240_000, interval: 20 })
        .toBeGreaterThan(before)
      await origin.kill()
      origin = await startOrigin(folder)
    }
    const { done, failed } = await expectEnded(origin.url, receiver, accepted)
    expect([done, failed]).toEqual([names.length, 0])
    await expect.poll(() => rowsIn(folder, 'queue_jobs'), { timeout: 60_000 }).toBe(0)
    await expect.poll(() => filesIn(folder), { timeout: 60_000 }).toEqual([])
    expect(rowsIn(folder, 'jobs', 'ended_at IS NULL')).toBe(0)
    // The row of a document goes after its file.
    await expect.poll(() => rowsIn(folder, 'renders'), { timeout: 60_000 }).toBe(0)
    await origin.stop()
    await remove()
  })

  it('by a document is not killed by it a third time: the document is set aside with a notice', async () => {
    const { folder, remove } = await temporary()
    const killer = new URL('../fixtures/plugins/killer', import.meta.url).pathname
    const start = () => startOrigin(folder, { SERVICE_PLUGINS: killer })
    let origin = await start()
    let kills = 0
    const [bad] = await send(origin.url, receiver, ['killer'], (name) => ({
      ...quick(name),
      convertTo: 'killed',
    }))
    let ended = false
    const keepUp = async () => {
      while (!ended) {
        await Promise.race([origin.gone, pause(200)])
        if (ended || !(await Promise.race([origin.gone.then(() => true), pause(1).then(() => false)])))
          continue
        kills++
        origin = await start()
      }
    }
    const running = keepUp()
    await expect.poll(() => receiver.reported.get('killer'), { timeout: 240_000 }).toBeDefined()
    ended = true
    await running
    expect(receiver.reported.get('killer')).toEqual([
      { id: `msg_${bad!.job}`, success: false, renderId: '', code: 'w212' },
    ])
    expect(kills).toBe(2)
    const good = await send(origin.url, receiver, namesOf(3, 'after'), quick)
    expect(await expectEnded(origin.url, receiver, good)).toMatchObject({ done: 3, failed: 0 })
    await origin.stop()
    await remove()
  })
})

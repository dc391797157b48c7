import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  expectEnded,
  expectGone,
  filesIn,
  long,
  namesOf,
  pause,
  type Receiver,
  rowsIn,
  send,
  slowRender,
  startOrigin,
  startReceiver,
  temporary,
  unacknowledged,
} from './world.ts'

const body = slowRender
const count = long ? 200 : 12

let receiver: Receiver
// Each try has a receiver of its own, which has received nothing yet.
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())

it('a database file that another process holds loses no accepted render, and the origin answers meanwhile', async () => {
  const { folder, remove } = await temporary()
  const origin = await startOrigin(folder)
  const names = namesOf(count)
  const half = count / 2
  const accepted = [...(await send(origin.url, receiver, names.slice(0, half), body))]
  expect(accepted).toHaveLength(half)
  // As a process that is suspended in the middle of a transaction.
  const other = new DatabaseSync(join(folder, '.data', 'service.sqlite'), { timeout: 60_000 })
  other.exec('BEGIN IMMEDIATE')
  const during = send(origin.url, receiver, names.slice(half, half + 3), body)
  const refused = await fetch(`${origin.url}/render/template`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'service-webhook-url': `${receiver.url}/refused` },
    body: JSON.stringify(body('refused')),
  })
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([503, 'w210'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  await pause(long ? 30_000 : 1_000)
  // What only reads works, and so does what needs no database.
  expect((await fetch(`${origin.url}/templates`)).status).toBe(200)
  expect((await fetch(`${origin.url}/status`)).status).toBe(200)
  other.exec('ROLLBACK')
  other.close()
  accepted.push(...(await during), ...(await send(origin.url, receiver, names.slice(half + 3), body)))
  const { done, failed, twice } = await expectEnded(origin.url, receiver, accepted)
  if (long)
    console.log(`a database file that is held: ${done} of ${accepted.length} done, ${twice} told twice`)
  expect([done, failed]).toEqual([accepted.length, 0])
  expect(accepted.length).toBeGreaterThanOrEqual(count - 3)
  expect(unacknowledged(receiver, accepted)).toEqual([])
  await expect.poll(() => rowsIn(folder, 'queue_jobs'), { timeout: 60_000 }).toBe(0)
  expect(rowsIn(folder, 'jobs', 'ended_at IS NULL')).toBe(0)
  await expect.poll(() => rowsIn(folder, 'renders'), { timeout: 60_000 }).toBe(0)
  expect(await filesIn(folder)).toEqual([])
  await expectGone(origin, folder)
  await remove()
})

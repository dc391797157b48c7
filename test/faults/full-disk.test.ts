import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canMount } from '../helpers/allowed.ts'
import { fillDisk } from '../helpers/fill-disk.ts'
import {
  expectEnded,
  expectGone,
  filesIn,
  long,
  namesOf,
  pause,
  type Receiver,
  rendersOf,
  rowsIn,
  send,
  startOrigin,
  startReceiver,
  temporary,
} from './world.ts'

const body = rendersOf(8_000)
const count = long ? 200 : 12
/** The requests of all renders fit, each of which has a third of a megabyte. */
const diskMegabytes = long ? 160 : 48

describe.runIf(canMount())('a data folder on a disk that is full', () => {
  let receiver: Receiver
  // Each try has a receiver of its own, which has received nothing yet.
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(() => receiver.stop())

  it('loses no accepted render, answers 503, and goes on when there is space', async () => {
    const { folder, remove } = await temporary()
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m,mode=700`, 'tmpfs', folder])
    try {
      const origin = await startOrigin(folder)
      const accepted = [...(await send(origin.url, receiver, namesOf(count, 'before'), body))]
      expect(accepted).toHaveLength(count)
      const filler = join(folder, 'filler')
      fillDisk(filler)
      // Refusals blame the service; accepted renders are checked below.
      const refusals = async () => {
        const form = new FormData()
        form.set('template', new Blob(['Hello {d.name}, '.repeat(20_000)]), 'large.txt')
        const json = (path: string, headers: Record<string, string>, name: string) =>
          fetch(origin.url + path, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify(body(name)),
          })
        const answers = await Promise.all([
          fetch(`${origin.url}/template`, { method: 'POST', body: form }),
          json('/render/template', {}, 'stored'),
          json('/render/template', { 'service-webhook-url': `${receiver.url}/during` }, 'during'),
        ])
        return Promise.all(
          answers.map(async (answer) => {
            const { code, error } = (await answer.json()) as { code?: string; error?: string }
            return { status: answer.status, code, error, retryAfter: answer.headers.get('retry-after') }
          }),
        )
      }
      for (const { status, code, error, retryAfter } of await refusals()) {
        expect([error, status, code]).toEqual([error, 503, 'w215'])
        expect(Number(retryAfter)).toBeGreaterThanOrEqual(1)
      }
      await pause(long ? 30_000 : 4_000)
      rmSync(filler)
      const later = await send(origin.url, receiver, namesOf(3, 'after'), body)
      expect(later).toHaveLength(3)
      const { done, failed, twice } = await expectEnded(origin.url, receiver, [...accepted, ...later], {
        idleMs: long ? 600_000 : 240_000,
      })
      if (long)
        console.log(`a full disk: ${done} done, ${failed} told as failed, ${twice} told twice with one id`)
      expect([done, failed]).toEqual([count + 3, 0])
      expect(receiver.reported.has('during')).toBe(false)
      await expect.poll(() => rowsIn(folder, 'queue_jobs'), { timeout: 60_000 }).toBe(0)
      expect(rowsIn(folder, 'jobs', 'ended_at IS NULL')).toBe(0)
      expect((await fetch(`${origin.url}/status?ready=1`)).status).toBe(200)
      await expect.poll(() => rowsIn(folder, 'renders'), { timeout: 60_000 }).toBe(0)
      // The row of the template that was refused is not there, and neither is its file.
      expect([rowsIn(folder, 'templates'), await filesIn(folder)]).toEqual([0, []])
      await expectGone(origin, folder)
    } finally {
      execFileSync('umount', ['--lazy', folder])
      await remove()
    }
  })
})

import { describe, expect, it } from 'vitest'
import type { Queue, QueuedJob, RunJob } from '../../shared/ports/queue.ts'

const job = (id: string): QueuedJob => ({ id, account: 'acme', kind: 'render', delivery: 1 })

/** A queue under test, with what makes time pass in it quickly. */
export interface QueueUnderTest {
  readonly queue: Queue
  /** Starts handing out jobs to `run`; returns what stops it. */
  consume(run: RunJob, concurrency?: number): Promise<() => Promise<void>>
}

/** What every queue does alike. Retry pauses of the queue given must be far below a second. */
export function queueContract(
  name: string,
  open: () => Promise<QueueUnderTest>,
  { pushed = false } = {}, // by the platform: it stops by itself
): void {
  describe(`queue: ${name}`, () => {
    it('delivers each job once, unchanged', async () => {
      const { queue, consume } = await open()
      const ids = Array.from({ length: 25 }, (_, n) => `job-${n}`)
      for (const id of ids.slice(0, 10)) await queue.send(job(id))
      const seen: QueuedJob[] = []
      const stop = await consume(async (given) => void seen.push(given), 3)
      await Promise.all(ids.slice(10).map((id) => queue.send(job(id))))
      await until(() => seen.length >= ids.length)
      await stop()
      expect([...seen].sort((a, b) => Number(a.id.slice(4)) - Number(b.id.slice(4)))).toEqual(ids.map(job))
    })

    it('delivers a job again when it threw or asked for it, with a count, without giving up', async () => {
      const { queue, consume } = await open()
      const deliveries: Record<string, number[]> = { threw: [], asked: [], never: [] }
      const stop = await consume(async ({ id, delivery }) => {
        deliveries[id]!.push(delivery)
        if (id === 'threw' && delivery < 5) throw new Error('This delivery fails.')
        if (id === 'asked' && delivery < 5) return { afterMs: 5 }
        return undefined
      })
      for (const id of Object.keys(deliveries)) await queue.send(job(id))
      await until(() => deliveries.threw!.length >= 5 && deliveries.asked!.length >= 5)
      await pause(300)
      await stop()
      expect(deliveries).toEqual({ threw: [1, 2, 3, 4, 5], asked: [1, 2, 3, 4, 5], never: [1] })
    })

    it('one job that throws keeps no other waiting', async () => {
      const { queue, consume } = await open()
      const done: string[] = []
      const stop = await consume(async ({ id }) => {
        if (id === 'bad') throw new Error('This one always fails.')
        done.push(id)
        return undefined
      }, 1)
      await queue.send(job('bad'))
      await queue.send(job('good'))
      await until(() => done.includes('good'))
      await stop()
      expect(done).toEqual(['good'])
    })

    if (pushed) return
    it('delays one job of an account by a few of another that sent 250, whatever is being retried', async () => {
      const { queue, consume } = await open()
      const of = (account: string, id: string) => ({ ...job(id), account })
      for (let at = 0; at < 250; at++) await queue.send(of('many', `many-${at}`))
      const began: string[] = []
      const wait = { failing: true }
      const stop = await consume(async ({ id, delivery }) => {
        began.push(id)
        if (wait.failing && began.length === 20) await queue.send(of('single', 'single'))
        return wait.failing && delivery === 1 && Number(id.slice(5)) < 10 ? { afterMs: 1 } : undefined
      }, 1)
      await until(() => began.includes('single'))
      await stop()
      expect(began.indexOf('single')).toBeLessThan(20 + 5)
    })

    it('starts the jobs of one account in the order they were sent, and work of others after a large one first', async () => {
      const { queue, consume } = await open()
      const sent = [
        ['a', 'a-large', 8],
        ['a', 'a-after', 1],
        ['b', 'b-1', 1],
        ['b', 'b-2', 1],
        ['b', 'b-3', 1],
      ] as const
      for (const [account, id, weight] of sent) await queue.send({ ...job(id), account, weight })
      const began: string[] = []
      const stop = await consume(async ({ id }) => void began.push(id), 1)
      await until(() => began.length === sent.length)
      await stop()
      expect(began.filter((id) => id.startsWith('a'))).toEqual(['a-large', 'a-after'])
      expect(began.at(-1)).toBe('a-after')
    })

    it('holds a job that is sent twice once, and delivers it at once when it was delayed', async () => {
      const { queue, consume } = await open()
      const deliveries: number[] = []
      const stop = await consume(async ({ delivery }) => {
        deliveries.push(delivery)
        return delivery === 1 ? { afterMs: 3_600_000 } : undefined
      }, 1)
      await queue.send(job('a'))
      await until(() => deliveries.length === 1)
      await pause(100)
      await Promise.all([queue.send(job('a')), queue.send(job('a'))])
      await until(() => deliveries.length === 2)
      await pause(100)
      await stop()
      expect([deliveries, await queue.size?.()]).toEqual([[1, 2], 0])
    })

    it('waits for running jobs when it stops', async () => {
      const { queue, consume } = await open()
      const seen: string[] = []
      const stop = await consume(async ({ id }) => {
        seen.push(`${id} starts`)
        await pause(150)
        seen.push(`${id} ends`)
      }, 1)
      await queue.send(job('a'))
      await until(() => seen.length > 0)
      await stop()
      expect(seen).toEqual(['a starts', 'a ends'])
    })
  })
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits for a condition, 10 s at most. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 120_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('This never came true.')
    await pause(5)
  }
}

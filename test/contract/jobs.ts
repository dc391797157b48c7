import { describe, expect, it } from 'vitest'
import { AppError } from '../../shared/errors/app-error.ts'
import type { RenderJob } from '../../shared/jobs/job-request.ts'
import { cancelJob, jobReport, pageOfJobs, queueRender, repeatWebhook } from '../../shared/jobs/jobs.ts'
import { createCalm, reconcileJobs, reconcileLostJobs } from '../../shared/jobs/reconcile-jobs.ts'
import { runRenderJob, setJobAside } from '../../shared/jobs/run-job.ts'
import type { Again, OutboundRequest, QueuedJob, Sql } from '../../shared/ports/index.ts'
import { saveAccount, usedCredits } from '../../shared/records/accounts.ts'
import { beginJob, findJob, type JobRow, listJobs, openJobs } from '../../shared/records/jobs.ts'
import { hasRender } from '../../shared/records/renders.ts'
import { monthOf } from '../../shared/services/accounts.ts'
import { discardResult, peekResult } from '../../shared/services/results.ts'
import type { Services } from '../../shared/services/services.ts'
import { sweep } from '../../shared/services/sweep.ts'

/** What becomes of asynchronous renders whatever fails on their way, on the stores of one host. */
export function jobsContract(name: string, open: () => Promise<Services>): void {
  describe(`asynchronous renders: ${name}`, () => {
    it('wait while every origin or engine is down, longer each time, and run when one is back', async () => {
      const world = await worldOf(await open())
      world.converter = 'origin.down'
      const id = await world.accept({ convertTo: 'html' })
      const pauses: number[] = []
      for (let delivery = 1; delivery <= 14; delivery++) {
        const again = await world.run(id, delivery)
        pauses.push(again?.afterMs ?? 0)
        world.pass(again?.afterMs ?? 0)
        expect(await world.row(id)).toMatchObject({ state: 'queued', starts: 0, worker: '', notice: null })
      }
      expect(pauses.every((ms, at) => ms >= 1500 * 2 ** Math.min(at, 9) && ms <= 3_600_000)).toBe(true)
      world.converter = undefined
      expect(await world.run(id, 15)).toBeUndefined()
      expect(await world.row(id)).toMatchObject({ state: 'done', blob: '', key: '' })
      expect(world.reported(id)).toEqual([expect.objectContaining({ success: true })])
    })

    const passing = [
      'convert.busy',
      'api.too-many',
      'convert.disk',
      'storage.blobs',
      'storage.unavailable',
    ] as const
    it.each(passing)('%s does not count as an attempt', async (code) => {
      const world = await worldOf(await open())
      world.converter = code
      const id = await world.accept({ convertTo: 'html' })
      for (let delivery = 1; delivery < 5; delivery++)
        expect((await world.run(id, delivery))?.afterMs).toBeGreaterThan(0)
      world.converter = undefined
      expect(await world.run(id, 5)).toBeUndefined()
      expect(world.reported(id)).toEqual([expect.objectContaining({ success: true })])
    })

    it('wait when their document cannot be stored, and store it once', async () => {
      const world = await worldOf(await open())
      const id = await world.accept({})
      world.puts = false
      expect((await world.run(id, 1))?.afterMs).toBeGreaterThan(0)
      expect(await world.row(id)).toMatchObject({ state: 'queued', starts: 0 })
      world.puts = true
      expect(await world.run(id, 2)).toBeUndefined()
      expect(world.reported(id)).toEqual([expect.objectContaining({ success: true })])
    })

    it('keep the document of the worker that took over when a suspended one wakes up', async () => {
      const world = await worldOf(await open())
      const id = await world.accept({})
      let deliveries = 1
      world.beforePut = async () => {
        if (deliveries++ > 1) return
        world.pass(20_000) // the hold of the first worker ends
        expect(await world.run(id, 2)).toBeUndefined()
        throw new AppError('storage.blobs')
      }
      await world.run(id, 1)
      const [notice] = world.reported(id)
      expect(world.reported(id)).toEqual([expect.objectContaining({ success: true })])
      const renderId = notice?.data?.renderId ?? ''
      expect((await peekResult(world.services, renderId)).format.id).toBe('txt')
    })

    it('fail with a notice after waiting for a day', async () => {
      const world = await worldOf(await open())
      world.converter = 'origin.down'
      const id = await world.accept({ convertTo: 'html' })
      await world.run(id, 1)
      world.pass(86_400_000)
      expect(await world.run(id, 2)).toBeUndefined()
      expect(await world.row(id)).toMatchObject({ state: 'failed' })
      expect(world.reported(id)).toEqual([expect.objectContaining({ success: false, code: 'w213' })])
    })

    it('are set aside after two crashes, with a notice and a refund', async () => {
      const world = await worldOf(await open())
      const account = await world.account(5)
      const id = await world.accept({ account, credits: 3 })
      expect(await world.used(account)).toBe(3)
      for (const worker of ['first', 'second']) {
        await world.begin(account, id, worker)
        // While the worker may be alive, no other one begins.
        expect((await world.run(id, 1, account))?.afterMs).toBeGreaterThan(10_000)
        world.pass(16_000)
      }
      expect(await world.run(id, 3, account)).toBeUndefined()
      expect(world.reported(id)).toEqual([expect.objectContaining({ success: false, code: 'w212' })])
      expect([(await world.row(id, account)).state, await world.used(account)]).toEqual(['failed', 0])
    })

    it('run at most as many at once as an account may have over all hosts; the others wait without an attempt', async () => {
      const services = await open()
      const world = await worldOf({ ...services, settings: { ...services.settings, maxAccountJobs: 2 } })
      const account = await world.account(5)
      const other = await world.account(5)
      const held = [await world.accept({ account }), await world.accept({ account })]
      for (const id of held) await world.begin(account, id, `another host ${id}`)
      const waiting = await world.accept({ account })
      for (let delivery = 1; delivery <= 3; delivery++)
        expect(await world.run(waiting, delivery, account)).toMatchObject({ untried: true })
      expect(await world.row(waiting, account)).toMatchObject({ state: 'queued', starts: 0 })
      const free = await world.accept({ account: other })
      expect(await world.run(free, 1, other)).toBeUndefined()
      world.pass(16_000)
      expect(await world.run(waiting, 4, account)).toBeUndefined()
      expect(world.reported(waiting)).toEqual([expect.objectContaining({ success: true })])
    })

    it('are tried once more after an unexpected error, then fail with a notice', async () => {
      const world = await worldOf(await open())
      world.converter = 'nobody foresaw'
      const id = await world.accept({ convertTo: 'html' })
      expect((await world.run(id, 1))?.afterMs).toBeGreaterThan(0)
      expect(await world.row(id)).toMatchObject({ starts: 1, state: 'queued' })
      expect(await world.run(id, 2)).toBeUndefined()
      expect(world.reported(id)).toEqual([
        expect.objectContaining({ success: false, error: 'Error while rendering template' }),
      ])
    })

    it('are charged when accepted, and refunded once, however often their end is reported', async () => {
      const world = await worldOf(await open())
      const account = await world.account(4)
      const bad = await world.accept({ account, credits: 3, convertTo: 'nonsense' })
      await expect(world.accept({ account, credits: 2 })).rejects.toMatchObject({ code: 'api.credits' })
      expect(await world.used(account)).toBe(3)
      await Promise.all([world.run(bad, 1, account), world.run(bad, 1, account)])
      await world.run(bad, 2, account)
      expect(await world.used(account)).toBe(0)
      const good = await world.accept({ account, credits: 2 })
      const cancelled = await world.accept({ account, credits: 2 })
      await expect(world.accept({ account, credits: 1 })).rejects.toMatchObject({ code: 'api.credits' })
      await world.cancel(account, cancelled)
      await world.run(cancelled, 1, account)
      await world.run(good, 1, account)
      expect(await world.used(account)).toBe(2)
      for (const id of [bad, good, cancelled]) expect([id, world.reported(id).length]).toEqual([id, 1])
    })

    it('record the response of their webhook, and call it again on request', async () => {
      const world = await worldOf(await open())
      const account = await world.account(9)
      const id = await world.accept({ account })
      await expect(world.repeat(account, id)).rejects.toMatchObject({ code: 'api.job.running' })
      world.receiver = 410
      await world.run(id, 1, account)
      const refused = { delivered: false, status: '410', calledAt: expect.any(Number) }
      expect(await jobReport(world.services, account, id)).toMatchObject({ state: 'done', webhook: refused })
      expect(await world.repeat(account, id)).toMatchObject({ webhook: refused })
      world.receiver = 204
      const taken = { delivered: true, status: '204', calledAt: expect.any(Number) }
      expect(await world.repeat(account, id)).toMatchObject({ jobId: id, state: 'done', webhook: taken })
      expect(await jobReport(world.services, account, id)).toMatchObject({ webhook: taken })
      const reported = world.reported(id)
      expect(reported).toEqual([reported[0], reported[0], reported[0]])
      const silent = await world.accept({ account, silent: true })
      await world.run(silent, 1, account)
      await expect(world.repeat(account, silent)).rejects.toMatchObject({ code: 'api.job.no-webhook' })
      expect(await jobReport(world.services, account, silent)).not.toHaveProperty('webhook')
      await expect(world.repeat(account, '0'.repeat(32))).rejects.toMatchObject({ code: 'api.job.not-found' })
      await expect(world.repeat('self', id)).rejects.toMatchObject({ code: 'api.job.not-found' })
    })

    it('are listed for their account by pages, the newest first, all or by the end of their last call', async () => {
      const world = await worldOf(await open())
      const account = await world.account(9)
      const ids: string[] = []
      for (const status of [204, 500, 204, 500, 204]) {
        world.receiver = status
        const id = await world.accept({ account })
        await world.run(id, 1, account)
        ids.unshift(id)
        world.pass(ids.length === 3 ? 0 : 1000) // two have the same time
      }
      const other = await world.accept({})
      const pages = async (filter: { readonly delivered?: boolean; readonly limit: number }) => {
        const listed: string[][] = []
        for (let cursor = ''; ; ) {
          const page = await pageOfJobs(world.services, account, { ...filter, cursor })
          listed.push(page.jobs.map((job) => job.jobId))
          expect(page.hasMore).toBe(page.nextCursor !== '')
          if (!page.hasMore) return listed
          cursor = page.nextCursor
        }
      }
      const all = (await pages({ limit: 2 })).flat()
      expect([all.toSorted(), all[0], all.at(-1)]).toEqual([ids.toSorted(), ids[0], ids.at(-1)])
      expect((await pages({ limit: 2 })).map((page) => page.length)).toEqual([2, 2, 1])
      expect((await pages({ limit: 1, delivered: false })).flat().toSorted()).toEqual(
        [ids[1]!, ids[3]!].toSorted(),
      )
      expect((await pages({ limit: 9, delivered: true })).flat()).not.toContain(other)
      const { nextCursor } = await pageOfJobs(world.services, account, { limit: 2 })
      await expect(
        pageOfJobs(world.services, 'self', { limit: 2, cursor: nextCursor }),
      ).rejects.toMatchObject({
        code: 'api.filters',
      })
    })

    it('call the webhook again with the same ID and body when the first call could not be recorded', async () => {
      const world = await worldOf(await open())
      const id = await world.accept({})
      world.closes = false
      await expect(world.run(id, 1)).rejects.toThrow()
      world.closes = true
      world.pass(16_000)
      await world.run(id, 2)
      const reported = world.reported(id)
      expect(reported).toHaveLength(2)
      expect(reported[1]).toEqual(reported[0])
      expect((await world.row(id)).state).toBe('done')
    })

    it('leave no request when the file store is away at their end, and none when it broke off at their acceptance', async () => {
      const world = await worldOf(await open())
      const id = await world.accept({})
      const { blob } = await world.row(id)
      world.deletes = false
      expect(await world.run(id, 1)).toBeUndefined()
      expect(await world.row(id)).toMatchObject({ state: 'done', blob: '' })
      world.puts = 'unanswered'
      const earlier = await keysOf(world.services, 'self/jobs/')
      expect(earlier).toContain(blob)
      await expect(world.accept({})).rejects.toMatchObject({ code: 'storage.unavailable' })
      expect(await keysOf(world.services, 'self/jobs/')).toHaveLength(earlier.length + 1)
      world.deletes = true
      await world.settled()
      const kept = earlier.filter((key) => key !== blob)
      expect(await keysOf(world.services, 'self/jobs/')).toEqual(kept)
    })

    it('leave no document when the file store is away after its download', async () => {
      const world = await worldOf(await open())
      const id = await world.accept({})
      await world.run(id, 1)
      const [notice] = world.reported(id)
      const renderId = notice?.data?.renderId ?? ''
      const before = await keysOf(world.services, 'self/renders/')
      world.deletes = false
      await discardResult(world.services, renderId)
      expect(await keysOf(world.services, 'self/renders/')).toEqual(before)
      world.deletes = true
      await world.settled()
      expect(await keysOf(world.services, 'self/renders/')).toHaveLength(before.length - 1)
      expect(await hasRender(world.services.sql, renderId)).toBe(false)
    })

    it('fail with a notice when their request is gone', async () => {
      const world = await worldOf(await open())
      const id = await world.accept({})
      await world.services.blobs.delete((await world.row(id)).blob)
      expect(await world.run(id, 1)).toBeUndefined()
      expect(world.reported(id)).toEqual([expect.objectContaining({ success: false, code: 'w214' })])
    })

    it('are queued again when no queue has them, once by any number of hosts', async () => {
      const world = await worldOf(await open())
      world.queueIsAway = true
      const id = await world.accept({})
      expect(world.sent).toEqual([])
      world.queueIsAway = false
      const others = () => world.sent.filter((job) => job.id === id).length
      await reconcileJobs(world.services)
      expect(others()).toBe(0)
      world.pass(120_000)
      await Promise.all([1, 2, 3].map(() => reconcileJobs(world.services)))
      expect(others()).toBe(1)
      await world.run(id, 1)
      world.pass(600_000)
      await reconcileJobs(world.services)
      expect([others(), world.reported(id).length]).toEqual([1, 1])
    })

    it('are queued again within seconds when the queue lost them, but not because the queue is long', async () => {
      const world = await worldOf(await open())
      const ids = [await world.accept({}), await world.accept({})]
      world.pass(12_000)
      expect(await reconcileLostJobs(world.services)).toBe(0)
      world.sent.pop()
      await reconcileLostJobs(world.services)
      expect(world.sent.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    })

    it('end with one notice when the queue gave up on them', async () => {
      const world = await worldOf(await open())
      const id = await world.accept({})
      for (let time = 0; time < 2; time++) await world.setAside(id)
      expect(world.reported(id)).toEqual([expect.objectContaining({ success: false, code: 'w212' })])
      expect(await world.run(id, 1)).toBeUndefined()
      expect(world.reported(id)).toHaveLength(1)
    })

    it('are withdrawn without charge when their acceptance was written but not answered', async () => {
      const world = await worldOf(await open())
      const account = await world.account(9)
      world.commits = 'unanswered'
      await expect(world.accept({ account, credits: 2 })).rejects.toMatchObject({
        code: 'storage.unavailable',
      })
      world.commits = 'answered'
      await world.settled()
      const [row] = await listJobs(world.services.sql, account, { limit: 10 })
      expect(row).toMatchObject({ state: 'failed', blob: '', key: '' })
      expect(await jobReport(world.services, account, row!.id)).toMatchObject({ code: 'w218' })
      expect(await world.run(row!.id, 1, account)).toBeUndefined()
      world.pass(120_000)
      await reconcileJobs(world.services)
      const sent = world.sent.filter(({ id }) => id === row!.id)
      expect([sent, world.reported(row!.id), await world.used(account)]).toEqual([[], [], 0])
      expect(await keysOf(world.services, `${account}/jobs/`)).toEqual([])
    })

    it.each([0, 2])(
      'are withdrawn when their acceptance is written after it was refused, with %i credits',
      async (credits) => {
        const world = await worldOf(await open())
        const account = await world.account(9)
        world.commits = 'late'
        await expect(world.accept({ account, credits })).rejects.toMatchObject({
          code: 'storage.unavailable',
        })
        world.commits = 'answered'
        await world.settled()
        await expect(world.late()).rejects.toMatchObject({ code: 'storage.conflict' })
        const rows = await listJobs(world.services.sql, account, { limit: 10 })
        expect(rows).toEqual([expect.objectContaining({ state: 'failed', blob: '', key: '' })])
        expect([world.sent, await world.used(account)]).toEqual([[], 0])
      },
    )

    it('are not queued again right after an outage of the database, while some may still be withdrawn', async () => {
      const world = await worldOf(await open())
      let away = true
      const sql: Sql = {
        ...world.services.sql,
        query: async (statement) => {
          if (away) throw new AppError('storage.unavailable')
          return world.services.sql.query(statement)
        },
      }
      let runs = 0
      const whenCalm = createCalm({ sql, clock: world.services.clock })
      const run = () => whenCalm(async () => void runs++)
      await expect(run()).rejects.toMatchObject({ code: 'storage.unavailable' })
      away = false
      await run()
      expect(runs).toBe(0)
      world.pass(13_000)
      await run()
      expect(runs).toBe(1)
      // A database that hung answers late.
      const slow = createCalm({
        sql: {
          ...sql,
          query: async () => {
            world.pass(4000)
            return []
          },
        },
        clock: world.services.clock,
      })
      await slow(async () => void runs++)
      expect(runs).toBe(1)
    })

    it('are dropped without a row; rows are removed a day after their end', async () => {
      const world = await worldOf(await open())
      expect(await world.run('0'.repeat(32), 1)).toBeUndefined()
      const [done, waits] = [await world.accept({}), await world.accept({})]
      await world.run(done, 1)
      world.pass(86_500_000)
      await sweep(world.services)
      expect(await findJob(world.services.sql, 'self', done)).toBeUndefined()
      expect((await world.row(waits)).state).toBe('queued')
    })
  })
}

const never = new AbortController().signal
let accounts = 0

async function keysOf({ blobs }: Services, prefix: string): Promise<readonly string[]> {
  const keys: string[] = []
  for await (const { key } of blobs.list(prefix)) keys.push(key)
  return keys
}

/** The services of a host whose clock, webhooks, queue and engines are in the hands of a test. */
interface Notice {
  readonly success: boolean
  readonly code?: string
  readonly data?: { readonly renderId: string }
}

async function worldOf(real: Services) {
  let shift = 0
  const openBefore = (await openJobs(real.sql)).count // of other tests in these records
  const calls: OutboundRequest[] = []
  const background: Promise<void>[] = []
  const world = {
    receiver: 200, // the status that the webhook answers
    converter: undefined as Parameters<typeof failure>[0] | undefined,
    puts: true as boolean | 'unanswered', // 'unanswered' stores files and fails
    deletes: true,
    beforePut: async (): Promise<void> => undefined,
    closes: true,
    queueIsAway: false,
    /** What becomes of the rows of new jobs: 'unanswered' writes them and fails, 'late' fails and writes them in `late`. */
    commits: 'answered' as 'answered' | 'unanswered' | 'late',
    late: async (): Promise<unknown> => undefined,
    /** Resolves when the work in the background has ended. */
    settled: () => Promise.all(background),
    sent: [] as Omit<QueuedJob, 'delivery'>[],
    services: real,
    pass: (ms: number) => {
      shift += ms
    },
    reported: (id: string): Notice[] =>
      calls
        .filter(({ headers }) => headers?.['webhook-id'] === `msg_${id}`)
        .map(({ body }) => JSON.parse(new TextDecoder().decode(body))),
    accept: ({
      account = 'self',
      credits = 0,
      convertTo,
      silent = false,
    }: {
      readonly account?: string
      readonly credits?: number
      readonly convertTo?: string
      readonly silent?: boolean // without a webhook
    }): Promise<string> => {
      const body = { data: { a: 1 }, template: btoa('Hi {d.a}'), ...(convertTo && { convertTo }) }
      const job: RenderJob = {
        account,
        major: 5,
        template: 'inline',
        webhook: silent ? undefined : { url: 'https://receiver.example/', headers: { 'x-own': 'yes' } },
        test: false,
        counted: credits > 0,
        credits,
        body: { kind: 'bytes', bytes: new TextEncoder().encode(JSON.stringify(body)) },
      }
      return queueRender(world.services, job)
    },
    run: (id: string, delivery: number, account = 'self'): Promise<Again | undefined> =>
      runRenderJob(world.services, { id, account, kind: 'render', delivery }, never),
    setAside: (id: string) =>
      setJobAside(world.services, { id, account: 'self', kind: 'render', delivery: 100 }, never),
    begin: (account: string, id: string, worker: string) => {
      const now = Math.floor(world.services.clock.now() / 1000)
      return beginJob(real.sql, { account, id, worker }, { now, until: now + 15, maxStarts: 2 })
    },
    repeat: (account: string, id: string) => repeatWebhook(world.services, account, id, never),
    cancel: (account: string, id: string) => cancelJob(world.services, account, id),
    row: async (id: string, account = 'self'): Promise<JobRow> => {
      await jobReport(world.services, account, id)
      return (await findJob(real.sql, account, id))!
    },
    account: async (monthlyCredits: number): Promise<string> => {
      const account = `payer-${Date.now()}-${++accounts}`
      await saveAccount(real.sql, { name: account, monthlyCredits, createdAt: 1, closedAt: null })
      return account
    },
    used: (account: string) => usedCredits(real.sql, account, monthOf(world.services.clock.now())),
  }
  const stopping = { now: false }
  world.services = {
    ...real,
    // What waits with patience for a store that a test never mends ends at once.
    lifecycle: {
      get stopping() {
        return stopping.now || !world.closes
      },
      warming: false,
    },
    clock: { now: () => Date.now() + shift },
    outbound: {
      ...real.outbound,
      refuses: () => false,
      fetch: async (request) => {
        calls.push(request)
        return { status: world.receiver, headers: {}, body: new Uint8Array() }
      },
    },
    queue: {
      send: async (job) => {
        if (world.queueIsAway) throw new AppError('storage.queue')
        world.sent.push(job)
      },
      size: async () => openBefore + world.sent.length,
    },
    blobs: {
      ...real.blobs,
      put: async (key, body) => {
        if (!world.puts) throw new AppError('storage.unavailable')
        if (key.includes('/renders/')) await world.beforePut()
        const size = await real.blobs.put(key, body)
        if (world.puts === 'unanswered') throw new AppError('storage.unavailable')
        return size
      },
      delete: async (key) => {
        if (!world.deletes) throw new AppError('storage.unavailable')
        await real.blobs.delete(key)
      },
    },
    sql: {
      ...real.sql,
      batch: async (statements) => {
        if (!world.closes && statements.some(({ text }) => text.includes("blob = '', key = ''")))
          throw new AppError('storage.unavailable')
        if (world.commits === 'answered' || !statements.some(({ text }) => text.includes("'queued'")))
          return real.sql.batch(statements)
        if (world.commits === 'unanswered') await real.sql.batch(statements)
        else world.late = () => real.sql.batch(statements)
        throw new AppError('storage.unanswered')
      },
    },
    later: (work) => background.push(work),
    converter: {
      ...real.converter,
      convert: async (request) => {
        if (world.converter !== undefined) throw failure(world.converter)
        return { value: request.source, format: request.to, warnings: [], engines: [], letters: [] }
      },
    },
  }
  return world
}

type Passing =
  | 'origin.down'
  | 'api.too-many'
  | 'storage.blobs'
  | 'storage.unavailable'
  | 'convert.busy'
  | 'convert.disk'
  | 'nobody foresaw'

function failure(code: Passing): Error {
  if (code === 'nobody foresaw') return new TypeError('x is not a function')
  if (code === 'convert.busy' || code === 'convert.disk') return new AppError(code, { engine: 'Office' })
  return new AppError(code)
}

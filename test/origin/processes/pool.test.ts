import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createSupervisor } from '../../../origin/processes/supervisor.ts'
import { AppError } from '../../../shared/errors/app-error.ts'
import type { Pool, Program, ProgramUnit } from '../../../shared/plugin/processes.ts'
import { silentLog } from '../../helpers/host.ts'
import { kill as killProcess } from '../../helpers/kill.ts'

/** A program that does nothing but live, with a child: `sleep` under a shell. */
interface Sleeper extends ProgramUnit {
  readonly number: number
}

/** Added to the clock of the pools. */
let skew = 0
const fresh = () => createSupervisor({ log: silentLog, now: () => Date.now() + skew, warmsUp: true })
let supervisor = fresh()
afterEach(async () => {
  await supervisor.stop()
  skew = 0
  supervisor = fresh()
})

interface Sleepers {
  readonly pool: Pool<Sleeper>
  readonly discarded: number[] // by number, in the order they went
  booted(): number
}

/** `part` replaces what a unit does; it throws where a boot shall fail. */
function sleepers(
  more: Partial<Program<Sleeper>> = {},
  part: (number: number) => Partial<Sleeper> = () => ({}),
): Sleepers {
  let booted = 0
  const discarded: number[] = []
  const pool = supervisor.supervise<Sleeper>({
    name: 'Sleeper',
    units: 1,
    jobsPerUnit: 1,
    queueSize: 10,
    bootTimeoutMs: 2_000,
    memoryLimitBytes: 0,
    recycleAboveBytes: 0,
    attempts: 2,
    abortGraceMs: 0,
    boot: async () => {
      const number = (booted += 1)
      const replaced = part(number)
      const child = spawn('sh', ['-c', 'sleep 100 & wait'], { detached: true, stdio: 'ignore' })
      return {
        number,
        pid: child.pid as number,
        ended: new Promise<void>((resolve) => child.once('exit', () => resolve())),
        ping: async () => undefined,
        stop: async () => void child.kill(),
        discard: async () => void discarded.push(number),
        ...replaced,
      }
    },
    ...more,
  })
  return { pool, discarded, booted: () => booted }
}

const job = (ms = 5_000, signal = new AbortController().signal) => ({
  deadline: Date.now() + skew + ms,
  signal,
  doing: 'sleeping',
})
const codeOf = (running: Promise<unknown>) =>
  running.then(
    (value) => value,
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )
const gone = async (pid: number) => {
  for (let tries = 0; tries < 100; tries += 1) {
    if (!existsSync(`/proc/${pid}`) || /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8')))
      return true
    await sleep(20)
  }
  return false
}
const forever = () => new Promise<never>(() => undefined)
const kill = (unit: Sleeper) => killProcess(unit.pid)

describe('a pool of processes', () => {
  it('gives no further job to a unit that has reached its limit', async () => {
    const { pool, booted } = sleepers({}, (number) => (number === 1 ? { spent: true } : {}))
    const first = await pool.run(job(), async (unit) => unit.number)
    const [second, third] = await Promise.all([
      pool.run(job(), async (unit) => unit.number),
      pool.run(job(), async (unit) => unit.number),
    ])
    expect([first, second, third, booted()]).toEqual([1, 2, 2, 2])
  })

  it('starts nothing before it is used, and ends everything', async () => {
    const { pool, booted, discarded } = sleepers()
    expect(booted()).toBe(0)
    const pid = await pool.run(job(), async (unit) => unit.pid)
    await pool.stop()
    expect(await gone(pid)).toBe(true)
    expect(discarded).toEqual([1])
    expect(await codeOf(pool.run(job(), forever))).toBe('convert.engine-off')
  })

  /** Sends jobs, each named by its account and a number, `~` for background; returns the order in which they ran. */
  async function orderOf(pool: Pool<Sleeper>, names: readonly string[]): Promise<readonly string[]> {
    const order: string[] = []
    const runs = names.map((name) => {
      const client = { account: name[0] ?? '', background: name[1] === '~' }
      return pool
        .run({ ...job(60_000), client }, async () => void order.push(name))
        .catch((error) => codeOf(Promise.reject(error)).then((code) => order.push(`${name} ${code}`)))
    })
    await Promise.all(runs)
    return order
  }

  it('delays one document of an account by a few of another that sent 250', async () => {
    const { pool } = sleepers({ queueSize: 300 })
    const many = Array.from({ length: 250 }, (_, at) => `a~${at}`)
    const order = await orderOf(pool, [...many, 'b~single', 'c single'])
    expect(order.indexOf('b~single')).toBeLessThan(4)
    expect(order.indexOf('c single')).toBeLessThan(4)
    expect(order.filter((name) => name.startsWith('a'))).toEqual(many)
  })

  it('gives an account half of the waiting places while there are others', async () => {
    const { pool } = sleepers({ queueSize: 4 })
    for (const account of ['a', 'b']) await pool.run({ ...job(), client: { account } }, async () => undefined)
    const held = Promise.withResolvers<void>()
    const holder = pool.run({ ...job(), client: { account: 'b' } }, () => held.promise)
    await expect.poll(() => pool.stats().waiting).toBe(0)
    const order = orderOf(pool, ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'])
    held.resolve()
    await holder
    expect((await order).filter((name) => name.includes('busy'))).toEqual([
      'a3 convert.busy',
      'b3 convert.busy',
    ])
  })

  it('keeps one unit free of an account while there are others', async () => {
    const { pool } = sleepers({ units: 2 })
    await pool.run({ ...job(), client: { account: 'b' } }, async () => undefined)
    const leave: (() => void)[] = []
    const hangs = ['a', 'a', 'a'].map((account) =>
      pool.run({ ...job(), client: { account } }, () => new Promise<void>((resolve) => leave.push(resolve))),
    )
    await pool.run({ ...job(), client: { account: 'b' } }, async () => undefined)
    expect([leave.length, pool.stats().waiting]).toEqual([1, 2])
    for (const hang of hangs) {
      await expect.poll(() => leave.length).toBe(1)
      leave.pop()?.()
      await hang
    }
  })

  it('starts units when jobs wait and stops idle ones, except the first', async () => {
    const { pool, booted } = sleepers({ units: 3, idleMs: 50 })
    await pool.start()
    expect(booted()).toBe(1)
    await Promise.all([1, 2, 3].map(() => pool.run(job(), () => sleep(30))))
    expect(booted()).toBeGreaterThan(1)
    await expect.poll(() => pool.stats().ready).toBe(1)
    expect(pool.stats()).toMatchObject({ restarts: 0, booting: 0 })
  })

  it('a job that comes while the only unit is stopped for idleness gets a new one', async () => {
    let stopping = () => {}
    const stops = new Promise<void>((resolve) => (stopping = resolve))
    let end = () => {}
    const ended = new Promise<void>((resolve) => (end = resolve))
    const { pool, booted } = sleepers({ idleMs: 20 }, (number) =>
      number > 1
        ? {}
        : {
            ended,
            stop: async () => stopping(),
          },
    )
    await pool.run(job(), async () => undefined)
    await stops
    const late = pool.run(job(60_000), async ({ number }) => number)
    end()
    expect(await late).toBe(2)
    expect([booted(), pool.stats().restarts]).toEqual([2, 0])
  })

  it('serves first come first', async () => {
    const { pool } = sleepers()
    const order: number[] = []
    await Promise.all(
      [1, 2, 3, 4].map((at) =>
        pool.run(job(), async () => {
          await sleep(5)
          order.push(at)
        }),
      ),
    )
    expect(order).toEqual([1, 2, 3, 4])
  })

  it('uses all its units at once, and jobs on a unit as many as allowed', async () => {
    const { pool } = sleepers({ units: 2, jobsPerUnit: 2 })
    await pool.start()
    let most = 0
    let now = 0
    await Promise.all(
      Array.from({ length: 8 }, () =>
        pool.run(job(), async () => {
          most = Math.max(most, (now += 1))
          await sleep(20)
          now -= 1
        }),
      ),
    )
    expect(most).toBe(4)
  })

  it.each([1, 2, 4])('tries a document that crashes its unit %i times, as configured', async (attempts) => {
    const { pool } = sleepers({ attempts })
    let tries = 0
    const running = pool.run(job(), async (unit) => {
      tries += 1
      kill(unit)
      return forever()
    })
    expect([await codeOf(running), tries]).toEqual(['convert.crashed', attempts])
  })

  it('starts a job again when its unit dies, on a fresh one', async () => {
    const { pool, discarded } = sleepers()
    const numbers: number[] = []
    const answer = await pool.run(job(), async (unit) => {
      numbers.push(unit.number)
      if (unit.number > 1) return 'done'
      kill(unit)
      return forever()
    })
    expect([answer, numbers, discarded]).toEqual(['done', [1, 2], [1]])
  })

  it('starts it again when a part of its unit ends before the unit does', async () => {
    const { pool } = sleepers()
    const numbers: number[] = []
    const answer = await pool.run(job(), async (unit) => {
      numbers.push(unit.number)
      if (unit.number > 1) return 'done'
      setTimeout(() => kill(unit), 5)
      throw new AppError('convert.crashed', { engine: 'Sleeper' })
    })
    expect([answer, numbers]).toEqual(['done', [1, 2]])
  })

  it('runs a document that killed its unit alone, so that it harms other jobs at most once', async () => {
    const { pool } = sleepers({ jobsPerUnit: 4 })
    const started: string[] = []
    const together = Promise.withResolvers<void>()
    const run = (name: string) =>
      pool.run(job(20_000), async (unit) => {
        started.push(`${name}${unit.number}`)
        if (started.length === 4) together.resolve()
        await together.promise
        if (name === 'killer') kill(unit)
        else if (unit.number > 1) return sleep(50, name)
        return forever()
      })
    const killer = codeOf(run('killer'))
    const others = ['a', 'b', 'c'].map(run)
    expect(await Promise.all(others)).toEqual(['a', 'b', 'c'])
    expect(await killer).toBe('convert.crashed')
    expect(started.filter((name) => name.startsWith('killer'))).toEqual(['killer1', 'killer2'])
  })

  it('reports a job that kills its unit each time', async () => {
    const { pool, booted } = sleepers()
    const running = pool.run(job(), (unit) => {
      kill(unit)
      return forever()
    })
    expect(await codeOf(running)).toBe('convert.crashed')
    expect(booted()).toBeGreaterThanOrEqual(2)
    expect(await pool.run(job(), async () => 'next')).toBe('next')
  })

  it('passes on the error of the work, without a second try', async () => {
    const { pool } = sleepers()
    let tries = 0
    const running = pool.run(job(), async () => {
      tries += 1
      throw new AppError('convert.password', { from: 'docx' })
    })
    expect([await codeOf(running), tries]).toEqual(['convert.password', 1])
  })

  it('kills the whole group at the deadline', async () => {
    const { pool } = sleepers()
    let group: number[] = []
    // Long enough for a busy machine to start the group.
    const running = pool.run(job(2_000), async (unit) => {
      await sleep(100)
      const children = readFileSync(`/proc/${unit.pid}/task/${unit.pid}/children`, 'utf8').trim()
      group = [unit.pid, ...children.split(' ').map(Number)]
      return forever()
    })
    expect(await codeOf(running)).toBe('convert.timeout')
    expect(group.length).toBe(2)
    for (const pid of group) expect(await gone(pid)).toBe(true)
  })

  it('lets work end by itself within a grace period', async () => {
    const { pool, booted } = sleepers({ abortGraceMs: 1_000 })
    const control = new AbortController()
    const running = pool.run(
      job(5_000, control.signal),
      (_, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    await sleep(30)
    control.abort('gone')
    expect(await codeOf(running)).toBe('gone')
    expect(await pool.run(job(), async (unit) => unit.number)).toBe(1)
    expect(booted()).toBe(1)
  })

  it('refuses jobs beyond the queue, and jobs that wait too long', async () => {
    const { pool } = sleepers({ queueSize: 1 })
    await pool.start()
    const first = pool.run(job(), () => sleep(300))
    await sleep(10)
    const second = codeOf(pool.run(job(100), forever))
    expect(await codeOf(pool.run(job(), forever))).toBe('convert.busy')
    expect(await second).toBe('convert.busy')
    await first
  })

  it('reports that a job waited until its deadline, before its caller ends it', async () => {
    const { pool } = sleepers()
    await pool.start()
    const first = pool.run(job(), () => sleep(400))
    const late = job(200, AbortSignal.timeout(200))
    expect(await codeOf(pool.run(late, forever))).toBe('convert.busy')
    await first
  })

  it('reports that a job began too late because it waited', async () => {
    const { pool } = sleepers()
    await pool.start()
    const held = Promise.withResolvers<void>()
    const first = pool.run(job(60_000), () => held.promise)
    const second = pool.run(job(1_000), forever)
    skew = 90_000
    held.resolve()
    await first
    await expect(second).rejects.toMatchObject({
      code: 'convert.waited',
      status: 503,
      blame: 'us',
      message: expect.stringMatching(/waited 90(\.\d)? s for Sleeper, and the remaining \d(\.\d)? s/),
    })
  })

  it('reports that a job waited for the first start, and may be sent again', async () => {
    const boot = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const { pool } = sleepers({ boot })
    await expect(pool.run(job(200), forever)).rejects.toMatchObject({
      code: 'convert.waited',
      status: 503,
      blame: 'us',
    })
  })

  it('replaces a unit that does not answer any more before a job is given to it', async () => {
    const { pool } = sleepers({}, (number) => (number === 1 ? { ping: forever } : {}))
    expect(await pool.run(job(), async (unit) => unit.number)).toBe(1)
    skew = 10_000
    expect(await pool.run(job(), async (unit) => unit.number)).toBe(2)
  })

  it('kills a unit above its memory limit and fails its job', async () => {
    const { pool } = sleepers({ memoryLimitBytes: 1 })
    expect(await codeOf(pool.run(job(), forever))).toBe('convert.memory')
  })

  it('replaces a unit that has grown, without a gap', async () => {
    const { pool, booted } = sleepers({ recycleAboveBytes: 1 })
    await pool.run(job(), async () => undefined)
    await sleep(200)
    expect(booted()).toBe(2)
    expect(await pool.run(job(), async (unit) => unit.number)).toBe(2)
  })

  it('tries again to replace a unit that has grown, where its successor did not start', async () => {
    const { pool } = sleepers({ recycleAboveBytes: 1 }, (number) => {
      if (number === 2) throw new Error('not now')
      return {}
    })
    await pool.run(job(), async () => undefined)
    await sleep(100)
    expect(await pool.run(job(), async (unit) => unit.number)).toBe(1)
    await sleep(300)
    expect(await pool.run(job(), async (unit) => unit.number)).toBe(3)
  })

  it('reports why no unit starts, and tries again for the next job', async () => {
    let broken = true
    const { pool } = sleepers({}, () => {
      if (broken) throw new Error('no such program')
      return {}
    })
    expect(await codeOf(pool.run(job(), forever))).toBe('convert.engine-off')
    expect(pool.stats().bootError).toBe('no such program')
    broken = false
    expect(await pool.run(job(), async () => 'works')).toBe('works')
    expect(pool.stats().bootError).toBeUndefined()
  })

  it('reports why no unit starts with an error of the catalogue, where there is one', async () => {
    const reason = new AppError('convert.not-isolated', { because: 'there is no perl' })
    const { pool } = sleepers({}, () => {
      throw reason
    })
    await expect(pool.start()).rejects.toMatchObject({ code: 'convert.not-isolated', hint: reason.hint })
    expect(await codeOf(pool.run(job(), forever))).toBe('convert.not-isolated')
    expect(pool.stats().bootError).toBe(reason.message)
  })

  it('starts a unit ahead while no job waits', async () => {
    const steps: string[] = []
    const { pool } = sleepers({}, () => ({
      warmUp: ['a', 'b'].map((step) => async () => {
        await sleep(10)
        steps.push(step)
      }),
    }))
    await pool.start()
    await sleep(100)
    expect(steps).toEqual(['a', 'b'])
  })

  it('does not warm up where engines start at their first use', async () => {
    const steps: string[] = []
    supervisor = createSupervisor({ log: silentLog, now: Date.now, warmsUp: false })
    const { pool } = sleepers({}, () => ({ warmUp: [async () => void steps.push('a')] }))
    await pool.start()
    await pool.run(job(), async () => undefined)
    await sleep(100)
    expect(steps).toEqual([])
  })
})

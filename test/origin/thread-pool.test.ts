import { expect, it, vi } from 'vitest'
import { createThreadPool } from '../../origin/thread-pool.ts'
import { AppError } from '../../shared/errors/app-error.ts'
import type churn from '../helpers/churning-thread.ts'
import type { Growth, default as keepMore } from '../helpers/growing-thread.ts'
import type { LitterTask, default as litter } from '../helpers/littering-thread.ts'

const megabyte = 2 ** 20

/** Without a limit V8 lets the new space of such a thread grow to 64 MB and more, and it stays that large. */
const maxNewSpaceMb = 48

it('a thread that makes much garbage keeps a small new space', async () => {
  const pool = createThreadPool<number, ReturnType<typeof churn>>({
    script: new URL('../helpers/churning-thread.ts', import.meta.url),
    workerData: {},
    min: 0,
    max: 1,
    idleMs: 60_000,
    memoryMb: 512,
    newSpaceMb: 24,
    maxBusyMb: 512,
    maxRestingMb: 512,
    graceMs: 1_000,
    outOfMemory: (cause) => new AppError('api.render.memory', {}, { cause }),
  })
  try {
    const signal = new AbortController().signal
    const { newSpaceBytes, survivors } = await pool.run(100, { title: 'test', signal })
    expect(survivors).toBe(100_000)
    expect(newSpaceBytes).toBeGreaterThan(0)
    expect(newSpaceBytes / megabyte).toBeLessThanOrEqual(maxNewSpaceMb)
  } finally {
    await pool.stop()
  }
})

const growths: readonly Growth[] = ['objects', 'arrays', 'maps', 'texts', 'buffers']

it.each(growths)(
  'a thread that keeps more %s than allowed is replaced; its task fails and the process goes on',
  async (growth) => {
    const pool = createThreadPool<Growth | 'nothing', ReturnType<typeof keepMore>>({
      script: new URL('../helpers/growing-thread.ts', import.meta.url),
      workerData: {},
      min: 0,
      max: 1,
      idleMs: 60_000,
      memoryMb: 128,
      newSpaceMb: 24,
      maxBusyMb: 512,
      maxRestingMb: 512,
      graceMs: 1_000,
      outOfMemory: (cause) => new AppError('api.render.memory', {}, { cause }),
    })
    try {
      const job = { title: 'test', signal: new AbortController().signal }
      const grown = pool.run(growth, job)
      const next = pool.run('nothing', job)
      await expect(grown).rejects.toMatchObject({ code: 'api.render.memory' })
      expect((await next).thread.bytes).toBeLessThan(128 * megabyte)
    } finally {
      await pool.stop()
    }
  },
)

it('the garbage of a thread is collected when its pool has been idle for a while, and not before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const pool = createThreadPool<LitterTask, ReturnType<typeof litter>>({
    script: new URL('../helpers/littering-thread.ts', import.meta.url),
    workerData: {},
    min: 0,
    max: 1,
    idleMs: 60_000,
    memoryMb: 1024,
    newSpaceMb: 24,
    maxBusyMb: 1024,
    maxRestingMb: 512,
    graceMs: 1_000,
    outOfMemory: (cause) => new AppError('api.render.memory', {}, { cause }),
  })
  const run = async (kind: 'litter' | 'nothing') =>
    (await pool.run({ kind }, { title: 'test', signal: new AbortController().signal })).thread
  try {
    const { id, bytes } = await run('litter')
    expect(bytes / megabyte).toBeGreaterThan(100)
    await vi.advanceTimersByTimeAsync(4_000)
    expect((await run('nothing')).bytes / megabyte).toBeGreaterThan(100)
    // That task began the wait anew.
    await vi.advanceTimersByTimeAsync(4_000)
    expect((await run('nothing')).bytes / megabyte).toBeGreaterThan(100)
    await vi.advanceTimersByTimeAsync(5_100)
    const rested = await run('nothing')
    expect(rested.bytes / megabyte).toBeLessThan(60)
    expect(rested.id).toBe(id)
    expect(pool.figures().replaced).toBe(0)
  } finally {
    vi.useRealTimers()
    await pool.stop()
  }
})

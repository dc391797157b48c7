import { Piscina } from 'piscina'
import { AppError } from '../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../shared/plugin/byte-source.ts'
import type { Engine, EnginePlugin, Schema } from '../shared/plugin/contract.ts'
import type { LayoutAnswer, LayoutSetup, LayoutTask } from './layout-worker.ts'
import { isOutOfMemory, raceAgainst, reviveError } from './threads.ts'

interface ThreadSettings {
  readonly dataDir: string
  readonly workdir: string
  readonly threads: number
}
/** A thread is terminated when its layout is still running this long after the job was aborted. */
const graceMs = 500
/** The maximum JavaScript heap of one thread. A document that needs more fails with 'convert.memory'. */
const memoryMb = 1024

/**
 * Wraps an engine that only computes so that it runs in worker threads, never on the thread that serves
 * requests. All other properties of the plugin are unchanged. `layout-worker.ts` lists the engines that can
 * run this way.
 */
export function inThreads<Inner, Options>(
  plugin: EnginePlugin<Inner, Options>,
): EnginePlugin<Threaded<Inner>, Options> {
  return {
    ...plugin,
    settings: withThreads(plugin.settings),
    create: (settings) => createEngine<Inner, Options>(plugin, settings),
  }
}

interface Threaded<Inner> extends ThreadSettings {
  readonly inner: Inner
}

function createEngine<Inner, Options>(
  { id, title }: EnginePlugin<Inner, Options>,
  { dataDir, workdir, threads, inner }: Threaded<Inner>,
): Engine<Options> {
  let pool: Piscina<LayoutTask, LayoutAnswer> | undefined
  const running = () => (pool ??= createPool(threads, { engine: id, settings: inner, dataDir, workdir }))
  return {
    async convert({ source, from, to, options, deadline, careful }, signal) {
      signal.throwIfAborted()
      const bytes = await bytesOf(source)
      const end = new AbortController()
      const work = running().run(
        { bytes, from, to, options, deadline, ...(careful && { careful }) },
        { signal: end.signal },
      )
      const answer = await raceAgainst(work, signal, { end, graceMs }).catch((cause: unknown) => {
        if (isOutOfMemory(cause))
          throw new AppError('convert.memory', { engine: title, limit: memoryMb }, { cause })
        throw cause
      })
      if (!answer.ok) throw reviveError(answer.error)
      const { warnings, fonts } = answer
      return { value: fromBytes(answer.bytes), warnings, ...(fonts && { fonts }) }
    },
    async start() {
      running()
    },
    async stop() {
      await pool?.destroy()
      pool = undefined
    },
  }
}

function createPool(threads: number, setup: LayoutSetup): Piscina<LayoutTask, LayoutAnswer> {
  const pool = new Piscina<LayoutTask, LayoutAnswer>({
    filename: new URL('./layout-worker.ts', import.meta.url).href,
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: 60_000,
    workerData: setup,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    recordTiming: false,
  })
  pool.on('error', () => {}) // the promise of the task rejects with the same error
  return pool
}

/**
 * Adds the settings of the threads to those of the engine. The engine's own schema sees only the remaining
 * ones.
 */
function withThreads<Inner>(inner: Schema<Inner>): Schema<Threaded<Inner>> {
  return {
    json: inner.json,
    parse(input) {
      const {
        dataDir = '.data',
        workdir = dataDir,
        threads = 1,
        ...rest
      } = (input ?? {}) as Partial<ThreadSettings>
      const parsed = inner.parse(rest)
      return parsed.ok ? { ok: true, value: { inner: parsed.value, dataDir, workdir, threads } } : parsed
    },
  }
}

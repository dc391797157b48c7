import { AppError } from '../shared/errors/app-error.ts'
import { bytesOf, fromBytes } from '../shared/plugin/byte-source.ts'
import type { Engine, EnginePlugin, Host } from '../shared/plugin/contract.ts'
import type { Schema } from '../shared/plugin/values.ts'
import { answerHostCalls } from './host-calls.ts'
import type { LayoutAnswer, LayoutSetup, LayoutTask } from './layout-worker.ts'
import type { AnsweredPort } from './port-calls.ts'
import { createThreadPool, type ThreadPool } from './thread-pool.ts'
import { reviveError } from './threads.ts'

interface ThreadSettings {
  readonly dataDir: string
  readonly workdir: string
  readonly threads: number // at most
  /**
   * Number of threads that are kept even when idle. Starting one for a job takes some hundred milliseconds, and
   * keeping one takes 40 to 60 MB.
   */
  readonly kept: number
}
/** A thread is terminated when its layout is still running this long after the job was aborted. */
const graceMs = 500
/** The maximum JavaScript heap of one thread. A document that needs more fails with 'convert.memory'. */
const memoryMb = 1024
/**
 * Sizes at which threads are replaced between documents and at rest, in MB. With the fonts of 30 documents a thread
 * occupies 250 MB, which it must keep: without them the next document takes several times as long.
 */
const maxBusyMb = 768
/**
 * It takes a tenth less CPU time than half of it for a document of 20 pages and a third less for a sheet of 10,000 rows, whose pages
 * live until the end.
 */
const newSpaceMb = 48
const maxRestingMb = 512

/**
 * Wraps an engine so that it runs in worker threads, never on the thread that serves requests. Programs that it needs are
 * started here, for the thread. All other properties of the plugin are unchanged. `layout-worker.ts` finds it in the thread
 * by its id.
 */
export function inThreads<Inner, Options>(
  plugin: EnginePlugin<Inner, Options>,
): EnginePlugin<Threaded<Inner>, Options> {
  return {
    ...plugin,
    settings: withThreads(plugin.settings),
    create: (settings, host) => createEngine<Inner, Options>(plugin, settings, host),
  }
}

interface Threaded<Inner> extends ThreadSettings {
  readonly inner: Inner
}

function createEngine<Inner, Options>(
  plugin: EnginePlugin<Inner, Options>,
  { dataDir, workdir, threads, kept, inner }: Threaded<Inner>,
  host: Host,
): Engine<Options> {
  const { id, title, drawsText, programs } = plugin
  let pool: ThreadPool<LayoutTask, LayoutAnswer> | undefined
  const running = () =>
    (pool ??= createPool({ engine: id, settings: inner, dataDir, workdir }, { title, threads, kept }))
  async function run(task: LayoutTask, signal: AbortSignal) {
    const job = { title, signal, ...('deadline' in task && { deadline: task.deadline }) }
    const ports: AnsweredPort[] = []
    const portOf = () => {
      const opened = answerHostCalls(host, signal)
      ports.push(opened)
      return opened.port
    }
    try {
      const answer = await running().run(task, job, programs && portOf)
      if (!answer.ok) throw reviveError(answer.error)
      return answer
    } finally {
      for (const port of ports) port.close()
    }
  }
  return {
    async convert({ source, from, to, options, deadline, strict, pictures }, signal) {
      signal.throwIfAborted()
      const bytes = await bytesOf(source)
      const task = {
        bytes,
        from,
        to,
        options,
        deadline,
        ...(strict && { strict }),
        ...(pictures && { pictures }),
      }
      const { bytes: output, pages, pageCount, warnings, fonts, format } = await run(task, signal)
      return {
        value: fromBytes(output),
        ...(pages && { pages: pages.map(fromBytes) }),
        ...(pageCount !== undefined && { pageCount }),
        warnings,
        ...(fonts && { fonts }),
        ...(format && { format }),
      }
    },
    ...(drawsText && {
      async drawText(text, signal) {
        signal.throwIfAborted()
        const { bytes, warnings } = await run({ text }, signal)
        return { value: bytes, warnings }
      },
    }),
    ...(programs !== undefined && {
      // The availability of its programs is determined without a document, so no thread is needed.
      async health() {
        return (await plugin.create(inner, host).health?.()) ?? { ok: true }
      },
    }),
    async start() {
      running()
    },
    async stop() {
      await pool?.stop()
      pool = undefined
    },
  }
}

function createPool(
  workerData: LayoutSetup,
  { title, threads, kept }: Pick<ThreadSettings, 'threads' | 'kept'> & { readonly title: string },
): ThreadPool<LayoutTask, LayoutAnswer> {
  return createThreadPool({
    script: new URL('./layout-worker.ts', import.meta.url),
    workerData,
    min: kept,
    max: threads,
    idleMs: 60_000,
    memoryMb,
    newSpaceMb,
    maxBusyMb,
    maxRestingMb,
    graceMs,
    outOfMemory: (cause) => new AppError('convert.memory', { engine: title, limit: memoryMb }, { cause }),
  })
}

/**
 * Adds the settings of the threads to those of the engine. The engine's own schema receives only the remaining ones.
 */
function withThreads<Inner>(inner: Schema<Inner>): Schema<Threaded<Inner>> {
  return {
    json: inner.json,
    parse(input) {
      const {
        dataDir = '.data',
        workdir = dataDir,
        threads = 1,
        kept = 0,
        ...rest
      } = (input ?? {}) as Partial<ThreadSettings>
      const parsed = inner.parse(rest)
      return parsed.ok
        ? { ok: true, value: { inner: parsed.value, dataDir, workdir, threads, kept } }
        : parsed
    },
  }
}

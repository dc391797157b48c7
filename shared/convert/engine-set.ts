import type { Acceptance, Engine, EnginePlugin, Host } from '../plugin/contract.ts'
import type { DrawText } from '../plugin/text-drawing.ts'
import type { Parsed } from '../plugin/values.ts'

/** The engines of one host: created at once, started when they are first used. */
export interface EngineSet {
  readonly plugins: ReadonlyMap<string, EnginePlugin>
  /** The engine, started. Throws what its start throws; the next call then tries again. */
  started(id: string, signal: AbortSignal): Promise<StartedEngine>
  /** Draws text with the first engine that can. Absent where none can. */
  readonly drawText?: DrawText
  /** Starts all engines, for those that are slow to wake. Failures are for `health` to report. */
  warm(): Promise<void>
  health(): Promise<readonly EngineHealth[]>
  stop(): Promise<void>
}

export interface StartedEngine {
  readonly plugin: EnginePlugin
  readonly engine: Engine
  /** What the engine makes of a request without options. Judged once, at start. */
  readonly withoutOptions: Parsed<unknown>
}

export interface EngineHealth {
  readonly id: string
  readonly letter?: string
  readonly title: string
  readonly ok: boolean
  /** Why it is not. */
  readonly because?: string
  /** What an engine with a choice works with. */
  readonly using?: string
  /** Nothing is wrong with a host where it is off. */
  readonly optional?: true
}

/** `settings`: the operator's, by engine id; absent ones are checked as `{}`. Throws for a setting that does not fit. */
export function createEngineSet(
  list: readonly EnginePlugin[],
  host: Host,
  settings: Readonly<Record<string, unknown>>,
): EngineSet {
  const plugins = new Map(list.map((plugin) => [plugin.id, plugin]))
  const engines = new Map(list.map((plugin) => [plugin.id, create(plugin, host, settings[plugin.id])]))
  /** The first start of each engine, which may still be running. A failed one is forgotten, to be tried again. */
  const starts = new Map<string, Promise<void>>()

  function start(id: string, engine: Engine): Promise<void> {
    const running = starts.get(id)
    if (running !== undefined) return running
    // Also an engine that throws at once, without a promise, fails by itself.
    const starting = (async () => engine.start?.())()
    starts.set(id, starting)
    starting.catch(() => starts.delete(id))
    return starting
  }

  /** An engine that throws instead of answering is off. Its error is for the log, not for callers of /status. */
  async function healthOf(id: string): Promise<Acceptance> {
    try {
      return (await engines.get(id)?.engine.health?.()) ?? { ok: true }
    } catch (error) {
      host.log.error('engine.failed', { engine: id, function: 'health', error })
      return { ok: false, because: 'its check failed; the log has the cause' }
    }
  }

  async function started(id: string, signal: AbortSignal): Promise<StartedEngine> {
    const created = engines.get(id)
    if (created === undefined) throw new Error(`There is no engine "${id}".`)
    // A start may take as long as a request. A caller who gives up does not end it: the next one finds it done.
    await orAborted(start(id, created.engine), signal)
    return created
  }

  const drawing = list.find(({ drawsText }) => drawsText === true)?.id
  async function drawText(...[request, signal]: Parameters<DrawText>) {
    const { engine } = await started(drawing ?? '', signal)
    if (engine.drawText === undefined) throw new Error(`Engine "${drawing}" draws no text.`)
    return engine.drawText(request, signal)
  }

  return {
    plugins,
    started,
    ...(drawing !== undefined && { drawText }),
    async warm() {
      await Promise.allSettled([...engines].map(([id, { engine }]) => start(id, engine)))
    },
    async health() {
      return Promise.all(
        list.map(async ({ id, letter, title, optional }) => {
          const acceptance = await healthOf(id)
          return { id, letter, title, ...(optional && { optional }), ...acceptance }
        }),
      )
    },
    async stop() {
      await Promise.allSettled([...starts.keys()].map(async (id) => engines.get(id)?.engine.stop?.()))
      starts.clear()
    },
  }
}

function create(plugin: EnginePlugin, host: Host, settings: unknown): StartedEngine {
  let checked: ReturnType<typeof plugin.settings.parse>
  try {
    checked = plugin.settings.parse(settings ?? {})
    if (checked.ok)
      return {
        plugin,
        engine: plugin.create(checked.value, host),
        withoutOptions: plugin.options.parse({}),
      }
  } catch (cause) {
    throw new Error(`Engine "${plugin.id}" could not be created: ${(cause as Error).message}`, { cause })
  }
  const [issue] = checked.issues
  throw new Error(`Setting ${issue?.path} of engine "${plugin.id}" ${issue?.rule}.`)
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason)
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

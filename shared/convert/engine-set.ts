import { entryOf } from '../entry-of.ts'
import type { Acceptance, Engine, EnginePlugin, Host } from '../plugin/contract.ts'
import type { DrawText } from '../plugin/text-drawing.ts'
import type { Parsed } from '../plugin/values.ts'

/** The engines of one host: created at once, started when they are first used. */
export interface EngineSet {
  readonly plugins: ReadonlyMap<string, EnginePlugin>
  /** Starts the engine unless it is running. Throws what its start throws, and the next call then tries again. */
  started(id: string, signal: AbortSignal): Promise<StartedEngine>
  /** Draws text with the first engine that can. Absent where none can. */
  readonly drawText?: DrawText
  /** Starts all engines, because some are slow to start. Failures are not thrown; `health` reports them. */
  warm(): Promise<void>
  health(): Promise<readonly EngineHealth[]>
  stop(): Promise<void>
}

export interface StartedEngine {
  readonly plugin: EnginePlugin
  readonly engine: Engine
  /** The result of checking empty options. It is computed once, when the engine is created. */
  readonly withoutOptions: Parsed<unknown>
}

export interface EngineHealth {
  readonly id: string
  readonly letter?: string
  readonly title: string
  readonly ok: boolean
  /** The reason when `ok` is false. */
  readonly because?: string
  /** The alternative that is in use, for an engine that can work in more than one way. */
  readonly using?: string
  /** The engine is optional: a host is healthy without it. */
  readonly optional?: true
}

/**
 * Creates all engines of a host. `settings` are the operator's by engine id; absent ones are checked as `{}`. Throws an
 * Error that names the engine for a setting that its schema refuses and for an engine that cannot be created.
 */
export function createEngineSet(
  list: readonly EnginePlugin[],
  host: Host,
  settings: Readonly<Record<string, unknown>>,
): EngineSet {
  const plugins = new Map(list.map((plugin) => [plugin.id, plugin]))
  const engines = new Map(
    list.map((plugin) => [plugin.id, create(plugin, host, entryOf(settings, plugin.id))]),
  )
  /** The first start of each engine, which may still be running. A failed one is forgotten, to be tried again. */
  const starts = new Map<string, Promise<void>>()

  function start(id: string, engine: Engine): Promise<void> {
    const running = starts.get(id)
    if (running !== undefined) return running
    // The async function turns what `start` throws synchronously into a rejection.
    const starting = (async () => engine.start?.())()
    starts.set(id, starting)
    starting.catch(() => starts.delete(id))
    return starting
  }

  /** An engine whose check throws counts as off. The error goes to the log and not to callers of /status. */
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
    // A start may outlast the request that caused it. It continues when that caller gives up, for the benefit of the next.
    await orAborted(start(id, created.engine), signal)
    return created
  }

  const drawing = list.find(({ drawsText }) => drawsText === true)?.id
  async function drawText(...[request, signal]: Parameters<DrawText>) {
    const { engine } = await started(drawing ?? '', signal)
    if (engine.drawText === undefined) throw new Error(`Engine "${drawing}" cannot draw text.`)
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

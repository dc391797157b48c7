import type { Engine, EnginePlugin, Host, Verdict } from '../plugin/contract.ts'

/** The engines of one host: created at once, started when they are first used. */
export interface EngineSet {
  readonly plugins: ReadonlyMap<string, EnginePlugin>
  /** The engine, started. Throws what its start throws; the next call then tries again. */
  started(
    id: string,
    signal: AbortSignal,
  ): Promise<{ readonly plugin: EnginePlugin; readonly engine: Engine }>
  /** Starts all engines, for those that are slow to wake. Failures are for `health` to report. */
  warm(): Promise<void>
  health(): Promise<readonly EngineHealth[]>
  stop(): Promise<void>
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
    const known = starts.get(id)
    if (known !== undefined) return known
    const starting = engine.start?.() ?? Promise.resolve()
    starts.set(id, starting)
    starting.catch(() => starts.delete(id))
    return starting
  }

  return {
    plugins,
    async started(id, signal) {
      const plugin = plugins.get(id)
      const engine = engines.get(id)
      if (plugin === undefined || engine === undefined) throw new Error(`There is no engine "${id}".`)
      // A start may take as long as a request. A caller who gives up does not end it: the next one finds it done.
      await orAborted(start(id, engine), signal)
      return { plugin, engine }
    },
    async warm() {
      await Promise.allSettled([...engines].map(([id, engine]) => start(id, engine)))
    },
    async health() {
      return Promise.all(
        list.map(async ({ id, letter, title, optional }) => {
          const verdict: Verdict = (await engines.get(id)?.health?.()) ?? { ok: true }
          return { id, letter, title, ...(optional && { optional }), ...verdict }
        }),
      )
    },
    async stop() {
      await Promise.allSettled([...starts.keys()].map((id) => engines.get(id)?.stop?.()))
      starts.clear()
    },
  }
}

function create(plugin: EnginePlugin, host: Host, settings: unknown): Engine {
  const checked = plugin.settings.parse(settings ?? {})
  if (checked.ok) return plugin.create(checked.value, host)
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

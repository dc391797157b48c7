import type { Engine, EnginePlugin } from './contract.ts'

/**
 * The `create` of an engine whose code is imported when it is first started, used or asked for its health.
 * Until then a host holds the description of the engine only, which keeps the memory of an idle service
 * small. `load` imports that code. A failed import is tried again by the next call.
 */
export function lazyEngine<Settings, Options>(
  load: () => Promise<EnginePlugin<Settings, Options>['create']>,
): EnginePlugin<Settings, Options>['create'] {
  return (settings, host) => {
    let loaded: Promise<Engine<Options>> | undefined
    async function engine(): Promise<Engine<Options>> {
      loaded ??= load().then((create) => create(settings, host))
      return loaded.catch((error: unknown) => {
        loaded = undefined
        throw error
      })
    }
    return {
      async accepts(job) {
        return (await (await engine()).accepts?.(job)) ?? { ok: true }
      },
      async convert(job, signal) {
        return (await engine()).convert(job, signal)
      },
      async drawText(request, signal) {
        const { drawText } = await engine()
        if (drawText === undefined) throw new Error('This engine cannot draw text.')
        return drawText(request, signal)
      },
      async start() {
        await (await engine()).start?.()
      },
      async stop() {
        await (await loaded)?.stop?.()
      },
      async health() {
        return (await (await engine()).health?.()) ?? { ok: true }
      },
    }
  }
}

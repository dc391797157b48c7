import { chmodSync } from 'node:fs'
import { nodeCodec } from '../../origin/codec.ts'
import { encodePicture } from '../../origin/pictures.ts'
import { createConfinement } from '../../origin/processes/confine.ts'
import { createProgramRunner } from '../../origin/processes/run-program.ts'
import { createSupervisor } from '../../origin/processes/supervisor.ts'
import { fromBytes } from '../../shared/plugin/byte-source.ts'
import type {
  ConversionResult,
  Engine,
  EnginePlugin,
  FormatPlugin,
  Host,
} from '../../shared/plugin/contract.ts'
import type { FormatId } from '../../shared/plugin/values.ts'
import type { Outbound } from '../../shared/ports/index.ts'
import { testHost } from './host.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A host with everything that an origin gives its engines: real processes, real pictures, a folder of its own. */
export function originHost(
  outbound?: Outbound,
  formats: readonly FormatPlugin[] = [],
): Host & { readonly folder: string } {
  const host = testHost(formats)
  const folder = temporaryFolder('engine-test')
  // Programs run as the user `nobody` when the tests run as root.
  chmodSync(folder, 0o755)
  const { confine } = createConfinement('best')
  return {
    ...host,
    codec: nodeCodec,
    folder,
    ...(outbound !== undefined && { outbound }),
    encodePicture,
    confine,
    supervise: createSupervisor({ log: host.log, now: host.now, warmsUp: false }).supervise,
    runProgram: createProgramRunner({ confine, folder: async () => folder, now: host.now }),
    scratch: async () => folder,
  }
}

export interface EngineUse {
  readonly options?: Readonly<Record<string, unknown>>
  readonly deadlineMs?: number
  readonly signal?: AbortSignal
  readonly authorization?: string
}

/** An engine with its settings and options checked as the service does, to be used in a line. */
export function engineUnder<E extends Engine<never>>(
  plugin: unknown,
  host: Host,
  settings: Readonly<Record<string, unknown>> = {},
): {
  readonly engine: E
  convert(
    source: Uint8Array | string,
    from: FormatId,
    to: FormatId,
    use?: EngineUse,
  ): Promise<ConversionResult & { readonly bytes: Uint8Array }>
} {
  const known = plugin as EnginePlugin
  const checked = known.settings.parse(settings)
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues))
  const engine = known.create(checked.value, host)
  return {
    engine: engine as unknown as E,
    async convert(source, from, to, { options = {}, deadlineMs = 200_000, signal, authorization } = {}) {
      const parsed = known.options.parse(options)
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues))
      const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
      const made = await engine.convert(
        {
          source: fromBytes(bytes),
          from,
          to,
          options: parsed.value,
          deadline: Date.now() + deadlineMs,
          ...(authorization !== undefined && { egressAuthorization: authorization }),
        },
        signal ?? new AbortController().signal,
      )
      return { ...made, bytes: made.value.view as Uint8Array }
    },
  }
}

import { join } from 'node:path'
import { Piscina, workerData } from 'piscina'
import idml from '../plugins/engines/idml/index.ts'
import instant from '../plugins/engines/instant/index.ts'
import web from '../plugins/engines/web/index.ts'
import { bytesOf, fromBytes } from '../shared/plugin/byte-source.ts'
import type { Engine, EnginePlugin, Made } from '../shared/plugin/contract.ts'
import { nodeCodec } from './codec.ts'
import { machineFontsNow } from './fonts/index.ts'
import { formats } from './formats.ts'
import { machineHyphenation, systemHyphenation } from './hyphenation.ts'
import { describeError, ownBuffer, type ThreadError } from './threads.ts'
import { decodeWebp } from './webp.ts'

/**
 * The start data of one thread, which runs one engine that only computes: it receives bytes and returns
 * bytes.
 */
export interface LayoutSetup {
  readonly engine: string // plugin id
  readonly settings: unknown // already validated by the engine's schema
  readonly dataDir: string
  /** The folder that contains the operator's `fonts/` and `hyphenation/`. */
  readonly workdir: string
}

/**
 * The engines that can run in threads. Those wrapped with `inThreads` in `plugins.ts` must be in this list.
 */
const plugins: readonly EnginePlugin[] = [instant as EnginePlugin, web as EnginePlugin, idml as EnginePlugin]

export interface LayoutTask {
  readonly bytes: Uint8Array
  readonly from: string
  readonly to: string
  readonly options: unknown // already validated by the engine's schema
  readonly deadline: number // milliseconds since the epoch
  readonly careful?: boolean
}
export type LayoutAnswer =
  | ({ readonly ok: true; readonly bytes: Uint8Array } & Pick<Made, 'warnings' | 'fonts'>)
  | { readonly ok: false; readonly error: ThreadError }

const { engine: id, settings, dataDir, workdir } = workerData as LayoutSetup
const plugin = plugins.find((one) => one.id === id)
if (plugin === undefined) throw new Error(`No engine ${id} runs in threads.`)
const fonts = machineFontsNow({ dataDir, workdir })
const ignore = () => {}
const engine = plugin.create(settings, {
  format: (name) => formats.find((format) => format.id === name),
  asset: machineHyphenation(dataDir, [join(workdir, 'hyphenation'), ...systemHyphenation]),
  fonts,
  codec: nodeCodec,
  decodeWebp,
  log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  now: Date.now,
}) as Engine<unknown>

export default async function work({ bytes, ...job }: LayoutTask): Promise<LayoutAnswer> {
  try {
    // The signal never fires: synchronous layout could not react to it, so the pool terminates a late thread
    // instead.
    const outcome = await engine.convert({ ...job, source: fromBytes(bytes) }, new AbortController().signal)
    const answer: LayoutAnswer = {
      ok: true,
      bytes: ownBuffer(await bytesOf(outcome.value)),
      warnings: outcome.warnings,
      ...(outcome.fonts !== undefined && { fonts: outcome.fonts }),
    }
    return Piscina.move({
      get [Piscina.transferableSymbol]() {
        return [answer.bytes.buffer]
      },
      get [Piscina.valueSymbol]() {
        return answer
      },
    } as never) as unknown as LayoutAnswer
  } catch (error) {
    return { ok: false, error: describeError(error) }
  }
}

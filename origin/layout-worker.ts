import { Piscina, workerData } from 'piscina'
import instant from '../plugins/engines/instant/index.ts'
import { bytesOf, fromBytes } from '../shared/plugin/byte-source.ts'
import type { Engine, Made } from '../shared/plugin/contract.ts'
import { nodeCodec } from './codec.ts'
import { machineFonts } from './fonts/index.ts'
import { formats } from './formats.ts'
import { describeError, ownBuffer, type ThreadError } from './threads.ts'

/** One layout thread: the instant engine with faces of its own. Bytes in, bytes out. */
export interface LayoutSetup {
  readonly fontCacheSize: number
  readonly dataDir: string
}
export interface LayoutTask {
  readonly bytes: Uint8Array
  readonly from: string
  readonly to: string
  readonly options: Readonly<Record<string, unknown>>
  readonly deadline: number
  readonly careful?: boolean
}
export type LayoutAnswer =
  | ({ readonly ok: true; readonly bytes: Uint8Array } & Pick<Made, 'warnings' | 'fonts'>)
  | { readonly ok: false; readonly error: ThreadError }

const { fontCacheSize, dataDir } = workerData as LayoutSetup
const fonts = machineFonts({ dataDir })
const quiet = () => {}
const engine = instant.create(
  { fontCacheSize },
  {
    format: (id) => formats.find((format) => format.id === id),
    asset: async () => undefined,
    fonts: () => fonts,
    codec: nodeCodec,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    now: Date.now,
  },
) as Engine<Readonly<Record<string, unknown>>>

export default async function work({ bytes, ...job }: LayoutTask): Promise<LayoutAnswer> {
  try {
    // The pool ends a thread that takes too long from outside.
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

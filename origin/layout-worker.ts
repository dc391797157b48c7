import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { workerData } from 'piscina'
import { defaultLimits } from '../shared/limits.ts'
import { bytesOf, fromBytes } from '../shared/plugin/byte-source.ts'
import type { ConversionResult, Engine, EnginePlugin } from '../shared/plugin/contract.ts'
import type { FetchedPicture } from '../shared/plugin/incoming.ts'
import type { TextRequest } from '../shared/plugin/text-drawing.ts'
import type { Outcome } from '../shared/plugin/values.ts'
import { nodeCodec } from './codec.ts'
import { machineFontsNow } from './fonts/index.ts'
import { formats } from './formats.ts'
import { hostThrough } from './host-calls.ts'
import { machineHyphenation, systemHyphenation } from './hyphenation.ts'
import * as threaded from './threaded.ts'
import {
  type CollectTask,
  collectGarbage,
  describeError,
  type ThreadError,
  type ThreadSize,
  threadSize,
  transferable,
  transferring,
} from './threads.ts'
import { loadWebpDecoder, loadWebpEncoder } from './webp.ts'

/**
 * The start data of one thread, which runs one engine: it receives bytes and returns bytes.
 */
export interface LayoutSetup {
  readonly engine: string // plugin id
  readonly settings: unknown // already validated by the engine's schema
  readonly dataDir: string
  /** The folder that contains the operator's `fonts/` and `hyphenation/`. */
  readonly workdir: string
}

/** `port` answers the engine's calls to its host, if it makes any. */
export type LayoutTask = (ConvertTask | DrawTask) & { readonly port?: MessagePort }

interface DrawTask {
  readonly text: TextRequest
}
interface ConvertTask {
  readonly bytes: Uint8Array
  readonly from: string
  readonly to: string
  readonly options: unknown // already validated by the engine's schema
  readonly deadline: number // milliseconds since the epoch
  readonly strict?: boolean
  readonly pictures?: ReadonlyMap<string, FetchedPicture>
}
export type LayoutAnswer = { readonly thread: ThreadSize } & (
  | ({
      readonly ok: true
      readonly bytes: Uint8Array
      /** All files, of which `bytes` is the first; absent for formats of one file. */
      readonly pages?: readonly Uint8Array[]
    } & Pick<ConversionResult, 'warnings' | 'fonts' | 'format' | 'pageCount'>)
  | { readonly ok: false; readonly error: ThreadError }
)

const { engine: id, settings, dataDir, workdir } = workerData as LayoutSetup
const plugin = (Object.values(threaded) as EnginePlugin[]).find((candidate) => candidate.id === id)
if (plugin === undefined) throw new Error(`No engine ${id} runs in threads.`)
const fonts = machineFontsNow({ dataDir, workdir })
const ignore = () => {}
/** The host behind the port of the running task. A thread works on one task at a time. */
let host: ReturnType<typeof hostThrough> | undefined
const engine = plugin.create(settings, {
  format: (name) => formats.find((format) => format.id === name),
  asset: machineHyphenation(dataDir, [join(workdir, 'hyphenation'), ...systemHyphenation]),
  fonts,
  codec: nodeCodec,
  loadWebpDecoder,
  loadWebpEncoder,
  log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  now: Date.now,
  ...(plugin.programs !== undefined && {
    runProgram: (run) => hostOfTask().runProgram(run),
    encodePicture: (request) => hostOfTask().encodePicture(request),
  }),
}) as Engine<unknown>

function hostOfTask(): ReturnType<typeof hostThrough> {
  if (host === undefined) throw new Error(`Engine ${id} asks for its host outside of a task.`)
  return host
}

// Engines and formats import their code at the first use. A thread does so when it starts, before its first job: the
// engine is started, and each reader is given an empty document, which it refuses.
await Promise.allSettled([
  engine.start?.(),
  ...formats.map(async ({ id: from, reader, workbookReader, deckReader }) => {
    if (!plugin.conversions.some((pair) => pair.from === from)) return
    const context = { codec: nodeCodec, limits: defaultLimits }
    await (reader ?? workbookReader ?? deckReader)?.read(new Uint8Array(), context)
  }),
])

export default async function work(
  given: LayoutTask | CollectTask,
): Promise<LayoutAnswer | { readonly thread: ThreadSize }> {
  if ('kind' in given) {
    collectGarbage()
    return { thread: threadSize() }
  }
  const { port, ...task } = given
  host = port && hostThrough(port)
  try {
    const { value, pages, ...report } = 'text' in task ? await draw(task) : await convert(task)
    const files = pages?.map(transferable)
    const answer: LayoutAnswer = {
      ok: true,
      bytes: files?.[0] ?? transferable(value),
      ...(files !== undefined && { pages: files }),
      ...report,
      thread: threadSize(),
    }
    return transferring(
      answer,
      (files ?? [answer.bytes]).map(({ buffer }) => buffer),
    )
  } catch (error) {
    return { ok: false, error: describeError(error), thread: threadSize() }
  } finally {
    host = undefined
    port?.close()
  }
}

type ThreadResult = Outcome<Uint8Array> &
  Pick<ConversionResult, 'fonts' | 'format' | 'pageCount'> & { readonly pages?: readonly Uint8Array[] }

// The signals never fire: synchronous layout could not react to them, so the pool terminates a late thread instead.

function draw({ text }: DrawTask): Promise<ThreadResult> {
  if (engine.drawText === undefined) throw new Error(`Engine ${id} cannot draw text.`)
  return engine.drawText(text, new AbortController().signal)
}

async function convert({ bytes, ...job }: ConvertTask): Promise<ThreadResult> {
  const outcome = await engine.convert({ ...job, source: fromBytes(bytes) }, new AbortController().signal)
  const { warnings, fonts, format, pageCount } = outcome
  const pages = outcome.pages && (await Promise.all(outcome.pages.map(bytesOf)))
  return {
    value: pages?.[0] ?? (await bytesOf(outcome.value)),
    warnings,
    ...(pages !== undefined && { pages }),
    ...(pageCount !== undefined && { pageCount }),
    ...(fonts !== undefined && { fonts }),
    ...(format !== undefined && { format }),
  }
}

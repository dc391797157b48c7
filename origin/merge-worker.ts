import { randomBytes } from 'node:crypto'
import type { MessagePort } from 'node:worker_threads'
import { workerData } from 'piscina'
import { defaultLimits } from '../shared/limits.ts'
import { scanOnThread } from '../shared/office/incoming/scan-document.ts'
import { createPdfOperations } from '../shared/pdf/operations.ts'
import { bytesOf } from '../shared/plugin/byte-source.ts'
import type { FormatPlugin } from '../shared/plugin/contract.ts'
import type { IncomingDocument, IncomingScan } from '../shared/plugin/incoming.ts'
import type { Warning } from '../shared/plugin/values.ts'
import type { Inspection, InspectJob, Merged, MergeJob, MergeTemplate } from '../shared/ports/index.ts'
import { createMergeEngine } from '../shared/template/merge.ts'
import { nodeCodec } from './codec.ts'
import { loadExternalPlugins } from './external-plugins.ts'
import { formats } from './formats.ts'
import { createLog } from './log.ts'
import { buffersOf, type PdfCall, performPdfCall } from './pdf-threads.ts'
import { ReceivedMemory } from './received-memory.ts'
import {
  type CollectTask,
  collectGarbage,
  describeError,
  type SharedArray,
  type ThreadError,
  type ThreadSize,
  threadSize,
  transferable,
  transferring,
} from './threads.ts'

/**
 * The start data of one merge worker thread. Each thread has its own merge engine and its own compiled plans.
 * It receives jobs whose template bytes are in shared memory and whose data is still JSON text. It returns
 * the bytes of the document, which are transferred without a copy. It also reads documents for offices and finishes PDFs. Errors are returned, not thrown, because
 * an error loses its class between threads.
 */
export interface WorkerSetup {
  /**
   * The external plugins, as `loadExternalPlugins` takes them, and the folder that their paths are relative
   * to.
   */
  readonly plugins: readonly string[]
  readonly folder: string
  readonly cacheBytes: number // of compiled plans
  readonly templateBytes: number // the maximum size of a template
}
export type WorkerTask = WorkerWork & {
  /** The arrays of the task that are in shared memory. */
  readonly memory?: readonly SharedArray[]
}
type WorkerWork =
  | { readonly kind: 'merge'; readonly job: MergeJob }
  | { readonly kind: 'check'; readonly template: MergeTemplate }
  | { readonly kind: 'inspect'; readonly job: InspectJob }
  | { readonly kind: 'scan'; readonly document: IncomingDocument }
  /** `port` is where lines of text are drawn. */
  | { readonly kind: 'pdf'; readonly call: PdfCall; readonly port?: MessagePort }
  | { readonly kind: 'warm' }
export type WorkerAnswer =
  | {
      readonly ok: true
      readonly merged?: WorkerMerged
      readonly inspection?: Inspection
      readonly scan?: IncomingScan
      readonly pdfResult?: unknown // the result of a PDF operation
      readonly warnings: readonly Warning[]
      readonly thread: ThreadSize
    }
  | { readonly ok: false; readonly error: ThreadError; readonly thread: ThreadSize }
export type WorkerMerged = Omit<Merged, 'document'> & { readonly bytes: Uint8Array }

const setup = workerData as WorkerSetup
const limits = { ...defaultLimits, templateBytes: setup.templateBytes }
const external = await loadExternalPlugins(setup.plugins, setup.folder, createLog('error'))
const byId = new Map<string, FormatPlugin>()
for (const plugin of [...formats, ...external.plugins]) {
  if (plugin.kind === 'format') byId.set(plugin.id, plugin)
}
const engine = createMergeEngine({
  codec: nodeCodec,
  formats: (id) => byId.get(id),
  limits,
  cacheBytes: setup.cacheBytes,
})

const pdf = createPdfOperations({ codec: nodeCodec, random: randomBytes })

export default async function work(
  task: WorkerTask | CollectTask,
): Promise<WorkerAnswer | { readonly thread: ThreadSize }> {
  received.begin((task.kind !== 'collect' && task.memory) || [])
  if (task.kind === 'collect') {
    collect()
    return { thread: size() }
  }
  try {
    if (task.kind === 'check') {
      await engine.open(task.template)
      return { ok: true, warnings: [], thread: size() }
    }
    if (task.kind === 'inspect') {
      const inspection = await engine.inspect(task.job)
      return { ok: true, inspection, warnings: [], thread: size() }
    }
    if (task.kind === 'scan') {
      const scan = scanOnThread(task.document, { codec: nodeCodec, limits: defaultLimits })
      return { ok: true, scan, warnings: [], thread: size() }
    }
    if (task.kind === 'pdf') {
      const pdfResult = await performPdfCall(pdf, task.call, task.port)
      return transferring<WorkerAnswer>(
        { ok: true, pdfResult, warnings: [], thread: size() },
        buffersOf(pdfResult),
      )
    }
    if (task.kind === 'warm') {
      await importTemplateCode()
      return { ok: true, warnings: [], thread: size() }
    }
    return await merge(task.job)
  } catch (error) {
    return { ok: false, error: describeError(error), thread: size() }
  }
}

/** Formats import the code that opens templates at their first template, so each is given an empty one, which it refuses. */
async function importTemplateCode(): Promise<void> {
  const openings = [...byId.values()].map(({ template }) =>
    template?.open(new Uint8Array(), { codec: nodeCodec, limits }),
  )
  await Promise.allSettled(openings)
}

const received = new ReceivedMemory()

function collect(): void {
  collectGarbage()
  received.collected()
}

function size(): ThreadSize {
  if (received.isWorthCollecting) collect()
  const { id, bytes } = threadSize(engine.stats().bytes)
  return { id, bytes: bytes + received.bytes, receivedBytes: received.bytes }
}

async function merge(job: MergeJob): Promise<WorkerAnswer> {
  // There is no signal: merging is synchronous and could not react to it, so the pool terminates a late
  // worker instead.
  const { value, warnings } = await engine.merge(job)
  const { document, ...merged } = value
  const bytes = transferable(await bytesOf(document))
  const answer: WorkerAnswer = { ok: true, merged: { ...merged, bytes }, warnings, thread: size() }
  return transferring(answer, [bytes.buffer])
}

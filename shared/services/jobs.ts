import { readRenderRequest, splitBody } from '../api/render-body.ts'
import { readTemplate, type TemplateChoice } from '../api/render-template.ts'
import { AppError } from '../errors/app-error.ts'
import { errorBody, toAppError } from '../errors/problem.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { QueuedJob } from '../ports/index.ts'
import { endJob, findJob, type JobRow, removeJob, saveJob } from '../records/jobs.ts'
import { deliver } from '../webhook/deliver.ts'
import type { WebhookTarget } from '../webhook/target.ts'
import { fromHex, toHex } from './ids.ts'
import { render } from './render.ts'
import { storeResult } from './results.ts'
import { seal, unseal } from './sealed.ts'
import { type Services, seconds } from './services.ts'

/** An asynchronous render as it was asked for. Its body is the request's, untouched. */
export interface RenderJob {
  readonly account: string
  readonly major: 3 | 4 | 5
  readonly template: TemplateChoice
  readonly webhook: WebhookTarget
  readonly body: Uint8Array
}
const defaultTimeoutMs = 300_000
type Head = Omit<RenderJob, 'account' | 'body'>

/**
 * Keeps a render for later and queues it. The request, which holds the caller's data, is encrypted at rest; its key stands
 * in the row and is gone with it. Throws 'api.render.webhook' when any of that fails: nothing is left then.
 */
export async function queueRender(services: Services, job: RenderJob): Promise<string> {
  const { account, body, ...head } = job
  const { queue, ids, sql, blobs } = services
  if (queue === undefined) throw new AppError('api.render.webhook')
  const id = toHex(ids.random(16))
  const blob = `${account}/jobs/${id}`
  const key = ids.random(32)
  try {
    await blobs.put(blob, fromBytes(await seal(key, pack(head, body))))
    const row: JobRow = { account, id, blob, key: toHex(key), notice: null, createdAt: seconds(services) }
    await saveJob(sql, row)
    await queue.send({ id, account, kind: 'render', attempt: 1 })
    return id
  } catch (cause) {
    await removeJob(sql, account, id).catch(() => {})
    await blobs.delete(blob).catch(() => {})
    throw new AppError('api.render.webhook', {}, { cause })
  }
}

/**
 * Brings a queued render to its end: document, notice, webhook. What a caller did wrong, or an engine, ends in a failure
 * notice; what this service could not do is thrown, and the queue tries again. A run that was cut after the render goes
 * on with the notice, so that nobody renders twice.
 */
export async function runRenderJob(
  services: Services,
  queued: QueuedJob,
  signal: AbortSignal,
): Promise<void> {
  const row = await findJob(services.sql, queued.account, queued.id)
  if (row === undefined) return
  const sealed = await services.blobs.get(row.blob)
  if (sealed === undefined) return removeJob(services.sql, row.account, row.id)
  const { head, body } = unpack(await unseal(fromHex(row.key), await bytesOf(sealed)))
  const notice =
    row.notice ?? (await renderNotice(services, row, { ...head, account: row.account, body }, signal))
  const outcome = await deliver(services.outbound, head.webhook, notice, signal)
  if (!outcome.delivered) services.log.warn('webhook.undelivered', { job: row.id, because: outcome.because })
  await removeJob(services.sql, row.account, row.id)
  await services.blobs.delete(row.blob)
}

async function renderNotice(
  services: Services,
  row: JobRow,
  job: RenderJob,
  signal: AbortSignal,
): Promise<string> {
  const notice = JSON.stringify(await renderOutcome(services, job, signal))
  await endJob(services.sql, row.account, row.id, notice)
  return notice
}

async function renderOutcome(services: Services, job: RenderJob, signal: AbortSignal): Promise<object> {
  const timeoutMs = services.settings.asyncTimeoutMs ?? defaultTimeoutMs
  try {
    const split = splitBody(job.body)
    const template = await readTemplate(services, job.account, job.template, split)
    const request = readRenderRequest(split, job.major)
    const rendered = await render(services, template, request, signal, timeoutMs)
    return { success: true, data: { renderId: await storeResult(services, job.account, rendered) } }
  } catch (error) {
    signal.throwIfAborted()
    const found = toAppError(error)
    if (found.code === 'api.internal' || found.code.startsWith('storage.')) throw error
    return { data: { renderId: '' }, ...errorBody(found) }
  }
}

/** Head as JSON behind its length, then the body. */
function pack(head: Head, body: Uint8Array): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(head))
  const bytes = new Uint8Array(4 + text.length + body.length)
  new DataView(bytes.buffer).setUint32(0, text.length)
  bytes.set(text, 4)
  bytes.set(body, 4 + text.length)
  return bytes
}

function unpack(bytes: Uint8Array): { readonly head: Head; readonly body: Uint8Array } {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as Head
  return { head, body: bytes.subarray(4 + length) }
}

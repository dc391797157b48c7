import { readRenderRequest, splitBody } from '../api/render-body.ts'
import { readTemplate, type TemplateChoice } from '../api/render-template.ts'
import { AppError } from '../errors/app-error.ts'
import { errorBody, toAppError } from '../errors/problem.ts'
import { bytesOf, fromBytes } from '../plugin/byte-source.ts'
import type { QueuedJob } from '../ports/index.ts'
import {
  closeJob,
  endJob,
  findJob,
  type JobRow,
  type JobState,
  jobStates,
  markJob,
  removeJob,
  saveJob,
} from '../records/jobs.ts'
import { deliver } from '../webhook/deliver.ts'
import { signNotice } from '../webhook/sign.ts'
import type { WebhookTarget } from '../webhook/target.ts'
import { type Charge, refund } from './accounts.ts'
import { fromHex, toHex } from './ids.ts'
import { render } from './render.ts'
import { discardResult, storeResult } from './results.ts'
import { seal, unseal } from './sealed.ts'
import { type Services, seconds } from './services.ts'
import { forTestToken } from './test-tokens.ts'

/** An asynchronous render as it was asked for. Its body is the request's, untouched. */
export interface RenderJob {
  readonly account: string
  readonly major: 3 | 4 | 5
  readonly template: TemplateChoice
  readonly webhook: WebhookTarget
  readonly test?: boolean // asked for with a test token
  readonly charged?: Charge // given back if it fails
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
    const row = { account, id, blob, key: toHex(key), notice: null, createdAt: seconds(services) }
    await saveJob(sql, { ...row, state: 'queued', endedAt: null })
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
 * on with the notice, so that nobody renders twice. A cancelled render ends in a failure notice too.
 */
export async function runRenderJob(
  services: Services,
  queued: QueuedJob,
  signal: AbortSignal,
): Promise<void> {
  const { sql, blobs, settings } = services
  const row = await findJob(sql, queued.account, queued.id)
  if (row === undefined || row.endedAt !== null) return
  const sealed = await blobs.get(row.blob)
  if (sealed === undefined) return removeJob(sql, row.account, row.id)
  const { head, body } = unpack(await unseal(fromHex(row.key), await bytesOf(sealed)))
  const notice =
    row.notice ?? (await renderNotice(services, row, { ...head, account: row.account, body }, signal))
  const signed = await signNotice(settings.webhookSecrets ?? [], {
    id: `msg_${row.id}`,
    time: seconds(services),
    body: notice,
  })
  const target = { ...head.webhook, headers: { ...head.webhook.headers, ...signed } }
  const outcome = await deliver(services.outbound, target, notice, {
    signal,
    retries: settings.webhookRetries,
  })
  if (!outcome.delivered) services.log.warn('webhook.undelivered', { job: row.id, because: outcome.because })
  const { success } = readNotice(notice)
  if (!success) await refund(services, head.charged)
  await closeJob(sql, row.account, row.id, { state: success ? 'done' : 'failed', at: seconds(services) })
  await blobs.delete(row.blob)
}

/** What the webhook is to be told: how the render ended, or that it was cancelled before it could. */
async function renderNotice(
  services: Services,
  row: JobRow,
  job: RenderJob,
  signal: AbortSignal,
): Promise<string> {
  const { sql } = services
  const cancelled = watchCancel(services, row)
  const stages = stageWriter(services, row)
  try {
    const notice = await renderOutcome(services, job, { signal, cancelled: cancelled.signal, stages })
    await stages.written()
    const text = JSON.stringify(notice)
    if (await endJob(sql, row.account, row.id, text)) return text
    if (notice.success) await discardResult(services, notice.data.renderId)
    return (await findJob(sql, row.account, row.id))?.notice ?? text
  } finally {
    cancelled.stop()
  }
}

interface Watched {
  readonly signal: AbortSignal // the queue's
  readonly cancelled: AbortSignal
  readonly stages: ReturnType<typeof stageWriter>
}

async function renderOutcome(
  services: Services,
  job: RenderJob,
  { signal, cancelled, stages }: Watched,
): Promise<Notice> {
  const timeoutMs = services.settings.asyncTimeoutMs ?? defaultTimeoutMs
  try {
    const split = splitBody(job.body)
    const template = await readTemplate(services, job.account, job.template, split)
    const asked = readRenderRequest(split, job.major)
    const request = job.test ? forTestToken(services, asked, template.format.id) : asked
    const either = AbortSignal.any([signal, cancelled])
    const rendered = await render(services, template, request, either, { timeoutMs, onStage: stages.mark })
    stages.mark('storing')
    return { success: true, data: { renderId: await storeResult(services, job.account, rendered) } }
  } catch (error) {
    signal.throwIfAborted()
    const found = toAppError(error)
    if (found.code === 'api.internal' || found.code.startsWith('storage.')) throw error
    return failureNotice(cancelled.aborted ? new AppError('api.job.cancelled') : found)
  }
}

/** The body of the call to the webhook. */
interface Notice {
  readonly success: boolean
  readonly data: { readonly renderId: string }
  readonly error?: string
  readonly code?: string
}

function failureNotice(error: AppError): Notice {
  return { data: { renderId: '' }, ...errorBody(error) }
}

function readNotice(text: string): Notice {
  return JSON.parse(text) as Notice
}

const lookEveryMs = 1000

/** Fires soon after another process, or this one, has written the end of the job into its row. */
function watchCancel({ sql, log }: Services, { account, id }: JobRow) {
  const control = new AbortController()
  const look = async () => {
    try {
      const row = await findJob(sql, account, id)
      if (row === undefined || row.notice !== null) control.abort(new AppError('api.job.cancelled'))
    } catch (error) {
      log.warn('jobs.look', { job: id, error })
    }
  }
  const timer = setInterval(look, lookEveryMs)
  return { signal: control.signal, stop: () => clearInterval(timer) }
}

/** Writes the stages of a render into its row, each once and in their order: the items of a batch go back and forth. */
function stageWriter({ sql, log }: Services, { account, id }: JobRow) {
  let reached = 0
  let writing = Promise.resolve()
  return {
    mark(state: JobState): void {
      const place = jobStates.indexOf(state)
      if (place <= reached) return
      reached = place
      writing = writing
        .then(() => markJob(sql, account, id, state))
        .catch((error: unknown) => log.warn('jobs.mark', { job: id, error }))
    },
    written: () => writing,
  }
}

/** How far a job is, as told to its owner. 'expired': its document can no longer be fetched. */
export interface JobReport {
  readonly jobId: string
  readonly state: JobState | 'expired'
  readonly createdAt: number // seconds
  readonly endedAt?: number // seconds
  readonly renderId?: string
  readonly error?: string
  readonly code?: string
}

/** Throws 'api.job.not-found'. */
export async function jobReport(services: Services, account: string, id: string): Promise<JobReport> {
  const { state, notice, createdAt, endedAt } = await ownJob(services, account, id)
  const {
    success = false,
    data,
    error,
    code,
  } = notice === null ? {} : (readNotice(notice) as Partial<Notice>)
  const over = endedAt !== null && endedAt + services.settings.renderLifeSeconds <= seconds(services)
  return {
    jobId: id,
    state: state === 'done' && over ? 'expired' : state,
    createdAt,
    ...(endedAt === null ? {} : { endedAt }),
    ...(success && data !== undefined ? { renderId: data.renderId } : {}),
    ...(error === undefined ? {} : { error }),
    ...(code === undefined ? {} : { code }),
  }
}

/**
 * Ends a render that waits or runs; one that runs stops soon after. Its webhook is told of a failure, so that nobody
 * waits for ever. Throws 'api.job.not-found', and 'api.job.ended' when it is too late.
 */
export async function cancelJob(services: Services, account: string, id: string): Promise<JobReport> {
  await ownJob(services, account, id)
  const notice = JSON.stringify(failureNotice(new AppError('api.job.cancelled')))
  if (!(await endJob(services.sql, account, id, notice))) throw new AppError('api.job.ended')
  return jobReport(services, account, id)
}

async function ownJob(services: Services, account: string, id: string): Promise<JobRow> {
  const row = await findJob(services.sql, account, id)
  if (row === undefined) throw new AppError('api.job.not-found')
  return row
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

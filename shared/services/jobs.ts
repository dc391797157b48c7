import type { HeldBody } from '../api/body.ts'
import { splitBody } from '../api/render-body.ts'
import { prepareRender } from '../api/render-request.ts'
import type { TemplateChoice } from '../api/render-template.ts'
import { chunksOf, createByteReader, gather } from '../byte-reader.ts'
import { AppError } from '../errors/app-error.ts'
import { errorBody, toAppError } from '../errors/problem.ts'
import type { ByteSource } from '../plugin/contract.ts'
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
import { type RenderBounds, render } from '../render/pipeline.ts'
import { renderRelayed } from '../render/relay.ts'
import type { Rendered } from '../render/request.ts'
import { storedTemplate } from '../render/template.ts'
import { deliver } from '../webhook/deliver.ts'
import { signNotice } from '../webhook/sign.ts'
import type { WebhookTarget } from '../webhook/target.ts'
import { type Charge, charge, refund } from './accounts.ts'
import { fromHex, toHex } from './ids.ts'
import { discardResult, storeResult } from './results.ts'
import { sealed, unsealed } from './sealed.ts'
import { type Services, seconds } from './services.ts'
import type { Turns } from './turns.ts'

/** An asynchronous render as it was asked for. Its body is the request's, untouched. */
export interface RenderJob {
  readonly account: string
  readonly major: 3 | 4 | 5
  readonly template: TemplateChoice
  readonly webhook: WebhookTarget
  readonly test: boolean // asked for with a test token
  readonly counted: boolean // in credits, if it succeeds
  readonly charged?: Charge // already; given back if it fails
  readonly egressAuthorization?: string
  readonly body: HeldBody
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
    await blobs.put(blob, sealed(key, pack(head, body)))
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
 * on with the notice, so that nobody renders twice. A cancelled render ends in a failure notice too. `inTurn` says how
 * many render at once where more are in hand.
 */
export async function runRenderJob(
  services: Services,
  queued: QueuedJob,
  signal: AbortSignal,
  inTurn: Turns = (work) => work(),
): Promise<void> {
  const { sql, blobs, settings } = services
  // A webhook that lets its caller wait takes nobody's turn to render.
  const found = await inTurn(() => rendered(services, queued, signal))
  if (found === undefined) return
  const { row, head, notice } = found
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

/** A job with what its webhook is to be told; undefined when there is nothing left to do. */
async function rendered(services: Services, queued: QueuedJob, signal: AbortSignal) {
  const { sql, blobs } = services
  const row = await findJob(sql, queued.account, queued.id)
  if (row === undefined || row.endedAt !== null) return undefined
  const source = await blobs.get(row.blob)
  if (source === undefined) {
    await removeJob(sql, row.account, row.id)
    return undefined
  }
  const { head, body } = await unpack(unsealed(fromHex(row.key), source.stream()))
  const notice = row.notice ?? (await renderNotice(services, row, head, held(services, source, body), signal))
  return { row, head, notice }
}

/** What the webhook is to be told: how the render ended, or that it was cancelled before it could. */
async function renderNotice(
  services: Services,
  row: JobRow,
  head: Head,
  body: Promise<HeldBody>,
  signal: AbortSignal,
): Promise<string> {
  const { sql } = services
  const cancelled = watchCancel(services, row)
  const stages = stageWriter(services, row)
  try {
    const job = { ...head, account: row.account, body: await body }
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
    const either = AbortSignal.any([signal, cancelled])
    const rendered = await renderJob(services, job, either, { timeoutMs, onStage: stages.mark })
    stages.mark('storing')
    const { signatures } = rendered
    const templateId = job.template === 'inline' ? undefined : job.template.id
    const renderId = await storeResult(services, job.account, { ...rendered, templateId })
    return { success: true, data: { renderId, ...(signatures === undefined ? {} : { signatures }) } }
  } catch (error) {
    signal.throwIfAborted()
    const found = toAppError(error)
    if (found.code === 'api.internal' || found.code.startsWith('storage.')) throw error
    return failureNotice(cancelled.aborted ? new AppError('api.job.cancelled') : found)
  }
}

async function renderJob(
  services: Services,
  { account, template: choice, body, counted, ...rest }: RenderJob,
  signal: AbortSignal,
  bounds: RenderBounds & { readonly timeoutMs: number },
): Promise<Rendered> {
  const { major, test, egressAuthorization } = rest
  const terms = {
    major,
    test,
    waits: false,
    ...(egressAuthorization === undefined ? {} : { egressAuthorization }),
  }
  const known = choice === 'inline' ? undefined : await storedTemplate(services, account, choice)
  if (body.kind === 'stream' && services.relay !== undefined) {
    bounds.onStage?.('merging')
    const asked = { ...terms, template: known, body: body.stream }
    const relayed = await renderRelayed(services, services.relay, asked, signal, bounds.timeoutMs)
    if (counted) await charge(services, account, relayed.credits)
    return relayed
  }
  const bytes = body.kind === 'stream' ? await gather(body.stream) : body.bytes
  const begins = { templateId: choice === 'inline' ? undefined : choice.id }
  const { template, request } = await prepareRender(services, terms, splitBody(bytes), known, begins)
  return render(services, template, request, signal, { ...bounds, account })
}

/** In memory, unless there is a place for larger ones. */
async function held(
  { relay }: Services,
  source: ByteSource,
  stream: ReadableStream<Uint8Array>,
): Promise<HeldBody> {
  if (relay !== undefined && source.size > relay.aboveBytes) return { kind: 'stream', stream }
  return { kind: 'bytes', bytes: await gather(stream) }
}

/** The body of the call to the webhook. */
interface Notice {
  readonly success: boolean
  readonly data: { readonly renderId: string } & Pick<Rendered, 'signatures'>
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
async function* pack(head: Head, body: HeldBody): AsyncGenerator<Uint8Array, void, undefined> {
  const text = new TextEncoder().encode(JSON.stringify(head))
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, text.length)
  yield length
  yield text
  if (body.kind === 'bytes') yield body.bytes
  else yield* chunksOf(body.stream)
}

async function unpack(
  stream: ReadableStream<Uint8Array>,
): Promise<{ readonly head: Head; readonly body: ReadableStream<Uint8Array> }> {
  const reader = createByteReader(stream)
  const length = await reader.take(4)
  const text = length && (await reader.take(new DataView(length.buffer, length.byteOffset).getUint32(0)))
  if (text === undefined) throw new AppError('storage.blobs')
  return { head: JSON.parse(new TextDecoder().decode(text)) as Head, body: reader.rest() }
}

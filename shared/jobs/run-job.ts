import { gather } from '../byte-reader.ts'
import { AppError } from '../errors/app-error.ts'
import { isOutage } from '../errors/outages.ts'
import { toAppError } from '../errors/problem.ts'
import { fromBytes } from '../plugin/byte-source.ts'
import { type Again, pauseBefore, type QueuedJob, type RenderRelay } from '../ports/index.ts'
import {
  beginJob,
  chargeJob,
  closeJob,
  endJob,
  findJob,
  type Hold,
  type JobProgress,
  type JobRow,
  type JobState,
  jobStates,
  markJob,
  releaseJob,
  renewJob,
  saveProgress,
  takeNotice,
} from '../records/jobs.ts'
import { storeManifest } from '../render/manifest-result.ts'
import { type RenderBounds, render } from '../render/pipeline.ts'
import { prepareRender } from '../render/prepare/prepare-render.ts'
import { largerHost, renderRelayed } from '../render/relay.ts'
import type { Rendered } from '../render/request.ts'
import { creditsMissing, monthOf } from '../services/accounts.ts'
import type { ConcurrencyLimit } from '../services/concurrency-limit.ts'
import { discardFile } from '../services/discard-file.ts'
import { fromHex, toHex } from '../services/ids.ts'
import { discardResult, type RenderLocation, storeResult } from '../services/results.ts'
import { asyncTimeoutMs, type Services, seconds } from '../services/services.ts'
import { storedTemplate } from '../services/templates.ts'
import { laterTrace } from '../trace.ts'
import type { WebhookTarget } from '../webhook/target.ts'
import { callWebhook } from './call-webhook.ts'
import { failureNotice, type JobNotice, readNotice } from './job-notice.ts'
import { openRequest, type StoredRequest } from './job-request.ts'
import {
  holdSeconds,
  isJobOutage,
  isUnforeseen,
  jobLifeSeconds,
  maxStarts,
  renewSeconds,
} from './job-states.ts'
import { retryOutages } from './retry-outages.ts'

/**
 * Runs a job that the queue delivered as far as possible: renders the document, stores the notice and calls
 * the webhook. The states of a job are described in `job-states.ts`. Returns when the queue must deliver the
 * entry again, or undefined when the entry is finished. `withSlot` limits how many deliveries render at once;
 * a job that waits for a slot has not begun an attempt. Throws when the row of the job cannot be read.
 */
export async function runRenderJob(
  services: Services,
  queued: QueuedJob,
  signal: AbortSignal,
  withSlot: ConcurrencyLimit = (work) => work(),
): Promise<Again | undefined> {
  const row = await findJob(services.sql, queued.account, queued.id)
  if (row === undefined || row.endedAt !== null) return undefined
  const hold: Hold = {
    account: row.account,
    id: row.id,
    worker: toHex(services.ids.random(8)),
  }
  if (row.notice === null) {
    // The webhook is called without a slot, so that a slow receiver does not keep other jobs from rendering.
    const again = await withSlot(() => attempt(services, { row, hold, delivery: queued.delivery }, signal), {
      account: row.account,
      background: true,
    })
    if (again !== undefined) return again
  }
  await notify(services, hold, signal)
  return undefined
}

/** Ends a job as failed after a queue has given up delivering its entry, and calls its webhook. */
export async function setJobAside(
  services: Services,
  queued: QueuedJob,
  signal: AbortSignal,
): Promise<undefined> {
  const row = await findJob(services.sql, queued.account, queued.id)
  if (row === undefined || row.endedAt !== null) return
  await fail(services, row, new AppError('api.job.set-aside'))
  await notify(services, { account: row.account, id: row.id, worker: toHex(services.ids.random(8)) }, signal)
}

interface JobAttempt {
  readonly row: JobRow // as it was when the queue delivered the job
  readonly hold: Hold
  readonly delivery: number
}

/**
 * Makes one attempt at a render. Returns when to try again, or undefined when the outcome is recorded in the
 * row.
 */
async function attempt(
  services: Services,
  { row, hold, delivery }: JobAttempt,
  signal: AbortSignal,
): Promise<Again | undefined> {
  const { sql, log } = services
  const now = seconds(services)
  const remainingSeconds = row.createdAt + jobLifeSeconds - now
  if (remainingSeconds <= 0)
    return fail(services, row, new AppError('api.job.expired', { hours: jobLifeSeconds / 3600 }))
  const starts = await beginJob(sql, hold, {
    now,
    until: now + holdSeconds,
    maxStarts,
    maxRunning: services.settings.maxAccountJobs,
  })
  if (starts === undefined) return notBegun(services, hold)
  const watched = watch(services, hold, signal)
  try {
    const notice = await outcomeOf(services, row, { hold, signal, watched })
    await retryOutages(services, () => finish(services, hold, notice))
    return undefined
  } catch (error) {
    if (watched.lost.aborted) return undefined // another worker has taken the job and continues it
    const transient = signal.aborted || isJobOutage(error, now - row.createdAt)
    const details = { job: row.id, account: row.account, starts, delivery, error }
    if (!transient && starts >= maxStarts) {
      log.error('jobs.set-aside', details)
      services.counted?.({ name: 'jobs_total', outcome: 'set-aside' })
      return fail(services, row, new AppError('api.render.error', {}, { cause: error }))
    }
    log.warn(transient ? 'jobs.waits' : 'jobs.again', details)
    services.counted?.({ name: 'jobs_total', outcome: transient ? 'waits' : 'again' })
    // The random factor spreads the retries of jobs that failed at the same time.
    const afterMs = Math.min(pauseBefore(delivery) * (0.75 + Math.random() / 4), remainingSeconds * 1000)
    const dueAt = seconds(services) + Math.ceil(afterMs / 1000)
    await retryOutages(services, () => releaseJob(sql, hold, { dueAt, counts: !transient }))
    return { afterMs }
  } finally {
    watched.stop()
  }
}

/** How long a job waits, on average, before it checks again whether its account may run another one. */
const maxWaitMs = 4000

/**
 * Handles an attempt that could not begin. If the render has ended, nothing is left to do. If another worker
 * holds the job, the entry is delivered again after that hold expires. If the account has its share of running
 * jobs, this one waits for one of them to end. Otherwise the attempts are used up and the job fails.
 */
async function notBegun(services: Services, { account, id }: Hold): Promise<Again | undefined> {
  const row = await findJob(services.sql, account, id)
  if (row === undefined || row.notice !== null) return undefined
  const heldFor = row.worker === '' ? 0 : row.dueAt - seconds(services)
  if (heldFor > 0) return { afterMs: (heldFor + 1) * 1000 }
  if (row.starts < maxStarts) return { afterMs: maxWaitMs * (0.5 + Math.random()), untried: true }
  services.counted?.({ name: 'jobs_total', outcome: 'set-aside' })
  services.log.error('jobs.set-aside', { job: id, account, starts: row.starts })
  return fail(services, row, new AppError('api.job.set-aside'))
}

/** Ends the render with a failure notice. Its credits are refunded in the same transaction. */
async function fail(services: Services, row: JobRow, error: AppError): Promise<undefined> {
  const notice = JSON.stringify(failureNotice(error))
  await retryOutages(services, () => endJob(services.sql, row, { notice, success: false }))
}

/**
 * Records how a render ended. If it was cancelled in the meantime, the stored document is deleted. If another
 * attempt recorded success, the document is its result too, because all attempts use the same render id.
 */
async function finish(services: Services, { account, id }: Hold, notice: JobNotice): Promise<void> {
  const { success } = notice
  if (await endJob(services.sql, { account, id }, { notice: JSON.stringify(notice), success })) return
  if (!success) return
  const row = await findJob(services.sql, account, id)
  const other = row?.notice == null ? undefined : readNotice(row.notice)
  if (other?.success === true) return
  const { renderId, provenance } = notice.data
  await discardResult(services, renderId)
  if (provenance !== undefined) await discardResult(services, provenance)
}

/**
 * Calls the webhook with the outcome of a render and closes the job. Does nothing while another worker is
 * doing so.
 */
async function notify(services: Services, hold: Hold, signal: AbortSignal): Promise<void> {
  const { sql, settings } = services
  const now = seconds(services)
  if (!(await takeNotice(sql, hold, { now, until: now + holdSeconds }))) return
  const watched = watch(services, hold, signal)
  try {
    const row = await findJob(sql, hold.account, hold.id)
    if (row === undefined || row.notice === null || row.endedAt !== null) return
    const target = await targetOf(services, row)
    // The row now holds everything that the call needs, so the caller's data is deleted before a possibly
    // slow webhook.
    await discardFile(services, row.blob)
    const { notice } = row
    const call =
      target &&
      (await callWebhook(services, { account: row.account, id: row.id, notice }, target, {
        signal: AbortSignal.any([signal, watched.lost]),
        retries: settings.webhookRetries,
      }))
    const state = readNotice(notice).success ? 'done' : 'failed'
    services.counted?.({ name: 'jobs_total', outcome: state })
    await retryOutages(services, () => closeJob(sql, row, { state, at: seconds(services), call }))
  } finally {
    watched.stop()
  }
}

/**
 * The webhook of a job. Rows written before the column `webhook` existed have it in the encrypted request
 * only. Returns undefined when the job has none, or when the request can no longer be read.
 */
async function targetOf(services: Services, row: JobRow): Promise<WebhookTarget | undefined> {
  if (row.webhook !== '') return (JSON.parse(row.webhook) as WebhookTarget | null) ?? undefined
  try {
    const source = await services.blobs.get(row.blob)
    return source && (await openRequest(services, row.key, source)).webhook
  } catch (error) {
    if (isOutage(error)) throw error
    return undefined
  }
}

interface Watched {
  /** Aborted when something else has ended the render. Usually the caller cancelled it. */
  readonly ended: AbortSignal
  /** Aborted when another worker holds the job. */
  readonly lost: AbortSignal
  stop(): void
}

/** How often the row is read. It bounds how long a cancelled render continues. `renewSeconds` assumes one second. */
const pollEveryMs = 1000

/**
 * Renews the hold of this worker regularly and polls the row for what others did to the job, until `stop` is
 * called.
 */
function watch({ sql, log, clock }: Services, hold: Hold, signal: AbortSignal): Watched {
  const ended = new AbortController()
  const lost = new AbortController()
  let polls = 0 // every `renewSeconds`-th poll renews the hold
  let polling = false // true while a poll runs, so that polls do not pile up when the database hangs
  const poll = async () => {
    if (polling) return
    polling = true
    try {
      const due = ++polls % renewSeconds === 0
      const until = Math.floor(clock.now() / 1000) + holdSeconds
      if (due && !signal.aborted && !(await renewJob(sql, hold, until)))
        lost.abort(new Error('Another worker has this job.'))
      const row = await findJob(sql, hold.account, hold.id)
      if (row === undefined || row.notice !== null) ended.abort(new AppError('api.job.cancelled'))
    } catch (error) {
      log.warn('jobs.look', { job: hold.id, error })
    } finally {
      polling = false
    }
  }
  const timer = setInterval(poll, pollEveryMs)
  return { ended: ended.signal, lost: lost.signal, stop: () => clearInterval(timer) }
}

interface Work {
  readonly hold: Hold
  readonly signal: AbortSignal // aborts when the queue takes the job away from this worker
  readonly watched: Watched
}

/**
 * Renders and stores the document. Returns the notice for the webhook, of success or of a failure that a
 * retry would repeat. Throws errors that do not decide the outcome, such as an outage or an unforeseen error:
 * the caller retries.
 */
async function outcomeOf(
  services: Services,
  row: JobRow,
  { signal, watched, hold }: Work,
): Promise<JobNotice> {
  const stages = stageWriter(services, hold)
  const anyAbort = AbortSignal.any([signal, watched.ended, watched.lost])
  try {
    const source = await services.blobs.get(row.blob)
    if (source === undefined) throw new AppError('api.job.lost')
    const request = await openRequest(services, row.key, source)
    const work = () => renderAndStore(services, row, request, { hold, signal: anyAbort, ...stages })
    const { tracing } = services
    if (tracing === undefined || request.trace === undefined) return await work()
    return await tracing.begin({ kind: 'consumer', name: 'job', trace: laterTrace(request.trace) }, work)
  } catch (error) {
    if (signal.aborted || watched.lost.aborted) throw error
    if (watched.ended.aborted) return failureNotice(new AppError('api.job.cancelled'))
    const age = seconds(services) - row.createdAt
    if (isUnforeseen(error) || isJobOutage(error, age)) throw error
    const failure = toAppError(error)
    return failureNotice(
      failure.code === 'storage.damaged' ? new AppError('api.job.lost', {}, { cause: failure }) : failure,
    )
  } finally {
    await stages.written()
  }
}

async function renderAndStore(
  services: Services,
  row: JobRow,
  request: StoredRequest,
  {
    hold,
    signal,
    setState,
    progress,
  }: {
    readonly hold: Hold
    readonly signal: AbortSignal
    readonly setState: (stage: JobState) => void
    readonly progress: (progress: JobProgress) => void
  },
): Promise<JobNotice> {
  const timeoutMs = asyncTimeoutMs(services.settings)
  const rendered = await renderRequest(services, row, request, signal, {
    timeoutMs,
    onStage: setState,
    onProgress: progress,
  })
  setState('storing')
  const isHeld = () => renewJob(services.sql, hold, seconds(services) + holdSeconds)
  const templateId = request.template === 'inline' ? undefined : request.template.id
  const result = { ...rendered, templateId }
  const renderId = await storeResult(services, row.account, result, {
    location: renderLocation(services, row),
    isHeld,
  })
  const { signatures, manifest, name } = rendered
  const options = { location: manifestLocation(services, row), isHeld }
  const provenance = manifest && (await storeManifest(services, row.account, { manifest, name }, options))
  return {
    success: true,
    data: { renderId, ...(provenance !== undefined && { provenance }), ...(signatures && { signatures }) },
  }
}

/**
 * The render id and the blob key of a job. They are the same for every attempt, so that a repeated attempt
 * replaces the document of an interrupted one instead of storing a second. The id is derived from the key of
 * the job, which is secret.
 */
function renderLocation(services: Services, { account, id, key }: JobRow): RenderLocation {
  return { secret: derivedSecret(services, `render of ${key}`), blob: `${account}/renders/${id}` }
}

/** As `renderLocation`, for the manifest of the document. */
function manifestLocation(services: Services, { account, id, key }: JobRow): RenderLocation {
  return { secret: derivedSecret(services, `manifest of ${key}`), blob: `${account}/renders/${id}-manifest` }
}

function derivedSecret({ hasher }: Services, text: string): Uint8Array {
  const hash = hasher.sha256()
  hash.update(new TextEncoder().encode(text))
  return fromHex(hash.hex())
}

/**
 * Renders a stored request: on this host, or through the relay when its body is too large for this host.
 * Throws what the render throws, and 'api.credits'.
 */
async function renderRequest(
  services: Services,
  row: JobRow,
  { template: choice, body, counted, ...head }: StoredRequest,
  signal: AbortSignal,
  bounds: RenderBounds & { readonly timeoutMs: number },
): Promise<Rendered> {
  const { account } = row
  const { major, test, egressAuthorization, provenance, trace } = head
  const conditions = {
    major,
    test,
    waits: false,
    ...(egressAuthorization === undefined ? {} : { egressAuthorization }),
    ...(provenance && { provenance }),
    ...(trace === undefined ? {} : { trace }),
  }
  const stored = choice === 'inline' ? undefined : await storedTemplate(services, account, choice)
  const relayed = async (relay: RenderRelay, stream: ReadableStream<Uint8Array>) => {
    bounds.onStage?.('merging')
    const relayedRender = { ...conditions, template: stored, body: stream }
    const result = await renderRelayed(services, relay, relayedRender, signal, bounds.timeoutMs)
    if (counted && row.credits === 0) await chargeUncharged(services, row, result.credits)
    return result
  }
  if (body.kind === 'stream' && services.relay !== undefined) return relayed(services.relay, body.stream)
  const bytes = body.kind === 'stream' ? await gather(body.stream) : body.bytes
  const hookContext = { templateId: choice === 'inline' ? undefined : choice.id }
  try {
    const { template, request } = await prepareRender(services, conditions, bytes, stored, hookContext)
    return await render(services, template, request, signal, {
      ...bounds,
      account,
      client: { account, background: true, trace },
    })
  } catch (error) {
    const relay = largerHost(services, error)
    if (relay === undefined) throw error
    return relayed(relay, fromBytes(bytes).stream())
  }
}

/**
 * Charges a job whose price is known only after the relayed render, at most once however often the job is
 * attempted.
 * Throws 'api.credits' when the account cannot pay.
 */
async function chargeUncharged(services: Services, { account, id }: JobRow, credits: number): Promise<void> {
  const price = { credits, month: monthOf(services.clock.now()) }
  if (await chargeJob(services.sql, { account, id }, price)) return
  const row = await findJob(services.sql, account, id)
  if (row !== undefined && row.credits === 0 && row.notice === null)
    throw await creditsMissing(services, account, credits)
}

const progressMs = 500

/**
 * Writes the stages of a render and the progress of a batch into its row. A stage is written only if it comes after all
 * written ones, because the items of a batch pass through the stages at different times. A failed write is only logged.
 */
function stageWriter({ sql, log }: Services, hold: Hold) {
  let reached = jobStates.indexOf('merging') // index of the latest written stage; `beginJob` wrote the first
  let writing = Promise.resolve() // resolves when all writes so far have ended; each new one waits for it
  let latest: JobProgress | undefined // not written yet
  let timer: ReturnType<typeof setTimeout> | undefined // of the next write of `latest`
  const writeLatest = () => {
    const progress = latest
    latest = undefined
    if (progress === undefined) return
    writing = writing
      .then(() => saveProgress(sql, hold, progress))
      .catch((error: unknown) => log.warn('jobs.mark', { job: hold.id, error }))
  }
  return {
    setState(state: JobState): void {
      const index = jobStates.indexOf(state)
      if (index <= reached) return
      reached = index
      writing = writing
        .then(() => markJob(sql, hold, state))
        .catch((error: unknown) => log.warn('jobs.mark', { job: hold.id, error }))
    },
    /** Writes at most one progress in `progressMs`, and the last one. */
    progress(progress: JobProgress): void {
      const isWaiting = latest !== undefined
      latest = progress
      if (isWaiting) return
      timer = setTimeout(writeLatest, progressMs)
    },
    /** Resolves when all writes have ended. */
    written: () => {
      clearTimeout(timer)
      writeLatest()
      return writing
    },
  }
}

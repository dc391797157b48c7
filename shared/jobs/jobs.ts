import { AppError, type Problem } from '../errors/app-error.ts'
import type { Trace } from '../plugin/values.ts'
import type { KeyedAnswer } from '../records/idempotency-keys.ts'
import {
  endJob,
  findJob,
  type JobFilter,
  type JobProgress,
  type JobRow,
  type JobState,
  listJobs,
  type NewJob,
  saveJob,
  saveWebhookCall,
  type WebhookCall,
} from '../records/jobs.ts'
import { creditsMissing, monthOf } from '../services/accounts.ts'
import { openCursor, sealCursor } from '../services/cursor.ts'
import { doneOrLater, putFile } from '../services/discard-file.ts'
import { toHex } from '../services/ids.ts'
import { type Services, seconds } from '../services/services.ts'
import { traceHeaders } from '../trace.ts'
import type { WebhookTarget } from '../webhook/target.ts'
import { callWebhook } from './call-webhook.ts'
import { failureNotice, type JobNotice, readNotice } from './job-notice.ts'
import { encryptRequest, type RenderJob } from './job-request.ts'
import { withdrawAcceptance } from './withdraw-acceptance.ts'

/**
 * Accepts a render that runs in the background and returns its job ID. The request holds the caller's data,
 * so it is stored encrypted; the key is in the row and is erased when the job ends. The job is accepted as
 * soon as its row is written and its credits are charged. If the queue is unavailable, `reconcileJobs` sends
 * the entry later.
 * For a call with an idempotency key, `acceptanceOf` makes its answer, which is kept in the same transaction.
 *
 * Throws 'api.credits', 'api.key.running' when another call has taken the key, and 'api.render.webhook' or 'storage.*' when
 * the job cannot be stored. It is not rendered then, also where the database wrote the row and its answer was lost. Only
 * with a key such a row stays, because a repeated call finds it ('storage.unanswered').
 */
export async function queueRender(
  services: Services,
  job: RenderJob,
  acceptanceOf?: (id: string) => Promise<KeyedAnswer>,
): Promise<string> {
  const { account, credits, ...request } = job
  const { queue, ids, log } = services
  if (queue === undefined) throw new AppError('api.render.webhook')
  const id = toHex(ids.random(16))
  const blob = `${account}/jobs/${id}`
  const key = ids.random(32)
  const row = {
    account,
    id,
    blob,
    key: toHex(key),
    webhook: JSON.stringify(withTrace(request.webhook, request.trace)),
    credits,
    creditsMonth: credits === 0 ? '' : monthOf(services.clock.now()),
    createdAt: seconds(services),
  }
  try {
    await putFile(services, blob, encryptRequest(key, request))
    await accept(services, row, await acceptanceOf?.(id))
  } catch (cause) {
    const code = cause instanceof AppError ? cause.code : undefined
    if (code?.startsWith('storage.') || code === 'api.credits' || code === 'api.key.running') throw cause
    throw new AppError('api.render.webhook', {}, { cause })
  }
  await queue
    .send({ id, account, kind: 'render', weight: weightOf(job) })
    .catch((error: unknown) => log.warn('jobs.sent-later', { job: id, error }))
  return id
}

/** The webhook is called with the ids of the request, unless the caller named headers of its own for them. */
function withTrace(webhook: WebhookTarget | undefined, trace: Trace | undefined): WebhookTarget | null {
  if (webhook === undefined) return null
  return { ...webhook, headers: { ...traceHeaders(trace), ...webhook.headers } }
}

/** Bytes of a request that count as much as a small document, and what a request of unknown size counts. */
const bytesOfWeight = 262_144
const largeWeight = 64

/** How much work a job is for the queue, judged by what is known before it is read: its price and its size. */
function weightOf({ body, credits }: Pick<RenderJob, 'body' | 'credits'>): number {
  const size = body.kind === 'bytes' ? Math.ceil(body.bytes.length / bytesOfWeight) : largeWeight
  return Math.max(1, Math.min(size, largeWeight), credits)
}

/**
 * Writes the row of a job whose file is written. The file of a job that is not accepted is deleted. Throws as `queueRender`.
 */
async function accept(services: Services, row: NewJob, keyed: KeyedAnswer | undefined): Promise<void> {
  const { sql, blobs } = services
  const { account, id, blob, credits } = row
  try {
    if (await saveJob(sql, row, keyed)) return
    throw await creditsMissing(services, account, credits)
  } catch (cause) {
    const code = cause instanceof AppError ? cause.code : undefined
    if (code === 'storage.unanswered') {
      if (keyed !== undefined) throw cause
      withdrawAcceptance(services, row)
      throw new AppError('storage.unavailable', {}, { cause })
    }
    // After an error of an unknown kind the row may exist. The job will then run, so its file stays.
    const mayExist = code === undefined || code === 'storage.records'
    const discard = async () => {
      if (!mayExist || (await findJob(sql, account, id)) === undefined) await blobs.delete(blob)
    }
    await doneOrLater(services, blob, discard)
    throw cause
  }
}

/** The state of a job as reported to its account. 'expired': the document can no longer be downloaded. */
export interface JobReport {
  readonly jobId: string
  readonly state: JobState | 'expired'
  readonly createdAt: number // seconds
  readonly endedAt?: number // seconds
  readonly renderId?: string
  readonly provenance?: string // render id of the manifest
  readonly error?: string
  readonly code?: string
  readonly problems?: readonly Problem[]
  readonly progress?: JobProgress // of a batch of which something has been made
  readonly webhook?: WebhookCall // the last call
}

/** Reports the state of a job. Throws 'api.job.not-found'. */
export async function jobReport(services: Services, account: string, id: string): Promise<JobReport> {
  return reportOf(services, await ownJob(services, account, id))
}

function reportOf(services: Services, row: JobRow): JobReport {
  const { id, state, notice, createdAt, endedAt, lastCall, progress } = row
  const {
    success = false,
    data,
    error,
    code,
    problems,
  } = notice === null ? {} : (readNotice(notice) as Partial<JobNotice>)
  const over = endedAt !== null && endedAt + services.settings.renderLifeSeconds <= seconds(services)
  return {
    jobId: id,
    state: state === 'done' && over ? 'expired' : state,
    createdAt,
    ...(endedAt === null ? {} : { endedAt }),
    ...(success && data !== undefined ? { renderId: data.renderId } : {}),
    ...(data?.provenance === undefined ? {} : { provenance: data.provenance }),
    ...(error === undefined ? {} : { error }),
    ...(code === undefined ? {} : { code }),
    ...(problems === undefined ? {} : { problems }),
    ...(progress === undefined ? {} : { progress }),
    ...(lastCall === undefined ? {} : { webhook: lastCall }),
  }
}

export interface JobPage {
  readonly jobs: readonly JobReport[]
  readonly hasMore: boolean
  readonly nextCursor: string // '' on the last page
}

/** The jobs of an account, the newest first. Throws 'api.filters' for a cursor that is not of this service. */
export async function pageOfJobs(
  services: Services,
  account: string,
  { cursor = '', ...filter }: Omit<JobFilter, 'after'> & { readonly cursor?: string },
): Promise<JobPage> {
  const after = cursor === '' ? undefined : await openCursor(services.secret, account, 'jobs', cursor)
  if (after === undefined && cursor !== '')
    throw new AppError('api.filters', { issue: '"cursor" is not a cursor of this service' })
  const rows = await listJobs(services.sql, account, {
    ...filter,
    limit: filter.limit + 1,
    after: after && { createdAt: after.time, id: after.id },
  })
  const page = rows.slice(0, filter.limit)
  const last = page.at(-1)
  const hasMore = rows.length > page.length
  const position = hasMore && last !== undefined ? { time: last.createdAt, id: last.id } : undefined
  return {
    jobs: page.map((row) => reportOf(services, row)),
    hasMore,
    nextCursor: position === undefined ? '' : await sealCursor(services.secret, account, 'jobs', position),
  }
}

/**
 * Calls the webhook of a job that has ended once more, with the same body and the same `webhook-id`, and reports the
 * outcome. Throws 'api.job.not-found', 'api.job.running' before the end, and 'api.job.no-webhook'.
 */
export async function repeatWebhook(
  services: Services,
  account: string,
  id: string,
  signal: AbortSignal,
): Promise<JobReport> {
  const row = await ownJob(services, account, id)
  const { notice, webhook, endedAt } = row
  if (notice === null || endedAt === null) throw new AppError('api.job.running')
  const target = webhook === '' ? null : (JSON.parse(webhook) as WebhookTarget | null)
  if (target === null) throw new AppError('api.job.no-webhook')
  const call = await callWebhook(services, { account, id, notice }, target, { signal, retries: 0 })
  await saveWebhookCall(services.sql, row, call)
  return reportOf(services, { ...row, lastCall: call })
}

/**
 * Cancels a render that waits or runs; a running one stops within seconds. Its webhook is called with a
 * failure, so that the receiver does not wait forever. Throws 'api.job.not-found', and 'api.job.ended' when
 * the render has ended already.
 */
export async function cancelJob(services: Services, account: string, id: string): Promise<JobReport> {
  const row = await ownJob(services, account, id)
  const notice = JSON.stringify(failureNotice(new AppError('api.job.cancelled')))
  if (!(await endJob(services.sql, row, { notice, success: false }))) throw new AppError('api.job.ended')
  // The job may be waiting for a later retry. Sending it makes it due now, so that its webhook is called
  // soon.
  await services.queue
    ?.send({ id, account, kind: 'render' })
    .catch((error: unknown) => services.log.warn('jobs.sent-later', { job: id, error }))
  return jobReport(services, account, id)
}

async function ownJob(services: Services, account: string, id: string): Promise<JobRow> {
  const row = await findJob(services.sql, account, id)
  if (row === undefined) throw new AppError('api.job.not-found')
  return row
}

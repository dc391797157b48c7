import { AppError } from '../errors/app-error.ts'
import { errorBody } from '../errors/problem.ts'
import { endJob, findJob, type JobRow, type JobState, saveJob } from '../records/jobs.ts'
import type { Rendered } from '../render/request.ts'
import { creditsMissing, monthOf } from './accounts.ts'
import { toHex } from './ids.ts'
import { type RenderJob, sealRequest } from './job-request.ts'
import { type Services, seconds } from './services.ts'

/**
 * Accepts a render for later. The request, which holds the caller's data, is encrypted at rest; its key stands in the row
 * and is gone with it. Once the row is there, with its credits taken, the job is accepted: a queue that is away is told of
 * it later. Throws 'api.credits', and 'api.render.webhook' or 'storage.unavailable' when it cannot be kept.
 */
export async function queueRender(services: Services, job: RenderJob): Promise<string> {
  const { account, credits, ...request } = job
  const { queue, ids, sql, blobs, log } = services
  if (queue === undefined) throw new AppError('api.render.webhook')
  const id = toHex(ids.random(16))
  const blob = `${account}/jobs/${id}`
  const key = ids.random(32)
  try {
    await blobs.put(blob, sealRequest(key, request))
    const paid = await saveJob(sql, {
      account,
      id,
      blob,
      key: toHex(key),
      webhook: JSON.stringify(request.webhook),
      credits,
      creditsMonth: credits === 0 ? '' : monthOf(services.clock.now()),
      createdAt: seconds(services),
    })
    if (!paid) throw await creditsMissing(services, account, credits)
  } catch (cause) {
    await discardRequest(services, { account, id, blob })
    if (cause instanceof AppError && ['api.credits', 'storage.unavailable'].includes(cause.code)) throw cause
    throw new AppError('api.render.webhook', {}, { cause })
  }
  await queue
    .send({ id, account, kind: 'render' })
    .catch((error: unknown) => log.warn('jobs.sent-later', { job: id, error }))
  return id
}

/** Unless its row was written though its writer was not told: then the job will be done. */
async function discardRequest(
  { sql, blobs }: Services,
  { account, id, blob }: Pick<JobRow, 'account' | 'id' | 'blob'>,
): Promise<void> {
  try {
    if ((await findJob(sql, account, id)) === undefined) await blobs.delete(blob)
  } catch {
    // The sweep of orphans takes it where there is no row.
  }
}

/** The body of the call to the webhook. */
export interface Notice {
  readonly success: boolean
  readonly data: { readonly renderId: string } & Pick<Rendered, 'signatures'>
  readonly error?: string
  readonly code?: string
}

export function failureNotice(error: AppError): Notice {
  return { data: { renderId: '' }, ...errorBody(error) }
}

export function readNotice(text: string): Notice {
  return JSON.parse(text) as Notice
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
  const row = await ownJob(services, account, id)
  const notice = JSON.stringify(failureNotice(new AppError('api.job.cancelled')))
  if (!(await endJob(services.sql, row, { notice, success: false }))) throw new AppError('api.job.ended')
  // It may have been waiting for a later time.
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

import { prepareRender } from '../api/render-request.ts'
import { gather } from '../byte-reader.ts'
import { AppError } from '../errors/app-error.ts'
import { toAppError } from '../errors/problem.ts'
import { type Again, pauseBefore, type QueuedJob } from '../ports/index.ts'
import {
  beginJob,
  chargeJob,
  closeJob,
  endJob,
  findJob,
  type Hold,
  type JobRow,
  type JobState,
  jobStates,
  markJob,
  releaseJob,
  renewJob,
  takeNotice,
} from '../records/jobs.ts'
import { type RenderBounds, render } from '../render/pipeline.ts'
import { renderRelayed } from '../render/relay.ts'
import type { Rendered } from '../render/request.ts'
import { storedTemplate } from '../render/template.ts'
import { deliver } from '../webhook/deliver.ts'
import { signNotice } from '../webhook/sign.ts'
import type { WebhookTarget } from '../webhook/target.ts'
import { creditsMissing, monthOf } from './accounts.ts'
import { fromHex, toHex } from './ids.ts'
import { type KeptRequest, openRequest } from './job-request.ts'
import { holdSeconds, isOutage, isUnforeseen, jobLifeSeconds, maxStarts, renewSeconds } from './job-states.ts'
import { failureNotice, type Notice, readNotice } from './jobs.ts'
import { discardResult, type RenderPlace, storeResult } from './results.ts'
import { type Services, seconds } from './services.ts'
import type { Turns } from './turns.ts'

const defaultTimeoutMs = 300_000

/**
 * Takes a job that the queue handed out as far as it goes: document, notice, webhook. Returns when to hand it out again,
 * or nothing when no more is to be done with this entry. What moves a job is told in `job-states.ts`. `inTurn` says how
 * many render at once where more are in hand; a job that waits for its turn has not begun. Throws when not even the row
 * can be read.
 */
export async function runRenderJob(
  services: Services,
  queued: QueuedJob,
  signal: AbortSignal,
  inTurn: Turns = (work) => work(),
): Promise<Again | undefined> {
  const row = await findJob(services.sql, queued.account, queued.id)
  if (row === undefined || row.endedAt !== null) return undefined
  const hold: Hold = {
    account: row.account,
    id: row.id,
    worker: toHex(services.ids.random(8)),
  }
  if (row.notice === null) {
    // A webhook that lets its caller wait takes nobody's turn to render.
    const again = await inTurn(() => attempt(services, { row, hold, delivery: queued.delivery }, signal))
    if (again !== undefined) return again
  }
  await tell(services, hold, signal)
  return undefined
}

/** Ends a job whose entry a queue has given up, and tells so. */
export async function setJobAside(
  services: Services,
  queued: QueuedJob,
  signal: AbortSignal,
): Promise<undefined> {
  const row = await findJob(services.sql, queued.account, queued.id)
  if (row === undefined || row.endedAt !== null) return
  await fail(services, row, new AppError('api.job.set-aside'))
  await tell(services, { account: row.account, id: row.id, worker: toHex(services.ids.random(8)) }, signal)
}

interface Attempt {
  readonly row: JobRow // as it was when the queue handed it out
  readonly hold: Hold
  readonly delivery: number
}

/** One attempt at a render. Returns when to try again, or nothing when its end stands in the row. */
async function attempt(
  services: Services,
  { row, hold, delivery }: Attempt,
  signal: AbortSignal,
): Promise<Again | undefined> {
  const { sql, log } = services
  const now = seconds(services)
  const left = row.createdAt + jobLifeSeconds - now
  if (left <= 0) return fail(services, row, new AppError('api.job.expired', { hours: jobLifeSeconds / 3600 }))
  const starts = await beginJob(sql, hold, { now, until: now + holdSeconds, maxStarts })
  if (starts === undefined) return notBegun(services, hold)
  const watched = watch(services, hold, signal)
  try {
    const notice = await outcomeOf(services, row, { hold, signal, watched })
    await patiently(services, () => finish(services, hold, notice))
    return undefined
  } catch (error) {
    if (watched.lost.aborted) return undefined // the other worker goes on with it
    const passes = signal.aborted || isOutage(error, now - row.createdAt)
    const details = { job: row.id, starts, delivery, error }
    if (!passes && starts >= maxStarts) {
      log.error('jobs.set-aside', details)
      return fail(services, row, new AppError('api.render.error', {}, { cause: error }))
    }
    log.warn(passes ? 'jobs.waits' : 'jobs.again', details)
    // Of many that failed together, not all come back together.
    const afterMs = Math.min(pauseBefore(delivery) * (0.75 + Math.random() / 4), left * 1000)
    const dueAt = seconds(services) + Math.ceil(afterMs / 1000)
    await patiently(services, () => releaseJob(sql, hold, { dueAt, counts: !passes }))
    return { afterMs }
  } finally {
    watched.stop()
  }
}

/** Why an attempt could not begin: the render has ended, another has it in hand, or its attempts are used up. */
async function notBegun(services: Services, { account, id }: Hold): Promise<Again | undefined> {
  const row = await findJob(services.sql, account, id)
  if (row === undefined || row.notice !== null) return undefined
  const heldFor = row.worker === '' ? 0 : row.dueAt - seconds(services)
  if (heldFor > 0) return { afterMs: (heldFor + 1) * 1000 }
  services.log.error('jobs.set-aside', { job: id, starts: row.starts })
  return fail(services, row, new AppError('api.job.set-aside'))
}

async function fail(services: Services, row: JobRow, error: AppError): Promise<undefined> {
  const notice = JSON.stringify(failureNotice(error))
  await patiently(services, () => endJob(services.sql, row, { notice, success: false }))
}

/** Writes down how a render ended. What it made is thrown away when it was cancelled meanwhile. */
async function finish(services: Services, { account, id }: Hold, notice: Notice): Promise<void> {
  const { success } = notice
  if (await endJob(services.sql, { account, id }, { notice: JSON.stringify(notice), success })) return
  if (!success) return
  const row = await findJob(services.sql, account, id)
  const other = row?.notice == null ? undefined : readNotice(row.notice)
  if (other?.success !== true) await discardResult(services, notice.data.renderId)
}

const firstPauseMs = 100
const longestPauseMs = 5000
const patienceMs = 600_000

/**
 * Does what must not be forgotten while our stores are away: the work it is about is done, and whoever does not hear of it
 * would do it again. Throws what `work` throws after ten minutes, or when the process is about to end.
 */
async function patiently<T>(services: Services, work: () => Promise<T>): Promise<T> {
  const end = services.clock.now() + patienceMs
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      return await work()
    } catch (error) {
      if (!isOutage(error) || services.stopping() || services.clock.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

/** Tells the webhook how a render ended, and closes the job. Nothing when another does. */
async function tell(services: Services, hold: Hold, signal: AbortSignal): Promise<void> {
  const { sql, blobs, settings, log } = services
  const now = seconds(services)
  if (!(await takeNotice(sql, hold, { now, until: now + holdSeconds }))) return
  const watched = watch(services, hold, signal)
  try {
    const row = await findJob(sql, hold.account, hold.id)
    if (row === undefined || row.notice === null || row.endedAt !== null) return
    const target = await targetOf(services, row)
    // From here on the row says all that is needed; the caller's data need not wait for a slow webhook.
    await blobs.delete(row.blob).catch((error: unknown) => {
      log.warn('jobs.orphan', { job: row.id, error }) // the sweep takes it
    })
    if (target !== undefined) {
      const id = `msg_${row.id}`
      const signed = await signNotice(settings.webhookSecrets ?? [], { id, time: now, body: row.notice })
      const headers = { ...target.headers, 'webhook-id': id, ...signed }
      const retries = settings.webhookRetries
      const outcome = await deliver(services.outbound, { ...target, headers }, row.notice, {
        signal: AbortSignal.any([signal, watched.lost]),
        ...(retries === undefined ? {} : { retries }),
      })
      if (!outcome.delivered) log.warn('webhook.undelivered', { job: row.id, because: outcome.because })
    }
    const state = readNotice(row.notice).success ? 'done' : 'failed'
    await patiently(services, () => closeJob(sql, row, { state, at: seconds(services) }))
  } finally {
    watched.stop()
  }
}

/** Rows from before say it in their files. */
async function targetOf(services: Services, row: JobRow): Promise<WebhookTarget | undefined> {
  if (row.webhook !== '') return JSON.parse(row.webhook) as WebhookTarget
  try {
    const source = await services.blobs.get(row.blob)
    return source && (await openRequest(services, row.key, source)).webhook
  } catch (error) {
    if (isOutage(error)) throw error
    return undefined
  }
}

interface Watched {
  /** Another has ended the render: it was cancelled. */
  readonly ended: AbortSignal
  /** Another has the job in hand. */
  readonly lost: AbortSignal
  stop(): void
}

const lookEveryMs = 1000

/** Says that its worker lives, and hears soon of what others did to the job. */
function watch({ sql, log, clock }: Services, hold: Hold, signal: AbortSignal): Watched {
  const ended = new AbortController()
  const lost = new AbortController()
  let looks = 0
  let looking = false // a database that hangs is not asked again meanwhile
  const look = async () => {
    if (looking) return
    looking = true
    try {
      const due = ++looks % renewSeconds === 0
      const until = Math.floor(clock.now() / 1000) + holdSeconds
      if (due && !signal.aborted && !(await renewJob(sql, hold, until)))
        lost.abort(new Error('Another worker has this job.'))
      const row = await findJob(sql, hold.account, hold.id)
      if (row === undefined || row.notice !== null) ended.abort(new AppError('api.job.cancelled'))
    } catch (error) {
      log.warn('jobs.look', { job: hold.id, error })
    } finally {
      looking = false
    }
  }
  const timer = setInterval(look, lookEveryMs)
  return { ended: ended.signal, lost: lost.signal, stop: () => clearInterval(timer) }
}

interface Work {
  readonly hold: Hold
  readonly signal: AbortSignal // the queue's
  readonly watched: Watched
}

/** What the webhook is to be told of a render. Throws what does not decide about it. */
async function outcomeOf(services: Services, row: JobRow, work: Work): Promise<Notice> {
  const { signal, watched } = work
  const stages = stageWriter(services, work.hold)
  const either = AbortSignal.any([signal, watched.ended, watched.lost])
  try {
    const source = await services.blobs.get(row.blob)
    if (source === undefined) throw new AppError('api.job.lost')
    const request = await openRequest(services, row.key, source)
    const timeoutMs = services.settings.asyncTimeoutMs ?? defaultTimeoutMs
    const rendered = await renderRequest(services, row, request, either, { timeoutMs, onStage: stages.mark })
    stages.mark('storing')
    const templateId = request.template === 'inline' ? undefined : request.template.id
    const renderId = await storeResult(
      services,
      row.account,
      { ...rendered, templateId },
      renderPlace(services, row),
    )
    const { signatures } = rendered
    return { success: true, data: { renderId, ...(signatures === undefined ? {} : { signatures }) } }
  } catch (error) {
    if (signal.aborted || watched.lost.aborted) throw error
    if (watched.ended.aborted) return failureNotice(new AppError('api.job.cancelled'))
    const age = seconds(services) - row.createdAt
    if (isUnforeseen(error) || isOutage(error, age)) throw error
    const found = toAppError(error)
    return failureNotice(
      found.code === 'storage.damaged' ? new AppError('api.job.lost', {}, { cause: found }) : found,
    )
  } finally {
    await stages.written()
  }
}

/** The same for every attempt, so that the document of one that was cut is replaced, not doubled. */
function renderPlace({ hasher }: Services, { account, id, key }: JobRow): RenderPlace {
  const hash = hasher.sha256()
  hash.update(new TextEncoder().encode(`render of ${key}`))
  return { secret: fromHex(hash.hex()), blob: `${account}/renders/${id}` }
}

async function renderRequest(
  services: Services,
  row: JobRow,
  { template: choice, body, counted, ...rest }: KeptRequest,
  signal: AbortSignal,
  bounds: RenderBounds & { readonly timeoutMs: number },
): Promise<Rendered> {
  const { account } = row
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
    if (counted && row.credits === 0) await chargeOnce(services, row, relayed.credits)
    return relayed
  }
  const bytes = body.kind === 'stream' ? await gather(body.stream) : body.bytes
  const begins = { templateId: choice === 'inline' ? undefined : choice.id }
  const { template, request } = await prepareRender(services, terms, bytes, known, begins)
  return render(services, template, request, signal, { ...bounds, account })
}

/** Throws 'api.credits'. */
async function chargeOnce(services: Services, { account, id }: JobRow, credits: number): Promise<void> {
  const price = { credits, month: monthOf(services.clock.now()) }
  if (await chargeJob(services.sql, { account, id }, price)) return
  const row = await findJob(services.sql, account, id)
  if (row !== undefined && row.credits === 0 && row.notice === null)
    throw await creditsMissing(services, account, credits)
}

/** Writes the stages of a render into its row, each once and in their order: the items of a batch go back and forth. */
function stageWriter({ sql, log }: Services, hold: Hold) {
  let reached = jobStates.indexOf('merging')
  let writing = Promise.resolve()
  return {
    mark(state: JobState): void {
      const place = jobStates.indexOf(state)
      if (place <= reached) return
      reached = place
      writing = writing
        .then(() => markJob(sql, hold, state))
        .catch((error: unknown) => log.warn('jobs.mark', { job: hold.id, error }))
    },
    written: () => writing,
  }
}

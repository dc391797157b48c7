import { Type } from 'typebox'
import { streamOf } from '../../byte-reader.ts'
import { setEntry } from '../../entry-of.ts'
import { AppError } from '../../errors/app-error.ts'
import { cancelJob, type JobReport, jobReport, pageOfJobs, repeatWebhook } from '../../jobs/jobs.ts'
import { jobStates } from '../../records/jobs.ts'
import { firstIssue } from '../../schemas/check.ts'
import type { Services } from '../../services/services.ts'
import { json } from '../call.ts'
import type { Route } from '../route.ts'
import { problem } from './inspect.ts'

const success = Type.Literal(true)

const job = Type.Object({
  jobId: Type.String(),
  state: Type.Enum([...jobStates, 'expired']),
  createdAt: Type.Integer({ description: 'Time of the request in UTC seconds.' }),
  endedAt: Type.Optional(Type.Integer({ description: 'Time at which the job ended, in UTC seconds.' })),
  renderId: Type.Optional(Type.String()),
  provenance: Type.Optional(Type.String({ description: 'Render ID of the manifest of the document.' })),
  error: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  problems: Type.Optional(
    Type.Array(problem, { description: 'The problems of the template that the render met.' }),
  ),
  progress: Type.Optional(
    Type.Object(
      {
        total: Type.Integer(),
        done: Type.Integer(),
        failed: Type.Integer({
          description: 'Number of reports that failed. With batchOnError "report", errors.json lists them.',
        }),
      },
      { description: 'Progress of a batch.' },
    ),
  ),
  webhook: Type.Optional(
    Type.Object(
      {
        delivered: Type.Boolean(),
        status: Type.String({ description: 'The HTTP status of the response, or why there was none.' }),
        calledAt: Type.Integer({ description: 'Time of the call in UTC seconds.' }),
      },
      { description: 'The last call to the webhook.' },
    ),
  ),
})
const answer = Type.Object({ success, data: job })

const listQuery = {
  webhook: Type.Enum(['delivered', 'undelivered'], {
    description: 'Lists only jobs whose last webhook call was delivered, or only those where it was not.',
    'x-rule': 'must be "delivered" or "undelivered"',
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: 100,
    'x-rule': 'must be an integer between 1 and 100',
  }),
  cursor: Type.String({ description: '`nextCursor` of the previous page.', 'x-rule': 'must be a string' }),
}

interface JobsQuery {
  readonly webhook?: 'delivered' | 'undelivered'
  readonly limit: number
  readonly cursor?: string
}

/** Reads the filters of the list of jobs. Empty parameters count as absent. Throws 'api.filters'. */
function readJobsQuery(query: URLSearchParams): JobsQuery {
  const filter: Record<string, unknown> = {}
  for (const name of Object.keys(listQuery)) {
    const text = query.get(name) ?? ''
    if (text !== '')
      setEntry(filter, name, name === 'limit' && /^-?\d{1,15}$/.test(text) ? Number(text) : text)
  }
  const issue = firstIssue(listQuery, filter)
  if (issue !== undefined) throw new AppError('api.filters', { issue: issue.issue })
  return { limit: 100, ...(filter as Partial<JobsQuery>) }
}

export const jobsRoute: Route = {
  method: 'GET',
  path: '/jobs',
  operation: 'listJobs',
  summary: 'The asynchronous renders of the last day, newest first, with the last call to each webhook.',
  scope: 'account',
  needsDatabase: true,
  query: listQuery,
  answers: [
    {
      status: 200,
      description: 'One page of the list.',
      schema: Type.Object({
        success,
        data: Type.Array(job),
        hasMore: Type.Boolean(),
        nextCursor: Type.String({ description: 'Empty on the last page.' }),
      }),
    },
  ],
  errors: ['api.filters'],
  async run(services, { account }, { query }) {
    const { webhook, ...rest } = readJobsQuery(query)
    const delivered = webhook === undefined ? undefined : webhook === 'delivered'
    const { jobs, hasMore, nextCursor } = await pageOfJobs(services, account, { ...rest, delivered })
    return json(200, { success: true, data: jobs, hasMore, nextCursor })
  },
}

export const jobRoute: Route = {
  method: 'GET',
  path: '/jobs/:id',
  operation: 'job',
  summary:
    'The progress of an asynchronous render, by the ID in the header `service-job-id` of its response. Available for a day.',
  scope: 'account',
  answers: [
    { status: 200, description: 'The state of the job and, once it has ended, its result.', schema: answer },
  ],
  errors: ['api.job.not-found'],
  run: async (services, { account, params }) =>
    json(200, { success: true, data: await jobReport(services, account, params['id'] ?? '') }),
}

/**
 * The interval at which a job with an open event stream is read, the pause after which a comment keeps the connection
 * open, and the maximum time of the stream.
 */
const [pollMs, keepAliveMs, maxEventsMs] = [500, 15_000, 600_000]

export const jobEventsRoute: Route = {
  method: 'GET',
  path: '/jobs/:id/events',
  operation: 'jobEvents',
  summary:
    'The state of a job as server-sent events: now, and at each change until the job has ended. A connection lasts ten minutes; `EventSource` then opens the next.',
  scope: 'account',
  limited: true,
  answers: [
    {
      status: 200,
      description: 'Events of the type `job`, with the same data as `GET /jobs/{id}`.',
      types: ['text/event-stream'],
    },
  ],
  errors: ['api.job.not-found'],
  async run(services, { account, params }, { signal }) {
    const id = params['id'] ?? ''
    const first = await jobReport(services, account, id)
    const stream = streamOf(eventsOf(services, { account, id, first }, signal))
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' }
    return { status: 200, headers, body: { kind: 'stream', stream } }
  },
}

async function* eventsOf(
  services: Services,
  { account, id, first }: { readonly account: string; readonly id: string; readonly first: JobReport },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder()
  const { clock } = services
  const end = clock.now() + maxEventsMs
  let sentAt = clock.now()
  let sent = ''
  yield encoder.encode('retry: 1000\n\n')
  for (let report = first; ; ) {
    const text = JSON.stringify(report)
    if (text !== sent) yield encoder.encode(`event: job\ndata: ${text}\n\n`)
    else if (clock.now() - sentAt >= keepAliveMs) yield encoder.encode(':\n\n')
    if (text !== sent || clock.now() - sentAt >= keepAliveMs) sentAt = clock.now()
    sent = text
    if (report.endedAt !== undefined || clock.now() >= end || signal.aborted) return
    await pause(pollMs, signal)
    if (signal.aborted) return
    try {
      report = await jobReport(services, account, id)
    } catch (error) {
      // A database that is away for a moment ends the connection, and the next one reads on.
      services.log.debug('job.events', { error })
      return
    }
  }
}

/** Resolves after `ms`, or at once when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish, { once: true })
  })
}

export const cancelJobRoute: Route = {
  method: 'DELETE',
  path: '/jobs/:id',
  operation: 'cancelJob',
  summary: 'Cancels an asynchronous render that is waiting or running. Its webhook receives a failure.',
  scope: 'account',
  answers: [{ status: 200, description: 'The job was cancelled.', schema: answer }],
  errors: ['api.job.not-found', 'api.job.ended'],
  run: async (services, { account, params }) =>
    json(200, { success: true, data: await cancelJob(services, account, params['id'] ?? '') }),
}

export const repeatWebhookRoute: Route = {
  method: 'POST',
  path: '/jobs/:id/webhook',
  operation: 'repeatWebhook',
  summary: 'Calls the webhook of an ended job again. Possible for a day.',
  scope: 'account',
  limited: true,
  answers: [
    {
      status: 200,
      description: 'The webhook was called. `webhook` has the result of the call.',
      schema: answer,
    },
  ],
  errors: ['api.job.not-found', 'api.job.running', 'api.job.no-webhook'],
  run: async (services, { account, params }, { signal }) =>
    json(200, { success: true, data: await repeatWebhook(services, account, params['id'] ?? '', signal) }),
}

import { Type } from 'typebox'
import { cancelJob, jobReport } from '../../jobs/jobs.ts'
import { jobStates } from '../../records/jobs.ts'
import { json } from '../call.ts'
import type { Route } from '../route.ts'

const answer = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    jobId: Type.String(),
    state: Type.Enum([...jobStates, 'expired']),
    createdAt: Type.Integer({ description: 'UTC seconds.' }),
    endedAt: Type.Optional(Type.Integer({ description: 'UTC seconds.' })),
    renderId: Type.Optional(Type.String()),
    error: Type.Optional(Type.String()),
    code: Type.Optional(Type.String()),
  }),
})

export const jobRoute: Route = {
  method: 'GET',
  path: '/jobs/:id',
  operation: 'job',
  summary:
    'How far an asynchronous render is, by the id in the header `service-job-id` of its answer; for a day.',
  scope: 'account',
  answers: [{ status: 200, description: 'Its state, and how it ended.', schema: answer }],
  errors: ['api.job.not-found'],
  run: async (services, { account, params }) =>
    json(200, { success: true, data: await jobReport(services, account, params['id'] ?? '') }),
}

export const cancelJobRoute: Route = {
  method: 'DELETE',
  path: '/jobs/:id',
  operation: 'cancelJob',
  summary: 'Cancels an asynchronous render that waits or runs. Its webhook receives a failure.',
  scope: 'account',
  answers: [{ status: 200, description: 'It will not be rendered.', schema: answer }],
  errors: ['api.job.not-found', 'api.job.ended'],
  run: async (services, { account, params }) =>
    json(200, { success: true, data: await cancelJob(services, account, params['id'] ?? '') }),
}

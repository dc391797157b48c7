import { Type } from 'typebox'
import { conversionMatrix } from '../../convert/matrix.ts'
import { AppError } from '../../errors/app-error.ts'
import { ownAccount } from '../../records/accounts.ts'
import type { Services } from '../../services/services.ts'
import { details, status } from '../../services/status.ts'
import { json, jsonText, queryFlag, type Reply } from '../call.ts'
import type { Route } from '../route.ts'

export const statusSchema = Type.Object({
  success: Type.Boolean(),
  code: Type.Integer(),
  message: Type.String(),
  version: Type.String(),
})

/**
 * The response of GET /status. `full` adds details; with `ready` it is 503 until the engines have started.
 */
export async function statusReply(services: Services, full: boolean, ready = false): Promise<Reply> {
  const current = await status(services, ready)
  const figures = full ? await details(services) : {}
  return json(current.code, { ...current, ...figures })
}

export const statusRoute: Route = {
  method: 'GET',
  path: '/status',
  operation: 'status',
  summary: 'Whether the service accepts requests and, with `?ready=1`, whether its engines have started.',
  scope: 'known',
  query: {
    full: Type.Boolean({
      default: false,
      description: 'Adds the state of engines, queue and stores. Requires a token.',
    }),
    ready: Type.Boolean({
      default: false,
      description: 'Also responds with 503 while engines are starting.',
    }),
  },
  answers: [
    { status: 200, description: 'The service accepts requests.', schema: statusSchema },
    {
      status: 503,
      description:
        'The service is stopping, its database does not answer or, with `?ready=1`, its engines are starting.',
      schema: statusSchema,
    },
  ],
  run: (services, { caller }, call) =>
    statusReply(
      services,
      caller !== undefined && queryFlag(call.query, 'full'),
      queryFlag(call.query, 'ready'),
    ),
}

export const metrics: Route = {
  method: 'GET',
  path: '/metrics',
  operation: 'metrics',
  summary: 'Metrics in the Prometheus text format. Self-hosted only.',
  scope: 'account',
  answers: [{ status: 200, description: 'The metrics.', types: ['text/plain'] }],
  errors: ['api.not-found'],
  async run(services, { account }) {
    // On a hosted service only the account of the operator may see them.
    const hidden = services.settings.hosted === true && account !== ownAccount
    if (hidden || services.metrics === undefined) throw new AppError('api.not-found')
    return {
      status: 200,
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
      body: { kind: 'text', text: await services.metrics() },
    }
  },
}

export const conversions: Route = {
  method: 'GET',
  path: '/conversions',
  operation: 'listConversions',
  summary: 'The conversions of this service: source and target formats, their engines and options.',
  scope: 'account',
  answers: [
    {
      status: 200,
      description: 'All pairs of formats, converted in one step or more.',
      schema: Type.Object({
        success: Type.Literal(true),
        data: Type.Array(
          Type.Object({
            from: Type.String(),
            to: Type.String(),
            converters: Type.Array(Type.String(), {
              description: 'Letters of the engines, for `converter`.',
            }),
            engines: Type.Array(Type.String()),
            fidelity: Type.Union([Type.Literal('exact'), Type.Literal('high'), Type.Literal('basic')]),
            options: Type.Array(Type.String(), {
              description: 'Names of the `formatOptions` of the target format.',
            }),
          }),
        ),
      }),
    },
  ],
  async run(services) {
    const text = matrices.get(services) ?? matrixText(services)
    matrices.set(services, text)
    return jsonText(200, text)
  },
}

/** The engines do not change while the service runs, so the list is computed once. */
const matrices = new WeakMap<Services, string>()

function matrixText({ converter, registry }: Services): string {
  const named = (id: string) => registry.formatByExtension(id)?.id === id
  const data = conversionMatrix(converter.conversions(), registry.engines(), named)
  return JSON.stringify({ success: true, data })
}

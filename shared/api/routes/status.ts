import { Type } from 'typebox'
import { conversionMatrix, type FormatPair } from '../../convert/matrix.ts'
import { AppError } from '../../errors/app-error.ts'
import { ownAccount } from '../../records/accounts.ts'
import type { Services } from '../../services/services.ts'
import { details, status } from '../../services/status.ts'
import { json, queryFlag, type Reply } from '../call.ts'
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
  summary: 'Whether the service takes work; with `?ready=1` also whether its engines have started.',
  scope: 'known',
  query: {
    full: Type.Boolean({ default: false, description: 'Engines, queue and more; needs a token.' }),
    ready: Type.Boolean({ default: false, description: '503 also while engines start.' }),
  },
  answers: [
    { status: 200, description: 'It does.', schema: statusSchema },
    {
      status: 503,
      description: 'It does not: it is stopping, or its database does not answer.',
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
  summary: 'Figures in the Prometheus text format. Self-hosted only.',
  scope: 'account',
  answers: [{ status: 200, description: 'The figures.', types: ['text/plain'] }],
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
  summary: 'Which format can be turned into which, by which engines, with which options.',
  scope: 'account',
  answers: [
    {
      status: 200,
      description: 'All pairs, in however many steps.',
      schema: Type.Object({
        success: Type.Literal(true),
        data: Type.Array(
          Type.Object({
            from: Type.String(),
            to: Type.String(),
            converters: Type.Array(Type.String(), { description: 'Letters that `converter` may name.' }),
            engines: Type.Array(Type.String()),
            fidelity: Type.Union([Type.Literal('exact'), Type.Literal('high'), Type.Literal('basic')]),
            options: Type.Array(Type.String(), { description: 'Names of `formatOptions`.' }),
          }),
        ),
      }),
    },
  ],
  async run(services) {
    const cached = matrices.get(services)
    const { converter, registry } = services
    const named = (id: string) => registry.formatByExtension(id)?.id === id
    const data = cached ?? conversionMatrix(converter.conversions(), registry.engines(), named)
    matrices.set(services, data)
    return json(200, { success: true, data })
  },
}

/** The engines do not change while the service runs, so the list is computed once. */
const matrices = new WeakMap<Services, readonly FormatPair[]>()

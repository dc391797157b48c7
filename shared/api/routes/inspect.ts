import { Type } from 'typebox'
import { AppError } from '../../errors/app-error.ts'
import type { Inspection } from '../../ports/index.ts'
import { inspectTemplate } from '../../render/inspect.ts'
import { readRenderRequest, renderMembers, splitBody } from '../../render/prepare/body.ts'
import { readTemplate } from '../../render/prepare/template.ts'
import { withExtension } from '../../render/template.ts'
import { sampleSchema } from '../../schemas/metadata.ts'
import { renderBody } from '../../schemas/render.ts'
import type { Services } from '../../services/services.ts'
import { type Call, hasJsonBody, json, readBody } from '../call.ts'
import type { Input, Route } from '../route.ts'
import { renderBodyErrors } from './render.ts'

/**
 * Two endpoints that inspect a template without rendering or storing it. Their body is that of a render with
 * an inline template.
 */

const location = Type.Object({
  part: Type.String({ description: 'The part of the file, such as word/document.xml.' }),
  tag: Type.Optional(Type.String()),
  snippet: Type.Optional(Type.String({ description: 'The paragraph, cell or line with the tag.' })),
  at: Type.Optional(
    Type.String({
      description: 'Where the tag is, such as "cell B2 of sheet Prices", "page 2" or "line 12".',
    }),
  ),
})
/** A problem of a template, as errors report it, too. */
export const problem = Type.Object({
  code: Type.String(),
  message: Type.String(),
  hint: Type.Optional(Type.String()),
  place: Type.Optional(location),
})
const warning = Type.Object({
  code: Type.String(),
  message: Type.String(),
  where: Type.Optional(Type.String()),
})

const common = {
  method: 'POST',
  scope: 'account',
  body: { types: ['application/json'], schema: renderBody },
  errors: [...renderBodyErrors, 'api.too-many'],
} as const

export const lintTemplate: Route = {
  ...common,
  path: '/template/lint',
  operation: 'lintTemplate',
  summary:
    'Every problem of a template, with its position. With data, also the fields that the template reads but the data lacks.',
  answers: [
    {
      status: 200,
      description: 'The problems of the template. A template without errors can be rendered.',
      schema: Type.Object({
        success: Type.Literal(true),
        data: Type.Object({ errors: Type.Array(problem), warnings: Type.Array(warning) }),
      }),
    },
  ],
  async run(services, input, call) {
    const { errors, warnings } = await inspection(services, input, call)
    return json(200, { success: true, data: { errors, warnings } })
  },
}

export const templateSchema: Route = {
  ...common,
  path: '/template/schema',
  operation: 'templateSchema',
  summary: 'The JSON Schema of the data that a template reads, and sample data that matches it.',
  answers: [
    {
      status: 200,
      description: 'Schema and sample data. The sample can be stored with the template.',
      schema: Type.Object({
        success: Type.Literal(true),
        data: Type.Object({
          schema: Type.Record(Type.String(), Type.Unknown()),
          complementSchema: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
          sample: sampleSchema.items,
        }),
      }),
    },
  ],
  async run(services, input, call) {
    const { schema, complementSchema, sample } = await inspection(services, input, call)
    const complementPart = complementSchema === undefined ? {} : { complementSchema }
    return json(200, { success: true, data: { schema, ...complementPart, sample } })
  },
}

async function inspection(services: Services, input: Input, call: Call): Promise<Inspection> {
  if (!hasJsonBody(call)) throw new AppError('api.content-type')
  const limit = { bytes: services.settings.maxDataBytes, tooLarge: 'api.json.too-large' } as const
  const body = await splitBody(await readBody(call, limit), renderMembers)
  const sniffed = await readTemplate(services, input.account, 'inline', body)
  const { batch, ...request } = readRenderRequest(body, input.major)
  const template = await withExtension(services, sniffed, request.extension)
  const data = batch === undefined ? request.data : undefined
  return inspectTemplate(services, template, { ...request, data }, call.signal)
}

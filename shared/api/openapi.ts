import type { TSchema } from 'typebox'
import { entryOf, setEntry } from '../entry-of.ts'
import { catalogue, type ErrorCode } from '../errors/catalogue.ts'
import type { CatalogueEntry } from '../errors/entry.ts'
import { requestIdHeader, traceparentHeader } from '../trace.ts'
import { errorExample, examples } from './examples.ts'
import type { Route } from './route.ts'

/**
 * Creates the OpenAPI 3.1 document of the routes, from the same data that serves them. `about.server` is the
 * URL of the service.
 */
export function openapiDocument(
  routes: readonly Route[],
  service: { readonly version: string; readonly server: string },
): Record<string, unknown> {
  const paths = new Map<string, Map<string, unknown>>()
  for (const route of routes.filter(({ described }) => described !== false)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    const methods = paths.get(path) ?? new Map<string, unknown>()
    paths.set(path, methods.set(route.method.toLowerCase(), operation(route)))
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'platen',
      version: service.version,
      description: 'Fills office, web and text templates with JSON and converts documents.',
      // This is the licence of the service. The documents that it makes belong to their authors.
      license: { name: 'Proprietary' },
    },
    servers: [{ url: service.server }],
    paths: Object.fromEntries([...paths].map(([path, methods]) => [path, Object.fromEntries(methods)])),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: errorSchema },
    },
  }
}

/** The short error codes with a description: the first clause of the first message with that code. */
function wireCodes(): ReadonlyMap<string, string> {
  const descriptions = new Map<string, string>()
  const entries: readonly CatalogueEntry[] = Object.values(catalogue)
  for (const { wire, message } of entries) {
    if (wire === undefined || descriptions.has(wire)) continue
    // w101 is the code of all failures of a render, so none of their messages describes it.
    const description = wire === 'w101' ? 'the document could not be made' : message.replace(/[.:;,].*$/s, '')
    descriptions.set(wire, description.replaceAll(/\{\w+\}/g, '…'))
  }
  return new Map([...descriptions].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const errorSchema = {
  type: 'object',
  required: ['success', 'error', 'code'],
  properties: {
    success: { const: false },
    error: { type: 'string', minLength: 1 },
    code: {
      type: 'string',
      description: `The name of the error, which never changes its meaning, such as api.content-type. Some are short: ${[...wireCodes()].map(([code, description]) => `${code} ${description}`).join('; ')}.`,
    },
    data: { type: 'object', properties: { renderId: { type: 'string' } } },
    problems: { type: 'array', items: { type: 'object' } },
  },
}

function operation(route: Route): Record<string, unknown> {
  const { operation: operationId, summary, body, scope } = route
  return {
    operationId,
    summary,
    parameters: parameters(route),
    ...(body === undefined ? {} : { requestBody: { required: true, content: requestContent(body) } }),
    responses: responses(route),
    // The operator decides whether tokens are required, so the document allows requests with and without.
    security: scope === 'open' ? [] : [{ token: [] }, {}],
  }
}

function requestContent({ types, schema }: NonNullable<Route['body']>): Record<string, unknown> {
  return Object.fromEntries(
    types.map((type) => [type, { schema: type === 'multipart/form-data' ? formSchema(schema) : schema }]),
  )
}

/** The schema of a form with the same fields, except that the file is binary and must come last. */
function formSchema(schema: TSchema): Record<string, unknown> {
  const { template: _, ...fields } = (schema as { properties?: Record<string, unknown> }).properties ?? {}
  const template = {
    type: 'string',
    format: 'binary',
    description: 'The file. It must be the last field of the form.',
  }
  return { type: 'object', required: ['template'], properties: { ...fields, template } }
}

function parameters(route: Route): unknown[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => {
    const description = entryOf(route.params ?? {}, name)
    return {
      name,
      in: 'path',
      required: true,
      ...(description !== undefined && { description }),
      schema: { type: 'string' },
    }
  })
  const inQuery = Object.entries(route.query ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }))
  const inHeaders = Object.entries({
    ...(route.scope === 'open' ? {} : { 'service-version': 'Major version of the API, such as 5.' }),
    ...traced,
    ...(route.makes === true ? keyed : {}),
    ...route.headers,
  }).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))
  return [...inPath, ...inQuery, ...inHeaders]
}

/** The trace headers that every route reads. They are passed on to webhooks and in calls to other hosts. */
const traced: Readonly<Record<string, string>> = {
  [requestIdHeader]:
    'ID of the request in the logs: up to 128 letters, digits and ". : + / = @ - _". The service creates one if none is sent.',
  [traceparentHeader]: 'The position of the request in a distributed trace (W3C Trace Context).',
}
/** The header that routes read in addition when they create something. */
const keyed: Readonly<Record<string, string>> = {
  'idempotency-key':
    'Up to 255 visible characters. For 24 hours, a repeated request with the same key gets the same response and creates nothing.',
}
const answeredId: Readonly<Record<string, string>> = {
  [requestIdHeader]: 'ID of the request, as in the logs.',
}

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }

function responses(route: Route): Record<string, unknown> {
  const documented: Record<string, unknown> = {}
  for (const { status, description, schema, types = [], headers = {} } of route.answers) {
    const content = {
      ...(schema === undefined
        ? {}
        : {
            'application/json': {
              schema,
              examples: named(entryOf(examples, route.operation)?.[status] ?? {}),
            },
          }),
      ...Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
    }
    setEntry(documented, String(status), {
      description,
      headers: described({
        ...answeredId,
        'service-warning': 'Codes of the warnings about this response.',
        ...(route.makes === true && {
          'service-idempotent-replay':
            'true: this is the stored response to an earlier request with the same key.',
        }),
        ...headers,
      }),
      ...(Object.keys(content).length > 0 && { content }),
    })
  }
  for (const [status, codes] of Map.groupBy(errorsOf(route), (code) => catalogue[code].status)) {
    const messages = [...new Set(codes.map((code) => catalogue[code].message))]
    if (Object.hasOwn(documented, status)) continue
    setEntry(documented, String(status), {
      description: messages.map((message) => `- ${message}`).join('\n'),
      headers: described({ ...answeredId, ...errorHeaders[status] }),
      content: {
        'application/json': {
          ...errorContent['application/json'],
          examples: named(Object.fromEntries(codes.map((code) => [code, errorExample(code)]))),
        },
      },
    })
  }
  documented['default'] = {
    description: 'An error of a proxy between the caller and the service.',
    content: errorContent,
  }
  return documented
}

function named(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))
}

function described(headers: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )
}

/** Additional headers of error responses, by status. `headersFor` in `api.ts` sets them. */
const errorHeaders: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'www-authenticate': 'Bearer, and why the token was rejected.' },
  409: { 'retry-after': 'Seconds to wait, when a call with the same key is still running.' },
  429: { 'retry-after': 'Seconds.' },
  503: { 'retry-after': 'Seconds.' },
}

/**
 * All errors that a route may respond with: those that it lists, and those that follow from its other
 * properties.
 */
function errorsOf(route: Route): readonly ErrorCode[] {
  const { errors = [], scope, body, needsDatabase, limited } = route
  const { internalError = 'api.internal' } = route
  const errorLists: readonly (false | readonly ErrorCode[])[] = [
    errors,
    (scope === 'account' || scope === 'studio') && ['api.unauthorized', 'api.unauthorized.expired'],
    body !== undefined && ['api.body.cut', 'api.body.slow', 'api.encoding', 'api.encoding.broken'],
    needsDatabase === true && ['api.stateless'],
    limited === true && ['api.too-many', 'api.stopping'],
    route.makes === true && ['api.key.invalid', 'api.key.reused', 'api.key.running', 'api.key.not-kept'],
    scope !== 'open' && ['storage.unavailable', 'storage.unanswered', 'storage.records'],
    ['api.request.invalid', 'api.headers.too-large', 'storage.damaged', internalError],
  ]
  return errorLists.flatMap((codes) => codes || [])
}

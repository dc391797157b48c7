import { catalogue } from '../errors/catalogue.ts'
import type { Entry } from '../errors/entry.ts'
import type { Route } from './route.ts'

/** The OpenAPI 3.1 description of the routes, made from the same data that serves them. */
export function openapiDocument(
  routes: readonly Route[],
  about: { readonly version: string; readonly server: string },
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operation(route)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'platen',
      version: about.version,
      description: 'Fills office, web and text templates with JSON and converts documents.',
    },
    servers: [{ url: about.server }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: errorSchema },
    },
  }
}

/** Each short code with the message of the first error that has it; w101 stands for all failures of a render. */
function wireCodes(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const entries: readonly Entry[] = Object.values(catalogue)
  for (const { wire, message } of entries) {
    if (wire === undefined || found.has(wire)) continue
    const says = wire === 'w101' ? 'the document could not be made' : message.replace(/[.:;,].*$/s, '')
    found.set(wire, says.replaceAll(/\{\w+\}/g, '…'))
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const errorSchema = {
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { const: false },
    error: { type: 'string', minLength: 1 },
    code: {
      type: 'string',
      description: `Where one is set: ${[...wireCodes()].map(([code, says]) => `${code} ${says}`).join('; ')}.`,
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
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(body.types.map((type) => [type, { schema: body.schema }])),
          },
        }),
    responses: responses(route),
    // Tokens are an option of the operator: with and without.
    security: scope === 'open' ? [] : [{ token: [] }, {}],
  }
}

function parameters(route: Route): unknown[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const inQuery = Object.entries(route.query ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  }))
  const inHeaders = Object.entries({
    ...(route.scope === 'open' ? {} : { 'service-version': 'Major version of the API, such as 5.' }),
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

function responses(route: Route): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const { status, description, schema } of route.answers) {
    const content =
      schema === undefined
        ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
        : { 'application/json': { schema } }
    found[String(status)] = status === 304 ? { description } : { description, content }
  }
  found['default'] = {
    description: 'An error.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
  return found
}

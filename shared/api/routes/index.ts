import { Type } from 'typebox'
import { json } from '../call.ts'
import { openapiDocument } from '../openapi.ts'
import type { Route } from '../route.ts'
import { listed } from './listed.ts'

/**
 * All endpoints, in the order of the documentation. To add one, add a file to this folder that exports a
 * `Route` and run `npm run generate -- routes`.
 */
export const routes: readonly Route[] = [
  ...listed,
  {
    method: 'GET',
    path: '/openapi.json',
    operation: 'openapi',
    summary: 'The OpenAPI 3.1 document of this API.',
    scope: 'open',
    answers: [
      { status: 200, description: 'The document.', schema: Type.Record(Type.String(), Type.Unknown()) },
    ],
    run: async (services, _input, call) =>
      json(200, openapiDocument(routes, { version: services.settings.version, server: call.origin })),
  },
]

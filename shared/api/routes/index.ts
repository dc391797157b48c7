import { Type } from 'typebox'
import { jsonText } from '../call.ts'
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
    run: async ({ settings }, _input, call) => jsonText(200, documentText(settings.version, call.origin)),
  },
]

/** The parts of the document around the URL of the service, by version: they take milliseconds to make, and anybody may ask. */
const documents = new Map<string, readonly string[]>()

function documentText(version: string, server: string): string {
  let texts = documents.get(version)
  if (texts === undefined) {
    const mark = '(the URL of the service)'
    texts = JSON.stringify(openapiDocument(routes, { version, server: mark })).split(JSON.stringify(mark))
    documents.set(version, texts)
  }
  return texts.join(JSON.stringify(server))
}

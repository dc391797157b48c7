/**
 * All endpoints, in the order of the specification. To add one, add a file to this folder and a line to the
 * list.
 */

import { Type } from 'typebox'
import { json } from '../call.ts'
import { openapiDocument } from '../openapi.ts'
import type { Route } from '../route.ts'
import { docsIndex, docsPage } from './docs.ts'
import { lintTemplate, templateSchema } from './inspect.ts'
import { cancelJobRoute, jobRoute } from './jobs.ts'
import { fetchRender, startRender } from './render.ts'
import { conversions, metrics, statusRoute } from './status.ts'
import { root, studioFile } from './studio.ts'
import {
  changeTemplate,
  getTemplate,
  removeTemplate,
  templateCategories,
  templates,
  templateTags,
} from './templates.ts'
import { revokeToken } from './token.ts'
import { upload } from './upload.ts'

export const routes: readonly Route[] = [
  startRender,
  fetchRender,
  jobRoute,
  cancelJobRoute,
  upload,
  lintTemplate,
  templateSchema,
  getTemplate,
  removeTemplate,
  changeTemplate,
  templates,
  templateCategories,
  templateTags,
  revokeToken,
  statusRoute,
  root,
  studioFile,
  metrics,
  conversions,
  docsIndex,
  docsPage,
  {
    method: 'GET',
    path: '/openapi.json',
    operation: 'openapi',
    summary: 'This interface as an OpenAPI 3.1 document.',
    scope: 'open',
    answers: [
      { status: 200, description: 'The document.', schema: Type.Record(Type.String(), Type.Unknown()) },
    ],
    run: async (services, _input, call) =>
      json(200, openapiDocument(routes, { version: services.settings.version, server: call.origin })),
  },
]

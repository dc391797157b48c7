import { Type } from 'typebox'
import { entryOf } from '../../entry-of.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Services } from '../../services/services.ts'
import { type Call, nothing, type Reply } from '../call.ts'
import { matchesEtag } from '../etag.ts'
import type { Route } from '../route.ts'
import { statusReply, statusSchema } from './status.ts'

/**
 * The Content-Security-Policy of the page. It allows the scripts and styles of the studio, calls to this
 * service, and documents that the page received as bytes. Inline styles are allowed for previews of HTML
 * documents, which run in a sandboxed frame and inherit this policy. `object-src` is for the PDF viewer of
 * the browser.
 */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  'img-src blob: data:',
  'font-src data:',
  'frame-src blob:',
  'object-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/**
 * Files that need no password: other applications embed the element, and their pages fetch it without one
 * (docs/decisions/studio.md).
 */
const openFiles: readonly string[] = ['element.js']

const failureSchema = Type.Object({
  success: Type.Literal(false),
  error: Type.String(),
  code: Type.Optional(Type.String()),
})

export const root: Route = {
  method: 'GET',
  path: '/',
  operation: 'root',
  summary: 'The template studio where it is turned on; otherwise the response of GET /status.',
  scope: 'studio',
  answers: [
    {
      status: 200,
      description: 'The page of the studio, or the status of the service.',
      schema: statusSchema,
      types: ['text/html'],
      headers: {
        etag: 'Entity tag of the page.',
        'cache-control': 'no-cache, for the page.',
        'content-security-policy': 'Content security policy of the page.',
        'referrer-policy': 'no-referrer.',
      },
    },
    { status: 304, description: 'The page has not changed.' },
    {
      status: 503,
      description: 'The service is stopping, or its database does not answer.',
      schema: Type.Union([statusSchema, failureSchema]),
      headers: { 'retry-after': 'Seconds after which to try again.' },
    },
  ],
  errors: ['studio.unauthorized'],
  run: (services, _input, call) =>
    services.studio === undefined ? statusReply(services, false) : fileReply(services, 'page.html', call),
}

export const studioFile: Route = {
  method: 'GET',
  path: '/studio/:file',
  operation: 'studioFile',
  summary: 'A file of the template studio.',
  described: false,
  scope: 'studio',
  answers: [{ status: 200, description: 'The file.', types: ['*/*'] }],
  run: (services, { params }, call) => fileReply(services, params['file'] ?? '', call),
}

async function fileReply({ studio }: Services, name: string, call: Call): Promise<Reply> {
  if (studio === undefined || !Object.hasOwn(studio.files, name)) throw new AppError('api.not-found')
  const isProtected = !openFiles.includes(name)
  if (isProtected && !(await studio.admits(call.headers.get('authorization'))))
    throw new AppError('studio.unauthorized')
  const { type, etag, text } = entryOf(studio.files, name)!
  const headers = {
    etag,
    'cache-control': 'no-cache',
    'cross-origin-resource-policy': 'cross-origin',
    ...(type.startsWith('text/html') && {
      'content-security-policy': pagePolicy,
      'referrer-policy': 'no-referrer',
    }),
  }
  if (matchesEtag(call, etag)) return { status: 304, headers, body: nothing }
  return { status: 200, headers: { 'content-type': type, ...headers }, body: { kind: 'text', text } }
}

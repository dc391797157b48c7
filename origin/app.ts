import { type FastifyInstance, type FastifyReply, fastify } from 'fastify'
import { createApi } from '../shared/api/api.ts'
import { collapsePath } from '../shared/api/headers.ts'
import { AppError } from '../shared/errors/app-error.ts'
import { errorBody } from '../shared/errors/problem.ts'
import type { Services } from '../shared/services/services.ts'
import type { Hooks } from './hooks/open-hooks.ts'
import { mount, send } from './mount.ts'

/**
 * The origin as a Fastify application over its services. Listening is the business of `server.ts`. `requestTimeoutMs`: in which a request must have come in; a slow sender is
 * then told, and cut off.
 */
export function createApp(
  services: Services,
  {
    requestTimeoutMs = 300_000,
    hooks,
  }: { readonly requestTimeoutMs?: number; readonly hooks?: Hooks | undefined } = {},
): FastifyInstance {
  const api = createApi(services)
  const app = fastify({
    exposeHeadRoutes: false,
    return503OnClosing: false, // the contract has its own answer, and only renders are refused
    forceCloseConnections: 'idle',
    requestTimeout: 2 * requestTimeoutMs, // of bodies the contract's own answer comes before
    http: { connectionsCheckingInterval: Math.min(30_000, Math.max(100, requestTimeoutMs / 4)) },
    bodyLimit: Number.MAX_SAFE_INTEGER, // the contract has its own limits, with its own answers
    routerOptions: { maxParamLength: 4096 },
    rewriteUrl: (request) => rewrite(request.url ?? '/'),
    frameworkErrors: (_error, request, reply) => {
      // A path that does not decode.
      send(request, reply as FastifyReply, api.refuse(new AppError('api.id.invalid')))
    },
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
      const code =
        error.code === 'HPE_HEADER_OVERFLOW'
          ? 'api.headers.too-large'
          : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
            ? 'api.body.slow'
            : 'api.request.invalid'
      socket.end(rawError(new AppError(code)))
    },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  mount(app, api, { aliases: services.settings.headerAliases, bodyTimeoutMs: requestTimeoutMs, hooks })
  return app
}

function rewrite(url: string): string {
  const mark = url.indexOf('?')
  return mark === -1 ? collapsePath(url) : collapsePath(url.slice(0, mark)) + url.slice(mark)
}

/** An answer for requests that Node's parser refuses before there is one. */
function rawError(error: AppError): string {
  const body = JSON.stringify(errorBody(error))
  return [
    `HTTP/1.1 ${error.status} Error`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}
